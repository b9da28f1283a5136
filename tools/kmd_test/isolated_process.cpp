// SPDX-License-Identifier: Apache-2.0
// fork, a pipe, and the parent that waits.
#include "kmd_test/isolated_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

namespace avocet::kmd {
namespace {

[[noreturn]] void child(int pipe, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever bounds the parent's time bounds ours
  const std::string result = work();
  size_t sent = 0;
  while (sent < result.size()) {
    const ssize_t written = write(pipe, result.data() + sent, result.size() - sent);
    if (written <= 0) _exit(3);
    sent += static_cast<size_t>(written);
  }
  _exit(0);
}

std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(pipe, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

void set_environment(const std::string& settings) {
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    setenv(word.substr(0, equals).c_str(), word.substr(equals + 1).c_str(), 1);
  }
}

std::string run_in_a_process(const std::function<std::string()>& work, const std::function<std::string(const std::string&)>& died) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    close(ends[0]);
    child(ends[1], work);
  }
  close(ends[1]);
  const std::string result = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return result;
  if (WIFSIGNALED(status))
    return died("crashed: signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")");
  return died("the process ended with status " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace avocet::kmd
