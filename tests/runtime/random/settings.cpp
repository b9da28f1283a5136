// SPDX-License-Identifier: Apache-2.0
// The settings and the main function of the random tests.
#include "settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace avocet::random_models {

Settings& settings() {
  static Settings known = [] {
    Settings s;
    const auto text = [](const char* name, std::string absent) {
      const char* value = std::getenv(name);
      return value ? std::string(value) : std::move(absent);
    };
    s.models = std::stoull(text("AVOCET_RANDOM_MODELS", "2000"));
    s.seed = std::stoull(text("AVOCET_RANDOM_SEED", "1"));
    s.device = text("AVOCET_RANDOM_DEVICE", "cpu");
    s.operation = text("AVOCET_RANDOM_OPERATION", "");
    s.write = text("AVOCET_RANDOM_WRITE", "");
    s.verbose = !text("AVOCET_RANDOM_VERBOSE", "").empty();
    return s;
  }();
  return known;
}

}  // namespace avocet::random_models

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  auto& settings = avocet::random_models::settings();
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view name) { return std::string(argument.substr(name.size())); };
    if (argument.starts_with("--models=")) {
      settings.models = std::stoull(value("--models="));
    } else if (argument.starts_with("--seed=")) {
      settings.seed = std::stoull(value("--seed="));
    } else if (argument.starts_with("--device=")) {
      settings.device = value("--device=");
    } else {
      std::fprintf(stderr, "unknown argument %s; known are --models=N --seed=N --device=cpu|npu\n", argv[i]);
      return 2;
    }
  }
  if (settings.device != "cpu" && settings.device != "npu") {
    std::fprintf(stderr, "the device is cpu or npu, not %s\n", settings.device.c_str());
    return 2;
  }
  return RUN_ALL_TESTS();
}
