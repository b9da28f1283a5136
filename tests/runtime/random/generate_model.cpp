// SPDX-License-Identifier: Apache-2.0
#include "generate_model.hpp"

namespace avocet::random_models {
namespace {

/// Quantised operations; those that the accelerator runs stand more than once.
constexpr int32_t kQuantisedCodes[] = {
    ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_CONV_2D, ANEURALNETWORKS_DEPTHWISE_CONV_2D,
    ANEURALNETWORKS_DEPTHWISE_CONV_2D, ANEURALNETWORKS_DEPTHWISE_CONV_2D, ANEURALNETWORKS_FULLY_CONNECTED, ANEURALNETWORKS_FULLY_CONNECTED,
    ANEURALNETWORKS_AVERAGE_POOL_2D, ANEURALNETWORKS_AVERAGE_POOL_2D, ANEURALNETWORKS_MAX_POOL_2D, ANEURALNETWORKS_MAX_POOL_2D,
    ANEURALNETWORKS_ADD, ANEURALNETWORKS_ADD, ANEURALNETWORKS_ADD, ANEURALNETWORKS_RESHAPE, ANEURALNETWORKS_RESHAPE};

int32_t draw_code(Random& random, const Profile& profile) {
  if (profile.quantised_only && random.chance(75)) return random.pick(kQuantisedCodes);
  return static_cast<int32_t>(random.below(runtime::all_operations().size()));
}

}  // namespace

RandomModel generate_model(uint64_t seed, const Profile& profile, int32_t first) {
  Random random(seed);
  ModelDraft draft(random, profile);
  // Half of the models are small; others have up to the most operations.
  const uint32_t wanted = random.chance(50) ? random.extent(1, 3) : random.extent(1, profile.most_operations);
  if (first >= 0) draft.add(first);
  if (random.chance(4)) draft.add_empty_regions();
  for (uint32_t draws = 0; draft.operation_count() < wanted && draws < 200; ++draws) draft.add(draw_code(random, profile));
  while (draft.operation_count() == 0) draft.add(profile.quantised_only ? ANEURALNETWORKS_ADD : ANEURALNETWORKS_RELU);
  return draft.finish(seed);
}

}  // namespace avocet::random_models
