// SPDX-License-Identifier: Apache-2.0
// The status tree for other processes: a Unix socket named after the process in a directory of the user's own. A request is a path
// and a newline; the answer a decimal errno (0 or negative), a newline, the text, and the end of the connection.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace avocet::sim {

/// Serves until the process ends.
class StatusServer {
 public:
  using Read = std::function<int(const char* path, char* text, size_t bytes)>;

  /// NULL when there is no directory to serve in; a directory of AVOCET_STATUS that cannot be used gives a line on stderr.
  static std::unique_ptr<StatusServer> start(Read read);
  /// At the process's end: nobody shall find the socket any more.
  void withdraw();
  /// In a child of fork, which has no device.
  void forget();

 private:
  StatusServer(Read read, int listener, std::string path);
  void serve();
  void answer(int connection) const;

  Read read_;
  std::atomic<int> listener_;
  std::string path_;
};

int status_of(int process, const char* path, char* text, size_t bytes);
/// In ascending order. Sockets that dead processes left are removed.
std::vector<int> status_processes();

}  // namespace avocet::sim
