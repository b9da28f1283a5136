// SPDX-License-Identifier: Apache-2.0
// MATMUL with AVX2. The K dimension is cut into chunks whose weights stay in the first-level cache. Per chunk:
//   1. weights become int16, two consecutive k interleaved per column: [pair][column][2], zero point subtracted;
//   2. for four outputs at a time, activations become int16 in k order, each kernel position padded to an even length;
//   3. vpmaddwd multiplies a broadcast pair of activations with eight columns at once.
#include "matmul_values.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <vector>

#define AVOCET_AVX2 __attribute__((target("avx2")))

namespace avocet::model {

namespace {

constexpr uint32_t kChunk = 512; // k per chunk
constexpr uint32_t kRows = 4;    // outputs per micro-kernel
constexpr uint32_t kColumns = 16;

// Part of one kernel position's channels.
struct Segment {
  uint64_t activation_offset; // from the output's row
  uint64_t weights;           // SRAM address of the first channel's weights
  uint32_t channels;
  uint32_t k; // place in the chunk, even
};

struct Chunk {
  std::vector<Segment> segments;
  uint32_t k = 0; // length, even
};

// Cuts the K dimension; channel ranges are cut at even places.
class ChunkMaker {
public:
  ChunkMaker(const avocet_cmd_matmul &command, const MatmulMemory &memory) : c_(command), memory_(memory) {}

  bool next(Chunk *chunk) {
    chunk->segments.clear();
    chunk->k = 0;
    const uint64_t positions = uint64_t{c_.kx_count} * c_.ky_count;
    while (position_ < positions && chunk->k < kChunk) {
      uint32_t channels = std::min(c_.channels - channel_, kChunk - chunk->k);
      chunk->segments.push_back({matmul_position_offset(c_, position_) + channel_,
                                 matmul_weights_of(c_, memory_, position_) + uint64_t{channel_} * memory_.array_columns,
                                 channels, chunk->k});
      chunk->k += (channels + 1) & ~1u;
      channel_ += channels;
      if (channel_ == c_.channels) {
        channel_ = 0;
        ++position_;
      }
    }
    return chunk->k != 0;
  }

private:
  const avocet_cmd_matmul &c_;
  const MatmulMemory &memory_;
  uint64_t position_ = 0;
  uint32_t channel_ = 0;
};

// Sixteen columns of two rows of weights, interleaved. The second row may be absent (its products meet a zero activation).
AVOCET_AVX2 void pack_pair(const uint8_t *first, const uint8_t *second, __m256i zero_point, int16_t *packed) {
  __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i *>(first));
  __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i *>(second));
  __m256i low = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b));
  __m256i high = _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b));
  auto *to = reinterpret_cast<__m256i *>(packed);
  _mm256_storeu_si256(to, _mm256_sub_epi16(low, zero_point));
  _mm256_storeu_si256(to + 1, _mm256_sub_epi16(high, zero_point));
}

// Columns [column, column + 16) of the chunk; columns beyond the array hold what lies behind in the SRAM and are never stored.
AVOCET_AVX2 void pack_weights(const avocet_cmd_matmul &c, const MatmulMemory &memory, const Chunk &chunk, uint32_t column,
                              int16_t *packed) {
  const __m256i zero_point = _mm256_set1_epi16(static_cast<int16_t>(c.weight_zero_point));
  for (const Segment &segment : chunk.segments) {
    const uint8_t *weights = memory.sram + segment.weights + column;
    for (uint32_t k = 0; k < segment.channels; k += 2) {
      const uint8_t *first = weights + uint64_t{k} * memory.array_columns;
      const uint8_t *second = k + 1 < segment.channels ? first + memory.array_columns : first;
      pack_pair(first, second, zero_point, packed + uint64_t{segment.k + k} * kColumns);
    }
  }
}

// One output's activations of the chunk. Writes up to 15 values behind a segment: the next one, or slack, follows there.
AVOCET_AVX2 void gather(const uint8_t *row, const Chunk &chunk, __m128i flip, int16_t *panel) {
  for (const Segment &segment : chunk.segments) {
    const uint8_t *from = row + segment.activation_offset;
    int16_t *to = panel + segment.k;
    for (uint32_t k = 0; k < segment.channels; k += 16) {
      __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + k));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + k), _mm256_cvtepi8_epi16(_mm_xor_si128(bytes, flip)));
    }
    if (segment.channels % 2 != 0) to[segment.channels] = 0;
  }
}

struct Sums {
  __m256i value[kRows][2];
};

template <uint32_t Rows>
AVOCET_AVX2 inline void multiply(const int16_t *panel, uint64_t panel_stride, const int16_t *packed, uint32_t length,
                                 Sums *sums) {
  __m256i sum[Rows][2];
  for (uint32_t r = 0; r < Rows; ++r) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
  for (uint32_t k = 0; k < length; k += 2) {
    const auto *weights = reinterpret_cast<const __m256i *>(packed + uint64_t{k} * kColumns);
    __m256i low = _mm256_loadu_si256(weights), high = _mm256_loadu_si256(weights + 1);
    for (uint32_t r = 0; r < Rows; ++r) {
      int32_t pair;
      __builtin_memcpy(&pair, panel + r * panel_stride + k, 4);
      __m256i a = _mm256_set1_epi32(pair);
      sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(a, low));
      sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(a, high));
    }
  }
  for (uint32_t r = 0; r < Rows; ++r) {
    sums->value[r][0] = sum[r][0];
    sums->value[r][1] = sum[r][1];
  }
}

// Adds (or stores) up to 16 columns of one output.
AVOCET_AVX2 void deposit(const __m256i *value, uint32_t columns, bool add, int32_t *accumulators) {
  if (columns == kColumns) {
    auto *to = reinterpret_cast<__m256i *>(accumulators);
    for (int half = 0; half < 2; ++half) {
      __m256i sum = add ? _mm256_add_epi32(_mm256_loadu_si256(to + half), value[half]) : value[half];
      _mm256_storeu_si256(to + half, sum);
    }
    return;
  }
  uint32_t part[kColumns];
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(part), value[0]);
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(part + 8), value[1]);
  for (uint32_t i = 0; i < columns; ++i)
    accumulators[i] = static_cast<int32_t>(part[i] + (add ? static_cast<uint32_t>(accumulators[i]) : 0));
}

struct Buffers {
  std::vector<int16_t> packed = std::vector<int16_t>((kChunk + 2) * kColumns * 16); // up to 256 columns
  std::vector<int16_t> panel = std::vector<int16_t>(kRows * (kChunk + 32));
};

AVOCET_AVX2 void run_chunk(const avocet_cmd_matmul &c, const MatmulMemory &memory, const Chunk &chunk, bool add,
                           Buffers *buffers) {
  constexpr uint64_t kStride = kChunk + 32;
  const uint32_t columns = memory.array_columns;
  const uint64_t group_size = uint64_t{chunk.k} * kColumns;
  for (uint32_t column = 0; column < columns; column += kColumns)
    pack_weights(c, memory, chunk, column, buffers->packed.data() + column / kColumns * group_size);
  const __m128i flip = _mm_set1_epi8(c.input_unsigned ? static_cast<char>(0x80) : 0);
  const uint64_t outputs = uint64_t{c.x_count} * c.y_count;
  for (uint64_t output = 0; output < outputs; output += kRows) {
    const uint32_t rows = static_cast<uint32_t>(std::min<uint64_t>(kRows, outputs - output));
    for (uint32_t r = 0; r < rows; ++r)
      gather(memory.sram + matmul_row_of(c, output + r), chunk, flip, buffers->panel.data() + r * kStride);
    for (uint32_t column = 0; column < columns; column += kColumns) {
      Sums sums;
      const int16_t *packed = buffers->packed.data() + column / kColumns * group_size;
      if (rows == kRows)
        multiply<kRows>(buffers->panel.data(), kStride, packed, chunk.k, &sums);
      else
        for (uint32_t r = 0; r < rows; ++r) {
          Sums one;
          multiply<1>(buffers->panel.data() + r * kStride, kStride, packed, chunk.k, &one);
          sums.value[r][0] = one.value[0][0];
          sums.value[r][1] = one.value[0][1];
        }
      for (uint32_t r = 0; r < rows; ++r)
        deposit(sums.value[r], std::min(kColumns, columns - column), add,
                memory.accumulators + (c.acc + output + r) * columns + column);
    }
  }
}

} // namespace

void matmul_values_avx2(const avocet_cmd_matmul &c, const MatmulMemory &memory) {
  static thread_local Buffers buffers;
  ChunkMaker maker(c, memory);
  Chunk chunk;
  bool add = c.accumulate != 0;
  while (maker.next(&chunk)) {
    run_chunk(c, memory, chunk, add, &buffers);
    add = true;
  }
}

} // namespace avocet::model

#endif
