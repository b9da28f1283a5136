// SPDX-License-Identifier: Apache-2.0
// The CPU path's float product (packed weights, bias and clamp in the tile) beside Eigen's on the same shapes, one thread: why the
// CPU path has a kernel of its own. Eigen is compiled for this machine, the kernel chooses at run time. Items: multiplications.
#include <Eigen/Dense>
#include <benchmark/benchmark.h>

#include <limits>
#include <vector>

#include "operations/float_gemm.hpp"

namespace {

using avocet::runtime::PackedFloatWeights;
using avocet::runtime::Range;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Arguments: rows (pixels), columns (output channels), depth.
struct Shape {
  explicit Shape(const benchmark::State& state)
      : rows(static_cast<size_t>(state.range(0))), columns(static_cast<size_t>(state.range(1))), depth(static_cast<size_t>(state.range(2))) {}
  size_t rows, columns, depth;
};

void count_items(benchmark::State& state, const Shape& shape) {
  state.counters["items/s"] = benchmark::Counter(static_cast<double>(shape.rows * shape.columns * shape.depth),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void own_kernel(benchmark::State& state) {
  const Shape shape(state);
  const std::vector<float> left(shape.rows * shape.depth, 0.5f), weights(shape.columns * shape.depth, 0.25f), bias(shape.columns, 1.0f);
  std::vector<float> out(shape.rows * shape.columns);
  const PackedFloatWeights packed(weights.data(), shape.columns, shape.depth);
  for (auto _ : state) {
    multiply_add_clamp(left.data(), shape.depth, shape.rows, packed, 0, packed.panels(), bias.data(), Range<float>{0.0f, 6.0f},
                       out.data(), shape.columns);
    benchmark::ClobberMemory();
  }
  count_items(state, shape);
}

void eigen(benchmark::State& state) {
  const Shape shape(state);
  const auto index = [](size_t n) { return static_cast<Eigen::Index>(n); };
  const RowMajor left = RowMajor::Constant(index(shape.rows), index(shape.depth), 0.5f);
  const RowMajor weights = RowMajor::Constant(index(shape.depth), index(shape.columns), 0.25f);
  const Eigen::RowVectorXf bias = Eigen::RowVectorXf::Constant(index(shape.columns), 1.0f);
  RowMajor out(index(shape.rows), index(shape.columns));
  for (auto _ : state) {
    out.noalias() = left * weights;
    out = ((out.rowwise() + bias).cwiseMax(0.0f)).cwiseMin(6.0f);
    benchmark::ClobberMemory();
  }
  count_items(state, shape);
}

void mobilenet_shapes(benchmark::internal::Benchmark* benchmark) {
  for (const auto& [rows, columns, depth] :
       {std::tuple(12544, 96, 16), std::tuple(3136, 144, 24), std::tuple(196, 384, 64), std::tuple(49, 320, 960), std::tuple(1, 1001, 1280)}) {
    benchmark->Args({rows, columns, depth});
  }
}
BENCHMARK(own_kernel)->Apply(mobilenet_shapes);
BENCHMARK(eigen)->Apply(mobilenet_shapes);

}  // namespace

BENCHMARK_MAIN();
