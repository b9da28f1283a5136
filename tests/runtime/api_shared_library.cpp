// SPDX-License-Identifier: Apache-2.0
// libneuralnetworks.so from outside: what it exports, and loading, using, unloading it in this process again and again.
#include <dirent.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// The functions the public headers declare.
std::set<std::string> declared(const char* header, const std::string& prefix) {
  std::ifstream in(std::string(AVOCET_SOURCE_DIR) + "/runtime/include/android/" + header);
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("int ", 0) && line.rfind("void ", 0) && line.rfind("uint64_t ", 0)) continue;
    const size_t begin = line.find(prefix), end = line.find('(');
    if (begin != std::string::npos && end != std::string::npos) names.insert(line.substr(begin, end - begin));
  }
  return names;
}

TEST(SharedLibrary, ExportsTheApiAndNothingElse) {
  std::set<std::string> expected = declared("NeuralNetworks.h", "ANeuralNetworks");
  ASSERT_EQ(expected.size(), 62u);
  const std::set<std::string> buffers = declared("hardware_buffer.h", "AHardwareBuffer_");
  ASSERT_EQ(buffers.size(), 8u);
  expected.insert(buffers.begin(), buffers.end());

  FILE* nm = popen("nm -D --defined-only " AVOCET_LIBRARY, "r");
  ASSERT_NE(nm, nullptr);
  std::set<std::string> exported;
  char line[1024];
  while (std::fgets(line, sizeof line, nm)) {
    std::istringstream words(line);
    std::string address, kind, name;
    words >> address >> kind >> name;
    exported.insert(name.substr(0, name.find('@')));
  }
  ASSERT_EQ(pclose(nm), 0);
  EXPECT_EQ(exported, expected);
  EXPECT_EQ(exported.count("ANeuralNetworks_getRuntimeFeatureLevel"), 0u);
}

TEST(SharedLibrary, EveryFunctionHasATest) {
  std::string tests;
  DIR* directory = opendir(AVOCET_SOURCE_DIR "/tests/runtime");
  ASSERT_NE(directory, nullptr);
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name.rfind("api_", 0) != 0 || name == "api_shared_library.cpp") continue;
    std::ifstream in(AVOCET_SOURCE_DIR "/tests/runtime/" + name);
    tests.append(std::istreambuf_iterator<char>(in), {});
  }
  closedir(directory);
  for (const std::string& name : declared("NeuralNetworks.h", "ANeuralNetworks")) {
    EXPECT_NE(tests.find(name + "("), std::string::npos) << name;
  }
}

size_t threads() {
  size_t count = 0;
  DIR* d = opendir("/proc/self/task");
  while (d && readdir(d)) ++count;
  if (d) closedir(d);
  return count;
}

struct Type {
  int32_t type;
  uint32_t count;
  const uint32_t* dims;
  float scale;
  int32_t zero;
};

/// Through dlsym, as clients do that run with and without the library. Large enough for the library's threads.
void add_through(void* library) {
  const auto call = [&](const char* name, auto... arguments) {
    auto* function = reinterpret_cast<int (*)(decltype(arguments)...)>(dlsym(library, name));
    ASSERT_NE(function, nullptr) << name;
    EXPECT_EQ(function(arguments...), 0) << name;
  };
  const auto release = [&](const char* name, void* handle) {
    reinterpret_cast<void (*)(void*)>(dlsym(library, name))(handle);
  };
  static const uint32_t dims[] = {1000, 1000};
  static const uint32_t inputs[] = {0, 1, 2}, outputs[] = {3};
  static const int32_t none = 0;
  const Type tensor{3, 2, dims, 0, 0}, scalar{1, 0, nullptr, 0, 0};
  const std::vector<float> a(1000000, 1), b(1000000, 2);
  std::vector<float> c(1000000);
  void *model = nullptr, *compilation = nullptr, *execution = nullptr;
  call("ANeuralNetworksModel_create", &model);
  for (const Type* type : {&tensor, &tensor, &scalar, &tensor}) call("ANeuralNetworksModel_addOperand", model, type);
  call("ANeuralNetworksModel_setOperandValue", model, int32_t{2}, static_cast<const void*>(&none), size_t{4});
  call("ANeuralNetworksModel_addOperation", model, int32_t{0}, uint32_t{3}, &inputs[0], uint32_t{1}, &outputs[0]);
  call("ANeuralNetworksModel_identifyInputsAndOutputs", model, uint32_t{2}, &inputs[0], uint32_t{1}, &outputs[0]);
  call("ANeuralNetworksModel_finish", model);
  call("ANeuralNetworksCompilation_create", model, &compilation);
  call("ANeuralNetworksCompilation_finish", compilation);
  call("ANeuralNetworksExecution_create", compilation, &execution);
  const Type* no_type = nullptr;
  call("ANeuralNetworksExecution_setInput", execution, int32_t{0}, no_type, static_cast<const void*>(a.data()),
       a.size() * 4);
  call("ANeuralNetworksExecution_setInput", execution, int32_t{1}, no_type, static_cast<const void*>(b.data()),
       b.size() * 4);
  call("ANeuralNetworksExecution_setOutput", execution, int32_t{0}, no_type, static_cast<void*>(c.data()),
       c.size() * 4);
  call("ANeuralNetworksExecution_compute", execution);
  EXPECT_EQ(c.front(), 3.0f);
  EXPECT_EQ(c.back(), 3.0f);
  release("ANeuralNetworksExecution_free", execution);
  release("ANeuralNetworksCompilation_free", compilation);
  release("ANeuralNetworksModel_free", model);
}

TEST(SharedLibrary, LoadsUsesAndUnloads) {
  const size_t before = threads();
  for (int i = 0; i < 5; ++i) {
    void* library = dlopen(AVOCET_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    EXPECT_EQ(dlsym(library, "ANeuralNetworks_getRuntimeFeatureLevel"), nullptr);
    add_through(library);
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_EQ(threads(), before) << "threads end with the library";
  }
}

/// Stays loaded: the process must be able to exit with the library's threads asleep.
TEST(SharedLibrary, ProcessExitsWhileLoaded) {
  void* library = dlopen(AVOCET_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  add_through(library);
}

}  // namespace
