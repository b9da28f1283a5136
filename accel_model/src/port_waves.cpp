// SPDX-License-Identifier: Apache-2.0
// The ports of the RTL units in the dump.
#include "port_waves.hpp"

#include <cstring>
#include <vector>

#include "avocet_isa.h"

namespace avocet::model {

namespace {

// A data port of several elements.
template <typename Element> class DataPort {
public:
  DataPort(Waves &waves, const std::string &scope, const std::string &name, uint64_t count) : shown_(count) {
    for (uint64_t i = 0; i < count; ++i)
      waves_.push_back(waves.number(scope, name + "[" + std::to_string(i) + "]", 8 * sizeof(Element)));
  }

  void set_at(uint64_t cycle, const void *bytes) {
    const auto *at = static_cast<const uint8_t *>(bytes);
    for (size_t i = 0; i < waves_.size(); ++i, at += sizeof(Element)) {
      Element value;
      std::memcpy(&value, at, sizeof value);
      if (value == shown_[i]) continue;
      shown_[i] = value;
      waves_[i].set_at(cycle, value);
    }
  }

private:
  std::vector<Wave> waves_;
  std::vector<Element> shown_;
};

// What a block hands on, a beat at a time.
template <typename Element> struct OutputPort {
  OutputPort(Waves &waves, const std::string &scope, uint64_t count)
      : valid(waves.number(scope, "o_valid_o", 1)), ready(waves.number(scope, "o_ready_i", 1)),
        last(waves.number(scope, "o_last_o", 1)), data(waves, scope, "o_data_o", count) {}

  template <typename Inputs, typename Outputs> void set_at(uint64_t cycle, const Inputs &inputs, const Outputs &outputs) {
    valid.set_at(cycle, outputs.o_valid);
    ready.set_at(cycle, inputs.o_ready);
    last.set_at(cycle, outputs.o_valid && outputs.o_last);
    if (outputs.o_valid) data.set_at(cycle, outputs.o_data);
  }

  const Wave valid, ready, last;
  DataPort<Element> data;
};

class ShownArray : public MacArray {
public:
  ShownArray(std::unique_ptr<MacArray> array, Waves &waves, const std::string &scope, uint64_t rows, uint64_t columns)
      : array_(std::move(array)), waves_(waves), w_valid_(waves.number(scope, "w_valid_i", 1)),
        w_ready_(waves.number(scope, "w_ready_o", 1)), w_zero_point_(waves.number(scope, "w_zero_point_i", 8)),
        w_data_(waves, scope, "w_data_i", columns), a_valid_(waves.number(scope, "a_valid_i", 1)),
        a_ready_(waves.number(scope, "a_ready_o", 1)), a_first_(waves.number(scope, "a_first_i", 1)),
        a_last_(waves.number(scope, "a_last_i", 1)), a_data_(waves, scope, "a_data_i", rows),
        out_(waves, scope, columns) {}

  void reset() override {
    array_->reset();
    rest_at(waves_.now());
  }

  Outputs settle(const Inputs &inputs) override {
    const Outputs outputs = array_->settle(inputs);
    const uint64_t cycle = waves_.now();
    w_valid_.set_at(cycle, inputs.w_valid);
    w_ready_.set_at(cycle, outputs.w_ready);
    if (inputs.w_valid) {
      w_zero_point_.set_at(cycle, static_cast<uint8_t>(inputs.w_zero_point));
      w_data_.set_at(cycle, inputs.w_data);
    }
    a_valid_.set_at(cycle, inputs.a_valid);
    a_ready_.set_at(cycle, outputs.a_ready);
    a_first_.set_at(cycle, inputs.a_first);
    a_last_.set_at(cycle, inputs.a_last);
    if (inputs.a_valid) a_data_.set_at(cycle, inputs.a_data);
    out_.set_at(cycle, inputs, outputs);
    return outputs;
  }

  void clock() override {
    array_->clock();
    rest_at(waves_.now() + 1);
  }

private:
  // Unless a step follows.
  void rest_at(uint64_t cycle) {
    for (const Wave *wave : {&w_valid_, &a_valid_, &a_first_, &a_last_, &out_.valid, &out_.last}) wave->set_at(cycle, false);
  }

  const std::unique_ptr<MacArray> array_;
  Waves &waves_;
  const Wave w_valid_, w_ready_, w_zero_point_;
  DataPort<uint8_t> w_data_;
  const Wave a_valid_, a_ready_, a_first_, a_last_;
  DataPort<uint8_t> a_data_;
  OutputPort<uint32_t> out_;
};

class ShownLanes : public RequantLanes {
public:
  ShownLanes(std::unique_ptr<RequantLanes> lanes, Waves &waves, const std::string &scope, uint64_t count)
      : lanes_(std::move(lanes)), waves_(waves), p_valid_(waves.number(scope, "p_valid_i", 1)),
        p_ready_(waves.number(scope, "p_ready_o", 1)), p_last_(waves.number(scope, "p_last_i", 1)),
        p_data_(waves, scope, "p_data_i", AVOCET_PARAMETER_BYTES / 4), p_zero_point_(waves.number(scope, "p_zero_point_i", 16)),
        p_clamp_min_(waves.number(scope, "p_clamp_min_i", 16)), p_clamp_max_(waves.number(scope, "p_clamp_max_i", 16)),
        r_valid_(waves.number(scope, "r_valid_i", 1)), r_ready_(waves.number(scope, "r_ready_o", 1)),
        r_last_(waves.number(scope, "r_last_i", 1)), r_data_(waves, scope, "r_data_i", count),
        out_(waves, scope, count) {}

  void reset() override {
    lanes_->reset();
    rest_at(waves_.now());
  }

  Outputs settle(const Inputs &inputs) override {
    const Outputs outputs = lanes_->settle(inputs);
    const uint64_t cycle = waves_.now() - 1;
    p_valid_.set_at(cycle, inputs.p_valid);
    p_ready_.set_at(cycle, outputs.p_ready);
    p_last_.set_at(cycle, inputs.p_last);
    if (inputs.p_valid) show_parameters(cycle, inputs);
    r_valid_.set_at(cycle, inputs.r_valid);
    r_ready_.set_at(cycle, outputs.r_ready);
    r_last_.set_at(cycle, inputs.r_last);
    if (inputs.r_valid) r_data_.set_at(cycle, inputs.r_data);
    out_.set_at(cycle, inputs, outputs);
    return outputs;
  }

  void clock() override {
    lanes_->clock();
    rest_at(waves_.now());
  }

private:
  void show_parameters(uint64_t cycle, const Inputs &inputs) {
    p_data_.set_at(cycle, inputs.p_data);
    p_zero_point_.set_at(cycle, static_cast<uint16_t>(inputs.p_zero_point));
    p_clamp_min_.set_at(cycle, static_cast<uint16_t>(inputs.p_clamp_min));
    p_clamp_max_.set_at(cycle, static_cast<uint16_t>(inputs.p_clamp_max));
  }

  void rest_at(uint64_t cycle) {
    for (const Wave *wave : {&p_valid_, &p_last_, &r_valid_, &r_last_, &out_.valid, &out_.last}) wave->set_at(cycle, false);
  }

  const std::unique_ptr<RequantLanes> lanes_;
  Waves &waves_;
  const Wave p_valid_, p_ready_, p_last_;
  DataPort<uint32_t> p_data_;
  const Wave p_zero_point_, p_clamp_min_, p_clamp_max_;
  const Wave r_valid_, r_ready_, r_last_;
  DataPort<uint32_t> r_data_;
  OutputPort<uint8_t> out_;
};

} // namespace

std::unique_ptr<MacArray> show_ports(std::unique_ptr<MacArray> array, Waves &waves, const std::string &scope, uint64_t rows,
                                     uint64_t columns) {
  return std::make_unique<ShownArray>(std::move(array), waves, scope, rows, columns);
}

std::unique_ptr<RequantLanes> show_ports(std::unique_ptr<RequantLanes> lanes, Waves &waves, const std::string &scope, uint64_t count) {
  return std::make_unique<ShownLanes>(std::move(lanes), waves, scope, count);
}

} // namespace avocet::model
