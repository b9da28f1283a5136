// SPDX-License-Identifier: Apache-2.0
// 10,000 times create, run, free: no descriptor, thread or byte stays behind. (Bytes by the allocator's own count; asan
// builds check them at exit instead.)
#include <dirent.h>
#include <malloc.h>

#include <cstdlib>

#include "api_fixture.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AVOCET_SANITIZED 1
#else
#define AVOCET_SANITIZED 0
#endif

namespace avocet::test {
namespace {

size_t entries(const char* directory) {
  size_t count = 0;
  DIR* d = opendir(directory);
  while (d && readdir(d)) ++count;
  if (d) closedir(d);
  return count;
}

void one_cycle(int i) {
  ReadyAdd add{i % 2 ? std::vector<ANeuralNetworksDevice*>{} : std::vector<ANeuralNetworksDevice*>{cpu()}};
  File file(4096);
  const MemoryPtr memory = map(file, 8);
  AHardwareBuffer_Desc description{};
  description.width = 64;
  description.height = description.layers = 1;
  description.format = AHARDWAREBUFFER_FORMAT_BLOB;
  AHardwareBuffer* buffer = nullptr;
  ASSERT_EQ(AHardwareBuffer_allocate(&description, &buffer), 0);
  ANeuralNetworksMemory* of_buffer = nullptr;
  ASSERT_EQ(ANeuralNetworksMemory_createFromAHardwareBuffer(buffer, &of_buffer), ANEURALNETWORKS_NO_ERROR);
  AHardwareBuffer_release(buffer);
  const MemoryPtr buffer_memory(of_buffer);

  ANeuralNetworksMemoryDesc* desc = nullptr;
  ANeuralNetworksMemory* device = nullptr;
  ASSERT_EQ(ANeuralNetworksMemoryDesc_create(&desc), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksMemoryDesc_addInputRole(desc, add.compilation.get(), 0, 1.0f), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksMemoryDesc_finish(desc), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksMemory_createFromDesc(desc, &device), ANEURALNETWORKS_NO_ERROR);
  ANeuralNetworksMemoryDesc_free(desc);
  const MemoryPtr device_memory(device);
  ASSERT_EQ(ANeuralNetworksMemory_copy(memory.get(), device), ANEURALNETWORKS_NO_ERROR);

  ANeuralNetworksBurst* burst = nullptr;
  ASSERT_EQ(ANeuralNetworksBurst_create(add.compilation.get(), &burst), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksExecution_burstCompute(add.execution.get(), burst), ANEURALNETWORKS_NO_ERROR);
  ANeuralNetworksBurst_free(burst);

  ANeuralNetworksEvent* event = nullptr;
  const ExecutionPtr fenced = add.make();
  ASSERT_EQ(ANeuralNetworksExecution_startComputeWithDependencies(fenced.get(), nullptr, 0, 0, &event),
            ANEURALNETWORKS_NO_ERROR);
  int fence = -1;
  ASSERT_EQ(ANeuralNetworksEvent_getSyncFenceFd(event, &fence), ANEURALNETWORKS_NO_ERROR);
  ANeuralNetworksEvent* copy = nullptr;
  ASSERT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(fence, &copy), ANEURALNETWORKS_NO_ERROR);
  close(fence);
  ASSERT_EQ(ANeuralNetworksEvent_wait(copy), ANEURALNETWORKS_NO_ERROR);
  ANeuralNetworksEvent_free(copy);
  ANeuralNetworksEvent_free(event);

  // Failures must not leak either.
  Model broken;
  EXPECT_EQ(broken.finish(), ANEURALNETWORKS_BAD_DATA);
  ANeuralNetworksMemory* none = nullptr;
  EXPECT_EQ(ANeuralNetworksMemory_createFromFd(8192, PROT_READ, file.fd(), 0, &none), ANEURALNETWORKS_BAD_DATA);
}

TEST(Leaks, TenThousandCycles) {
  const int cycles = AVOCET_SANITIZED ? 1000 : 10000;
  for (int i = 0; i < 100; ++i) one_cycle(i);  // what is made once is made
  const size_t descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
  malloc_trim(0);
  const size_t bytes = mallinfo2().uordblks;
  for (int i = 0; i < cycles && !HasFatalFailure(); ++i) one_cycle(i);
  EXPECT_EQ(entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(entries("/proc/self/task"), threads);
  if (!AVOCET_SANITIZED) {
    const size_t after = mallinfo2().uordblks;
    EXPECT_LE(after, bytes + 64 * 1024) << "leaks of 7 bytes a cycle show";
  }
}

}  // namespace
}  // namespace avocet::test
