// SPDX-License-Identifier: Apache-2.0
// Runs in pieces, each piece in a process of its own; a piece that crashes or hangs is a violation and names its seeds.
#include "kmd_test/campaign.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <vector>

#include "kmd_test/campaign_run.hpp"
#include "kmd_test/isolated_process.hpp"
#include "report/worker_pool.hpp"

namespace avocet::kmd {
namespace {

constexpr uint64_t kRunsPerPiece = 50;
constexpr unsigned kSecondsPerPiece = 600;

uint64_t seed_of(const CampaignOptions& options, uint64_t run) { return options.seed * 1000003 + run; }

/// Lines "kind runs struck", then lines "! violation".
std::string run_piece(const CampaignOptions& options, uint64_t first, uint64_t last) {
  set_environment("AVOCET_HANG_TIMEOUT_MS=1500 AVOCET_ENGINE=functional");
  std::map<size_t, std::pair<uint64_t, uint64_t>> kinds;
  std::ostringstream text;
  CampaignBench bench;
  for (uint64_t run = first; run < last; run++) {
    const uint64_t seed = seed_of(options, run);
    const size_t kind = run % campaign_kinds();
    const uint64_t before = bench.struck();
    try {
      bench.run(campaign_kind(kind), seed);
    } catch (const std::exception& violation) {
      text << "! run " << run << " (" << campaign_kind(kind).name << ", seed " << seed << "): " << violation.what() << "\n";
      break;  // what follows would start from an unknown state; the rest of the piece counts as not run
    }
    kinds[kind].first++;
    kinds[kind].second += bench.struck() - before;
  }
  for (const auto& [kind, counts] : kinds) text << kind << ' ' << counts.first << ' ' << counts.second << "\n";
  return text.str();
}

class CampaignReport {
 public:
  explicit CampaignReport(const CampaignOptions& options) : options_(options), runs_(campaign_kinds()), struck_(campaign_kinds()) {}

  void add(const std::string& piece) {
    std::istringstream lines(piece);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("! ")) {
        violate(line.substr(2));
        continue;
      }
      std::istringstream words(line);
      size_t kind = 0;
      uint64_t runs = 0, struck = 0;
      if (!(words >> kind >> runs >> struck) || kind >= runs_.size()) continue;
      runs_[kind] += runs;
      struck_[kind] += struck;
    }
  }
  void violate(const std::string& what) {
    std::printf("FAIL  %s\n", what.c_str());
    std::fflush(stdout);
    violations_++;
  }
  bool print() const {
    uint64_t total = 0;
    for (size_t kind = 0; kind < runs_.size(); kind++) {
      std::printf("%-22s %8llu runs, struck in %llu\n", campaign_kind(kind).name, static_cast<unsigned long long>(runs_[kind]),
                  static_cast<unsigned long long>(struck_[kind]));
      total += runs_[kind];
    }
    std::printf("%llu runs, seed %llu, %llu violations\n", static_cast<unsigned long long>(total),
                static_cast<unsigned long long>(options_.seed), static_cast<unsigned long long>(violations_));
    return violations_ == 0 && total == options_.runs;
  }

 private:
  const CampaignOptions& options_;
  std::vector<uint64_t> runs_, struck_;
  uint64_t violations_ = 0;
};

}  // namespace

bool run_campaign(const CampaignOptions& options) {
  const uint64_t pieces = (options.runs + kRunsPerPiece - 1) / kRunsPerPiece;
  CampaignReport report(options);
  const auto first = [&](size_t piece) { return piece * kRunsPerPiece; };
  const auto last = [&](size_t piece) { return std::min(options.runs, (piece + 1) * kRunsPerPiece); };
  const auto where = [&](size_t piece) {
    return "runs " + std::to_string(first(piece)) + " to " + std::to_string(last(piece) - 1) + ": ";
  };
  tools::run_in_worker_processes(
      pieces, {.workers = options.workers, .seconds_per_job = kSecondsPerPiece},
      [&](size_t piece) {
        return run_in_a_process([&] { return run_piece(options, first(piece), last(piece)); },
                                [&](const std::string& reason) { return "! " + where(piece) + reason + "\n"; });
      },
      [&](size_t, const std::string& result) { report.add(result); },
      [&](size_t piece, const std::string& reason) { report.violate(where(piece) + reason); });
  return report.print();
}

}  // namespace avocet::kmd
