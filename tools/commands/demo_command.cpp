// SPDX-License-Identifier: Apache-2.0
// `avocet demo`: classifies held-out handwritten digits on the NPU and on the CPU path and compares the two bit for bit.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <avocet/runtime/introspection.hpp>
#include <chrono>
#include <cstdio>
#include <memory>

#include "commands/command.hpp"
#include "demo/digit_set.hpp"
#include "inference/inference.hpp"
#include "inference/simulated_device.hpp"
#include "report/layer_table.hpp"

namespace avocet::tools {
namespace {

struct Options {
  DeviceSettings device{.device = DeviceChoice::npu, .engine = "rtl", .timeline = "avocet_demo_timeline.json"};
  std::string digits;
  unsigned images = 0;
};

struct Totals {
  size_t right = 0;
  size_t agreeing = 0;
  size_t images = 0;
  uint64_t cycles = 0;
  double simulated_seconds = 0;
  double npu_host_seconds = 0;
  double cpu_host_seconds = 0;
};

/// The int8 tensor of a picture of bytes: 0..255 becomes -128..127.
TensorBytes to_input(const std::vector<uint8_t>& image) {
  TensorBytes bytes(image);
  for (uint8_t& byte : bytes) byte ^= 0x80;
  return bytes;
}

size_t most_likely(const TensorBytes& scores) {
  const auto* begin = reinterpret_cast<const int8_t*>(scores.data());
  return static_cast<size_t>(std::max_element(begin, begin + scores.size()) - begin);
}

void check_model(const ImportedModel& model, const DigitSet& set) {
  const bool fits = model.inputs.size() == 1 && model.outputs.size() == 1 && model.inputs[0].type == "int8" &&
                    model.outputs[0].type == "int8" &&
                    model.inputs[0].operand_bytes() == static_cast<size_t>(set.height) * set.width;
  if (!fits) throw InputError(model.path + ": does not take the demo's pictures");
}

void show_progress(size_t done, size_t count) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r%zu of %zu digits%s", done, count, done == count ? "\r\033[K" : "");
  std::fflush(stderr);
}

void print_totals(const Options& options, const Totals& totals, const runtime::ExecutionProfile& last) {
  std::printf("per layer, one digit:\n%s\n", format_layer_table(last, engine_is_timed(options.device)).c_str());
  const double count = static_cast<double>(totals.images);
  std::printf("accuracy          %.1f %% (%zu of %zu held-out digits)\n", 100.0 * static_cast<double>(totals.right) / count,
              totals.right, totals.images);
  std::printf("NPU and CPU path  %s (%zu of %zu outputs bit for bit)\n",
              totals.agreeing == totals.images ? "agree" : "DIFFER", totals.agreeing, totals.images);
  if (engine_is_timed(options.device)) {
    std::printf("simulated time    %.3f ms (%llu cycles), %.1f us a digit\n", totals.simulated_seconds * 1e3,
                static_cast<unsigned long long>(totals.cycles), totals.simulated_seconds * 1e6 / count);
  }
  std::printf("host time         %.2f s on the NPU model (%s engine), %.2f s on the CPU path\n", totals.npu_host_seconds,
              engine_name(options.device).c_str(), totals.cpu_host_seconds);
  std::printf("timeline          %s (open in https://ui.perfetto.dev)\n", options.device.timeline.c_str());
}

int run(const Options& options) {
  const std::string folder = find_digits(options.digits);
  const DigitSet set = read_digit_set(folder);
  ImportedModel model = import_tflite(folder + "/digits.tflite");
  check_model(model, set);
  prepare_device(options.device);
  runtime::enable_profiling(true);
  Inference npu(model, DeviceChoice::npu);
  Inference cpu(std::move(model), DeviceChoice::cpu);
  Totals totals;
  totals.images = options.images ? std::min<size_t>(options.images, set.images.size()) : set.images.size();
  if (totals.images == 0) throw InputError(folder + ": no pictures");
  runtime::ExecutionProfile last;
  for (size_t i = 0; i < totals.images; ++i) {
    const std::vector<TensorBytes> inputs = {to_input(set.images[i])};
    InferenceResult on_npu = npu.run(inputs);
    const InferenceResult on_cpu = cpu.run(inputs);
    totals.right += most_likely(on_npu.outputs[0]) == set.labels[i];
    totals.agreeing += on_npu.outputs == on_cpu.outputs;
    totals.cycles += on_npu.profile.cycles;
    totals.simulated_seconds += on_npu.profile.simulated_seconds;
    totals.npu_host_seconds += on_npu.host_seconds;
    totals.cpu_host_seconds += on_cpu.host_seconds;
    last = std::move(on_npu.profile);
    show_progress(i + 1, totals.images);
  }
  write_timeline(options.device);
  print_totals(options, totals, last);
  return totals.agreeing == totals.images ? 0 : 1;
}

}  // namespace

void add_demo_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("demo", "Classify handwritten digits on the NPU and compare with the CPU path");
  add_device_options(*command, options->device);
  command->remove_option(command->get_option("--device"));  // both are always used
  command->add_option("--images", options->images, "Only the first N digits; 0: all")->type_name("N");
  command->add_option("--digits", options->digits, "Folder with the network and the digits")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  command->add_option("--timeline", options->device.timeline, "Where to write the timeline")->type_name("FILE.json");
  command->footer("Example: avocet demo --engine timed --images 100");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace avocet::tools
