// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksCompilation_*: errors of each function, states, and which devices a model can be compiled for.
#include "api_fixture.hpp"

namespace avocet::test {
namespace {

const uint8_t kToken[ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN] = {};

/// A model with a vendor operation, which no device runs.
void build_vendor(Model& model) {
  const uint32_t in = model.operand(Type(10001, {1})), out = model.operand(Type(10001, {1}));
  EXPECT_EQ(model.operation(10000, {in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({in}, {out});
}

TEST(Compilation, NullArguments) {
  Model model;
  build_add(model);
  ANeuralNetworksCompilation* c = nullptr;
  ANeuralNetworksDevice* device = cpu();
  EXPECT_EQ(ANeuralNetworksCompilation_create(nullptr, &c), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_create(model, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(nullptr, &device, 1, &c), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(model, nullptr, 1, &c), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(model, &device, 1, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(model, nullptr, 0, &c), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_setPreference(nullptr, 0), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_setPriority(nullptr, 100), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(nullptr, 1), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_setCaching(nullptr, "/tmp", kToken), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_finish(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  ANeuralNetworksCompilation_free(nullptr);
  const CompilationPtr good = create_compilation(model);
  EXPECT_EQ(ANeuralNetworksCompilation_setCaching(good.get(), nullptr, kToken), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(ANeuralNetworksCompilation_setCaching(good.get(), "/tmp", nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
}

TEST(Compilation, CreateNeedsAFinishedModel) {
  Model unfinished, invalid;
  ASSERT_EQ(invalid.finish(), ANEURALNETWORKS_BAD_DATA);
  ANeuralNetworksDevice* device = cpu();
  for (Model* model : {&unfinished, &invalid}) {
    auto* c = reinterpret_cast<ANeuralNetworksCompilation*>(1);
    EXPECT_EQ(ANeuralNetworksCompilation_create(*model, &c), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(c, nullptr) << "set to null by a failure";
    c = reinterpret_cast<ANeuralNetworksCompilation*>(1);
    EXPECT_EQ(ANeuralNetworksCompilation_createForDevices(*model, &device, 1, &c), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(c, nullptr);
  }
}

/// The list of devices is checked before the model's state.
TEST(Compilation, CreateForDevicesChecksTheList) {
  Model model, unfinished;
  build_add(model);
  ANeuralNetworksDevice* const device = cpu();
  auto* const unknown = reinterpret_cast<ANeuralNetworksDevice*>(uintptr_t{64});
  for (ANeuralNetworksModel* m :
       {static_cast<ANeuralNetworksModel*>(model), static_cast<ANeuralNetworksModel*>(unfinished)}) {
    const auto create = [&](std::vector<ANeuralNetworksDevice*> list, uint32_t count) {
      ANeuralNetworksCompilation* c = nullptr;
      const int result = ANeuralNetworksCompilation_createForDevices(m, list.data(), count, &c);
      EXPECT_EQ(c, nullptr);
      return result;
    };
    EXPECT_EQ(create({device}, 0), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(create({device, device}, 2), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(create({device, nullptr}, 2), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(create({unknown}, 1), ANEURALNETWORKS_BAD_DATA);
  }
}

TEST(Compilation, Values) {
  Model model;
  build_add(model);
  const CompilationPtr c = create_compilation(model);
  for (int32_t bad : {-1, 3, 40})
    EXPECT_EQ(ANeuralNetworksCompilation_setPreference(c.get(), bad), ANEURALNETWORKS_BAD_DATA);
  for (int32_t good : {0, 1, 2})
    EXPECT_EQ(ANeuralNetworksCompilation_setPreference(c.get(), good), ANEURALNETWORKS_NO_ERROR);
  for (int bad : {0, 89, 91, 99, 101, 109, 111}) {
    EXPECT_EQ(ANeuralNetworksCompilation_setPriority(c.get(), bad), ANEURALNETWORKS_BAD_DATA) << bad;
  }
  for (int good : {90, 100, 110})
    EXPECT_EQ(ANeuralNetworksCompilation_setPriority(c.get(), good), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(c.get(), 1), ANEURALNETWORKS_BAD_DATA) << "not for one device";
  EXPECT_EQ(ANeuralNetworksCompilation_setCaching(c.get(), "/does/not/exist", kToken), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksCompilation_finish(c.get()), ANEURALNETWORKS_NO_ERROR)
      << "an unusable cache does not matter";
}

TEST(Compilation, NothingChangesAfterFinish) {
  Model model, vendor;
  build_add(model);
  build_vendor(vendor);
  const CompilationPtr finished = compile(model);
  const CompilationPtr failed = create_compilation(vendor);
  EXPECT_EQ(ANeuralNetworksCompilation_finish(failed.get()), ANEURALNETWORKS_BAD_DATA);
  for (ANeuralNetworksCompilation* c : {finished.get(), failed.get()}) {
    EXPECT_EQ(ANeuralNetworksCompilation_setPreference(c, 40), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksCompilation_setPriority(c, 0), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(c, 1), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksCompilation_setCaching(c, "/tmp", kToken), ANEURALNETWORKS_BAD_STATE);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(c), ANEURALNETWORKS_BAD_STATE);
  }
}

TEST(Compilation, AnOperationOfNoDeviceIsBadData) {
  Model vendor;
  build_vendor(vendor);
  bool supported = true;
  ANeuralNetworksDevice* device = cpu();
  ASSERT_EQ(ANeuralNetworksModel_getSupportedOperationsForDevices(vendor, &device, 1, &supported),
            ANEURALNETWORKS_NO_ERROR);
  EXPECT_FALSE(supported);
  const CompilationPtr c = create_for(vendor, {device});
  EXPECT_EQ(ANeuralNetworksCompilation_finish(c.get()), ANEURALNETWORKS_BAD_DATA);
  ANeuralNetworksExecution* execution = nullptr;
  EXPECT_EQ(ANeuralNetworksExecution_create(c.get(), &execution), ANEURALNETWORKS_BAD_STATE);
  ANeuralNetworksBurst* burst = nullptr;
  EXPECT_EQ(ANeuralNetworksBurst_create(c.get(), &burst), ANEURALNETWORKS_BAD_STATE);
}

TEST(Compilation, Timeout) {
  Model model;
  build_add(model);
  for (uint64_t duration : {uint64_t{0}, uint64_t{1'000'000'000}, UINT64_MAX}) {
    const CompilationPtr c = create_for(model, {cpu()});
    EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(c.get(), duration), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(c.get()), ANEURALNETWORKS_NO_ERROR) << duration;
  }
  const CompilationPtr late = create_for(model, {cpu()});
  EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(late.get(), 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(ANeuralNetworksCompilation_finish(late.get()), ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
}

TEST(Compilation, SupportedOperations) {
  Model model, unfinished;
  build_add(model);
  ANeuralNetworksDevice* const device = cpu();
  ANeuralNetworksDevice* const twice[] = {device, device};
  ANeuralNetworksDevice* const with_null[] = {device, nullptr};
  bool supported[1] = {false};
  const auto get = ANeuralNetworksModel_getSupportedOperationsForDevices;
  EXPECT_EQ(get(nullptr, &device, 1, supported), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(get(model, nullptr, 1, supported), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(get(model, &device, 1, nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(get(model, &device, 0, supported), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(get(model, twice, 2, supported), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(get(model, with_null, 2, supported), ANEURALNETWORKS_UNEXPECTED_NULL);
  EXPECT_EQ(get(unfinished, with_null, 2, supported), ANEURALNETWORKS_BAD_STATE)
      << "the model's state comes first here";
  EXPECT_EQ(get(model, &device, 1, supported), ANEURALNETWORKS_NO_ERROR);
  EXPECT_TRUE(supported[0]);
}

}  // namespace
}  // namespace avocet::test
