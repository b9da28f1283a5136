// SPDX-License-Identifier: Apache-2.0
// Values of ADD and its relatives: subtraction, and rows of one repeated byte.
#include <algorithm>

#include "avocet_requantise.h"
#include "matmul_values.hpp"
#include "requantise_avx2.hpp"
#include "vector_unit.hpp"

namespace avocet::model {

namespace {

int32_t scaled_input(uint8_t byte, bool is_unsigned, int32_t zero_point, uint32_t left_shift, int32_t multiplier,
                     int32_t shift) {
  int32_t value = (is_unsigned ? byte : static_cast<int8_t>(byte)) - zero_point;
  return avocet_requantise(static_cast<int32_t>(static_cast<uint32_t>(value) << left_shift), multiplier, shift);
}

// Element i of a row is bytes[i * step]; step 0: one byte for the whole row, read before anything is written.
struct Row {
  Row(const uint8_t *row, bool scalar) : only(*row), bytes(scalar ? &only : row), step(scalar ? 0 : 1) {}
  Row(const Row &) = delete;
  Row &operator=(const Row &) = delete;

  const uint8_t only;
  const uint8_t *const bytes;
  const uint32_t step;
};

void add_row(const avocet_cmd_add &c, const Row &a, const Row &b, uint8_t *out, uint32_t first) {
  for (uint32_t i = first; i < c.row_bytes; ++i) {
    int32_t x = scaled_input(a.bytes[i * a.step], c.input_unsigned, c.a_zero_point, c.left_shift, c.a_multiplier, c.a_shift);
    int32_t y = scaled_input(b.bytes[i * b.step], c.input_unsigned, c.b_zero_point, c.left_shift, c.b_multiplier, c.b_shift);
    const uint32_t first_term = static_cast<uint32_t>(x), second_term = static_cast<uint32_t>(y);
    auto sum = static_cast<int32_t>(c.subtract ? first_term - second_term : first_term + second_term);
    auto value = static_cast<int32_t>(
        static_cast<uint32_t>(avocet_requantise(sum, c.out_multiplier, c.out_shift)) + static_cast<uint32_t>(c.zero_point));
    out[i] = static_cast<uint8_t>(std::clamp(value, c.clamp_min, c.clamp_max));
  }
}

#if defined(__x86_64__)

struct VectorScale {
  __m256i zero_point, multiplier, left, right;
};

__attribute__((target("avx2"))) inline VectorScale vector_scale(int32_t zero_point, int32_t multiplier, int32_t shift) {
  return {_mm256_set1_epi32(zero_point), _mm256_set1_epi32(multiplier), _mm256_set1_epi32(std::max(shift, 0)),
          _mm256_set1_epi32(std::max(-shift, 0))};
}

__attribute__((target("avx2"))) inline __m256i scaled_eight(const Row &row, uint32_t first, bool is_unsigned,
                                                            int left_shift, const VectorScale &scale) {
  __m128i eight = row.step == 0 ? _mm_set1_epi8(static_cast<char>(*row.bytes))
                                : _mm_loadl_epi64(reinterpret_cast<const __m128i *>(row.bytes + first));
  __m256i value = is_unsigned ? _mm256_cvtepu8_epi32(eight) : _mm256_cvtepi8_epi32(eight);
  value = _mm256_slli_epi32(_mm256_sub_epi32(value, scale.zero_point), left_shift);
  return requantise_eight(value, scale.multiplier, scale.left, scale.right);
}

// Returns the number of elements done.
__attribute__((target("avx2"))) uint32_t add_row_avx2(const avocet_cmd_add &c, const Row &a, const Row &b, uint8_t *out) {
  const VectorScale scale_a = vector_scale(c.a_zero_point, c.a_multiplier, c.a_shift);
  const VectorScale scale_b = vector_scale(c.b_zero_point, c.b_multiplier, c.b_shift);
  const VectorScale scale_out = vector_scale(c.zero_point, c.out_multiplier, c.out_shift);
  const __m256i clamp_min = _mm256_set1_epi32(c.clamp_min), clamp_max = _mm256_set1_epi32(c.clamp_max);
  const int left_shift = static_cast<int>(c.left_shift);
  uint32_t i = 0;
  for (; i + 8 <= c.row_bytes; i += 8) {
    __m256i x = scaled_eight(a, i, c.input_unsigned, left_shift, scale_a);
    __m256i y = scaled_eight(b, i, c.input_unsigned, left_shift, scale_b);
    __m256i sum = c.subtract ? _mm256_sub_epi32(x, y) : _mm256_add_epi32(x, y);
    sum = requantise_eight(sum, scale_out.multiplier, scale_out.left, scale_out.right);
    store_eight_bytes(sum, scale_out.zero_point, clamp_min, clamp_max, out + i);
  }
  return i;
}

#else

uint32_t add_row_avx2(const avocet_cmd_add &, const Row &, const Row &, uint8_t *) { return 0; }

#endif

} // namespace

void add_values(const avocet_cmd_add &c, uint8_t *sram) {
  const bool vector = have_avx2() && c.a_multiplier != INT32_MIN && c.b_multiplier != INT32_MIN &&
                      c.out_multiplier != INT32_MIN;
  for (uint64_t y = 0; y < c.y_count; ++y) {
    const Row a(sram + c.a + y * c.a_stride, c.a_scalar != 0), b(sram + c.b + y * c.b_stride, c.b_scalar != 0);
    uint8_t *out = sram + c.ofm + y * c.y_stride;
    add_row(c, a, b, out, vector ? add_row_avx2(c, a, b, out) : 0);
  }
}

} // namespace avocet::model
