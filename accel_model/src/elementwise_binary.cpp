// SPDX-License-Identifier: Apache-2.0
// Values of BINARY, a few hundred elements of a row at a time.
#include <algorithm>
#include <array>

#include "uniform_requantiser.hpp"
#include "vector_unit.hpp"

namespace avocet::model {

namespace {

constexpr uint32_t kChunk = 256;
using Values = std::array<int32_t, kChunk>;

// Stored values of one row, less `zero_point`. A scalar row has one byte for all, read before anything is written.
class Row {
public:
  Row(const uint8_t *bytes, bool scalar, bool is_unsigned, int32_t zero_point)
      : bytes_(bytes), scalar_(scalar), is_unsigned_(is_unsigned), zero_point_(zero_point),
        only_((is_unsigned ? *bytes : static_cast<int8_t>(*bytes)) - zero_point) {}

  void load(uint32_t first, uint32_t count, Values *values) const {
    if (scalar_) {
      std::fill_n(values->data(), count, only_);
      return;
    }
    const uint8_t *from = bytes_ + first;
    if (is_unsigned_)
      for (uint32_t i = 0; i < count; ++i) (*values)[i] = from[i] - zero_point_;
    else
      for (uint32_t i = 0; i < count; ++i) (*values)[i] = static_cast<int8_t>(from[i]) - zero_point_;
  }

private:
  const uint8_t *const bytes_;
  const bool scalar_, is_unsigned_;
  const int32_t zero_point_, only_;
};

struct Chunk {
  Values a, b;
  uint32_t count;
};

class Combiner {
public:
  explicit Combiner(const avocet_cmd_binary &c)
      : c_(c), scaled_(c.multiplier, c.shift, c.zero_point, c.clamp_min, c.clamp_max),
        negative_(c.negative_multiplier, c.negative_shift, c.zero_point, c.clamp_min, c.clamp_max) {}

  void operator()(Chunk *chunk, uint8_t *out) const {
    switch (c_.mode) {
    case AVOCET_BINARY_MODE_MULTIPLY: return multiply(chunk, out);
    case AVOCET_BINARY_MODE_PRELU: return prelu(chunk, out);
    default: return choose(*chunk, out);
    }
  }

private:
  void multiply(Chunk *chunk, uint8_t *out) const {
    for (uint32_t i = 0; i < chunk->count; ++i) chunk->a[i] *= chunk->b[i];
    scaled_(chunk->a.data(), chunk->count, out);
  }

  void prelu(Chunk *chunk, uint8_t *out) const {
    std::array<uint8_t, kChunk> positive, negative;
    scaled_(chunk->a.data(), chunk->count, positive.data());
    for (uint32_t i = 0; i < chunk->count; ++i) chunk->b[i] *= chunk->a[i];
    negative_(chunk->b.data(), chunk->count, negative.data());
    for (uint32_t i = 0; i < chunk->count; ++i) out[i] = chunk->a[i] >= 0 ? positive[i] : negative[i];
  }

  // Bounds in locals: `out` might be any of the command's bytes, as far as the compiler knows.
  void choose(const Chunk &chunk, uint8_t *out) const {
    const int32_t low = c_.clamp_min, high = c_.clamp_max;
    const uint32_t count = chunk.count;
    Values chosen;
    if (c_.mode == AVOCET_BINARY_MODE_MAXIMUM)
      for (uint32_t i = 0; i < count; ++i) chosen[i] = chunk.a[i] > chunk.b[i] ? chunk.a[i] : chunk.b[i];
    else
      for (uint32_t i = 0; i < count; ++i) chosen[i] = chunk.a[i] < chunk.b[i] ? chunk.a[i] : chunk.b[i];
    for (uint32_t i = 0; i < count; ++i) chosen[i] = chosen[i] < low ? low : chosen[i];
    for (uint32_t i = 0; i < count; ++i) chosen[i] = chosen[i] > high ? high : chosen[i];
    for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(chosen[i]);
  }

  const avocet_cmd_binary &c_;
  const UniformRequantiser scaled_, negative_;
};

} // namespace

// The products fit: a stored value less a 16 bit zero point is below 2^15 + 2^8.
void binary_values(const avocet_cmd_binary &c, uint8_t *sram) {
  const Combiner combine(c);
  const bool compares = c.mode == AVOCET_BINARY_MODE_MAXIMUM || c.mode == AVOCET_BINARY_MODE_MINIMUM;
  const int32_t a_zero_point = compares ? 0 : c.a_zero_point, b_zero_point = compares ? 0 : c.b_zero_point;
  Chunk chunk;
  for (uint64_t y = 0; y < c.y_count; ++y) {
    const Row a(sram + c.a + y * c.a_stride, c.a_scalar != 0, c.input_unsigned != 0, a_zero_point);
    const Row b(sram + c.b + y * c.b_stride, c.b_scalar != 0, c.input_unsigned != 0, b_zero_point);
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    for (uint32_t first = 0; first < c.row_bytes; first += chunk.count) {
      chunk.count = std::min(kChunk, c.row_bytes - first);
      a.load(first, chunk.count, &chunk.a);
      b.load(first, chunk.count, &chunk.b);
      combine(&chunk, out + first);
    }
  }
}

} // namespace avocet::model
