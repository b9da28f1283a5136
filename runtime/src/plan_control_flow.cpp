// SPDX-License-Identifier: Apache-2.0
// Running IF and WHILE: the referenced models' plans on values of the outer frame.
#include <chrono>
#include <utility>

#include "api.hpp"
#include "operations/failure.hpp"
#include "plan.hpp"

namespace avocet::runtime {
namespace {

/// An operand of the outer frame as the output of an inner plan.
class OperandSink : public OutputSink {
 public:
  OperandSink(Frame& frame, uint32_t operand, const Dimensions& declared) : frame_(frame), operand_(operand) {
    const OutputSink* outer = frame.cell(operand).sink;
    dims = outer ? outer->dims : declared;
  }
  bool reserve(size_t, void** data) override {
    status_ = frame_.place(operand_, dims);
    *data = frame_.cell(operand_).data;
    return status_.ok();
  }
  const Status& status() const { return status_; }

 private:
  Frame& frame_;
  uint32_t operand_;
  Status status_;
};

/// A variable of a loop: written by one iteration, read by the next.
class LoopVariable : public OutputSink {
 public:
  bool reserve(size_t bytes, void** data) override {
    if (buffer_.capacity() < bytes) buffer_ = Buffer(bytes);
    bytes_ = bytes;
    *data = bytes ? buffer_.data() : nullptr;
    return true;
  }
  Value value() const { return {bytes_ ? buffer_.data() : nullptr, bytes_, &dims, false}; }
  void begin_iteration(const Dimensions& declared) {
    dims = declared;
    known = refused = false;
  }

 private:
  Buffer buffer_;
  size_t bytes_ = 0;
};

class ConditionSink : public OutputSink {
 public:
  ConditionSink() { dims = {1}; }
  bool reserve(size_t bytes, void** data) override {
    *data = &value_;
    return bytes == 1;
  }
  bool value() const { return value_ != 0; }

 private:
  uint8_t value_ = 0;
};

/// Inner plans add to the totals; their layers are part of the operation's.
RunContext inner_context(const RunContext& outer) {
  RunContext inner = outer;
  inner.profile_layers = false;
  return inner;
}

}  // namespace

Status Plan::run_if(Frame& frame, uint32_t index, const RunContext& context) const {
  const ModelOperation& operation = model_->operations()[index];
  const Frame::Cell& condition = frame.cell(operation.inputs[0]);
  if (condition.omitted || condition.bytes != 1) return op_failed("the condition has no value");
  const bool chosen = *static_cast<const uint8_t*>(condition.data) != 0;
  const Plan& plan = *inner_.at(model_->operand(operation.inputs[chosen ? 1 : 2]).model);

  std::vector<Value> inputs;
  for (size_t i = 3; i < operation.inputs.size(); ++i) inputs.push_back(frame.value(operation.inputs[i]));
  std::vector<OperandSink> sinks;
  std::vector<OutputSink*> outputs;
  sinks.reserve(operation.outputs.size());
  for (uint32_t operand : operation.outputs) {
    sinks.emplace_back(frame, operand, model_->operand(operand).dims);
    outputs.push_back(&sinks.back());
  }
  AVOCET_RETURN_IF_FAILED(plan.run(inputs, outputs, inner_context(context)));
  for (const OperandSink& sink : sinks) AVOCET_RETURN_IF_FAILED(Status(sink.status()));
  return {};
}

Status Plan::run_while(Frame& frame, uint32_t index, const RunContext& context) const {
  const ModelOperation& operation = model_->operations()[index];
  const Plan& condition = *inner_.at(model_->operand(operation.inputs[0]).model);
  const Plan& body = *inner_.at(model_->operand(operation.inputs[1]).model);
  const size_t results = operation.outputs.size();         // m
  const size_t variables = body.model().outputs().size();  // m + k
  const auto start = std::chrono::steady_clock::now();
  const RunContext inner = inner_context(context);

  // Values of the iteration that runs: at first the operation's inputs, then what the body wrote before.
  std::vector<Value> values;
  for (size_t i = 2; i < operation.inputs.size(); ++i) values.push_back(frame.value(operation.inputs[i]));
  std::vector<LoopVariable> now(variables), next(variables);
  std::vector<OutputSink*> outputs(variables);
  for (;;) {
    ConditionSink go_on;
    OutputSink* const go_on_list[] = {&go_on};
    AVOCET_RETURN_IF_FAILED(condition.run(values, go_on_list, inner));
    if (!go_on.value()) break;
    // An empty loop must end too, hence the test after the condition and not before it.
    const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - start;
    if (static_cast<uint64_t>(spent.count()) > context.loop_timeout) {
      return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "the loop takes too long");
    }
    if (context.deadline.passed())
      return failure(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "the execution takes too long");
    for (size_t i = 0; i < variables; ++i) {
      next[i].begin_iteration(body.model().operand(body.model().outputs()[i]).dims);
      outputs[i] = &next[i];
    }
    AVOCET_RETURN_IF_FAILED(body.run(values, outputs, inner));
    std::swap(now, next);
    for (size_t i = 0; i < variables; ++i) values[i] = now[i].value();
  }
  for (size_t i = 0; i < results; ++i) {
    if (values[i].omitted) return op_failed("result ", i, " of the loop has no value");
    AVOCET_RETURN_IF_FAILED(frame.place(operation.outputs[i], *values[i].dims));
    frame.write(operation.outputs[i], values[i].data, values[i].bytes);
  }
  return {};
}

}  // namespace avocet::runtime
