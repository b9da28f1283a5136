// SPDX-License-Identifier: Apache-2.0
// What each movement does to numbered elements, against the operations' definitions element by element.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "place_box.hpp"
#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

using Dims = std::vector<uint32_t>;
using Index = std::vector<uint32_t>;
constexpr int kFilled = -1;

uint64_t count_of(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), uint64_t{1}, std::multiplies<>());
}

uint64_t flat(const Dims& dims, const Index& index) {
  uint64_t at = 0;
  for (size_t a = 0; a < dims.size(); ++a) {
    EXPECT_LT(index[a], dims[a]);
    at = at * dims[a] + index[a];
  }
  return at;
}

Index unflat(const Dims& dims, uint64_t at) {
  Index index(dims.size());
  for (size_t a = dims.size(); a-- > 0; at /= dims[a]) index[a] = static_cast<uint32_t>(at % dims[a]);
  return index;
}

/// Which input element each element of output `output` takes, and that it is written once.
std::vector<int> sources(const Movement& movement, uint64_t elements, uint32_t output = 0, uint32_t input = 0) {
  std::vector<int> from(elements, -2);
  for (const MovementBox& box : movement.boxes) {
    if (box.output != output) continue;
    std::function<void(size_t, uint64_t, uint64_t)> walk = [&](size_t dim, uint64_t source, uint64_t target) {
      if (dim < box.dims.size()) {
        const MovementBox::Dim& d = box.dims[dim];
        for (uint64_t i = 0; i < d.count; ++i) walk(dim + 1, source + i * d.from_stride, target + i * d.to_stride);
        return;
      }
      for (uint64_t i = 0; i < box.run; ++i) {
        EXPECT_EQ(from.at(target + i), -2) << "written twice";
        from[target + i] = box.input == input ? static_cast<int>(source + i) : box.input == MovementBox::kFill ? kFilled : -3;
      }
    };
    walk(0, box.from, box.to);
  }
  return from;
}

/// `definition` says from which input index an output index comes; empty: filled.
void expect_sources(const Movement& movement, const Dims& from, const Dims& to,
                    const std::function<Index(const Index&)>& definition) {
  const std::vector<int> got = sources(movement, count_of(to));
  for (uint64_t i = 0; i < got.size(); ++i) {
    const Index source = definition(unflat(to, i));
    ASSERT_EQ(got[i], source.empty() ? kFilled : static_cast<int>(flat(from, source))) << movement.name << " element " << i;
  }
}

TEST(Movements, Transpose) {
  const Dims from{2, 3, 4, 5};
  const std::vector<uint32_t> orders[] = {{0, 3, 1, 2}, {0, 2, 3, 1}, {3, 2, 1, 0}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 3, 0, 1}};
  for (const auto& order : orders) {
    Dims to;
    for (uint32_t axis : order) to.push_back(from[axis]);
    expect_sources(movements::transpose("TRANSPOSE", from, order), from, to, [&](const Index& o) {
      Index i(4);
      for (size_t a = 0; a < 4; ++a) i[order[a]] = o[a];
      return i;
    });
  }
}

TEST(Movements, NeighbouringAxesOfATransposeAreOne) {
  const uint32_t order[] = {0, 3, 1, 2};
  const Movement movement = movements::transpose("TRANSPOSE", {1, 6, 7, 5}, order);
  ASSERT_EQ(movement.boxes.size(), 1u);
  EXPECT_EQ(movement.boxes[0].run, 1u);
  EXPECT_EQ(movement.boxes[0].dims, (std::vector<MovementBox::Dim>{{5, 1, 42}, {42, 5, 1}}));
}

TEST(Movements, Slice) {
  const Dims from{5, 7, 6}, count{2, 3, 4};
  const int64_t begin[] = {1, 6, 0}, step[] = {2, -3, 1};
  expect_sources(*movements::slice("SLICE", from, begin, step, count), from, count, [](const Index& o) {
    return Index{1 + 2 * o[0], 6 - 3 * o[1], o[2]};
  });
}

TEST(Movements, ConcatenateAndSplit) {
  const std::vector<Dims> parts{{2, 3, 4}, {2, 1, 4}, {2, 5, 4}};
  const Movement joined = movements::concatenate("CONCATENATION", parts, 1);
  uint32_t begin = 0;
  for (uint32_t part = 0; part < 3; ++part) {
    const std::vector<int> got = sources(joined, 2 * 9 * 4, 0, part);
    for (uint64_t i = 0; i < got.size(); ++i) {
      const Index o = unflat({2, 9, 4}, i);
      const bool mine = o[1] >= begin && o[1] < begin + parts[part][1];
      ASSERT_EQ(got[i], mine ? static_cast<int>(flat(parts[part], {o[0], o[1] - begin, o[2]})) : -3);
    }
    begin += parts[part][1];
  }
  const Movement parted = movements::split("SPLIT", {2, 6, 4}, 1, 3);
  for (uint32_t part = 0; part < 3; ++part) {
    const std::vector<int> got = sources(parted, 2 * 2 * 4, part);
    for (uint64_t i = 0; i < got.size(); ++i) {
      const Index o = unflat({2, 2, 4}, i);
      ASSERT_EQ(got[i], static_cast<int>(flat({2, 6, 4}, {o[0], o[1] + 2 * part, o[2]})));
    }
  }
}

TEST(Movements, Pad) {
  const Dims from{2, 3, 4}, to{2, 6, 7};
  const movements::Padding paddings[] = {{0, 0}, {1, 2}, {3, 0}};
  expect_sources(movements::pad("PAD", from, paddings, 7), from, to, [](const Index& o) {
    if (o[1] < 1 || o[1] >= 4 || o[2] < 3) return Index{};
    return Index{o[0], o[1] - 1, o[2] - 3};
  });
}

TEST(Movements, Tile) {
  const Dims from{2, 3, 2}, to{4, 3, 6};
  const uint32_t multiples[] = {2, 1, 3};
  expect_sources(movements::tile("TILE", from, multiples), from, to, [](const Index& o) {
    return Index{o[0] % 2, o[1], o[2] % 2};
  });
}

TEST(Movements, Gather) {
  const Dims from{3, 9, 2};
  for (const Dims& indices : {Dims{0, 0, 1, 1, 2, 2}, Dims{8, 8, 8, 3, 5, 7, 0}, Dims{4}, Dims{2, 2, 1, 1, 4, 4, 6, 6, 8}}) {
    const Dims to{3, static_cast<uint32_t>(indices.size()), 2};
    expect_sources(*movements::gather("GATHER", from, 1, indices), from, to, [&](const Index& o) {
      return Index{o[0], indices[o[1]], o[2]};
    });
  }
  const uint32_t twice[] = {0, 0, 1, 1, 2, 2, 3, 3};
  EXPECT_EQ(movements::gather("GATHER", from, 1, twice)->boxes.size(), 1u);
}

TEST(Movements, ChannelShuffle) {
  const Dims dims{2, 6, 3};
  expect_sources(movements::channel_shuffle("CHANNEL_SHUFFLE", dims, 1, 3), dims, dims, [](const Index& o) {
    // [groups, 2] transposed
    return Index{o[0], o[1] % 3 * 2 + o[1] / 3, o[2]};
  });
}

TEST(Movements, SpaceAndDepth) {
  const Dims space{2, 6, 9, 2}, depth{2, 2, 3, 18};
  const auto in_space = [](uint32_t n, uint32_t h, uint32_t w, uint32_t d) {
    return Index{n, h * 3 + d / 2 / 3, w * 3 + d / 2 % 3, d % 2};
  };
  expect_sources(movements::space_to_depth("SPACE_TO_DEPTH", space, 3), space, depth, [&](const Index& o) {
    return in_space(o[0], o[1], o[2], o[3]);
  });
  expect_sources(movements::depth_to_space("DEPTH_TO_SPACE", depth, 3), depth, space, [](const Index& o) {
    return Index{o[0], o[1] / 3, o[2] / 3, (o[1] % 3 * 3 + o[2] % 3) * 2 + o[3]};
  });
}

TEST(Movements, SpaceAndBatch) {
  // Paddings of a whole block, so that some phases have nothing but padding.
  const Dims space{2, 4, 3, 2}, batch{12, 4, 3, 2};
  expect_sources(*movements::space_to_batch("SPACE_TO_BATCH_ND", space, 2, 3, {3, 1}, {1, 5}, 9), space, batch,
                 [](const Index& o) {
                   const uint32_t phase = o[0] / 2, row = o[1] * 2 + phase / 3, column = o[2] * 3 + phase % 3;
                   if (row < 3 || row >= 7 || column < 1 || column >= 4) return Index{};
                   return Index{o[0] % 2, row - 3, column - 1, o[3]};
                 });
  const Dims joined{2, 8, 9, 2};
  expect_sources(*movements::batch_to_space("BATCH_TO_SPACE_ND", batch, 2, 3), batch, joined, [](const Index& o) {
    return Index{(o[1] % 2 * 3 + o[2] % 3) * 2 + o[0], o[1] / 2, o[2] / 3, o[3]};
  });
}

TEST(Movements, TooManyPiecesAreRefused) {
  const int64_t begin[] = {299, 299}, step[] = {-1, -1};
  EXPECT_FALSE(movements::slice("STRIDED_SLICE", {300, 300}, begin, step, {300, 300}));
}

/// Random boxes on both sides of a tensor with space between its rows and cells.
TEST(Movements, PlacedBoxesReachTheSameBytes) {
  std::mt19937 random(3);
  int placed = 0;
  for (int i = 0; i < 2000; ++i) {
    GraphBuilder b(static_cast<uint64_t>(i));
    const uint32_t in = b.input({1, b.between(1, 6), b.between(1, 6), b.between(1, 6)}, ElementType::kInt8);
    b.random_movement(in);
    const Dims dims = b.tensor(in).dims;
    const uint64_t cells = dims[3], row = dims[2] * cells, cell_pitch = cells + b.between(0, 3),
                   row_pitch = dims[2] * cell_pitch + b.between(0, 3);
    const Pitches pitches{row, cells, row_pitch, cell_pitch};
    for (const MovementBox& box : b.graph().operations[0].movement.boxes) {
      if (box.input == MovementBox::kFill) continue;
      MovementBox there = box;
      if (!place_box(there, Side::kFrom, pitches)) continue;
      ++placed;
      const uint64_t size = box.to + box.to_extent();
      const std::vector<int> dense = sources({"", {box}, 0}, size, box.output, box.input),
                             spread = sources({"", {there}, 0}, size, box.output, box.input);
      for (uint64_t at = 0; at < size; ++at)
        if (dense[at] >= 0) {
          ASSERT_EQ(spread[at], static_cast<int>(pitches.offset(static_cast<uint64_t>(dense[at])))) << i;
        }
    }
  }
  EXPECT_GT(placed, 1000);
}

}  // namespace
}  // namespace avocet::compiler::test
