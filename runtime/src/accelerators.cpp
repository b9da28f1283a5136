// SPDX-License-Identifier: Apache-2.0
// The explicit list of accelerators. Called once, when the devices are first asked for.
#include "accelerator.hpp"
#include "npu/npu_accelerator.hpp"

namespace avocet::runtime {

std::vector<std::unique_ptr<Accelerator>> make_accelerators() {
  std::vector<std::unique_ptr<Accelerator>> list;
  list.push_back(npu::make_npu_accelerator());
  return list;
}

}  // namespace avocet::runtime
