// SPDX-License-Identifier: Apache-2.0
// Small owners for the API's handles, and the models most tests use. They call the C API and nothing else.
#pragma once

#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace avocet::test {

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* handle) const {
    kFree(handle);
  }
};

using CompilationPtr = std::unique_ptr<ANeuralNetworksCompilation, Freer<ANeuralNetworksCompilation_free>>;
using ExecutionPtr = std::unique_ptr<ANeuralNetworksExecution, Freer<ANeuralNetworksExecution_free>>;
using BurstPtr = std::unique_ptr<ANeuralNetworksBurst, Freer<ANeuralNetworksBurst_free>>;
using EventPtr = std::unique_ptr<ANeuralNetworksEvent, Freer<ANeuralNetworksEvent_free>>;
using MemoryPtr = std::unique_ptr<ANeuralNetworksMemory, Freer<ANeuralNetworksMemory_free>>;
using MemoryDescPtr = std::unique_ptr<ANeuralNetworksMemoryDesc, Freer<ANeuralNetworksMemoryDesc_free>>;

using Dims = std::vector<uint32_t>;

/// An operand type that keeps its dimensions.
struct Type {
  Type(int32_t code, Dims d = {}, float scale = 0.0f, int32_t zero = 0) : dims(std::move(d)) {
    type = {code, static_cast<uint32_t>(dims.size()), dims.empty() ? nullptr : dims.data(), scale, zero};
  }
  Type(const Type& other) : Type(other.type.type, other.dims, other.type.scale, other.type.zeroPoint) {}
  Type& operator=(const Type&) = delete;
  const ANeuralNetworksOperandType* get() const { return &type; }

  Dims dims;
  ANeuralNetworksOperandType type;
};

inline Type float_tensor(Dims dims) { return Type(ANEURALNETWORKS_TENSOR_FLOAT32, std::move(dims)); }
inline Type int32_scalar() { return Type(ANEURALNETWORKS_INT32); }

/// A model under construction. Each add returns the operand's number; expectations fail the test, not the build.
class Model {
 public:
  Model() { EXPECT_EQ(ANeuralNetworksModel_create(&model_), ANEURALNETWORKS_NO_ERROR); }
  ~Model() { ANeuralNetworksModel_free(model_); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  operator ANeuralNetworksModel*() const { return model_; }

  uint32_t operand(const Type& type) {
    EXPECT_EQ(ANeuralNetworksModel_addOperand(model_, type.get()), ANEURALNETWORKS_NO_ERROR);
    return count_++;
  }
  uint32_t constant(int32_t value) {
    const uint32_t index = operand(int32_scalar());
    EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model_, static_cast<int32_t>(index), &value, sizeof value),
              ANEURALNETWORKS_NO_ERROR);
    return index;
  }
  template <typename T>
  uint32_t constant(const Type& type, const std::vector<T>& values) {
    const uint32_t index = operand(type);
    EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model_, static_cast<int32_t>(index), values.data(),
                                                   values.size() * sizeof(T)),
              ANEURALNETWORKS_NO_ERROR);
    return index;
  }
  uint32_t reference(ANeuralNetworksModel* other) {
    const uint32_t index = operand(Type(ANEURALNETWORKS_MODEL));
    EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(model_, static_cast<int32_t>(index), other),
              ANEURALNETWORKS_NO_ERROR);
    return index;
  }
  int operation(int32_t code, const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
    return ANeuralNetworksModel_addOperation(model_, code, static_cast<uint32_t>(inputs.size()), inputs.data(),
                                             static_cast<uint32_t>(outputs.size()), outputs.data());
  }
  int identify(const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
    return ANeuralNetworksModel_identifyInputsAndOutputs(model_, static_cast<uint32_t>(inputs.size()), inputs.data(),
                                                         static_cast<uint32_t>(outputs.size()), outputs.data());
  }
  int finish() { return ANeuralNetworksModel_finish(model_); }

  /// identify and finish, which must succeed.
  void done(const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
    EXPECT_EQ(identify(inputs, outputs), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(finish(), ANEURALNETWORKS_NO_ERROR);
  }

 private:
  ANeuralNetworksModel* model_ = nullptr;
  uint32_t count_ = 0;
};

/// out = a + b, all TENSOR_FLOAT32 of `dims`; inputs 0 and 1, output 0.
inline void build_add(Model& model, const Dims& dims = {2}) {
  const uint32_t a = model.operand(float_tensor(dims)), b = model.operand(float_tensor(dims));
  const uint32_t none = model.constant(ANEURALNETWORKS_FUSED_NONE);
  const uint32_t out = model.operand(float_tensor(dims));
  EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({a, b}, {out});
}

/// Whether an operation of one input is more than a row yet: rows without a kernel are refused when added.
inline bool has_kernel(int32_t code) {
  Model model;
  const uint32_t a = model.operand(float_tensor({2})), b = model.operand(float_tensor({2}));
  const uint32_t vector = model.operand(Type(ANEURALNETWORKS_TENSOR_INT32, {1}));
  const uint32_t truth = model.operand(Type(ANEURALNETWORKS_TENSOR_BOOL8, {2}));
  const uint32_t scalar = model.operand(int32_scalar());
  switch (code) {
    case ANEURALNETWORKS_LESS:
      return model.operation(code, {a, b}, {truth}) == ANEURALNETWORKS_NO_ERROR;
    case ANEURALNETWORKS_RANK:
      return model.operation(code, {a}, {scalar}) == ANEURALNETWORKS_NO_ERROR;
    case ANEURALNETWORKS_SLICE:
      return model.operation(code, {a, vector, vector}, {b}) == ANEURALNETWORKS_NO_ERROR;
    default:
      return model.operation(code, {a}, {b}) == ANEURALNETWORKS_NO_ERROR;
  }
}

#define AVOCET_SKIP_WITHOUT(code) \
  if (!has_kernel(code)) GTEST_SKIP() << #code " has no kernel in this build"

inline CompilationPtr create_compilation(ANeuralNetworksModel* model) {
  ANeuralNetworksCompilation* compilation = nullptr;
  EXPECT_EQ(ANeuralNetworksCompilation_create(model, &compilation), ANEURALNETWORKS_NO_ERROR);
  return CompilationPtr(compilation);
}

inline CompilationPtr compile(ANeuralNetworksModel* model) {
  CompilationPtr compilation = create_compilation(model);
  EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation.get()), ANEURALNETWORKS_NO_ERROR);
  return compilation;
}

/// The device with this name, or null.
inline ANeuralNetworksDevice* find_device(const char* wanted) {
  uint32_t count = 0;
  EXPECT_EQ(ANeuralNetworks_getDeviceCount(&count), ANEURALNETWORKS_NO_ERROR);
  for (uint32_t i = 0; i < count; ++i) {
    ANeuralNetworksDevice* device = nullptr;
    const char* name = nullptr;
    EXPECT_EQ(ANeuralNetworks_getDevice(i, &device), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksDevice_getName(device, &name), ANEURALNETWORKS_NO_ERROR);
    if (!std::strcmp(name, wanted)) return device;
  }
  return nullptr;
}

inline ANeuralNetworksDevice* cpu() { return find_device("nnapi-reference"); }

inline CompilationPtr create_for(ANeuralNetworksModel* model, std::vector<ANeuralNetworksDevice*> devices) {
  ANeuralNetworksCompilation* compilation = nullptr;
  EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(model, devices.data(), static_cast<uint32_t>(devices.size()),
                                                        &compilation),
            ANEURALNETWORKS_NO_ERROR);
  return CompilationPtr(compilation);
}

inline CompilationPtr compile_for(ANeuralNetworksModel* model, std::vector<ANeuralNetworksDevice*> devices) {
  CompilationPtr compilation = create_for(model, std::move(devices));
  EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation.get()), ANEURALNETWORKS_NO_ERROR);
  return compilation;
}

inline ExecutionPtr create_execution(const CompilationPtr& compilation) {
  ANeuralNetworksExecution* execution = nullptr;
  EXPECT_EQ(ANeuralNetworksExecution_create(compilation.get(), &execution), ANEURALNETWORKS_NO_ERROR);
  return ExecutionPtr(execution);
}

template <typename T>
int set_input(const ExecutionPtr& execution, int32_t index, const std::vector<T>& values, const Type* type = nullptr) {
  return ANeuralNetworksExecution_setInput(execution.get(), index, type ? type->get() : nullptr, values.data(),
                                           values.size() * sizeof(T));
}
template <typename T>
int set_output(const ExecutionPtr& execution, int32_t index, std::vector<T>& values, const Type* type = nullptr) {
  return ANeuralNetworksExecution_setOutput(execution.get(), index, type ? type->get() : nullptr, values.data(),
                                            values.size() * sizeof(T));
}

inline Dims output_dims(const ExecutionPtr& execution, int32_t index, int expected = ANEURALNETWORKS_NO_ERROR) {
  uint32_t rank = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution.get(), index, &rank), expected);
  Dims dims(rank);
  EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(execution.get(), index, dims.data()), expected);
  return dims;
}

/// An anonymous file that is closed at the end.
class File {
 public:
  explicit File(size_t bytes) : fd_(memfd_create("test", MFD_CLOEXEC)) {
    EXPECT_GE(fd_, 0);
    EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(bytes)), 0);
  }
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

  template <typename T>
  void write(const std::vector<T>& values, size_t offset = 0) {
    EXPECT_EQ(pwrite(fd_, values.data(), values.size() * sizeof(T), static_cast<off_t>(offset)),
              static_cast<ssize_t>(values.size() * sizeof(T)));
  }
  template <typename T>
  std::vector<T> read(size_t count, size_t offset = 0) const {
    std::vector<T> values(count);
    EXPECT_EQ(pread(fd_, values.data(), count * sizeof(T), static_cast<off_t>(offset)),
              static_cast<ssize_t>(count * sizeof(T)));
    return values;
  }

 private:
  int fd_;
};

inline MemoryPtr map(const File& file, size_t bytes, int protect = PROT_READ | PROT_WRITE, size_t offset = 0) {
  ANeuralNetworksMemory* memory = nullptr;
  EXPECT_EQ(ANeuralNetworksMemory_createFromFd(bytes, protect, file.fd(), offset, &memory), ANEURALNETWORKS_NO_ERROR);
  return MemoryPtr(memory);
}

/// An ADD of two floats each, compiled, with an execution whose arguments are all set: {1, 2} + {10, 20}.
struct ReadyAdd {
  explicit ReadyAdd(std::vector<ANeuralNetworksDevice*> devices = {}) {
    build_add(model);
    compilation = devices.empty() ? compile(model) : compile_for(model, std::move(devices));
    execution = make();
  }
  ExecutionPtr make() {
    ExecutionPtr e = create_execution(compilation);
    EXPECT_EQ(set_input(e, 0, a), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_input(e, 1, b), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_output(e, 0, out), ANEURALNETWORKS_NO_ERROR);
    return e;
  }
  void expect_result() const { EXPECT_EQ(out, (std::vector<float>{11, 22})); }

  Model model;
  CompilationPtr compilation;
  std::vector<float> a{1, 2}, b{10, 20}, out{0, 0};
  ExecutionPtr execution;
};

}  // namespace avocet::test
