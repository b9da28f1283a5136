// SPDX-License-Identifier: Apache-2.0
// A command takes two of a box's dimensions; the pair with the fewest cycles is chosen, the others become commands.
#include "copy_commands.hpp"

#include <algorithm>

#include "command_cost.hpp"

namespace avocet::compiler {
namespace {

constexpr uint64_t kCountMax = 65536;
constexpr uint64_t kDispatchCycles = AVOCET_POOL_WORDS;

/// Which dimensions a command runs over; beyond the box's dimensions: none.
struct Axes {
  size_t x = SIZE_MAX, y = SIZE_MAX;
  uint64_t cycles = UINT64_MAX;
};

Axes choose_axes(const MovementBox& box, const DeviceConfig& device) {
  const CommandCost cost(device);
  const size_t none = box.dims.size();
  const auto count = [&](size_t i) { return i < none ? box.dims[i].count : 1; };
  uint64_t all = 1;
  for (const MovementBox::Dim& dim : box.dims) all *= dim.count;
  Axes best;
  for (size_t x = 0; x <= none; ++x)
    for (size_t y = 0; y <= none; ++y) {
      if (x == y && x < none) continue;
      const uint64_t wide = std::min(count(x), kCountMax), high = std::min(count(y), kCountMax);
      const uint64_t commands = divide_up(all, wide * high) * divide_up(box.run, kCountMax);
      const uint64_t cycles = cost.pool(std::min(box.run, kCountMax), wide, high, 1);
      const uint64_t sum = commands * std::max(cycles, kDispatchCycles);
      if (sum < best.cycles) best = {x, y, sum};
    }
  return best;
}

}  // namespace

uint64_t copy_cycles(const MovementBox& box, const DeviceConfig& device) { return choose_axes(box, device).cycles; }

namespace {

class Copying {
 public:
  Copying(const MovementBox& box, uint32_t from_block, uint32_t to_block, uint32_t tag, const DeviceConfig& device,
          std::vector<Command>* commands)
      : box_(box), axes_(choose_axes(box, device)), from_block_(from_block), to_block_(to_block), tag_(tag), commands_(commands) {
    for (size_t i = 0; i < box.dims.size(); ++i)
      if (i != axes_.x && i != axes_.y) outer_.push_back(i);
  }

  void run() { walk(0, box_.from, box_.to); }

 private:
  MovementBox::Dim dim(size_t i) const { return i < box_.dims.size() ? box_.dims[i] : MovementBox::Dim{}; }

  void walk(size_t depth, uint64_t from, uint64_t to) {
    if (depth < outer_.size()) {
      const MovementBox::Dim d = dim(outer_[depth]);
      for (uint64_t i = 0; i < d.count; ++i) walk(depth + 1, from + i * d.from_stride, to + i * d.to_stride);
      return;
    }
    const MovementBox::Dim x = dim(axes_.x), y = dim(axes_.y);
    for (uint64_t j = 0; j < y.count; j += kCountMax)
      for (uint64_t i = 0; i < x.count; i += kCountMax)
        for (uint64_t at = 0; at < box_.run; at += kCountMax)
          emit(from + j * y.from_stride + i * x.from_stride + at, to + j * y.to_stride + i * x.to_stride + at,
               std::min(kCountMax, box_.run - at), std::min(kCountMax, x.count - i), std::min(kCountMax, y.count - j));
  }

  void emit(uint64_t from, uint64_t to, uint64_t channels, uint64_t columns, uint64_t rows) {
    const MovementBox::Dim x = dim(axes_.x), y = dim(axes_.y);
    avocet_cmd_pool c{};
    c.input_unsigned = 1;
    c.mode = AVOCET_POOL_MODE_MAX;
    c.ifm = static_cast<uint32_t>(from);
    c.ofm = static_cast<uint32_t>(to);
    c.channels = static_cast<uint32_t>(channels);
    c.in_width = c.x_count = static_cast<uint32_t>(columns);
    c.in_height = c.y_count = static_cast<uint32_t>(rows);
    c.in_x_stride = columns > 1 ? static_cast<uint32_t>(x.from_stride) : 0;
    c.in_y_stride = rows > 1 ? static_cast<uint32_t>(y.from_stride) : 0;
    c.x_stride = columns > 1 ? static_cast<uint32_t>(x.to_stride) : 0;
    c.y_stride = rows > 1 ? static_cast<uint32_t>(y.to_stride) : 0;
    c.kernel_width = c.kernel_height = c.pool_stride_x = c.pool_stride_y = 1;
    c.clamp_max = 255;
    Command command;
    avocet_pool_encode(&c, tag_, command.words.data());
    command.blocks = {from_block_, to_block_};
    commands_->push_back(command);
  }

  const MovementBox& box_;
  const Axes axes_;
  const uint32_t from_block_, to_block_, tag_;
  std::vector<Command>* commands_;
  std::vector<size_t> outer_;
};

}  // namespace

void copy_box(const MovementBox& box, uint32_t from_block, uint32_t to_block, uint32_t tag, const DeviceConfig& device,
              std::vector<Command>* commands) {
  Copying(box, from_block, to_block, tag, device, commands).run();
}

}  // namespace avocet::compiler
