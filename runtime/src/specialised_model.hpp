// SPDX-License-Identifier: Apache-2.0
// A model of some operations of another one, with the extents and the constants of one execution.
#pragma once

#include "accelerator.hpp"
#include "frame.hpp"
#include "reference_counted.hpp"

namespace avocet::runtime {

/// The operations of `group` in their order; inputs are those of the group that are not in `constants`, outputs the
/// group's. The model refers to memory of the frame and of the group's model. `operand_of` receives for each operand of
/// the group's model its number in the new one. OP_FAILED when shapes do not follow from what is known, or are empty.
Status specialise_model(const SubModel& group, const std::vector<uint32_t>& constants, Frame& frame,
                        Reference<Model>* model, std::vector<uint32_t>* operand_of);

}  // namespace avocet::runtime
