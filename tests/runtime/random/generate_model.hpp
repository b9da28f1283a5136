// SPDX-License-Identifier: Apache-2.0
// Seeds to models.
#pragma once

#include "model_draft.hpp"

namespace avocet::random_models {

/// The model of a seed: always the same. `first` (not negative) is the code of the operation it starts with; without it the
/// seed decides.
RandomModel generate_model(uint64_t seed, const Profile& profile = {}, int32_t first = -1);

}  // namespace avocet::random_models
