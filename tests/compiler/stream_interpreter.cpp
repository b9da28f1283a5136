// SPDX-License-Identifier: Apache-2.0
#include "stream_interpreter.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "avocet_requantise.h"

namespace avocet::compiler::test {
namespace {

void fill_randomly(std::vector<uint8_t>& bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
}

int32_t read32(const uint8_t* bytes) {
  return static_cast<int32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24);
}

int32_t activation(uint8_t byte, bool is_unsigned) { return is_unsigned ? byte : static_cast<int8_t>(byte); }

/// Bias, scaling, zero point and clamp of one output.
uint8_t finish(uint32_t sum, const uint8_t* parameters, int32_t zero_point, int32_t min, int32_t max) {
  const auto biased = static_cast<int32_t>(sum + static_cast<uint32_t>(read32(parameters)));
  const int64_t scaled =
      int64_t{avocet_requantise(biased, read32(parameters + 4), read32(parameters + 8))} + zero_point;
  return static_cast<uint8_t>(std::clamp<int64_t>(scaled, min, max));
}

}  // namespace

StreamInterpreter::StreamInterpreter(const Program& program, const DeviceConfig& device, uint64_t seed)
    : program_(program),
      device_(device),
      sram_(device.sram_bytes),
      accumulators_(uint64_t{device.acc_rows} * device.array_cols) {
  fill_randomly(sram_, seed);
  std::mt19937 random(static_cast<uint32_t>(seed));
  for (int32_t& sum : accumulators_) sum = static_cast<int32_t>(random());
  regions_[kConstants] = program.constants;
  regions_[kScratch].resize(program.scratch_bytes);
  regions_[kInputs].resize(program.input_bytes);
  regions_[kOutputs].resize(program.output_bytes);
  for (uint32_t region : {kScratch, kInputs, kOutputs}) fill_randomly(regions_[region], seed + region + 1);
  const uint32_t* words = program.stream.data();
  while (words < program.stream.data() + program.stream.size()) {
    Core& core = cores_.emplace_back();
    core.sram = sram_;
    core.accumulators = accumulators_;
    core.begin = words;
    for (; avocet_command_opcode(words[0]) != AVOCET_OP_END; words += avocet_command_length(words[0]), ++core.left)
      core.queues[avocet_command_unit(words)].push_back(words);
    words += AVOCET_END_WORDS;
  }
}

void StreamInterpreter::swap_memory(Core& core) {
  sram_.swap(core.sram);
  accumulators_.swap(core.accumulators);
}

bool StreamInterpreter::all_arrived(uint32_t number) const {
  return std::all_of(cores_.begin(), cores_.end(), [&](const Core& core) { return core.arrived >= number || core.left == 0; });
}

void StreamInterpreter::set_input(size_t index, std::span<const uint8_t> bytes) {
  std::copy(bytes.begin(), bytes.end(),
            regions_[kInputs].begin() + static_cast<ptrdiff_t>(program_.inputs.at(index).offset));
}

std::vector<uint8_t> StreamInterpreter::output(size_t index) const {
  const Binding& binding = program_.outputs.at(index);
  const auto begin = regions_[kOutputs].begin() + static_cast<ptrdiff_t>(binding.offset);
  return {begin, begin + static_cast<ptrdiff_t>(binding.bytes)};
}

void StreamInterpreter::run_in_order() {
  // From one BARRIER to the next, core by core.
  std::vector<const uint32_t*> at;
  for (const Core& core : cores_) at.push_back(core.begin);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < cores_.size(); ++i) {
      swap_memory(cores_[i]);
      uint32_t opcode = avocet_command_opcode(at[i][0]);
      for (; opcode != AVOCET_OP_END && opcode != AVOCET_OP_BARRIER; opcode = avocet_command_opcode(at[i][0])) {
        execute(at[i]);
        at[i] += avocet_command_length(at[i][0]);
      }
      if (opcode == AVOCET_OP_BARRIER) {
        at[i] += AVOCET_BARRIER_WORDS;
        more = true;
      }
      swap_memory(cores_[i]);
    }
  }
}

bool StreamInterpreter::try_head(Core& core, uint32_t unit) {
  if (core.queues[unit].empty()) return false;
  const uint32_t* head = core.queues[unit].front();
  const uint32_t opcode = avocet_command_opcode(head[0]);
  if (opcode == AVOCET_OP_WAIT) {
    avocet_cmd_wait wait;
    avocet_wait_decode(head, &wait);
    if (core.completed[wait.producer] < wait.count) return false;
  } else if (opcode == AVOCET_OP_BARRIER) {
    if (!core.waits) ++core.arrived;
    core.waits = !all_arrived(core.arrived);
    if (core.waits) return false;
    ++core.completed[unit];
  } else {
    swap_memory(core);
    execute(head);
    swap_memory(core);
    ++core.completed[unit];
  }
  core.queues[unit].pop_front();
  --core.left;
  return true;
}

bool StreamInterpreter::run_out_of_order(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<size_t, uint32_t>> order;  // of the cores' units
  for (size_t core = 0; core < cores_.size(); ++core)
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u) order.emplace_back(core, u);
  const auto is_done = [&] { return std::all_of(cores_.begin(), cores_.end(), [](const Core& core) { return core.left == 0; }); };
  for (uint32_t stuck = 0; !is_done();) {
    if (random() % 24 == 0) std::shuffle(order.begin(), order.end(), random);
    const bool moved = std::any_of(order.begin(), order.end(), [&](const auto& one) { return try_head(cores_[one.first], one.second); });
    stuck = moved ? 0 : stuck + 1;
    if (stuck > 1) return false;  // coming to a BARRIER lets others go on in the second round
  }
  return true;
}

void StreamInterpreter::execute(const uint32_t* words) {
  switch (avocet_command_opcode(words[0])) {
    case AVOCET_OP_DMA_LOAD:
      return dma_copy(words, false);
    case AVOCET_OP_DMA_STORE:
      return dma_copy(words, true);
    case AVOCET_OP_DMA_FILL:
      return dma_fill(words);
    case AVOCET_OP_MATMUL:
      return matmul(words);
    case AVOCET_OP_REQUANT:
      return requant(words);
    case AVOCET_OP_DEPTHWISE:
      return depthwise(words);
    case AVOCET_OP_POOL:
      return pool(words);
    case AVOCET_OP_ADD:
      return add(words);
    case AVOCET_OP_BINARY:
      return binary(words);
    case AVOCET_OP_TABLE:
      return table(words);
    case AVOCET_OP_REDUCE:
      return reduce(words);
    case AVOCET_OP_ARG_REDUCE:
      return arg_reduce(words);
    case AVOCET_OP_SOFTMAX:
      return softmax(words);
    case AVOCET_OP_RESIZE:
      return resize(words);
    case AVOCET_OP_L2_NORMALISE:
      return l2_normalise(words);
    default:
      return;
  }
}

void StreamInterpreter::dma_copy(const uint32_t* words, bool is_store) {
  avocet_cmd_dma_load c;  // DMA_STORE has the same fields
  avocet_dma_load_decode(words, &c);
  for (uint64_t k = 0; k < c.count2; ++k)
    for (uint64_t j = 0; j < c.count1; ++j)
      for (uint64_t i = 0; i < c.count0; ++i) {
        uint8_t* dram = &regions_[c.region].at(c.dram + i * c.dram_stride0 + j * c.dram_stride1 + k * c.dram_stride2);
        uint8_t* sram = &sram_.at(c.sram + i * c.sram_stride0 + j * c.sram_stride1 + k * c.sram_stride2);
        std::copy_n(is_store ? sram : dram, c.row_bytes, is_store ? dram : sram);
      }
}

void StreamInterpreter::dma_fill(const uint32_t* words) {
  avocet_cmd_dma_fill c;
  avocet_dma_fill_decode(words, &c);
  for (uint64_t j = 0; j < c.count1; ++j)
    for (uint64_t i = 0; i < c.count0; ++i)
      std::fill_n(&sram_.at(c.sram + i * c.stride0 + j * c.stride1), c.row_bytes, static_cast<uint8_t>(c.value));
}

void StreamInterpreter::matmul(const uint32_t* words) {
  avocet_cmd_matmul c;
  avocet_matmul_decode(words, &c);
  const uint64_t rows = device_.array_rows, columns = device_.array_cols;
  std::vector<int32_t> weights(columns);
  bool first = !c.accumulate;
  const uint8_t* tile = &sram_.at(c.weights);
  for (uint64_t ky = 0; ky < c.ky_count; ++ky)
    for (uint64_t kx = 0; kx < c.kx_count; ++kx)
      for (uint64_t block = 0; block < c.channels; block += rows, tile += rows * columns, first = false)
        for (uint64_t y = 0; y < c.y_count; ++y)
          for (uint64_t x = 0; x < c.x_count; ++x) {
            const uint8_t* in =
                &sram_.at(c.ifm + y * c.y_stride + x * c.x_stride + ky * c.ky_stride + kx * c.kx_stride + block);
            int32_t* sums = &accumulators_.at((c.acc + y * c.x_count + x) * columns);
            if (first) std::fill_n(sums, columns, 0);
            for (uint64_t r = 0; r < std::min<uint64_t>(rows, c.channels - block); ++r) {
              const int32_t a = c.input_unsigned ? in[r] - 128 : static_cast<int8_t>(in[r]);
              for (uint64_t col = 0; col < columns; ++col)
                sums[col] = static_cast<int32_t>(
                    static_cast<uint32_t>(sums[col]) +
                    static_cast<uint32_t>(a * (static_cast<int8_t>(tile[r * columns + col]) - c.weight_zero_point)));
            }
          }
}

void StreamInterpreter::requant(const uint32_t* words) {
  avocet_cmd_requant c;
  avocet_requant_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t x = 0; x < c.x_count; ++x)
      for (uint64_t channel = 0; channel < c.channels; ++channel) {
        const auto sum =
            static_cast<uint32_t>(accumulators_.at((c.acc + y * c.x_count + x) * device_.array_cols + channel));
        sram_.at(c.ofm + y * c.y_stride + x * c.x_stride + channel) = finish(
            sum, &sram_.at(c.parameters + channel * AVOCET_PARAMETER_BYTES), c.zero_point, c.clamp_min, c.clamp_max);
      }
}

void StreamInterpreter::depthwise(const uint32_t* words) {
  avocet_cmd_depthwise c;
  avocet_depthwise_decode(words, &c);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (uint64_t channel = 0; channel < c.channels; ++channel) {
        int32_t sum = 0;
        for (int64_t ky = 0; ky < c.kernel_height; ++ky)
          for (int64_t kx = 0; kx < c.kernel_width; ++kx) {
            const int64_t row = c.y_start + y * c.conv_stride_y + ky * c.dilation_y;
            const int64_t column = c.x_start + x * c.conv_stride_x + kx * c.dilation_x;
            if (row < 0 || row >= c.in_height || column < 0 || column >= c.in_width) continue;
            const uint8_t in = sram_.at(c.ifm + static_cast<uint64_t>(row) * c.in_y_stride +
                                        static_cast<uint64_t>(column) * c.in_x_stride + channel / c.multiplier);
            const auto weight = static_cast<int8_t>(
                sram_.at(c.weights + static_cast<uint64_t>(ky * c.kernel_width + kx) * c.channels + channel));
            sum += (activation(in, c.input_unsigned) - c.input_zero_point) * (weight - c.weight_zero_point);
          }
        sram_.at(c.ofm + static_cast<uint64_t>(y) * c.y_stride + static_cast<uint64_t>(x) * c.x_stride + channel) =
            finish(static_cast<uint32_t>(sum), &sram_.at(c.parameters + channel * AVOCET_PARAMETER_BYTES), c.zero_point,
                   c.clamp_min, c.clamp_max);
      }
}

void StreamInterpreter::pool(const uint32_t* words) {
  avocet_cmd_pool c;
  avocet_pool_decode(words, &c);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x)
      for (uint64_t channel = 0; channel < c.channels; ++channel) {
        int32_t sum = 0, cells = 0, largest = INT32_MIN;
        for (int64_t ky = 0; ky < c.kernel_height; ++ky)
          for (int64_t kx = 0; kx < c.kernel_width; ++kx) {
            const int64_t row = c.y_start + y * c.pool_stride_y + ky, column = c.x_start + x * c.pool_stride_x + kx;
            if (row < 0 || row >= c.in_height || column < 0 || column >= c.in_width) continue;
            const int32_t a = activation(sram_.at(c.ifm + static_cast<uint64_t>(row) * c.in_y_stride +
                                                  static_cast<uint64_t>(column) * c.in_x_stride + channel),
                                         c.input_unsigned);
            sum += a;
            largest = std::max(largest, a);
            ++cells;
          }
        int32_t value = c.clamp_min;
        if (cells > 0)
          value = c.mode == AVOCET_POOL_MODE_MAX ? largest
                  : sum > 0                      ? (sum + cells / 2) / cells
                                                 : (sum - cells / 2) / cells;
        sram_.at(c.ofm + static_cast<uint64_t>(y) * c.y_stride + static_cast<uint64_t>(x) * c.x_stride + channel) =
            static_cast<uint8_t>(std::clamp(value, c.clamp_min, c.clamp_max));
      }
}

void StreamInterpreter::add(const uint32_t* words) {
  avocet_cmd_add c;
  avocet_add_decode(words, &c);
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t i = 0; i < c.row_bytes; ++i) {
      const uint64_t at_a = c.a + y * c.a_stride + (c.a_scalar ? 0 : i);
      const uint64_t at_b = c.b + y * c.b_stride + (c.b_scalar ? 0 : i);
      const int32_t a = (value_at(at_a, c.input_unsigned) - c.a_zero_point) * (1 << c.left_shift);
      const int32_t b = (value_at(at_b, c.input_unsigned) - c.b_zero_point) * (1 << c.left_shift);
      const int32_t x = avocet_requantise(a, c.a_multiplier, c.a_shift);
      const int32_t y_term = avocet_requantise(b, c.b_multiplier, c.b_shift);
      const int32_t sum = c.subtract ? x - y_term : x + y_term;
      const int32_t value = avocet_requantise(sum, c.out_multiplier, c.out_shift) + c.zero_point;
      sram_.at(c.ofm + y * c.y_stride + i) = static_cast<uint8_t>(std::clamp(value, c.clamp_min, c.clamp_max));
    }
}

}  // namespace avocet::compiler::test
