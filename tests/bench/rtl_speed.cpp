// SPDX-License-Identifier: Apache-2.0
// Host speed of the verilated MAC array: clock cycles per second with all three channels busy in every cycle, passes of
// 49 vectors (a 7x7 picture).
#include <Vavocet_mac_array_16.h>
#include <Vavocet_mac_array_32.h>
#include <Vavocet_mac_array_8.h>
#include <benchmark/benchmark.h>
#include <verilated.h>

#include <cstdint>
#include <cstring>

namespace {

template <typename Model>
void mac_array_cycles(benchmark::State& state) {
  constexpr int kVectors = 49;
  VerilatedContext context;
  Model model{&context};
  auto tick = [&model] {
    model.clk_i = 0;
    model.eval();
    model.clk_i = 1;
    model.eval();
  };
  model.rst_ni = 0;
  tick();
  model.rst_ni = 1;
  model.w_valid_i = model.a_valid_i = model.o_ready_i = 1;
  uint32_t noise = 1;
  int vector = 0;
  for (auto _ : state) {
    noise = noise * 1664525u + 1013904223u;
    std::memcpy(&model.a_data_i, &noise, sizeof noise);
    std::memcpy(&model.w_data_i, &noise, sizeof noise);
    model.a_first_i = vector == 0;
    model.a_last_i = vector == kVectors - 1;
    model.clk_i = 0;
    model.eval();
    if (model.a_ready_o) vector = vector == kVectors - 1 ? 0 : vector + 1;
    model.clk_i = 1;
    model.eval();
  }
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  model.final();
}

BENCHMARK_TEMPLATE(mac_array_cycles, Vavocet_mac_array_8);
BENCHMARK_TEMPLATE(mac_array_cycles, Vavocet_mac_array_16);
BENCHMARK_TEMPLATE(mac_array_cycles, Vavocet_mac_array_32);

}  // namespace

BENCHMARK_MAIN();
