// SPDX-License-Identifier: Apache-2.0
// Turns a ModelDescription into a finished ANeuralNetworksModel.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nnapi/model_description.hpp"
#include "nnapi/shared_memory.hpp"
#include "nnapi/zero_pages.hpp"

namespace avocet::tools {

/// A finished model with what has to live as long as it: referenced models and the memory of constants by reference.
/// The description must outlive it too (the API may keep pointers to large constants).
class BuiltModel {
 public:
  ANeuralNetworksModel* get() const { return model_.get(); }

 private:
  friend BuiltModel build_model(const ModelDescription&, std::span<const ModelDescription>, int depth);
  std::unique_ptr<SharedMemory> constants_;
  std::unique_ptr<ZeroPages> placeholders_;
  std::vector<BuiltModel> referenced_;  // destroyed after model_
  ModelHandle model_;
};

/// A constant_copy without a value is a shape alone: its zeros take no memory. Throws ApiError at the first refused call. `referenced` are the graphs that operands of lifetime subgraph name; they
/// may name one another, but not themselves (std::invalid_argument past a nesting of 16).
BuiltModel build_model(const ModelDescription& description, std::span<const ModelDescription> referenced = {},
                       int depth = 0);

}  // namespace avocet::tools
