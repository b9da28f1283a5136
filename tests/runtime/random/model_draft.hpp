// SPDX-License-Identifier: Apache-2.0
// A model as it grows: operands with their actual dimensions, and what later operations may take.
#pragma once

#include "conformance/test_case.hpp"
#include "draw_table.hpp"

namespace avocet::random_models {

/// A finished random model. Inputs have values; outputs have room for the largest result.
struct RandomModel {
  uint64_t seed = 0;
  tools::TestCase test;
  std::vector<Dims> dims;            // actual, of each operand of the main graph; the largest possible where they depend on data
  std::vector<bool> data_dependent;  // of each operand of the main graph
};

struct Profile {
  bool quantised_only = false;  // quantised models for the accelerator, mostly of operations it has
  uint32_t most_operations = 20;
};

class ModelDraft {
 public:
  ModelDraft(Random& random, const Profile& profile) : random_(random), profile_(profile) {}

  /// Adds one operation of this code. False: nothing was added (an unlucky draw).
  bool add(int32_t code);
  /// As add(), by another function than the table's.
  bool add(int32_t code, bool (*draw)(OperationDraw&));
  /// A region operation on no regions: its output, with a batch of 0, is for other operations to take.
  bool add_empty_regions();
  bool add_control_flow(int32_t code);
  RandomModel finish(uint64_t seed);
  size_t operation_count() const { return test_.main.operations.size(); }

 private:
  struct Tensor {  // one operand
    Dims dims;
    bool data_dependent = false, usable = false, non_negative = false, wild = false;
    uint32_t uses = 0;
  };

  friend class ControlFlowDraft;
  std::optional<uint32_t> pick_primary(const DrawRow& row) const;
  bool allowed(const DrawRow& row, const Tensor& tensor) const;
  bool draw_operands(OperationDraw& draw, const DrawRow& row, bool (*function)(OperationDraw&));
  bool append(OperationDraw& draw, const DrawRow& row);
  uint32_t attach_input(const OperationDraw& draw, const OperandDraw& operand);
  std::optional<uint32_t> find_match(const OperationDraw& draw, const OperandDraw& operand) const;
  uint32_t add_operand(tools::Operand operand, Tensor tensor);
  uint32_t add_fresh(const OperandDraw& operand);
  void make_unknown(uint32_t index);
  void choose_outputs();
  void ensure_input();

  Random& random_;
  Profile profile_;
  tools::TestCase test_;
  std::vector<Tensor> tensors_;
};

}  // namespace avocet::random_models
