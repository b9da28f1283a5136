// SPDX-License-Identifier: Apache-2.0
#include "sweep/progress_bar.hpp"

#include <unistd.h>

#include <cstdio>

namespace avocet::tools {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long>(seconds + 0.5);
  char text[32];
  if (whole >= 3600)
    std::snprintf(text, sizeof text, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%lu:%02lu", whole / 60, whole % 60);
  return text;
}

}  // namespace

ProgressBar::ProgressBar(size_t total) : total_(total), terminal_(isatty(STDERR_FILENO)) {
  if (terminal_) draw();
}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputc('\n', stderr);
}

void ProgressBar::step(bool failed) {
  ++done_;
  failed_ += failed;
  if (terminal_) return draw();
  if (done_ * 10 / total_ == tenths_) return;
  tenths_ = done_ * 10 / total_;
  std::fprintf(stderr, "%s\n", text().c_str());
}

void ProgressBar::say(const std::string& line) {
  std::fprintf(stderr, "%s%s\n", drawn_ ? "\r\033[K" : "", line.c_str());
  if (drawn_) draw();
}

std::string ProgressBar::text() const {
  std::string line = std::to_string(done_) + "/" + std::to_string(total_);
  if (failed_ > 0) line += ", " + std::to_string(failed_) + " failed";
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (done_ == total_) return line + ", took " + duration(elapsed);
  if (done_ > 0) line += ", " + duration(elapsed / static_cast<double>(done_) * static_cast<double>(total_ - done_)) + " left";
  return line;
}

void ProgressBar::draw() {
  constexpr size_t kWidth = 40;
  const size_t filled = done_ * kWidth / total_;
  std::fprintf(stderr, "\r\033[K[%s%s] %s", std::string(filled, '#').c_str(), std::string(kWidth - filled, ' ').c_str(),
               text().c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace avocet::tools
