// SPDX-License-Identifier: Apache-2.0
// The results of a sweep: JSON lines, which are the record, and a CSV made from them. A line is written whole as soon as a point
// is done; what an interruption cut off is dropped when the sweep goes on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "workload/strict_json.hpp"

namespace avocet::tools {

class ResultFiles {
 public:
  /// `stem`.jsonl and `stem`.csv. Throws InputError: files that are there and no `resume`, or that cannot be written.
  ResultFiles(std::string stem, std::vector<std::string> keys, bool resume);

  /// Identities of the points that are done. Failed ones are tried again.
  const std::set<std::string>& done() const { return done_; }
  /// All results that are there and were good.
  const std::vector<Json>& results() const { return results_; }
  void append(const Json& result);

  std::string json_path() const { return stem_ + ".jsonl"; }
  std::string csv_path() const { return stem_ + ".csv"; }

 private:
  void read_back();
  std::string csv_head() const;
  std::string csv_line(const Json& result) const;

  const std::string stem_;
  const std::vector<std::string> keys_;
  std::set<std::string> done_;
  std::vector<Json> results_;
};

}  // namespace avocet::tools
