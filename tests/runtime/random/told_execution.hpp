// SPDX-License-Identifier: Apache-2.0
// Executions whose inputs say at the last moment what shape they have, with some arguments in memory objects.
#pragma once

#include "conformance/comparison.hpp"
#include "model_draft.hpp"
#include "nnapi/handles.hpp"

namespace avocet::random_models {

/// The same model with extents, or ranks, of its inputs left open.
RandomModel with_open_inputs(RandomModel model);

/// One synchronous execution; the outputs of the main graph. Throws ApiError.
std::vector<tools::ActualOutput> execute_told(ANeuralNetworksCompilation* compilation, const RandomModel& model);

}  // namespace avocet::random_models
