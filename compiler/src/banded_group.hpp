// SPDX-License-Identifier: Apache-2.0
// A run of nodes that is executed in bands of rows: all nodes make their part of band 0, then of band 1, and so on, so
// that maps between them need to be in the SRAM a band at a time (depth first), and the array and the vector unit work
// on neighbouring bands at the same time. This file says which rows of which map exist when; nothing here knows
// addresses.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "liveness.hpp"
#include "network.hpp"

namespace avocet::compiler {

/// A map as the nodes of one group see it. In band b its window holds rows [first[b], last[b]), which may reach beyond
/// the map where a reader needs padding; rows below end[b] have been made or loaded by then.
struct BandedMap {
  uint32_t map = 0;
  int32_t producer = -1;            // node of the group (from 0), -1: it comes from outside
  std::vector<uint32_t> consumers;  // nodes of the group
  bool live_out = false;            // read behind the group, or returned
  std::vector<uint32_t> end;
  std::vector<int64_t> first, last;
  uint32_t window_rows = 0;  // of the tallest window
  uint32_t buffers = 1;      // windows alive at once, when the map is not kept whole
  bool overlaps = false;     // windows share rows with their successors

  uint32_t begin(uint32_t band) const { return band == 0 ? 0 : end[band - 1]; }
  bool from_outside() const { return producer < 0; }
};

struct BandedGroup {
  uint32_t begin = 0, end = 0;  // nodes of the network
  uint32_t bands = 1;
  std::vector<uint32_t> delay;  // per node: it makes band b in time step b + delay
  std::vector<BandedMap> maps;
  std::vector<std::vector<uint32_t>> inputs;  // per node: indices into maps
  std::vector<uint32_t> outputs;

  uint32_t nodes() const { return end - begin; }
  uint32_t steps() const;
};

/// nullopt when the nodes cannot be banded together.
std::optional<BandedGroup> band_nodes(const Network& network, const std::vector<Lifetime>& lifetimes, uint32_t begin,
                                      uint32_t end, uint32_t bands);

/// Banded groups of a network that does not change, for several plans. What has been made stays until kBytesMax are kept; beyond,
/// a group is made anew whenever it is asked for, and stays until the next one is.
class BandedGroups {
 public:
  explicit BandedGroups(const Network& network) : network_(network), lifetimes_(lifetimes(network)) {}

  const std::vector<Lifetime>& lifetimes_of_values() const { return lifetimes_; }
  /// See band_nodes.
  const std::optional<BandedGroup>& get(uint32_t begin, uint32_t end, uint32_t bands);

 private:
  static constexpr size_t kBytesMax = 16 << 20;

  const Network& network_;
  const std::vector<Lifetime> lifetimes_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::optional<BandedGroup>> kept_;
  size_t bytes_ = 0;
  std::optional<BandedGroup> last_;
};

/// Maps of the group whose memory an elementwise node that makes map `output` may write its result to, as they come from
/// outside, die with it and are laid out like it. Right for a map only while it stays in the SRAM.
std::vector<uint32_t> overwritable_inputs(const Network& network, const std::vector<Lifetime>& lifetimes,
                                          const BandedGroup& group, uint32_t output);

/// SRAM bytes of a window of `rows` rows, and of the whole map with its margins.
uint64_t window_bytes(const Map& map, uint64_t rows);
uint64_t whole_bytes(const Map& map);

/// Whether a map that is not resident is nevertheless kept whole inside the group, because that takes no more memory.
bool keeps_whole(const Map& map, const BandedMap& banded);
/// SRAM bytes of such a map.
uint64_t group_bytes(const Map& map, const BandedMap& banded);

}  // namespace avocet::compiler
