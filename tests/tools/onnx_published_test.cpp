// SPDX-License-Identifier: Apache-2.0
// The test vectors that come with ONNX (Debian's libonnx-testdata), where they are installed: whatever the importer
// takes has to give the published results. The second round makes all inputs but the first constants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "importer/onnx/onnx_file.hpp"
#include "inference/inference.hpp"
#include "input_error.hpp"
#include "inputs/tensor_input.hpp"
#include "onnx_writer.hpp"

namespace avocet::tools::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVectors = "/usr/share/libonnx-testdata/data";

/// Vectors whose numbers are not those of today's standard, or that ask for what the API leaves to the caller.
const std::set<std::string> kOthers = {
    "test_resize_downsample_scales_linear_align_corners",  // divides by the extent before it was rounded
    "test_gather_negative_indices",                        // indices that are computed have to count from the front
};

bool near(double got, double want) {
  return std::isnan(want) ? std::isnan(got) : std::fabs(got - want) <= 1e-5 + 1e-3 * std::fabs(want);
}

template <typename T>
bool all_near(const Bytes& got, const Bytes& want, double steps) {
  for (size_t at = 0; at < want.size(); at += sizeof(T)) {
    T g, w;
    std::memcpy(&g, got.data() + at, sizeof(T));
    std::memcpy(&w, want.data() + at, sizeof(T));
    const bool good = std::is_floating_point_v<T> ? near(static_cast<double>(g), static_cast<double>(w))
                                                  : std::fabs(static_cast<double>(g) - static_cast<double>(w)) <= steps;
    if (!good && g != w) return false;
  }
  return true;
}

bool agrees(const Bytes& got, const StoredTensor& want) {
  if (got.size() != want.bytes.size()) return false;
  switch (want.type) {
    case ElementType::float32: return all_near<float>(got, want.bytes, 0);
    case ElementType::uint8: return all_near<uint8_t>(got, want.bytes, 1);  // the API rounds halves away from zero
    case ElementType::int8: return all_near<int8_t>(got, want.bytes, 1);
    default: return got == want.bytes;
  }
}

/// int64 inputs are taken as int32.
Bytes input_bytes(const StoredTensor& tensor) {
  if (tensor.type != ElementType::int64) return tensor.bytes;
  Bytes narrow;
  for (size_t at = 0; at < tensor.bytes.size(); at += 8) {
    narrow.insert(narrow.end(), tensor.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  tensor.bytes.begin() + static_cast<std::ptrdiff_t>(at + 4));
  }
  return narrow;
}

std::vector<StoredTensor> stored(const fs::path& folder, const char* kind) {
  std::vector<StoredTensor> tensors;
  for (size_t i = 0;; ++i) {
    const fs::path path = folder / (kind + std::string("_") + std::to_string(i) + ".pb");
    if (!fs::exists(path)) return tensors;
    tensors.push_back(read_stored_tensor(path));
  }
}

/// True: ran and agreed. False: the importer or the API does not take it.
bool check(const fs::path& folder, bool constants) {
  Bytes model = read_file(folder / "model.onnx");
  std::vector<StoredTensor> inputs, outputs;
  std::unique_ptr<Inference> inference;
  try {
    inputs = stored(folder / "test_data_set_0", "input");
    outputs = stored(folder / "test_data_set_0", "output");
    if (constants) {
      const onnx::Model parsed = onnx::parse_onnx(model, "m.onnx");
      if (inputs.size() < 2 || parsed.inputs.size() != inputs.size()) return false;
      std::map<std::string, StoredTensor> fixed;
      for (size_t i = 1; i < inputs.size(); ++i) fixed[parsed.inputs[i].name] = inputs[i];
      model = with_constants(model, fixed);
      inputs.resize(1);
    }
    inference = std::make_unique<Inference>(import_bytes(model), DeviceChoice::cpu);
  } catch (const InputError&) {
    return false;  // sequences, types and operators that there are no forms for
  }
  std::vector<Bytes> bytes;
  for (const StoredTensor& input : inputs) bytes.push_back(input_bytes(input));
  const auto results = inference->run(bytes).outputs;
  EXPECT_EQ(results.size(), outputs.size());
  for (size_t i = 0; i < std::min(results.size(), outputs.size()); ++i)
    EXPECT_TRUE(agrees(results[i], outputs[i])) << "output " << i;
  return true;
}

size_t check_all(const char* group, bool constants) {
  size_t done = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(kVectors) / group)) {
    const std::string name = entry.path().filename();
    if (kOthers.contains(name) || !fs::exists(entry.path() / "model.onnx")) continue;
    SCOPED_TRACE(name);
    done += check(entry.path(), constants);
  }
  return done;
}

TEST(OnnxPublished, Operators) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GE(check_all("node", false), 290u);
}

TEST(OnnxPublished, OperatorsWithConstants) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GE(check_all("node", true), 150u);
}

TEST(OnnxPublished, ChangedBytesAreRefusedOrImported) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << "libonnx-testdata is not installed";
  std::mt19937 generator(7);
  for (const char* group : {"node", "pytorch-converted", "pytorch-operator"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(kVectors) / group)) {
      const std::string path = entry.path() / "model.onnx";
      if (!fs::exists(path)) continue;
      const Bytes whole = read_file(path);
      for (int round = 0; round < 20; ++round) {
        Bytes bytes = whole;
        for (unsigned i = generator() % 4 + 1; i > 0; --i)
          bytes[generator() % bytes.size()] = static_cast<uint8_t>(generator());
        const std::string text = refusal(bytes);
        EXPECT_TRUE(text == "accepted" || text.starts_with("m.onnx: ")) << path << ": " << text;
      }
    }
  }
}

TEST(OnnxPublished, Networks) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GE(check_all("pytorch-converted", false) + check_all("pytorch-operator", false), 70u);
}

}  // namespace
}  // namespace avocet::tools::test
