// SPDX-License-Identifier: Apache-2.0
// A transposed convolution taken apart: see transposed_phases.hpp.
#include "transposed_phases.hpp"

#include "shape.hpp"

namespace avocet::runtime {
namespace {

/// The taps of one pair of residues in reverse order: [depth_out][taps of height][taps of width][depth_in].
template <typename Stored>
std::vector<Stored> select_taps(const OperandView& filter, const TransposedAxis& height, const TransposedAxis& width, int64_t rh,
                                int64_t rw) {
  std::vector<Stored> taps;
  const size_t depth = filter.dims[3];
  const size_t filter_width = filter.dims[2], filter_pixels = size_t{filter.dims[1]} * filter_width;
  for (size_t column = 0; column < filter.dims[0]; ++column) {
    const Stored* values = filter.as<Stored>() + column * filter_pixels * depth;
    for (int64_t y = rh + (height.taps(rh) - 1) * height.stride; y >= 0; y -= height.stride) {
      for (int64_t x = rw + (width.taps(rw) - 1) * width.stride; x >= 0; x -= width.stride) {
        const Stored* tap = values + (static_cast<size_t>(y) * filter_width + static_cast<size_t>(x)) * depth;
        taps.insert(taps.end(), tap, tap + depth);
      }
    }
  }
  return taps;
}

}  // namespace

std::unique_ptr<PreparedPhases> pack_phases(const OperandView& filter, bool quantised, const TransposedAxis& height,
                                            const TransposedAxis& width) {
  auto packed = std::make_unique<PreparedPhases>();
  for (int64_t rh = 0; rh < height.residues(); ++rh) {
    for (int64_t rw = 0; rw < width.residues(); ++rw) {
      const size_t columns = filter.dims[0];
      const size_t depth = static_cast<size_t>(height.taps(rh) * width.taps(rw)) * filter.dims[3];
      if (quantised) {
        const std::vector<uint8_t> taps = select_taps<uint8_t>(filter, height, width, rh, rw);
        packed->weights.push_back(pack_filters(filter, taps.data(), columns, depth));
      } else {
        const std::vector<float> taps = select_taps<float>(filter, height, width, rh, rw);
        packed->float_weights.emplace_back(taps.data(), columns, depth);
      }
    }
  }
  return packed;
}

PhasePlace::PhasePlace(const OperationContext& context, const TransposedAxis& height, const TransposedAxis& width, int64_t rh,
                       int64_t rw)
    : height_(height), width_(width), h_(height.phase(rh)), w_(width.phase(rw)) {
  const Dimensions& in = context.inputs[0].dims;
  geometry_ = {.height = in[1],
               .width = in[2],
               .image_channels = in[3],
               .channels = in[3],
               .out_height = static_cast<size_t>(h_.count),
               .out_width = static_cast<size_t>(w_.count),
               .window = {}};
  geometry_.window.height.filter = static_cast<int32_t>(height.taps(rh));
  geometry_.window.width.filter = static_cast<int32_t>(width.taps(rw));
  geometry_.window.height.pad_before = static_cast<int32_t>(h_.pad_before);
  geometry_.window.width.pad_before = static_cast<int32_t>(w_.pad_before);
}

}  // namespace avocet::runtime
