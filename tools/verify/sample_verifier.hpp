// SPDX-License-Identifier: Apache-2.0
// Runs samples of a manifest and compares their outputs: integers bit for bit, float32 within 1e-5 + 1e-5 relative,
// since the expected floats depend on the order of additions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "inference/inference.hpp"
#include "report/outcome.hpp"
#include "verify/manifest.hpp"

namespace avocet::tools {

class SampleVerifier {
 public:
  explicit SampleVerifier(DeviceChoice device) : device_(device) {}
  /// Keeps the last model compiled. Never throws for what model, files or API do.
  Outcome verify(const ManifestModel& model, const ManifestSample& sample);

 private:
  void load(const ManifestModel& model);
  std::string find_operator(const ManifestModel& model, const ManifestSample& sample,
                            const std::vector<TensorBytes>& inputs) const;

  DeviceChoice device_;
  std::string loaded_;
  std::unique_ptr<Inference> inference_;
  std::string unsupported_;  // why the loaded model cannot be run
};

/// The first difference between an output and what the manifest expects, as one sentence.
std::optional<std::string> compare_output(const ImportedTensor& tensor, const TensorBytes& got,
                                          const ManifestOutput& expected);

}  // namespace avocet::tools
