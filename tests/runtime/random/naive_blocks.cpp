// SPDX-License-Identifier: Apache-2.0
// Rearrangements of feature maps by blocks, and look-ups of sub-tensors.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

/// One pixel of a channel of an image.
struct Cell {
  int64_t n = 0, h = 0, w = 0, c = 0;
};

/// Fills an image from the cell that `source` names; cells outside the input are zero.
void rearrange(Call& call, bool nchw, Cell extents, const std::function<Cell(const Cell&)>& source) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  const auto u = [](int64_t x) { return static_cast<uint32_t>(x); };
  out.resize(ImageView::dims_of(nchw, u(extents.n), u(extents.h), u(extents.w), u(extents.c)));
  const ImageView from{in.dims, nchw}, to{out.dims, nchw};
  Cell at;
  for (at.n = 0; at.n < extents.n; ++at.n) {
    for (at.h = 0; at.h < extents.h; ++at.h) {
      for (at.w = 0; at.w < extents.w; ++at.w) {
        for (at.c = 0; at.c < extents.c; ++at.c) {
          const Cell s = source(at);
          const bool inside = s.h >= 0 && s.w >= 0 && s.h < from.height() && s.w < from.width();
          out.real[to.index(at.n, at.h, at.w, at.c)] = inside ? in.real[from.index(s.n, s.h, s.w, s.c)] : 0;
        }
      }
    }
  }
}

Cell extents_of(const ImageView& image) { return {image.batches(), image.height(), image.width(), image.channels()}; }

}  // namespace

void depth_to_space(Call& call) {
  const bool nchw = call.flag(2);
  const int64_t block = call.integer(1);
  Cell e = extents_of({call.in(0).dims, nchw});
  e = {e.n, e.h * block, e.w * block, e.c / (block * block)};
  rearrange(call, nchw, e, [&](const Cell& at) {
    return Cell{at.n, at.h / block, at.w / block, (at.h % block * block + at.w % block) * e.c + at.c};
  });
}

void space_to_depth(Call& call) {
  const bool nchw = call.flag(2);
  const int64_t block = call.integer(1);
  const Cell from = extents_of({call.in(0).dims, nchw});
  rearrange(call, nchw, {from.n, from.h / block, from.w / block, from.c * block * block}, [&](const Cell& at) {
    const int64_t in_block = at.c / from.c;
    return Cell{at.n, at.h * block + in_block / block, at.w * block + in_block % block, at.c % from.c};
  });
}

/// Batch number = position in the block * batches of the larger image + its batch.
void batch_to_space_nd(Call& call) {
  const bool nchw = call.flag(2);
  const std::vector<int64_t> block = call.integers(1);
  const Cell from = extents_of({call.in(0).dims, nchw});
  const int64_t batches = from.n / (block[0] * block[1]);
  rearrange(call, nchw, {batches, from.h * block[0], from.w * block[1], from.c}, [&](const Cell& at) {
    return Cell{(at.h % block[0] * block[1] + at.w % block[1]) * batches + at.n, at.h / block[0], at.w / block[1], at.c};
  });
}

void space_to_batch_nd(Call& call) {
  const bool nchw = call.flag(3);
  const std::vector<int64_t> block = call.integers(1), pad = call.integers(2);
  const Cell from = extents_of({call.in(0).dims, nchw});
  const int64_t height = (from.h + pad[0] + pad[1]) / block[0], width = (from.w + pad[2] + pad[3]) / block[1];
  rearrange(call, nchw, {from.n * block[0] * block[1], height, width, from.c}, [&](const Cell& at) {
    const int64_t in_block = at.n / from.n;
    return Cell{at.n % from.n, at.h * block[0] + in_block / block[1] - pad[0], at.w * block[1] + in_block % block[1] - pad[2], at.c};
  });
}

void channel_shuffle(Call& call) {
  const Value& in = call.in(0);
  const auto groups = static_cast<uint32_t>(call.integer(1));
  const size_t axis = Call::axis_of(call.integer(2), in.dims.size());
  const uint32_t group_size = in.dims[axis] / groups;
  Expected& out = call.out(0);
  out.resize(in.dims);
  for_each_position(in.dims, [&](const Dims& at, size_t i) {
    Dims source = at;
    source[axis] = at[axis] % groups * group_size + at[axis] / groups;
    out.real[i] = in.real[flat_index(in.dims, source)];
  });
}

void gather(Call& call) {
  const Value &in = call.in(0), &indices = call.in(2);
  const size_t axis = Call::axis_of(call.integer(1), in.dims.size());
  Dims dims(in.dims.begin(), in.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), in.dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.dims.end());
  Expected& out = call.out(0);
  out.resize(dims);
  const auto middle = static_cast<std::ptrdiff_t>(axis), rank = static_cast<std::ptrdiff_t>(indices.dims.size());
  for_each_position(dims, [&](const Dims& at, size_t i) {
    const Dims index(at.begin() + middle, at.begin() + middle + rank);
    Dims source(at.begin(), at.begin() + middle);
    source.push_back(static_cast<uint32_t>(indices.real[flat_index(indices.dims, index)]));
    source.insert(source.end(), at.begin() + middle + rank, at.end());
    out.real[i] = in.real[flat_index(in.dims, source)];
  });
}

void embedding_lookup(Call& call) {
  const Value &lookups = call.in(0), &values = call.in(1);
  Dims dims = values.dims;
  dims[0] = lookups.dims[0];
  Expected& out = call.out(0);
  out.resize(dims);
  for_each_position(dims, [&](const Dims& at, size_t i) {
    Dims source = at;
    source[0] = static_cast<uint32_t>(lookups.real[at[0]]);
    out.real[i] = values.real[flat_index(values.dims, source)];
  });
}

/// A slice that is missed has zero bytes as well as zero values only where the zero point is 0: both are accepted.
void hashtable_lookup(Call& call) {
  const Value &lookups = call.in(0), &keys = call.in(1), &values = call.in(2);
  Dims dims = values.dims;
  dims[0] = lookups.dims[0];
  Expected &out = call.out(0), &hits = call.out(1);
  out.resize(dims);
  hits.resize(lookups.dims);
  std::vector<size_t> rows(lookups.real.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    rows[k] = static_cast<size_t>(std::find(keys.real.begin(), keys.real.end(), lookups.real[k]) - keys.real.begin());
    hits.real[k] = rows[k] < keys.real.size() ? 1 : 0;
  }
  for_each_position(dims, [&](const Dims& at, size_t i) {
    if (hits.real[at[0]] == 0) {
      if (is_quantised_type(out.type)) out.alternatives[i] = {0, out.zero_point};
      return;
    }
    Dims source = at;
    source[0] = static_cast<uint32_t>(rows[at[0]]);
    out.real[i] = values.real[flat_index(values.dims, source)];
  });
}

}  // namespace avocet::random_models::naive
