// SPDX-License-Identifier: Apache-2.0
// A segment is a run of nodes between two BARRIERs that the cores of a gang share. Here its nodes are rewritten into those of one
// core: they make a share of the rows, or of the channels, of what leaves the segment. What is made and read inside the
// segment belongs to the core that needs it; where windows overlap, both cores make the rows.
#pragma once

#include <optional>
#include <vector>

#include "liveness.hpp"
#include "network.hpp"

namespace avocet::compiler {

enum class Share : uint8_t { kOneCore, kRows, kChannels };

class SegmentMaker {
 public:
  /// `network`: before choose_layouts. Its values become shared ones, which live in the DRAM.
  SegmentMaker(const Network& network, const DeviceConfig& device, uint32_t cores);

  /// The nodes of core `core` for nodes [begin, end) of the original, laid out, with maps, values and weights appended to
  /// network(); none when there is nothing left for the core. nullopt: they cannot be shared in this way.
  std::optional<std::vector<Node>> make(uint32_t begin, uint32_t end, Share share, uint32_t core);

  /// A core whose part is as long as any.
  uint32_t longest_part(uint32_t end, Share share) const;

  /// Without nodes of its own; whoever plans sets them.
  Network& network() { return work_; }
  uint32_t nodes() const { return static_cast<uint32_t>(nodes_.size()); }

  /// What was appended since is dropped.
  struct Mark {
    size_t values, maps, weights;
  };
  Mark mark() const { return {work_.values.size(), work_.maps.size(), work_.weights.size()}; }
  void drop(const Mark& mark);

 private:
  friend class SegmentPart;

  Network work_;
  std::vector<Node> nodes_;
  std::vector<Lifetime> lifetimes_;
  const uint32_t array_cols_, cores_;
};

}  // namespace avocet::compiler
