// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksMemoryDesc: collects roles, which must agree in type and dimensions, and makes device memory.
#include <algorithm>

#include "api.hpp"
#include "compilation.hpp"
#include "device_memory.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

class MemoryDesc {
 public:
  static MemoryDesc* of(ANeuralNetworksMemoryDesc* handle) { return reinterpret_cast<MemoryDesc*>(handle); }
  static const MemoryDesc* of(const ANeuralNetworksMemoryDesc* handle) {
    return reinterpret_cast<const MemoryDesc*>(handle);
  }
  ANeuralNetworksMemoryDesc* handle() { return reinterpret_cast<ANeuralNetworksMemoryDesc*>(this); }

  Status add_role(const Compilation& compilation, MemoryUse use, uint32_t index, float frequency) {
    if (finished_) return bad_state("the descriptor is finished");
    if (!compilation.usable()) return bad_data("the compilation is not finished, or its finish failed");
    const Model& model = compilation.model();
    const std::vector<uint32_t>& list = use == MemoryUse::kInput ? model.inputs() : model.outputs();
    if (index >= list.size()) return bad_data("index ", index, " of ", list.size(), " does not exist");
    if (!(frequency > 0.0f && frequency <= 1.0f)) return bad_data("frequency ", frequency, " is outside (0, 1]");
    const MemoryRole role{compilation.id(), use, index};
    if (std::find(roles_.begin(), roles_.end(), role) != roles_.end()) return bad_data("the role is there already");
    const Operand& operand = model.operand(list[index]);
    if (!roles_.empty() && !same_type(operand, operand_))
      return bad_data("the operand has another type than those of earlier roles");
    if (!is_tensor(operand.type) && !dims_.empty()) return bad_data("the operand is a scalar, but dimensions are set");
    if (!compatible(operand.dims, dims_)) {
      return bad_data("the operand is ", dims_text(operand.dims), ", the descriptor so far ", dims_text(dims_));
    }
    if (roles_.empty()) {
      operand_.type = operand.type;
      operand_.scale = operand.scale;
      operand_.zero_point = operand.zero_point;
      operand_.channel_scales = operand.channel_scales;
      operand_.channel_dim = operand.channel_dim;
    }
    roles_.push_back(role);
    dims_ = combine(dims_, operand.dims);
    return {};
  }

  Status set_dimensions(const Dimensions& dims) {
    if (finished_) return bad_state("the descriptor is finished");
    if (!roles_.empty() && !is_tensor(operand_.type) && !dims.empty()) return bad_data("a scalar has no dimensions");
    if (!compatible(dims, dims_)) {
      return bad_data("dimensions ", dims_text(dims), " do not go with ", dims_text(dims_));
    }
    dims_ = combine(dims_, dims);
    return {};
  }

  Status finish() {
    if (finished_) return bad_state("the descriptor is finished");
    if (roles_.empty()) return bad_data("the descriptor has no role");
    finished_ = true;
    operand_.dims = dims_;
    return {};
  }

  Status create(Memory** memory) const {
    if (!finished_) return bad_state("the descriptor is not finished");
    if (fully_specified(operand_.type, operand_.dims) && !value_bytes(operand_.type, operand_.dims)) {
      return bad_data("dimensions ", dims_text(operand_.dims), " need more than 2^32 - 1 bytes");
    }
    *memory = new DeviceMemory(operand_, roles_);
    return {};
  }

 private:
  Operand operand_;  // type of all roles
  Dimensions dims_;  // what roles and setDimensions know together
  std::vector<MemoryRole> roles_;
  bool finished_ = false;
};

int add_role(const char* function, ANeuralNetworksMemoryDesc* desc, const ANeuralNetworksCompilation* compilation,
             MemoryUse use, uint32_t index, float frequency) {
  return api_call(function, [&]() -> Status {
    if (!desc) return null_argument("desc");
    if (!compilation) return null_argument("compilation");
    return MemoryDesc::of(desc)->add_role(*Compilation::of(compilation), use, index, frequency);
  });
}

}  // namespace
}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc) {
  return api_call(__func__, [&]() -> Status {
    if (!desc) return null_argument("desc");
    *desc = nullptr;
    *desc = (new MemoryDesc)->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc) { delete MemoryDesc::of(desc); }

AVOCET_API int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                                      const ANeuralNetworksCompilation* compilation, uint32_t index,
                                                      float frequency) {
  return add_role(__func__, desc, compilation, MemoryUse::kInput, index, frequency);
}

AVOCET_API int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                                       const ANeuralNetworksCompilation* compilation, uint32_t index,
                                                       float frequency) {
  return add_role(__func__, desc, compilation, MemoryUse::kOutput, index, frequency);
}

AVOCET_API int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                                       const uint32_t* dimensions) {
  return api_call(__func__, [&]() -> Status {
    if (!desc) return null_argument("desc");
    if (!dimensions && rank > 0) return null_argument("dimensions");
    return MemoryDesc::of(desc)->set_dimensions(rank ? Dimensions(dimensions, dimensions + rank) : Dimensions());
  });
}

AVOCET_API int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc) {
  return api_call(__func__, [&]() -> Status {
    if (!desc) return null_argument("desc");
    return MemoryDesc::of(desc)->finish();
  });
}

AVOCET_API int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                                    ANeuralNetworksMemory** memory) {
  return api_call(__func__, [&]() -> Status {
    if (memory) *memory = nullptr;
    if (!desc) return null_argument("desc");
    if (!memory) return null_argument("memory");
    Memory* made = nullptr;
    AVOCET_RETURN_IF_FAILED(MemoryDesc::of(desc)->create(&made));
    *memory = made->handle();
    return {};
  });
}
