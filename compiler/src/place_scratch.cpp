// SPDX-License-Identifier: Apache-2.0
#include "place_scratch.hpp"

#include <algorithm>

#include "interval_memory.hpp"

namespace avocet::compiler {

uint64_t place_scratch(Network& network, const Plan& plan, std::span<const uint32_t> times) {
  constexpr uint64_t kAlignment = 64;
  std::vector<uint32_t> group_of(network.nodes.size());
  for (uint32_t g = 0; g < plan.groups.size(); ++g)
    for (uint32_t i = plan.groups[g].begin; i < plan.groups[g].end; ++i) group_of[i] = g;

  const std::vector<Lifetime> lives = lifetimes(network);
  std::vector<MemoryRequest> requests;
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    const Lifetime& life = lives[i];
    if (value.home != Home::kScratch || life.first_writer < 0 || plan.resident[i]) continue;
    const uint32_t first = group_of[static_cast<size_t>(life.first_writer)];
    const uint32_t last = group_of[static_cast<size_t>(std::max(life.last_reader, life.last_writer))];
    if (first == last && !value.dram_only) continue;  // never leaves its group
    requests.push_back({value.bytes, times.empty() ? first : times[first], times.empty() ? last : times[last], 0});
    values.push_back(i);
  }
  const uint64_t bytes = place_by_lifetime(requests, kAlignment);
  for (size_t i = 0; i < values.size(); ++i) network.values[values[i]].offset = requests[i].address;
  return bytes;
}

}  // namespace avocet::compiler
