// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksMemoryDesc_* and device memory: roles, shapes, and when a memory is initialised.
#include <limits>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

MemoryDescPtr make_desc() {
  ANeuralNetworksMemoryDesc* desc = nullptr;
  EXPECT_EQ(ANeuralNetworksMemoryDesc_create(&desc), ANEURALNETWORKS_NO_ERROR);
  return MemoryDescPtr(desc);
}

int add_input(const MemoryDescPtr& d, const CompilationPtr& c, uint32_t index, float frequency = 1.0f) {
  return ANeuralNetworksMemoryDesc_addInputRole(d.get(), c.get(), index, frequency);
}
int add_output(const MemoryDescPtr& d, const CompilationPtr& c, uint32_t index, float frequency = 1.0f) {
  return ANeuralNetworksMemoryDesc_addOutputRole(d.get(), c.get(), index, frequency);
}
int set_dims(const MemoryDescPtr& d, const Dims& dims) {
  return ANeuralNetworksMemoryDesc_setDimensions(d.get(), static_cast<uint32_t>(dims.size()),
                                                 dims.empty() ? nullptr : dims.data());
}
MemoryPtr make_memory(const MemoryDescPtr& d) {
  EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(d.get()), ANEURALNETWORKS_NO_ERROR);
  ANeuralNetworksMemory* memory = nullptr;
  EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(d.get(), &memory), ANEURALNETWORKS_NO_ERROR);
  return MemoryPtr(memory);
}

/// out = in + 0 of `type`; with a wrong activation it compiles and every execution fails.
struct Copier {
  explicit Copier(const Type& type = float_tensor({1}), int32_t activation = ANEURALNETWORKS_FUSED_NONE) {
    const uint32_t in = model.operand(type), zero = model.constant(float_tensor({1}), std::vector<float>{0});
    const uint32_t fuse = model.constant(activation), out = model.operand(type);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {in, zero, fuse}, {out}), ANEURALNETWORKS_NO_ERROR);
    model.done({in}, {out});
    compilation = compile(model);
  }

  /// Runs with the memory as input or output and ordinary buffers of `count` floats for the other.
  int read(const MemoryPtr& memory, std::vector<float>* out, const Type* out_type = nullptr) {
    const ExecutionPtr e = create_execution(compilation);
    EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_output(e, 0, *out, out_type), ANEURALNETWORKS_NO_ERROR);
    return ANeuralNetworksExecution_compute(e.get());
  }
  int write(const MemoryPtr& memory, const std::vector<float>& in, const Type* in_type = nullptr) {
    const ExecutionPtr e = create_execution(compilation);
    EXPECT_EQ(set_input(e, 0, in, in_type), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    return ANeuralNetworksExecution_compute(e.get());
  }

  Model model;
  CompilationPtr compilation;
};

TEST(MemoryDesc, Errors) {
  ReadyAdd add;
  Model other;
  build_add(other);
  const CompilationPtr unfinished = create_compilation(other);
  const MemoryDescPtr d = make_desc();
  ANeuralNetworksMemory* memory = nullptr;
  EXPECT_EQ(ANeuralNetworksMemoryDesc_create(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ANeuralNetworksMemoryDesc_free(nullptr);
  EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemoryDesc_setDimensions(nullptr, 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemoryDesc_setDimensions(d.get(), 1, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(nullptr, &memory), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(d.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(d.get()), ANEURALNETWORKS_BAD_DATA) << "no role";
  EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(d.get(), &memory), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(memory, nullptr);
  for (auto* role : {ANeuralNetworksMemoryDesc_addInputRole, ANeuralNetworksMemoryDesc_addOutputRole}) {
    EXPECT_EQ(role(nullptr, add.compilation.get(), 0, 1.0f), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(role(d.get(), nullptr, 0, 1.0f), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(role(d.get(), unfinished.get(), 0, 1.0f), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(role(d.get(), add.compilation.get(), 999, 1.0f), ANEURALNETWORKS_BAD_DATA);
    for (float frequency : {10.0f, 0.0f, -1.0f, 1.0001f, std::numeric_limits<float>::quiet_NaN()}) {
      EXPECT_EQ(role(d.get(), add.compilation.get(), 0, frequency), ANEURALNETWORKS_BAD_DATA) << frequency;
    }
    EXPECT_EQ(role(d.get(), add.compilation.get(), 0, 1.0f), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(role(d.get(), add.compilation.get(), 0, 0.5f), ANEURALNETWORKS_BAD_DATA) << "twice";
  }
  EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(d.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(d.get()), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(add_input(d, add.compilation, 1), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(add_output(d, add.compilation, 0), ANEURALNETWORKS_BAD_STATE);
  EXPECT_EQ(set_dims(d, {2}), ANEURALNETWORKS_BAD_STATE);
}

/// A + B of the given type, for comparing types of roles.
struct AddOf {
  explicit AddOf(const Type& type) {
    const uint32_t a = model.operand(type), b = model.operand(type), none = model.operand(int32_scalar()),
                   out = model.operand(type);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {out}), ANEURALNETWORKS_NO_ERROR);
    model.done({a, b, none}, {out});
    compilation = compile(model);
  }
  Model model;
  CompilationPtr compilation;
};

TEST(MemoryDesc, RolesMustAgree) {
  const AddOf base(Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 1.0f, 0));
  const struct {
    const char* what;
    Type type;
  } others[] = {
      {"type", float_tensor({2})},
      {"scale", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 0.5f, 0)},
      {"zero point", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2}, 1.0f, 128)},
      {"rank", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {2, 1}, 1.0f, 0)},
      {"extent", Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1.0f, 0)},
  };
  for (const auto& c : others) {
    const AddOf other(c.type);
    for (bool first_is_input : {true, false}) {
      const MemoryDescPtr d = make_desc();
      EXPECT_EQ(first_is_input ? add_input(d, base.compilation, 0) : add_output(d, base.compilation, 0),
                ANEURALNETWORKS_NO_ERROR);
      EXPECT_EQ(add_input(d, other.compilation, 0), ANEURALNETWORKS_BAD_DATA) << c.what;
      EXPECT_EQ(add_output(d, other.compilation, 0), ANEURALNETWORKS_BAD_DATA) << c.what;
    }
  }
}

/// Same types, other scales of channels.
TEST(MemoryDesc, ChannelScalesMustAgree) {
  struct Conv {
    explicit Conv(float scale) {
      const uint32_t in = model.operand(Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 4, 4, 2}, 1.0f));
      const uint32_t filter = model.operand(Type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3, 3, 2}));
      const uint32_t bias = model.operand(Type(ANEURALNETWORKS_TENSOR_INT32, {2}));
      const float scales[] = {scale, scale};
      const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, scales};
      EXPECT_EQ(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, static_cast<int32_t>(filter), &params),
                ANEURALNETWORKS_NO_ERROR);
      std::vector<uint32_t> inputs{in, filter, bias};
      for (int i = 0; i < 4; ++i) inputs.push_back(model.operand(int32_scalar()));
      const uint32_t out = model.operand(Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 4, 4, 2}, 1.0f));
      EXPECT_EQ(model.operation(ANEURALNETWORKS_CONV_2D, inputs, {out}), ANEURALNETWORKS_NO_ERROR);
      model.done(inputs, {out});
      compilation = compile(model);
    }
    Model model;
    CompilationPtr compilation;
  };
  const Conv one(1.0f), same(1.0f), half(0.5f);
  const MemoryDescPtr d = make_desc();
  EXPECT_EQ(add_input(d, one.compilation, 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(add_input(d, half.compilation, 1), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(add_input(d, same.compilation, 1), ANEURALNETWORKS_NO_ERROR);
}

TEST(MemoryDesc, Dimensions) {
  const AddOf add(float_tensor({2}));
  {
    const MemoryDescPtr d = make_desc();
    EXPECT_EQ(set_dims(d, {2}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_dims(d, {3}), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set_dims(d, {2, 1}), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set_dims(d, {0}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_dims(d, {}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(add_input(d, add.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  }
  {
    const MemoryDescPtr d = make_desc();
    EXPECT_EQ(set_dims(d, {3}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(add_input(d, add.compilation, 0), ANEURALNETWORKS_BAD_DATA) << "dimensions first";
  }
  {
    const MemoryDescPtr d = make_desc();
    EXPECT_EQ(add_input(d, add.compilation, 0), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_dims(d, {3}), ANEURALNETWORKS_BAD_DATA) << "role first";
  }
  {
    const MemoryDescPtr d = make_desc();
    EXPECT_EQ(set_dims(d, {2}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(add_input(d, add.compilation, 2), ANEURALNETWORKS_BAD_DATA) << "a scalar after dimensions";
  }
  {
    const MemoryDescPtr d = make_desc();
    EXPECT_EQ(add_input(d, add.compilation, 2), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_dims(d, {}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set_dims(d, {2}), ANEURALNETWORKS_BAD_DATA) << "dimensions after a scalar";
  }
}

TEST(DeviceMemory, IsInitialisedBySuccessAndNotByFailure) {
  Copier reader, writer, failing(float_tensor({1}), 999);
  const MemoryDescPtr d = make_desc();
  ASSERT_EQ(add_input(d, reader.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(add_output(d, writer.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(add_output(d, failing.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  const MemoryPtr memory = make_memory(d);
  std::vector<float> out(1);
  EXPECT_EQ(reader.read(memory, &out), ANEURALNETWORKS_OP_FAILED) << "new";
  EXPECT_EQ(writer.write(memory, {42}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(reader.read(memory, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out[0], 42.0f);
  {
    // What counts is the state when the execution runs, not when the argument was set.
    const ExecutionPtr e = create_execution(reader.compilation);
    ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    set_output(e, 0, out);
    EXPECT_EQ(failing.write(memory, {1}), ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_OP_FAILED);
  }
  EXPECT_EQ(reader.read(memory, &out), ANEURALNETWORKS_OP_FAILED);
}

TEST(DeviceMemory, ArgumentsAreChecked) {
  Copier copier, other;
  const MemoryDescPtr d = make_desc();
  ASSERT_EQ(add_input(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  const MemoryPtr memory = make_memory(d);
  const ExecutionPtr e = create_execution(copier.compilation), o = create_execution(other.compilation);
  const auto input = [&](const ExecutionPtr& execution, size_t offset, size_t length) {
    return ANeuralNetworksExecution_setInputFromMemory(execution.get(), 0, nullptr, memory.get(), offset, length);
  };
  EXPECT_EQ(input(e, 1, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(input(e, 0, 4), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(input(o, 0, 0), ANEURALNETWORKS_BAD_DATA) << "another compilation";
  EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 0),
            ANEURALNETWORKS_BAD_DATA)
      << "no such role";
  EXPECT_EQ(input(e, 0, 0), ANEURALNETWORKS_NO_ERROR);
  Model model;
  model.operand(float_tensor({1}));
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 0, memory.get(), 0, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 0, memory.get(), 0, 4), ANEURALNETWORKS_BAD_DATA);
}

/// A descriptor of unknown shape: the memory takes the shape of what was written last.
TEST(DeviceMemory, UnknownShapes) {
  Copier copier(float_tensor({0}));
  const MemoryDescPtr d = make_desc();
  ASSERT_EQ(add_input(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(add_output(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  const MemoryPtr memory = make_memory(d);
  for (uint32_t n : {2u, 5u, 1u}) {
    const Type type = float_tensor({n});
    const std::vector<float> in(n, static_cast<float>(n));
    std::vector<float> out(8);
    ASSERT_EQ(copier.write(memory, in, &type), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(copier.read(memory, &out), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + n), in);
    // An input type other than the shape last written is an error of the execution.
    const ExecutionPtr e = create_execution(copier.compilation);
    const Type wrong = float_tensor({n + 1});
    EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, wrong.get(), memory.get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    set_output(e, 0, out);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_OP_FAILED);
  }
  File file(4096);
  const MemoryPtr sized = map(file, 8);
  EXPECT_EQ(ANeuralNetworksMemory_copy(sized.get(), memory.get()), ANEURALNETWORKS_BAD_DATA)
      << "number of elements unknown";
}

TEST(DeviceMemory, TypesAgainstTheDescriptor) {
  Copier copier(float_tensor({0}));
  const MemoryDescPtr d = make_desc();
  ASSERT_EQ(add_input(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(add_output(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(set_dims(d, {1}), ANEURALNETWORKS_NO_ERROR);
  const MemoryPtr memory = make_memory(d);
  const ExecutionPtr e = create_execution(copier.compilation);
  const Type wrong = float_tensor({2});
  EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, wrong.get(), memory.get(), 0, 0),
            ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, wrong.get(), memory.get(), 0, 0),
            ANEURALNETWORKS_BAD_DATA);
  // A value that does not fit in is an error when it comes out.
  const Type two = float_tensor({2});
  EXPECT_NE(copier.write(memory, {1, 2}, &two), ANEURALNETWORKS_NO_ERROR);
  const Type one = float_tensor({1});
  EXPECT_EQ(copier.write(memory, {1}, &one), ANEURALNETWORKS_NO_ERROR);
}

MemoryPtr device_memory(const Dims& dims) {
  const AddOf add(float_tensor(dims));
  const MemoryDescPtr d = make_desc();
  EXPECT_EQ(add_input(d, add.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  return make_memory(d);  // may outlive the compilation and the descriptor
}

TEST(DeviceMemory, Copy) {
  File f8(4096), f4(4096), f16(4096);
  f8.write(std::vector<float>{3, 4});
  const MemoryPtr good = map(f8, 8), small = map(f4, 4), large = map(f16, 16);
  const MemoryPtr one = device_memory({1, 2}), two = device_memory({1, 2}), rank = device_memory({2}),
                  turned = device_memory({2, 1});
  const MemoryPtr open = device_memory({0, 0});
  const auto copy = [](const MemoryPtr& from, const MemoryPtr& to) {
    return ANeuralNetworksMemory_copy(from.get(), to.get());
  };
  EXPECT_EQ(copy(one, good), ANEURALNETWORKS_BAD_DATA) << "uninitialised";
  EXPECT_EQ(copy(small, one), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(copy(large, one), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(copy(good, one), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(copy(one, small), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(copy(one, large), ANEURALNETWORKS_BAD_DATA);
  f8.write(std::vector<float>{0, 0});
  EXPECT_EQ(copy(one, good), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(f8.read<float>(2), (std::vector<float>{3, 4}));
  EXPECT_EQ(copy(one, two), ANEURALNETWORKS_NO_ERROR) << "device to device";
  EXPECT_EQ(copy(one, open), ANEURALNETWORKS_NO_ERROR) << "the shape goes along";
  EXPECT_EQ(copy(open, two), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(copy(small, one), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(copy(one, good), ANEURALNETWORKS_BAD_DATA) << "a failed copy leaves the destination uninitialised";
  EXPECT_EQ(copy(one, two), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(copy(good, rank), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(copy(rank, one), ANEURALNETWORKS_BAD_DATA) << "rank";
  EXPECT_EQ(copy(good, turned), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(copy(turned, one), ANEURALNETWORKS_BAD_DATA) << "extents";
}

TEST(DeviceMemory, FreedWhileAnExecutionHoldsIt) {
  Copier copier;
  const MemoryDescPtr d = make_desc();
  ASSERT_EQ(add_output(d, copier.compilation, 0), ANEURALNETWORKS_NO_ERROR);
  MemoryPtr memory = make_memory(d);
  const ExecutionPtr e = create_execution(copier.compilation);
  const std::vector<float> in{1};
  set_input(e, 0, in);
  ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 0),
            ANEURALNETWORKS_NO_ERROR);
  memory.reset();
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
}

}  // namespace
}  // namespace avocet::test
