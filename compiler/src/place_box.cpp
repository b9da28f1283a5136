// SPDX-License-Identifier: Apache-2.0
#include "place_box.hpp"

namespace avocet::compiler {
namespace {

/// One side of a box, to be cut at the borders of rows or cells.
class Cutting {
 public:
  Cutting(MovementBox& box, Side side) : box_(box), side_(side) {}

  uint64_t& start() { return side_ == Side::kFrom ? box_.from : box_.to; }
  uint64_t& stride(MovementBox::Dim& dim) const { return side_ == Side::kFrom ? dim.from_stride : dim.to_stride; }

  /// Afterwards each dimension steps by whole units, or all of them together stay inside one.
  bool cut_at(uint64_t unit) {
    if (start() % unit + box_.run > unit && !cut_run(unit)) return false;
    for (size_t i = 0; i < box_.dims.size(); ++i)
      if (stride(box_.dims[i]) % unit != 0) cut_dim(i, unit);
    uint64_t inside = start() % unit + box_.run;
    for (MovementBox::Dim& dim : box_.dims)
      if (stride(dim) % unit != 0) inside += (dim.count - 1) * stride(dim);
    return inside <= unit;
  }

 private:
  bool cut_run(uint64_t unit) {
    if (start() % unit != 0 || box_.run % unit != 0) return false;
    box_.dims.push_back({box_.run / unit, box_.input == MovementBox::kFill ? 0 : unit, unit});
    box_.run = unit;
    return true;
  }
  void cut_dim(size_t i, uint64_t unit) {
    MovementBox::Dim& dim = box_.dims[i];
    const uint64_t step = stride(dim);
    if ((dim.count - 1) * step < unit || unit % step != 0 || dim.count % (unit / step) != 0) return;
    const uint64_t inner = unit / step;
    const MovementBox::Dim outer{dim.count / inner, dim.from_stride * inner, dim.to_stride * inner};
    dim.count = inner;
    box_.dims.insert(box_.dims.begin() + static_cast<ptrdiff_t>(i), outer);
  }

  MovementBox& box_;
  const Side side_;
};

}  // namespace

Pitches pitches_in_value(const Map& map) { return {map.row_bytes(), map.channels, map.row_stride, map.cell_stride}; }

bool place_box(MovementBox& box, Side side, const Pitches& pitches) {
  Cutting cutting(box, side);
  const bool rows = pitches.spreads_rows();
  if (rows && !cutting.cut_at(pitches.row_bytes)) return false;
  if (pitches.spreads_cells() && !cutting.cut_at(pitches.cell_bytes)) return false;
  cutting.start() = pitches.offset(cutting.start());
  for (MovementBox::Dim& dim : box.dims) {
    uint64_t& stride = cutting.stride(dim);
    if (rows && stride % pitches.row_bytes == 0)
      stride = stride / pitches.row_bytes * pitches.row_pitch;
    else
      stride = stride / pitches.cell_bytes * pitches.cell_pitch + stride % pitches.cell_bytes;
  }
  return true;
}

}  // namespace avocet::compiler
