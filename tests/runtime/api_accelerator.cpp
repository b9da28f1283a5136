// SPDX-License-Identifier: Apache-2.0
// Models that run partly on an accelerator: partitions, fall-back, caching, introspection. The accelerator is the fake.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <avocet/runtime/introspection.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "api_fixture.hpp"
#include "device.hpp"
#include "fake_accelerator.hpp"

namespace avocet::test {
namespace {

FakeControl& control() {
  static auto* const instance = [] {
    auto* c = new FakeControl;
    rt::add_accelerator(std::make_unique<FakeAccelerator>(*c));
    return c;
  }();
  return *instance;
}

ANeuralNetworksDevice* fake() { return find_device("test-fake"); }

std::vector<std::string> devices_of(const CompilationPtr& c) {
  std::vector<std::string> names;
  for (const runtime::Placement& p : runtime::placements(c.get())) names.push_back(p.device);
  return names;
}

uint32_t steps_of(const CompilationPtr& c) {
  uint32_t steps = 0;
  for (const runtime::Placement& p : runtime::placements(c.get())) steps = std::max(steps, p.step + 1);
  return steps;
}

/// Unary operations in a row: 0 = RELU, 1 = RELU6 and so on by code; input 0, output 0, floats of {4}.
struct Chain {
  explicit Chain(const std::vector<int32_t>& codes) {
    uint32_t last = model.operand(float_tensor({4}));
    const uint32_t in = last;
    for (int32_t code : codes) {
      const uint32_t next = model.operand(float_tensor({4}));
      EXPECT_EQ(model.operation(code, {last}, {next}), ANEURALNETWORKS_NO_ERROR);
      last = next;
    }
    model.done({in}, {last});
  }
  int run(const CompilationPtr& c, std::vector<float>* out = nullptr) {
    const ExecutionPtr e = create_execution(c);
    const std::vector<float> in{-1, 0.5f, 3, 9};
    std::vector<float> y(4);
    set_input(e, 0, in);
    set_output(e, 0, y);
    const int result = ANeuralNetworksExecution_compute(e.get());
    if (out) *out = y;
    return result;
  }
  Model model;
};

constexpr int32_t kRelu = ANEURALNETWORKS_RELU, kRelu1 = ANEURALNETWORKS_RELU1, kRelu6 = ANEURALNETWORKS_RELU6;

class Accelerated : public ::testing::Test {
 protected:
  void SetUp() override {
    control().reset({kRelu, kRelu6});
    char name[] = "/tmp/avocet-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  CompilationPtr compile_cached(ANeuralNetworksModel* model, const std::vector<ANeuralNetworksDevice*>& devices = {},
                                uint8_t token_byte = 1, int32_t preference = 1, int priority = 100) {
    CompilationPtr c = devices.empty() ? create_compilation(model) : create_for(model, devices);
    const std::vector<uint8_t> token(ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN, token_byte);
    EXPECT_EQ(ANeuralNetworksCompilation_setPreference(c.get(), preference), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksCompilation_setPriority(c.get(), priority), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksCompilation_setCaching(c.get(), directory.c_str(), token.data()),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(c.get()), ANEURALNETWORKS_NO_ERROR);
    return c;
  }
  std::vector<std::filesystem::path> cache_files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) files.push_back(entry.path());
    return files;
  }
  std::string directory;
};

TEST_F(Accelerated, IsADeviceBeforeTheCpu) {
  ANeuralNetworksDevice* first = nullptr;
  ASSERT_EQ(ANeuralNetworks_getDevice(0, &first), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(first, fake());
  int32_t type = 0;
  EXPECT_EQ(ANeuralNetworksDevice_getType(first, &type), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(type, ANEURALNETWORKS_DEVICE_ACCELERATOR);
  EXPECT_EQ(ANeuralNetworksDevice_wait(first), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(control().waited, 1);
}

TEST_F(Accelerated, RunsPartlyHereAndPartlyThere) {
  Chain chain({kRelu, kRelu6, kRelu1, kRelu});
  const CompilationPtr c = compile(chain.model);
  EXPECT_EQ(devices_of(c), (std::vector<std::string>{"test-fake", "test-fake", "nnapi-reference", "test-fake"}));
  EXPECT_EQ(steps_of(c), 3u);
  const auto placements = runtime::placements(c.get());
  EXPECT_EQ(placements[2].reason, "the fake was not told to");
  EXPECT_EQ(placements[2].name, "RELU1");
  EXPECT_EQ(placements[0].reason, "");
  std::vector<float> y;
  EXPECT_EQ(chain.run(c, &y), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y, (std::vector<float>{0, 0.5f, 1, 1}));
  EXPECT_EQ(control().ran, 2);
  EXPECT_EQ(runtime::step_program(c.get(), 0), (std::vector<uint8_t>{'F', 'A', 'K', 'E', 0, 1}));
  EXPECT_TRUE(runtime::step_program(c.get(), 1).empty()) << "on the CPU";
  EXPECT_TRUE(runtime::step_program(c.get(), 9).empty());
}

/// Answers are in the order of adding, whatever the order of running.
TEST_F(Accelerated, SupportedOperationsInTheOrderOfAdding) {
  Model model;
  const Type t = float_tensor({1});
  const uint32_t in = model.operand(t), a = model.operand(t), b = model.operand(t), out = model.operand(t);
  ASSERT_EQ(model.operation(kRelu1, {b}, {out}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(kRelu6, {a}, {b}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(kRelu, {in}, {a}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  bool supported[3] = {true, false, false};
  ANeuralNetworksDevice* devices[] = {fake(), cpu()};
  ASSERT_EQ(ANeuralNetworksModel_getSupportedOperationsForDevices(model, devices, 1, supported),
            ANEURALNETWORKS_NO_ERROR);
  EXPECT_FALSE(supported[0]);
  EXPECT_TRUE(supported[1]);
  EXPECT_TRUE(supported[2]);
  ASSERT_EQ(ANeuralNetworksModel_getSupportedOperationsForDevices(model, devices, 2, supported),
            ANEURALNETWORKS_NO_ERROR);
  EXPECT_TRUE(supported[0]) << "the union over the devices";
}

/// Two chains side by side, added alternately: independent operations move together, so each device runs once.
TEST_F(Accelerated, IndependentOperationsMoveTogether) {
  Model model;
  const Type t = float_tensor({1});
  const uint32_t in = model.operand(t);
  uint32_t left = in, right = in;
  for (int i = 0; i < 3; ++i) {
    const uint32_t l = model.operand(t), r = model.operand(t);
    ASSERT_EQ(model.operation(kRelu, {left}, {l}), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(model.operation(kRelu1, {right}, {r}), ANEURALNETWORKS_NO_ERROR);
    left = l;
    right = r;
  }
  model.done({in}, {left, right});
  EXPECT_EQ(steps_of(compile(model)), 2u);
}

/// fake -> cpu -> fake beside fake -> fake: the later fake operations may not join the first step, for a cycle.
TEST_F(Accelerated, PartitionsFormNoCycle) {
  Model model;
  const Type t = float_tensor({1});
  const uint32_t in = model.operand(t), a = model.operand(t), b = model.operand(t), none = model.constant(0),
                 out = model.operand(t);
  ASSERT_EQ(model.operation(kRelu, {in}, {a}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(kRelu1, {a}, {b}), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  control().reset({kRelu, ANEURALNETWORKS_ADD});
  const CompilationPtr c = compile(model);
  EXPECT_EQ(steps_of(c), 3u);
  const ExecutionPtr e = create_execution(c);
  const std::vector<float> x{3};
  std::vector<float> y(1);
  set_input(e, 0, x);
  set_output(e, 0, y);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y[0], 4.0f);
  // What the group reads and writes: the second one reads the first one's value as well.
  ASSERT_EQ(control().groups.size(), 2u);
  EXPECT_EQ(control().groups[0].inputs, (std::vector<uint32_t>{in}));
  EXPECT_EQ(control().groups[0].outputs, (std::vector<uint32_t>{a}));
  EXPECT_EQ(control().groups[1].inputs, (std::vector<uint32_t>{a, b}));
  EXPECT_EQ(control().groups[1].outputs, (std::vector<uint32_t>{out}));
}

TEST_F(Accelerated, UnknownDimensionsRunOnTheCpu) {
  Model model;
  const uint32_t in = model.operand(float_tensor({0})), out = model.operand(float_tensor({0}));
  ASSERT_EQ(model.operation(kRelu, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
  EXPECT_EQ(devices_of(compile(model)), (std::vector<std::string>{"nnapi-reference"}));
}

/// An accelerator compiles for the values of scalars; one that is a model input was left to it and failed the compilation.
TEST_F(Accelerated, AScalarThatComesWithTheExecutionRunsOnTheCpu) {
  control().reset({ANEURALNETWORKS_ADD});
  Model model;
  const Type t = float_tensor({1});
  const uint32_t in = model.operand(t), activation = model.operand(int32_scalar()), out = model.operand(t);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_ADD, {in, in, activation}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in, activation}, {out});
  const CompilationPtr c = compile(model);
  EXPECT_EQ(devices_of(c), (std::vector<std::string>{"nnapi-reference"}));
  EXPECT_NE(runtime::placements(c.get())[0].reason.find("a scalar, is not a constant"), std::string::npos);
}

TEST_F(Accelerated, ChosenDevicesMustSupportAll) {
  Chain all({kRelu, kRelu6}), mixed({kRelu, kRelu1});
  EXPECT_EQ(all.run(compile_for(all.model, {fake()})), ANEURALNETWORKS_NO_ERROR);
  const CompilationPtr c = create_for(mixed.model, {fake()});
  EXPECT_EQ(ANeuralNetworksCompilation_finish(c.get()), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(mixed.run(compile_for(mixed.model, {cpu(), fake()})), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(devices_of(compile_for(all.model, {cpu()})), (std::vector<std::string>(2, "nnapi-reference")));
}

TEST_F(Accelerated, CompileFailureFallsBackWhereItMay) {
  Chain chain({kRelu, kRelu1});
  control().compile_result = ANEURALNETWORKS_OP_FAILED;
  const CompilationPtr c = compile(chain.model);
  EXPECT_EQ(devices_of(c), (std::vector<std::string>(2, "nnapi-reference")));
  EXPECT_NE(runtime::placements(c.get())[0].reason.find("told to fail"), std::string::npos);
  EXPECT_EQ(chain.run(c), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(control().ran, 0);
  for (const std::vector<ANeuralNetworksDevice*>& list : {std::vector{fake(), cpu()}, std::vector{cpu(), fake()}}) {
    const CompilationPtr chosen = create_for(chain.model, list);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(chosen.get()), ANEURALNETWORKS_OP_FAILED);
  }
}

TEST_F(Accelerated, RunFailureFallsBackWhereItMay) {
  Chain chain({kRelu, kRelu6, kRelu1});
  const CompilationPtr any = compile(chain.model), chosen = compile_for(chain.model, {fake(), cpu()});
  for (int code :
       {ANEURALNETWORKS_OP_FAILED, ANEURALNETWORKS_DEAD_OBJECT, ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT}) {
    control().run_result = code;
    std::vector<float> y;
    EXPECT_EQ(chain.run(any, &y), ANEURALNETWORKS_NO_ERROR) << code;
    EXPECT_EQ(y, (std::vector<float>{0, 0.5f, 1, 1}));
    EXPECT_EQ(chain.run(chosen), code);
  }
  for (int code : {ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT, ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT}) {
    control().run_result = code;
    EXPECT_EQ(chain.run(any), code) << "a missed deadline is not tried again";
  }
  control().run_result = 0;
  EXPECT_EQ(chain.run(any), ANEURALNETWORKS_NO_ERROR) << "the next execution uses the accelerator again";
}

TEST_F(Accelerated, DurationOnHardwareIsSimulatedTime) {
  Chain chain({kRelu, kRelu6});
  const CompilationPtr c = compile_for(chain.model, {fake()});
  const ExecutionPtr e = create_execution(c);
  const std::vector<float> in(4);
  std::vector<float> out(4);
  ASSERT_EQ(ANeuralNetworksExecution_setMeasureTiming(e.get(), true), ANEURALNETWORKS_NO_ERROR);
  set_input(e, 0, in);
  set_output(e, 0, out);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  uint64_t hardware = 0, driver = 0;
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e.get(), ANEURALNETWORKS_DURATION_ON_HARDWARE, &hardware),
            ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksExecution_getDuration(e.get(), ANEURALNETWORKS_DURATION_IN_DRIVER, &driver),
            ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(hardware, 2000u);
  EXPECT_LE(hardware, driver);
}

TEST_F(Accelerated, Profile) {
  Chain chain({kRelu, kRelu6, kRelu1, kRelu});
  runtime::enable_profiling(true);
  const CompilationPtr c = compile(chain.model);
  runtime::enable_profiling(false);
  const ExecutionPtr e = create_execution(c);
  const std::vector<float> in(4);
  std::vector<float> out(4);
  set_input(e, 0, in);
  set_output(e, 0, out);
  EXPECT_EQ(runtime::execution_profile(e.get()).cycles, 0u) << "before the end";
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  const runtime::ExecutionProfile profile = runtime::execution_profile(e.get());
  EXPECT_EQ(profile.cycles, 30u);
  EXPECT_EQ(profile.npu_macs, 15u);
  EXPECT_DOUBLE_EQ(profile.mac_utilisation, 0.5);
  EXPECT_EQ(profile.npu_operations, 3u);
  EXPECT_EQ(profile.cpu_operations, 1u);
  EXPECT_GT(profile.host_seconds, 0.0);
  ASSERT_EQ(profile.layers.size(), 4u);
  EXPECT_EQ(profile.layers[2].device, "nnapi-reference");
  EXPECT_EQ(profile.layers[2].shape, (Dims{4}));
  EXPECT_EQ(profile.layers[3].operations, (std::vector<uint32_t>{3}));
}

/// Device memory as input and output of models on the accelerator.
TEST_F(Accelerated, DeviceMemory) {
  Chain chain({kRelu, kRelu6});
  const CompilationPtr c = compile_for(chain.model, {fake()});
  ANeuralNetworksMemoryDesc* raw = nullptr;
  ASSERT_EQ(ANeuralNetworksMemoryDesc_create(&raw), ANEURALNETWORKS_NO_ERROR);
  const MemoryDescPtr desc(raw);
  ASSERT_EQ(ANeuralNetworksMemoryDesc_addInputRole(raw, c.get(), 0, 1.0f), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksMemoryDesc_addOutputRole(raw, c.get(), 0, 1.0f), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(ANeuralNetworksMemoryDesc_finish(raw), ANEURALNETWORKS_NO_ERROR);
  MemoryPtr memories[2];
  for (MemoryPtr& m : memories) {
    ANeuralNetworksMemory* memory = nullptr;
    ASSERT_EQ(ANeuralNetworksMemory_createFromDesc(raw, &memory), ANEURALNETWORKS_NO_ERROR);
    m.reset(memory);
  }
  File file(4096);
  file.write(std::vector<float>{-1, 2, 5, 9});
  const MemoryPtr mapped = map(file, 16);
  ASSERT_EQ(ANeuralNetworksMemory_copy(mapped.get(), memories[0].get()), ANEURALNETWORKS_NO_ERROR);
  const auto run = [&] {
    const ExecutionPtr e = create_execution(c);
    EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(e.get(), 0, nullptr, memories[0].get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(e.get(), 0, nullptr, memories[1].get(), 0, 0),
              ANEURALNETWORKS_NO_ERROR);
    return ANeuralNetworksExecution_compute(e.get());
  };
  EXPECT_EQ(run(), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksMemory_copy(memories[1].get(), mapped.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(file.read<float>(4), (std::vector<float>{0, 2, 5, 6}));
  control().run_result = ANEURALNETWORKS_OP_FAILED;
  EXPECT_EQ(run(), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(ANeuralNetworksMemory_copy(memories[1].get(), mapped.get()), ANEURALNETWORKS_BAD_DATA)
      << "uninitialised by the failure";
}

// ---- Caching

TEST_F(Accelerated, SecondCompilationComesFromTheCache) {
  Chain chain({kRelu, kRelu1, kRelu6});
  compile_cached(chain.model);
  EXPECT_EQ(control().compiled, 2);
  EXPECT_EQ(cache_files().size(), 2u);
  const CompilationPtr second = compile_cached(chain.model);
  EXPECT_EQ(control().compiled, 2);
  EXPECT_EQ(control().loaded, 2);
  std::vector<float> y;
  EXPECT_EQ(chain.run(second, &y), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y, (std::vector<float>{0, 0.5f, 1, 1}));
}

TEST_F(Accelerated, WhatMustMissTheCache) {
  Chain chain({kRelu}), other({kRelu6});
  compile_cached(chain.model);
  ASSERT_EQ(control().compiled, 1);
  compile_cached(chain.model, {}, 2);
  EXPECT_EQ(control().compiled, 2) << "another token";
  compile_cached(chain.model, {}, 1, ANEURALNETWORKS_PREFER_LOW_POWER);
  EXPECT_EQ(control().compiled, 3) << "another preference";
  compile_cached(chain.model, {}, 1, 1, ANEURALNETWORKS_PRIORITY_HIGH);
  EXPECT_EQ(control().compiled, 4) << "another priority";
  compile_cached(other.model);
  EXPECT_EQ(control().compiled, 5) << "another model with the same token";
  control().version = "fake-2";
  compile_cached(chain.model);
  EXPECT_EQ(control().compiled, 6) << "another version of the device";
  EXPECT_EQ(control().loaded, 0);
}

/// Whatever happened to the file: the result is a clean compilation, and a good file afterwards.
TEST_F(Accelerated, DamagedFiles) {
  Chain chain({kRelu});
  compile_cached(chain.model);
  ASSERT_EQ(cache_files().size(), 1u);
  const std::filesystem::path file = cache_files()[0];
  std::ifstream in(file, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  const auto check = [&](const std::string& content, const std::string& what) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    const int compiled = control().compiled;
    const CompilationPtr c = compile_cached(chain.model);
    EXPECT_EQ(control().compiled, compiled + 1) << what;
    EXPECT_EQ(chain.run(c), ANEURALNETWORKS_NO_ERROR);
    compile_cached(chain.model);
    EXPECT_EQ(control().compiled, compiled + 1) << what << ": not written anew";
  };
  check("", "empty");
  for (size_t n = 1; n < good.size(); n += 7) check(good.substr(0, n), "truncated to " + std::to_string(n));
  for (size_t i = 0; i < good.size(); i += 3) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    check(bad, "byte " + std::to_string(i));
  }
  check(good + "x", "longer");
  check(std::string(100000, 'z'), "noise");
  EXPECT_EQ(control().refused, 0) << "none of this reaches the accelerator";
}

TEST_F(Accelerated, UnusableDirectories) {
  Chain chain({kRelu});
  const std::string real = directory;
  for (const char* bad : {"/does/not/exist", "/dev/null", "", "/proc"}) {
    directory = bad;
    const CompilationPtr c = compile_cached(chain.model);
    EXPECT_EQ(chain.run(c), ANEURALNETWORKS_NO_ERROR) << bad;
  }
  directory = real;
  // A directory, and a pipe nobody writes to, in the file's place.
  compile_cached(chain.model);
  ASSERT_EQ(cache_files().size(), 1u);
  const std::filesystem::path file = cache_files()[0];
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_EQ(chain.run(compile_cached(chain.model)), ANEURALNETWORKS_NO_ERROR);
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(chain.run(compile_cached(chain.model)), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(cache_files().size(), 1u) << "no temporary file stays";
}

TEST_F(Accelerated, ManyCompileAtOnce) {
  Chain chain({kRelu, kRelu1, kRelu6});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(chain.run(compile_cached(chain.model)), ANEURALNETWORKS_NO_ERROR);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(cache_files().size(), 2u);
  EXPECT_EQ(control().refused, 0);
}

}  // namespace
}  // namespace avocet::test
