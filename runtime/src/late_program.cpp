// SPDX-License-Identifier: Apache-2.0
#include "late_program.hpp"

#include <algorithm>
#include <numeric>

#include "log.hpp"
#include "operations/failure.hpp"
#include "specialised_model.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kEntriesMax = 8;
// After so many programs of which hardly one was used again, making more is a waste.
constexpr uint32_t kMadeInVainMax = 32;

}  // namespace

std::shared_ptr<const Specialised> LateProgram::specialise(Frame& frame) {
  Key key = key_of(frame);
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
  if (known != entries_.end()) {
    ++found_;
    std::rotate(known, known + 1, entries_.end());
    return entries_.back().specialised;
  }
  auto made = std::make_shared<Specialised>();
  if (made_ >= kMadeInVainMax && found_ < made_) {
    made->status = op_failed("its shapes or constants change with every execution");
    return made;
  }
  ++made_;
  make(frame, *made);
  if (!made->status.ok()) log_info("operation " + std::to_string(group_.operations[0]) + " and those with it run on the CPU: " + made->status.message);
  if (entries_.size() == kEntriesMax) entries_.erase(entries_.begin());
  entries_.push_back({std::move(key), made});
  return made;
}

bool LateProgram::is_constant(uint32_t operand) const {
  return std::find(constants_.begin(), constants_.end(), operand) != constants_.end();
}

LateProgram::Key LateProgram::key_of(Frame& frame) const {
  Key key;
  for (uint32_t operand : group_.inputs) {
    const Frame::Cell& cell = frame.cell(operand);
    key.dims.push_back(cell.omitted ? Dimensions{UINT32_MAX} : cell.dims);
    key.values.emplace_back();
    if (!is_constant(operand) || !cell.data) continue;
    const auto* bytes = static_cast<const uint8_t*>(cell.data);
    key.values.back().assign(bytes, bytes + cell.bytes);
  }
  return key;
}

void LateProgram::make(Frame& frame, Specialised& made) const {
  Reference<Model> model;
  std::vector<uint32_t> operand_of;
  made.status = specialise_model(group_, constants_, frame, &model, &operand_of);
  SubModel group;
  group.model = model.get();
  for (uint32_t i = 0; made.status.ok() && i < group_.operations.size(); ++i) {
    const Support support = accelerator_->supports(*model, i);
    if (!support.supported) {
      made.status = op_failed("operation ", group_.operations[i], " (", model->operations()[i].name(), "): ", support.reason);
    }
    group.operations.push_back(i);
  }
  if (!made.status.ok()) return;
  for (uint32_t operand : group_.inputs) {
    if (is_constant(operand)) continue;
    made.inputs.push_back(operand);
    group.inputs.push_back(operand_of[operand]);
  }
  for (uint32_t operand : group_.outputs) {
    group.outputs.push_back(operand_of[operand]);
    made.output_dims.push_back(model->operand(operand_of[operand]).dims);
  }
  group.model_number = group_.model_number;
  made.status = accelerator_->compile(group, options_, &made.program);
}

}  // namespace avocet::runtime
