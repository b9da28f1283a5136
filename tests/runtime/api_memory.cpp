// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksMemory_createFromFd, createFromAHardwareBuffer, copy, and memory as arguments of executions.
#include <fcntl.h>
#include <sys/socket.h>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

struct BufferFreer {
  void operator()(AHardwareBuffer* b) const { AHardwareBuffer_release(b); }
};
using BufferPtr = std::unique_ptr<AHardwareBuffer, BufferFreer>;

BufferPtr allocate(uint32_t width, uint32_t height = 1, uint32_t format = AHARDWAREBUFFER_FORMAT_BLOB) {
  AHardwareBuffer_Desc desc{};
  desc.width = width;
  desc.height = height;
  desc.layers = 1;
  desc.format = format;
  desc.usage = AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;
  AHardwareBuffer* buffer = nullptr;
  EXPECT_EQ(AHardwareBuffer_allocate(&desc, &buffer), 0);
  return BufferPtr(buffer);
}

template <typename T>
T* lock(const BufferPtr& buffer) {
  void* address = nullptr;
  EXPECT_EQ(
      AHardwareBuffer_lock(buffer.get(), AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN,
                           -1, nullptr, &address),
      0);
  return static_cast<T*>(address);
}

MemoryPtr memory_of(const BufferPtr& buffer) {
  ANeuralNetworksMemory* memory = nullptr;
  EXPECT_EQ(ANeuralNetworksMemory_createFromAHardwareBuffer(buffer.get(), &memory), ANEURALNETWORKS_NO_ERROR);
  return MemoryPtr(memory);
}

TEST(MemoryFromFd, Errors) {
  File file(3 * kPage);
  const auto create = [](size_t size, int protect, int fd, size_t offset) {
    auto* memory = reinterpret_cast<ANeuralNetworksMemory*>(1);
    const int result = ANeuralNetworksMemory_createFromFd(size, protect, fd, offset, &memory);
    EXPECT_EQ(memory == nullptr, result != ANEURALNETWORKS_NO_ERROR);
    if (memory) ANeuralNetworksMemory_free(memory);
    return result;
  };
  const int rw = PROT_READ | PROT_WRITE;
  EXPECT_EQ(ANeuralNetworksMemory_createFromFd(kPage, rw, file.fd(), 0, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(create(0, rw, file.fd(), 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(create(kPage, rw, -1, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(create(kPage, rw, 987654, 0), ANEURALNETWORKS_BAD_DATA) << "not an open descriptor";
  EXPECT_EQ(create(kPage, rw, file.fd(), 1), ANEURALNETWORKS_BAD_DATA) << "offset is not a page's";
  EXPECT_EQ(create(kPage, PROT_EXEC, file.fd(), 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(create(3 * kPage + 1, rw, file.fd(), 0), ANEURALNETWORKS_BAD_DATA) << "larger than the file";
  EXPECT_EQ(create(3 * kPage, rw, file.fd(), kPage), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(create(SIZE_MAX, rw, file.fd(), kPage), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(create(kPage, rw, file.fd(), 4 * kPage), ANEURALNETWORKS_BAD_DATA);
  for (int protect : {PROT_NONE, PROT_READ, PROT_WRITE, rw}) {
    EXPECT_EQ(create(kPage, protect, file.fd(), kPage), ANEURALNETWORKS_NO_ERROR) << protect;
  }
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(create(kPage, rw, ends[0], 0), ANEURALNETWORKS_UNMAPPABLE) << "a pipe cannot be mapped";
  close(ends[0]);
  close(ends[1]);
  ANeuralNetworksMemory_free(nullptr);
}

TEST(MemoryFromFd, TheDescriptorMayBeClosed) {
  ANeuralNetworksMemory* memory = nullptr;
  {
    File file(kPage);
    file.write(std::vector<float>{1, 2});
    ASSERT_EQ(ANeuralNetworksMemory_createFromFd(8, PROT_READ, file.fd(), 0, &memory), ANEURALNETWORKS_NO_ERROR);
  }
  const MemoryPtr owner(memory);
  ReadyAdd add;
  const ExecutionPtr e = create_execution(add.compilation);
  ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory, 0, 8), ANEURALNETWORKS_NO_ERROR);
  set_input(e, 1, add.b);
  set_output(e, 0, add.out);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  add.expect_result();
}

class MemoryArgument : public ::testing::TestWithParam<bool> {
 protected:
  int set(int32_t index, const ANeuralNetworksOperandType* type, const MemoryPtr& memory, size_t offset,
          size_t length) {
    return GetParam()
               ? ANeuralNetworksExecution_setInputFromMemory(execution.get(), index, type, memory.get(), offset, length)
               : ANeuralNetworksExecution_setOutputFromMemory(execution.get(), index, type, memory.get(), offset,
                                                              length);
  }
  void check(const MemoryPtr& memory) {
    const ANeuralNetworksOperandType no_pointer{ANEURALNETWORKS_TENSOR_FLOAT32, 1, nullptr, 0, 0};
    EXPECT_EQ(set(999, nullptr, memory, 0, 8), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set(-1, nullptr, memory, 0, 8), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set(0, nullptr, memory, 0, 20), ANEURALNETWORKS_BAD_DATA) << "length";
    EXPECT_EQ(set(0, nullptr, memory, 0, 0), ANEURALNETWORKS_BAD_DATA) << "the size cannot be implied";
    EXPECT_EQ(set(0, nullptr, memory, 21, 8), ANEURALNETWORKS_BAD_DATA) << "offset";
    EXPECT_EQ(set(0, nullptr, memory, 16, 8), ANEURALNETWORKS_BAD_DATA) << "end";
    EXPECT_EQ(set(0, nullptr, memory, SIZE_MAX - 3, 8), ANEURALNETWORKS_BAD_DATA) << "sum overflows";
    EXPECT_EQ(set(0, nullptr, memory, 2, 8), ANEURALNETWORKS_BAD_DATA) << "alignment";
    EXPECT_EQ(set(0, &no_pointer, memory, 0, 8), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set(0, float_tensor({3}).get(), memory, 0, 12), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(set(0, nullptr, memory, 4, 8), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(set(0, nullptr, memory, 4, 8), ANEURALNETWORKS_BAD_STATE) << "provided already";
  }
  void SetUp() override {
    build_add(model);
    compilation = compile(model);
    execution = create_execution(compilation);
  }
  Model model;
  CompilationPtr compilation;
  ExecutionPtr execution;
};

TEST_P(MemoryArgument, OfAFile) {
  File file(kPage);
  check(map(file, 20));
  float buffer[2];
  EXPECT_EQ(GetParam() ? ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, buffer, 8)
                       : ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, buffer, 8),
            ANEURALNETWORKS_BAD_STATE);
}

TEST_P(MemoryArgument, OfABlob) {
  const BufferPtr buffer = allocate(20);
  check(memory_of(buffer));
}

/// Other formats are used as a whole.
TEST_P(MemoryArgument, OfAPicture) {
  const BufferPtr large = allocate(16, 16, AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM);
  const BufferPtr small = allocate(1, 1, AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM);
  const MemoryPtr memory = memory_of(large), too_small = memory_of(small);
  EXPECT_EQ(set(0, nullptr, memory, 0, 8), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, nullptr, memory, 4, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, nullptr, too_small, 0, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(set(0, nullptr, memory, 0, 0), ANEURALNETWORKS_NO_ERROR);
}

INSTANTIATE_TEST_SUITE_P(Memory, MemoryArgument, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Input" : "Output"; });

TEST(MemoryFromFd, InputsAndOutputs) {
  ReadyAdd add;
  File file(2 * kPage);
  file.write(add.a, kPage);
  const MemoryPtr memory = map(file, kPage, PROT_READ | PROT_WRITE, kPage);
  const ExecutionPtr e = create_execution(add.compilation);
  ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 8),
            ANEURALNETWORKS_NO_ERROR);
  set_input(e, 1, add.b);
  ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 64, 8),
            ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(file.read<float>(2, kPage + 64), (std::vector<float>{11, 22}));
}

/// What the mapping does not allow is an error of the execution, not a fault.
TEST(MemoryFromFd, Protection) {
  ReadyAdd add;
  File file(kPage);
  const struct {
    bool input;
    int protect;
    int expected;
  } cases[] = {
      {true, PROT_NONE, ANEURALNETWORKS_UNMAPPABLE},  {true, PROT_READ, ANEURALNETWORKS_NO_ERROR},
      {false, PROT_NONE, ANEURALNETWORKS_UNMAPPABLE}, {false, PROT_READ, ANEURALNETWORKS_UNMAPPABLE},
      {false, PROT_WRITE, ANEURALNETWORKS_NO_ERROR},  {true, PROT_WRITE, ANEURALNETWORKS_NO_ERROR},
  };
  for (const auto& c : cases) {
    const MemoryPtr memory = map(file, 16, c.protect);
    const ExecutionPtr e = create_execution(add.compilation);
    if (c.input) {
      ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 8);
      set_output(e, 0, add.out);
    } else {
      set_input(e, 0, add.a);
      ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, 8);
    }
    set_input(e, 1, add.b);
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), c.expected) << c.input << " " << c.protect;
  }
}

TEST(MemoryFromFd, DynamicOutput) {
  Model model;
  const uint32_t in = model.operand(float_tensor({0})), out = model.operand(float_tensor({0}));
  ASSERT_EQ(model.operation(ANEURALNETWORKS_RELU, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  const CompilationPtr compilation = compile(model);
  const std::vector<float> x{1, -2, 3};
  const Type type = float_tensor({3});
  File file(kPage);
  const MemoryPtr memory = map(file, kPage);
  for (size_t length : {size_t{8}, size_t{12}, size_t{64}}) {
    const ExecutionPtr e = create_execution(compilation);
    set_input(e, 0, x, &type);
    ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 0, length),
              ANEURALNETWORKS_NO_ERROR);
    const int expected = length < 12 ? ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE : ANEURALNETWORKS_NO_ERROR;
    EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), expected) << length;
    EXPECT_EQ(output_dims(e, 0, expected), (Dims{3}));
  }
  EXPECT_EQ(file.read<float>(3), (std::vector<float>{1, 0, 3}));
}

TEST(MemoryFromHardwareBuffer, Errors) {
  const BufferPtr buffer = allocate(16);
  auto* memory = reinterpret_cast<ANeuralNetworksMemory*>(1);
  EXPECT_EQ(ANeuralNetworksMemory_createFromAHardwareBuffer(nullptr, &memory), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(ANeuralNetworksMemory_createFromAHardwareBuffer(buffer.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
}

TEST(MemoryFromHardwareBuffer, AsConstantInputAndOutput) {
  BufferPtr buffer = allocate(64);
  auto* floats = lock<float>(buffer);
  floats[0] = 10;
  floats[1] = 20;
  floats[2] = 1;
  floats[3] = 2;
  const MemoryPtr memory = memory_of(buffer);
  Model model;
  const uint32_t a = model.operand(float_tensor({2})), b = model.operand(float_tensor({2}));
  const uint32_t none = model.constant(0), out = model.operand(float_tensor({2}));
  ASSERT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, static_cast<int32_t>(b), memory.get(), 0, 8),
            ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({a}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  ASSERT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memory.get(), 8, 8),
            ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memory.get(), 16, 8),
            ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(floats[4], 11.0f);
  EXPECT_EQ(floats[5], 22.0f);
  EXPECT_EQ(AHardwareBuffer_unlock(buffer.get(), nullptr), 0);
}

TEST(MemoryFromHardwareBuffer, PicturesCannotBeConstants) {
  const BufferPtr buffer = allocate(16, 16, AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM);
  const MemoryPtr memory = memory_of(buffer);
  Model model;
  model.operand(Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1.0f));
  EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(model, 0, memory.get(), 0, 1), ANEURALNETWORKS_BAD_DATA);
}

TEST(MemoryCopy, BetweenFilesAndBuffers) {
  File f8(kPage), g8(kPage), f4(kPage);
  f8.write(std::vector<float>{1, 2});
  const MemoryPtr from = map(f8, 8), to = map(g8, 8), other = map(f4, 4);
  EXPECT_EQ(ANeuralNetworksMemory_copy(nullptr, to.get()), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), other.get()), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksMemory_copy(other.get(), from.get()), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), from.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), to.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(g8.read<float>(2), (std::vector<float>{1, 2}));
  const BufferPtr blob = allocate(8), picture = allocate(2, 1, AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM);
  const MemoryPtr blob_memory = memory_of(blob), picture_memory = memory_of(picture);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), blob_memory.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(lock<float>(blob)[1], 2.0f);
  EXPECT_EQ(ANeuralNetworksMemory_copy(blob_memory.get(), picture_memory.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(lock<float>(picture)[0], 1.0f);
  const MemoryPtr hidden = map(f8, 8, PROT_NONE), read_only = map(g8, 8, PROT_READ);
  EXPECT_EQ(ANeuralNetworksMemory_copy(hidden.get(), to.get()), ANEURALNETWORKS_UNMAPPABLE);
  EXPECT_EQ(ANeuralNetworksMemory_copy(from.get(), read_only.get()), ANEURALNETWORKS_UNMAPPABLE);
}

TEST(HardwareBuffer, AllocateChecks) {
  AHardwareBuffer_Desc good{};
  good.width = 16;
  good.height = good.layers = 1;
  good.format = AHARDWAREBUFFER_FORMAT_BLOB;
  AHardwareBuffer* buffer = nullptr;
  EXPECT_LT(AHardwareBuffer_allocate(nullptr, &buffer), 0);
  EXPECT_LT(AHardwareBuffer_allocate(&good, nullptr), 0);
  const auto refused = [&](auto change) {
    AHardwareBuffer_Desc desc = good;
    change(desc);
    buffer = reinterpret_cast<AHardwareBuffer*>(1);
    const int result = AHardwareBuffer_allocate(&desc, &buffer);
    return result < 0 && !buffer;
  };
  EXPECT_TRUE(refused([](auto& d) { d.width = 0; }));
  EXPECT_TRUE(refused([](auto& d) { d.height = 2; })) << "a BLOB has height 1";
  EXPECT_TRUE(refused([](auto& d) { d.layers = 2; }));
  EXPECT_TRUE(refused([](auto& d) { d.format = 0; }));
  EXPECT_TRUE(refused([](auto& d) { d.format = AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420; }));
  EXPECT_TRUE(refused([](auto& d) { d.rfu0 = 1; }));
  AHardwareBuffer_release(nullptr);
  AHardwareBuffer_acquire(nullptr);
}

TEST(HardwareBuffer, DescribeLockAndCount) {
  BufferPtr buffer = allocate(100);
  AHardwareBuffer_Desc desc{};
  AHardwareBuffer_describe(buffer.get(), &desc);
  EXPECT_EQ(desc.width, 100u);
  EXPECT_EQ(desc.stride, 100u);
  EXPECT_EQ(desc.format, static_cast<uint32_t>(AHARDWAREBUFFER_FORMAT_BLOB));
  void* address = nullptr;
  EXPECT_LT(AHardwareBuffer_lock(nullptr, AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, -1, nullptr, &address), 0);
  EXPECT_LT(AHardwareBuffer_lock(buffer.get(), AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, -1, nullptr, nullptr), 0);
  EXPECT_LT(AHardwareBuffer_lock(buffer.get(), 0, -1, nullptr, &address), 0);
  EXPECT_LT(AHardwareBuffer_lock(buffer.get(), AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER, -1, nullptr, &address), 0);
  auto* bytes = lock<uint8_t>(buffer);
  ASSERT_NE(bytes, nullptr);
  bytes[99] = 7;
  int32_t fence = 5;
  EXPECT_EQ(AHardwareBuffer_unlock(buffer.get(), &fence), 0);
  EXPECT_EQ(fence, -1);
  EXPECT_LT(AHardwareBuffer_unlock(nullptr, &fence), 0);
  AHardwareBuffer_acquire(buffer.get());
  AHardwareBuffer_release(buffer.get());
  EXPECT_EQ(lock<uint8_t>(buffer)[99], 7);
}

TEST(HardwareBuffer, TravelsOverASocket) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const BufferPtr sent = allocate(64);
  lock<int>(sent)[3] = 1234;
  ASSERT_EQ(AHardwareBuffer_sendHandleToUnixSocket(sent.get(), ends[0]), 0);
  AHardwareBuffer* raw = nullptr;
  ASSERT_EQ(AHardwareBuffer_recvHandleFromUnixSocket(ends[1], &raw), 0);
  const BufferPtr received(raw);
  EXPECT_EQ(lock<int>(received)[3], 1234);
  lock<int>(received)[3] = 4321;
  EXPECT_EQ(lock<int>(sent)[3], 4321) << "the same memory";
  AHardwareBuffer_Desc desc{};
  AHardwareBuffer_describe(received.get(), &desc);
  EXPECT_EQ(desc.width, 64u);

  EXPECT_LT(AHardwareBuffer_sendHandleToUnixSocket(nullptr, ends[0]), 0);
  EXPECT_LT(AHardwareBuffer_sendHandleToUnixSocket(sent.get(), -1), 0);
  EXPECT_LT(AHardwareBuffer_recvHandleFromUnixSocket(ends[1], nullptr), 0);
  EXPECT_LT(AHardwareBuffer_recvHandleFromUnixSocket(-1, &raw), 0);
  const std::vector<char> noise(48, 'x');
  ASSERT_EQ(write(ends[0], noise.data(), noise.size()), static_cast<ssize_t>(noise.size()));
  EXPECT_EQ(AHardwareBuffer_recvHandleFromUnixSocket(ends[1], &raw), -EBADMSG) << "not a handle";
  EXPECT_EQ(raw, nullptr);
  close(ends[0]);
  EXPECT_EQ(AHardwareBuffer_recvHandleFromUnixSocket(ends[1], &raw), -EBADMSG) << "nobody there";
  close(ends[1]);
}

}  // namespace
}  // namespace avocet::test
