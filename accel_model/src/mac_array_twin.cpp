// SPDX-License-Identifier: Apache-2.0
// The array without its inside: a vector's sums are known when it enters, and come out rows + columns enabled cycles later.
#include <deque>
#include <vector>

#include "mac_array.hpp"

namespace avocet::model {

namespace {

class MacArrayTwin : public MacArray {
public:
  MacArrayTwin(uint64_t rows, uint64_t columns) : rows_(rows), columns_(columns) { reset(); }

  void reset() override {
    loaded_ = false;
    row_ = 0;
    shadow_ = active_ = Tile(rows_ * columns_);
    // Slots of the delay line, the oldest first.
    line_.assign(rows_ + columns_, Slot{});
  }

  Outputs settle(const Inputs &inputs) override {
    inputs_ = inputs;
    enable_ = inputs.o_ready || !line_.front().valid;
    bool a_ready = enable_ && (loaded_ || !inputs.a_first);
    bool w_ready = enable_ && (!loaded_ || (inputs.a_valid && inputs.a_first));
    a_accept_ = inputs.a_valid && a_ready;
    w_accept_ = inputs.w_valid && w_ready;
    return {w_ready, a_ready, line_.front().valid, line_.front().last, line_.front().sums.data()};
  }

  void clock() override {
    if (!enable_) return;
    line_.pop_front();
    line_.push_back(a_accept_ ? enter() : Slot{});
    if (w_accept_) load_row();
  }

private:
  struct Tile {
    explicit Tile(uint64_t size = 0) : weights(size) {}
    std::vector<int32_t> weights; // zero point subtracted
  };
  struct Slot {
    bool valid = false, last = false;
    std::vector<uint32_t> sums;
  };

  // The first vector of a pass takes the loaded tile into use.
  Slot enter() {
    if (inputs_.a_first) {
      active_ = shadow_;
      loaded_ = false;
    }
    Slot slot{true, inputs_.a_last, std::vector<uint32_t>(columns_)};
    for (uint64_t row = 0; row < rows_; ++row)
      for (uint64_t column = 0; column < columns_; ++column)
        slot.sums[column] += static_cast<uint32_t>(static_cast<int8_t>(inputs_.a_data[row]) *
                                                   active_.weights[row * columns_ + column]);
    return slot;
  }

  void load_row() {
    for (uint64_t column = 0; column < columns_; ++column)
      shadow_.weights[row_ * columns_ + column] = static_cast<int8_t>(inputs_.w_data[column]) - inputs_.w_zero_point;
    row_ = (row_ + 1) % rows_;
    loaded_ = row_ == 0;
  }

  const uint64_t rows_, columns_;
  bool loaded_ = false; // the shadow tile is complete
  uint64_t row_ = 0;
  Tile shadow_, active_;
  std::deque<Slot> line_;
  Inputs inputs_;
  bool enable_ = true, a_accept_ = false, w_accept_ = false;
};

} // namespace

std::unique_ptr<MacArray> make_mac_array_twin(uint64_t rows, uint64_t columns) {
  return std::make_unique<MacArrayTwin>(rows, columns);
}

} // namespace avocet::model
