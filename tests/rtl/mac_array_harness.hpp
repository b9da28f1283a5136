// SPDX-License-Identifier: Apache-2.0
// Drives a verilated avocet_mac_array through whole passes, with random stalls, and checks the channels' rules in every
// cycle. Knows the protocol of rtl/README.md, but nothing of the array's inside.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace avocet::rtl_test {

// One tile of weights and the vectors that stream through it, all row major.
struct Pass {
  std::vector<int8_t> weights;  // Rows x Cols
  int8_t zero_point = 0;
  std::vector<int8_t> activations;  // vectors x Rows
};

// Per cent of the cycles in which a channel's other side is not there.
struct Stalls {
  int weights = 0;
  int activations = 0;
  int output = 0;
};

struct Result {
  std::vector<int32_t> sums;               // vectors x Cols
  std::vector<bool> last;                  // of each vector
  std::vector<uint64_t> accepted, offered;  // of each vector: enabled cycles before its acceptance, before its output
  uint64_t cycles = 0;                     // from the first beat of weights to the last output, both included
};

template <typename Config>
class MacArrayHarness {
 public:
  static constexpr size_t kRows = Config::kRows;
  static constexpr size_t kCols = Config::kCols;

  explicit MacArrayHarness(unsigned seed) : random_(seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed) + 1);
    model_ = std::make_unique<typename Config::Model>(&context_);
    reset();
  }
  ~MacArrayHarness() { model_->final(); }

  typename Config::Model& model() { return *model_; }
  VerilatedContext& context() { return context_; }

  void reset() {
    model_->rst_ni = 0;
    model_->w_valid_i = model_->a_valid_i = 0;
    model_->o_ready_i = 1;
    tick();
    tick();
    model_->rst_ni = 1;
    held_output_ = false;
  }

  // Both edges of the clock; the inputs must be set.
  void tick() {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
  }

  // Runs all passes to the last output. Stops with a failure when nothing has moved for a long time.
  Result run(const std::vector<Pass>& passes, Stalls stalls = {}) {
    Result result;
    std::vector<Beat> beats = beats_of(passes);
    std::vector<Vector> vectors = vectors_of(passes);
    size_t beat = 0, vector = 0;
    bool beat_offered = false, vector_offered = false;
    uint64_t cycle = 0, enabled_cycles = 0, first = 0, idle = 0;
    while (result.last.size() < vectors.size() && idle < 2000 && !::testing::Test::HasFatalFailure()) {
      beat_offered = beat_offered || (beat < beats.size() && !chance(stalls.weights));
      vector_offered = vector_offered || (vector < vectors.size() && !chance(stalls.activations));
      model_->clk_i = 0;
      model_->o_ready_i = !chance(stalls.output);
      set_inputs(beat_offered ? &beats[beat] : nullptr, vector_offered ? &vectors[vector] : nullptr);
      settle(beat_offered, vector_offered);

      bool moved = false;
      if (model_->o_valid_o) {
        if (!held_output_) result.offered.push_back(enabled_cycles);
        if (model_->o_ready_i) take_output(result), moved = true;
      }
      if (beat_offered && model_->w_ready_o) {
        if (beat++ == 0) first = cycle;
        beat_offered = false, moved = true;
      }
      if (vector_offered && model_->a_ready_o) {
        result.accepted.push_back(enabled_cycles);
        ++vector, vector_offered = false, moved = true;
      }
      enabled_cycles += model_->o_ready_i || !model_->o_valid_o;
      held_output_ = model_->o_valid_o && !model_->o_ready_i;
      model_->clk_i = 1;
      model_->eval();
      ++cycle;
      idle = moved ? 0 : idle + 1;
    }
    EXPECT_EQ(result.last.size(), vectors.size()) << "the array stopped";
    result.cycles = cycle - first;
    return result;
  }

 private:
  struct Beat {
    const int8_t* row;
    int8_t zero_point;
  };
  struct Vector {
    const int8_t* data;
    bool first, last;
  };

  static std::vector<Beat> beats_of(const std::vector<Pass>& passes) {
    std::vector<Beat> beats;
    for (const Pass& pass : passes)
      for (size_t r = 0; r < kRows; ++r) beats.push_back({&pass.weights[r * kCols], pass.zero_point});
    return beats;
  }

  static std::vector<Vector> vectors_of(const std::vector<Pass>& passes) {
    std::vector<Vector> vectors;
    for (const Pass& pass : passes) {
      size_t count = pass.activations.size() / kRows;
      for (size_t m = 0; m < count; ++m)
        vectors.push_back({&pass.activations[m * kRows], m == 0, m + 1 == count});
    }
    return vectors;
  }

  bool chance(int per_cent) { return static_cast<int>(random_() % 100) < per_cent; }

  // Channels without an offer carry noise, so that nothing can rely on them.
  void set_inputs(const Beat* beat, const Vector* vector) {
    fill_noise(model_->w_data_i);
    fill_noise(model_->a_data_i);
    if (beat) std::memcpy(&model_->w_data_i, beat->row, kCols);
    if (vector) std::memcpy(&model_->a_data_i, vector->data, kRows);
    model_->w_zero_point_i = static_cast<uint8_t>(beat ? beat->zero_point : static_cast<int8_t>(random_()));
    model_->a_first_i = vector ? vector->first : random_() % 2;
    model_->a_last_i = vector ? vector->last : random_() % 2;
  }

  // Bits above the port's width must stay zero, so the narrow ports of odd sizes are filled byte by byte.
  template <typename Port>
  void fill_noise(Port& port) {
    size_t bytes = static_cast<void*>(&port) == &model_->w_data_i ? kCols : kRows;
    for (size_t i = 0; i < bytes; ++i) reinterpret_cast<uint8_t*>(&port)[i] = static_cast<uint8_t>(random_());
  }

  // Evaluates the combinational outputs and checks that no ready looks at the valid of its own channel, and that
  // nothing is taken in while an output waits.
  void settle(bool beat_offered, bool vector_offered) {
    model_->a_valid_i = vector_offered;
    model_->w_valid_i = !beat_offered;
    model_->eval();
    const bool w_ready = model_->w_ready_o;
    model_->w_valid_i = beat_offered;
    model_->a_valid_i = !vector_offered;
    model_->eval();
    const bool a_ready = model_->a_ready_o;
    model_->a_valid_i = vector_offered;
    model_->eval();
    EXPECT_EQ(w_ready, model_->w_ready_o) << "w_ready_o looks at w_valid_i";
    EXPECT_EQ(a_ready, model_->a_ready_o) << "a_ready_o looks at a_valid_i";
    if (held_output_) {
      EXPECT_TRUE(model_->o_valid_o) << "an output was withdrawn";
      EXPECT_EQ(0, std::memcmp(held_data_, &model_->o_data_o, sizeof held_data_)) << "a waiting output changed";
      EXPECT_EQ(held_last_, model_->o_last_o) << "a waiting output's last changed";
    }
    if (model_->o_valid_o) {
      std::memcpy(held_data_, &model_->o_data_o, sizeof held_data_);
      held_last_ = model_->o_last_o;
      if (!model_->o_ready_i) {
        EXPECT_FALSE(model_->w_ready_o || model_->a_ready_o) << "moved while an output waits";
      }
    }
  }

  void take_output(Result& result) {
    result.sums.insert(result.sums.end(), held_data_, held_data_ + kCols);
    result.last.push_back(held_last_);
  }

  std::mt19937 random_;
  VerilatedContext context_;
  std::unique_ptr<typename Config::Model> model_;
  bool held_output_ = false, held_last_ = false;
  int32_t held_data_[kCols] = {};
};

}  // namespace avocet::rtl_test
