// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <avocet/compiler/movement.hpp>

namespace avocet::compiler {

uint64_t MovementBox::bytes() const {
  uint64_t sum = run;
  for (const Dim& dim : dims) sum *= dim.count;
  return sum;
}

uint64_t MovementBox::from_extent() const {
  uint64_t sum = run;
  for (const Dim& dim : dims) sum += (dim.count - 1) * dim.from_stride;
  return sum;
}

uint64_t MovementBox::to_extent() const {
  uint64_t sum = run;
  for (const Dim& dim : dims) sum += (dim.count - 1) * dim.to_stride;
  return sum;
}

void MovementBox::simplify() {
  std::erase_if(dims, [](const Dim& dim) { return dim.count == 1; });
  std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.to_stride > b.to_stride; });
  const bool fills = input == kFill;
  const auto continues = [&](uint64_t from_stride, uint64_t to_stride, uint64_t from_bytes, uint64_t to_bytes) {
    return (fills || from_stride == from_bytes) && to_stride == to_bytes;
  };
  while (!dims.empty() && continues(dims.back().from_stride, dims.back().to_stride, run, run)) {
    run *= dims.back().count;
    dims.pop_back();
  }
  for (size_t i = dims.size(); i-- > 1;) {
    Dim &outer = dims[i - 1], &inner = dims[i];
    if (!continues(outer.from_stride, outer.to_stride, inner.count * inner.from_stride, inner.count * inner.to_stride))
      continue;
    outer = {outer.count * inner.count, inner.from_stride, inner.to_stride};
    dims.erase(dims.begin() + static_cast<ptrdiff_t>(i));
  }
}

}  // namespace avocet::compiler
