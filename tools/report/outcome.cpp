// SPDX-License-Identifier: Apache-2.0
// An outcome crosses a process boundary as "<kind> <NPU operations> <detail>".
#include "report/outcome.hpp"

#include <cstdio>

namespace avocet::tools {
namespace {
constexpr const char kKinds[] = "PFS";
}

std::string encode_outcome(const Outcome& outcome) {
  return kKinds[static_cast<size_t>(outcome.kind)] + std::to_string(outcome.npu_operations) + " " + outcome.detail;
}

Outcome decode_outcome(const std::string& text) {
  Outcome outcome;
  outcome.kind = static_cast<Outcome::Kind>(std::string(kKinds).find(text.at(0)));
  const size_t space = text.find(' ');
  outcome.npu_operations = static_cast<unsigned>(std::stoul(text.substr(1, space - 1)));
  outcome.detail = text.substr(space + 1);
  return outcome;
}

void Tally::add(const std::string& name, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::passed:
      ++passed_;
      if (show_passes_) std::printf("ok   %s  %s\n", name.c_str(), outcome.detail.c_str());
      break;
    case Outcome::Kind::failed:
      ++failed_;
      std::printf("FAIL %s: %s\n", name.c_str(), outcome.detail.c_str());
      break;
    case Outcome::Kind::skipped: skipped_[outcome.detail].push_back(name); break;
  }
  std::fflush(stdout);
  npu_operations_ += outcome.npu_operations;
  npu_cases_ += outcome.npu_operations > 0;
}

int Tally::finish(bool show_npu_operations) const {
  size_t skipped = 0;
  for (const auto& [reason, names] : skipped_) {
    skipped += names.size();
    for (const std::string& name : names) std::printf("SKIP %s: %s\n", name.c_str(), reason.c_str());
  }
  if (show_npu_operations) {
    std::printf("%zu operations of %zu cases ran on the NPU\n", npu_operations_, npu_cases_);
  }
  std::printf("%zu passed, %zu failed, %zu skipped\n", passed_, failed_, skipped);
  return failed_ ? 1 : 0;
}

}  // namespace avocet::tools
