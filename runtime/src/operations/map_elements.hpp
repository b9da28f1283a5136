// SPDX-License-Identifier: Apache-2.0
// result[i] = function(x[i]) over the whole of input 0, on the execution's threads.
#pragma once

#include "operation.hpp"
#include "shape.hpp"

namespace avocet::runtime {

template <typename From, typename To, typename Function>
Status map_elements(OperationContext& context, const Function& function) {
  const From* from = context.in<From>(0);
  To* to = context.out<To>(0);
  constexpr size_t kGrain = 8192;
  context.parallel_for(count_of(context.input(0)), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = function(from[i]);
  });
  return {};
}

}  // namespace avocet::runtime
