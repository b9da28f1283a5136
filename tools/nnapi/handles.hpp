// SPDX-License-Identifier: Apache-2.0
// Owning handles for the objects of the C API, and the exception that a refused call becomes inside the tools.
#pragma once

#include <android/NeuralNetworks.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace avocet::tools {

template <auto Free>
struct Releaser {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using ModelHandle = std::unique_ptr<ANeuralNetworksModel, Releaser<ANeuralNetworksModel_free>>;
using CompilationHandle = std::unique_ptr<ANeuralNetworksCompilation, Releaser<ANeuralNetworksCompilation_free>>;
using ExecutionHandle = std::unique_ptr<ANeuralNetworksExecution, Releaser<ANeuralNetworksExecution_free>>;
using MemoryHandle = std::unique_ptr<ANeuralNetworksMemory, Releaser<ANeuralNetworksMemory_free>>;
using MemoryDescHandle = std::unique_ptr<ANeuralNetworksMemoryDesc, Releaser<ANeuralNetworksMemoryDesc_free>>;
using BurstHandle = std::unique_ptr<ANeuralNetworksBurst, Releaser<ANeuralNetworksBurst_free>>;
using EventHandle = std::unique_ptr<ANeuralNetworksEvent, Releaser<ANeuralNetworksEvent_free>>;

/// "BAD_DATA" for 4, and so on; the number for a code the API does not define.
std::string result_name(int code);

/// A call of the API that did not return NO_ERROR.
class ApiError : public std::runtime_error {
 public:
  ApiError(std::string call, int code, const std::string& detail = {});
  const std::string& call() const { return call_; }  // the function's name without its prefix: "Model_finish"
  int code() const { return code_; }

 private:
  std::string call_;
  int code_;
};

/// Throws ApiError unless `code` is NO_ERROR. `detail` says which operand or operation.
inline void check(int code, const char* call, const std::string& detail = {}) {
  if (code != ANEURALNETWORKS_NO_ERROR) throw ApiError(call, code, detail);
}

}  // namespace avocet::tools
