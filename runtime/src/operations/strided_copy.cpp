// SPDX-License-Identifier: Apache-2.0
// Moving elements: see strided_copy.hpp. A copy is first simplified:
// 1. steps become bytes, axes of extent 1 go, neighbours that both sides see as one axis are joined;
// 2. an innermost axis that is dense on both sides becomes part of the element, which is then copied at once;
// 3. what remains runs as rows and columns, in square tiles where the source is denser along the rows (a transposition).
#include "strided_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "shape.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kGrainBytes = 65536;  // worth a thread
constexpr size_t kTile = 32;           // a tile of both sides stays in the first-level cache

struct Copy {
  std::vector<CopyAxis> axes;  // steps in bytes
  size_t element;              // bytes
};

Copy simplify(const std::vector<CopyAxis>& given, size_t element) {
  Copy copy{.axes = {}, .element = element};
  const ptrdiff_t bytes = static_cast<ptrdiff_t>(element);
  for (const CopyAxis& axis : given) {
    if (axis.extent == 1) continue;
    const CopyAxis inner{axis.extent, axis.from * bytes, axis.to * bytes};
    const ptrdiff_t extent = static_cast<ptrdiff_t>(axis.extent);
    if (!copy.axes.empty()) {
      CopyAxis& outer = copy.axes.back();
      if (outer.from == inner.from * extent && outer.to == inner.to * extent) {
        outer = {outer.extent * inner.extent, inner.from, inner.to};
        continue;
      }
    }
    copy.axes.push_back(inner);
  }
  if (!copy.axes.empty() && copy.axes.back().from == bytes && copy.axes.back().to == bytes) {
    copy.element *= copy.axes.back().extent;
    copy.axes.pop_back();
  }
  return copy;
}

/// Elements of kElement bytes, or of `element` bytes when kElement is 0: the fixed sizes become single moves.
template <size_t kElement>
void copy_block(const uint8_t* from, uint8_t* to, const CopyAxis& rows, const CopyAxis& columns, size_t element) {
  const size_t bytes = kElement ? kElement : element;
  const ptrdiff_t from_step = columns.from, to_step = columns.to;
  for (size_t r = 0; r < rows.extent; ++r, from += rows.from, to += rows.to) {
    const uint8_t* __restrict source = from;
    uint8_t* __restrict destination = to;
    size_t c = columns.extent;
    for (; c >= 4; c -= 4, source += 4 * from_step, destination += 4 * to_step) {  // four independent moves at a time
      std::memcpy(destination, source, bytes);
      std::memcpy(destination + to_step, source + from_step, bytes);
      std::memcpy(destination + 2 * to_step, source + 2 * from_step, bytes);
      std::memcpy(destination + 3 * to_step, source + 3 * from_step, bytes);
    }
    for (; c > 0; --c, source += from_step, destination += to_step) std::memcpy(destination, source, bytes);
  }
}

using CopyBlock = void (*)(const uint8_t*, uint8_t*, const CopyAxis&, const CopyAxis&, size_t);

CopyBlock block_for(size_t element) {
  switch (element) {
    case 1: return copy_block<1>;
    case 2: return copy_block<2>;
    case 4: return copy_block<4>;
    case 8: return copy_block<8>;
    case 16: return copy_block<16>;
    default: return copy_block<0>;
  }
}

void copy_tiled(const uint8_t* from, uint8_t* to, const CopyAxis& rows, const CopyAxis& columns, size_t element, CopyBlock block) {
  // Source lines whole pages apart share one set of the cache: no more of them at a time than it has ways.
  const size_t tile_width = columns.from % 4096 == 0 ? 8 : kTile;
  for (size_t r = 0; r < rows.extent; r += kTile) {
    const size_t height = std::min(kTile, rows.extent - r);
    for (size_t c = 0; c < columns.extent; c += tile_width) {
      const ptrdiff_t row = static_cast<ptrdiff_t>(r), column = static_cast<ptrdiff_t>(c);
      block(from + row * rows.from + column * columns.from, to + row * rows.to + column * columns.to,
            {height, rows.from, rows.to}, {std::min(tile_width, columns.extent - c), columns.from, columns.to}, element);
    }
  }
}

/// Makes the axis along which the source is densest the one before the last, so that the last two can run in tiles.
/// False when that is the last one already.
bool find_rows(std::vector<CopyAxis>& axes) {
  size_t densest = axes.size() - 1;
  for (size_t i = 0; i + 1 < axes.size(); ++i) {
    if (axes[i].from != 0 && std::abs(axes[i].from) < std::abs(axes[densest].from)) densest = i;
  }
  if (densest == axes.size() - 1) return false;
  std::rotate(axes.begin() + static_cast<ptrdiff_t>(densest), axes.begin() + static_cast<ptrdiff_t>(densest) + 1, axes.end() - 1);
  return true;
}

void copy_serially(const uint8_t* from, uint8_t* to, std::vector<CopyAxis> axes, size_t element) {
  const bool tiled = axes.size() > 1 && find_rows(axes);
  const CopyBlock block = block_for(element);
  while (axes.size() < 2) axes.insert(axes.begin(), CopyAxis{1, 0, 0});
  const CopyAxis columns = axes.back(), rows = axes[axes.size() - 2];
  axes.resize(axes.size() - 2);
  std::vector<size_t> index(axes.size());
  while (true) {
    tiled ? copy_tiled(from, to, rows, columns, element, block) : block(from, to, rows, columns, element);
    size_t i = axes.size();
    for (; i > 0; --i) {
      const CopyAxis& axis = axes[i - 1];
      from += axis.from;
      to += axis.to;
      if (++index[i - 1] < axis.extent) break;
      from -= axis.from * static_cast<ptrdiff_t>(axis.extent);
      to -= axis.to * static_cast<ptrdiff_t>(axis.extent);
      index[i - 1] = 0;
    }
    if (i == 0) return;
  }
}

template <typename T>
void fill(const OperationContext& context, void* to, size_t count, const void* value) {
  T element;
  std::memcpy(&element, value, sizeof element);
  T* elements = static_cast<T*>(to);
  context.parallel_for(count, kGrainBytes, [&](size_t begin, size_t end) { std::fill(elements + begin, elements + end, element); });
}

}  // namespace

std::vector<ptrdiff_t> dense_steps(std::span<const uint32_t> dims) {
  std::vector<ptrdiff_t> steps(dims.size());
  ptrdiff_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    steps[i] = step;
    step *= static_cast<ptrdiff_t>(dims[i]);
  }
  return steps;
}

void copy_strided(const OperationContext& context, const void* from, void* to, std::vector<CopyAxis> axes, size_t element_bytes) {
  for (const CopyAxis& axis : axes) {
    if (axis.extent == 0) return;
  }
  const Copy copy = simplify(axes, element_bytes);
  const auto* source = static_cast<const uint8_t*>(from);
  auto* destination = static_cast<uint8_t*>(to);
  if (copy.axes.empty()) {
    std::memcpy(destination, source, copy.element);
    return;
  }
  const CopyAxis outermost = copy.axes[0];
  size_t bytes = copy.element;  // moved for each index of the outermost axis
  for (size_t i = 1; i < copy.axes.size(); ++i) bytes *= copy.axes[i].extent;
  context.parallel_for(outermost.extent, std::max<size_t>(1, kGrainBytes / bytes), [&](size_t begin, size_t end) {
    std::vector<CopyAxis> part = copy.axes;
    part[0].extent = end - begin;
    const ptrdiff_t first = static_cast<ptrdiff_t>(begin);
    copy_serially(source + first * outermost.from, destination + first * outermost.to, std::move(part), copy.element);
  });
}

void copy_permuted(OperationContext& context, std::span<const uint32_t> dims, std::span<const uint32_t> order) {
  const std::vector<ptrdiff_t> from = dense_steps(dims);
  std::vector<CopyAxis> axes(order.size());
  ptrdiff_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    axes[i] = {dims[order[i]], from[order[i]], step};
    step *= static_cast<ptrdiff_t>(dims[order[i]]);
  }
  copy_strided(context, context.input(0).data, context.out<void>(0), std::move(axes), element_size(context.output(0).type));
}

void fill_elements(const OperationContext& context, void* to, size_t count, const void* value, size_t element_bytes) {
  switch (element_bytes) {
    case 1: return fill<uint8_t>(context, to, count, value);
    case 2: return fill<uint16_t>(context, to, count, value);
    default: return fill<uint32_t>(context, to, count, value);
  }
}

}  // namespace avocet::runtime
