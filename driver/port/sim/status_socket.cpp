// SPDX-License-Identifier: Apache-2.0
// Server and client of the status socket.
#include "status_socket.hpp"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

namespace avocet::sim {
namespace {

constexpr size_t kPathMax = 256;
constexpr size_t kTextMax = 32768;

/// AVOCET_STATUS (off: nothing is served), else a directory of ours below XDG_RUNTIME_DIR; nothing when neither is set.
std::optional<std::string> directory(bool* chosen = nullptr) {
  const char* given = std::getenv("AVOCET_STATUS");
  if (chosen) *chosen = given && *given;
  if (given && *given) return std::strcmp(given, "off") == 0 ? std::nullopt : std::optional<std::string>(given);
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime && *runtime) return std::string(runtime) + "/avocet";
  return std::nullopt;
}

bool address_of(const std::string& path, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  if (path.size() >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address->sun_path, path.c_str(), path.size() + 1);
  return true;
}

/// A socket connected to or bound at the path; -1 with errno.
int open_socket(const std::string& path, int (*attach)(int, const sockaddr*, socklen_t)) {
  sockaddr_un address;
  if (!address_of(path, &address)) return -1;
  int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (attach(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  int reason = errno;
  ::close(fd);
  errno = reason;
  return -1;
}

void limit_time(int fd, int seconds) {
  timeval limit{seconds, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

bool send_all(int fd, const char* data, size_t bytes) {
  while (bytes > 0) {
    ssize_t n = ::send(fd, data, bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

int listen_at(const std::string& directory, const std::string& path) {
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return -1;
  ::unlink(path.c_str());  // of an earlier process with our number
  int fd = open_socket(path, ::bind);
  if (fd >= 0 && ::listen(fd, 8) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

std::string socket_path(const std::string& directory, int process) { return directory + "/" + std::to_string(process); }

}  // namespace

// ---- server ----

std::unique_ptr<StatusServer> StatusServer::start(Read read) {
  bool chosen = false;
  std::optional<std::string> where = directory(&chosen);
  if (!where) return nullptr;
  std::string path = socket_path(*where, ::getpid());
  int listener = listen_at(*where, path);
  if (listener < 0) {
    if (chosen) std::fprintf(stderr, "avocet: AVOCET_STATUS=%s: %s\n", where->c_str(), std::strerror(errno));
    return nullptr;
  }
  return std::unique_ptr<StatusServer>(new StatusServer(std::move(read), listener, path));
}

StatusServer::StatusServer(Read read, int listener, std::string path)
    : read_(std::move(read)), listener_(listener), path_(std::move(path)) {
  sigset_t all, before;  // signals belong to the program around us
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { serve(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void StatusServer::withdraw() { ::unlink(path_.c_str()); }

void StatusServer::forget() { ::close(listener_); }

void StatusServer::serve() {
  for (;;) {
    int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (connection < 0) return;
    limit_time(connection, 1);
    answer(connection);
    ::close(connection);
  }
}

void StatusServer::answer(int connection) const {
  char path[kPathMax];
  size_t length = 0;
  while (length == 0 || path[length - 1] != '\n') {
    if (length == sizeof path) return;
    ssize_t n = ::recv(connection, path + length, sizeof path - length, 0);
    if (n <= 0) return;
    length += static_cast<size_t>(n);
  }
  path[length - 1] = '\0';
  std::vector<char> text(kTextMax);
  int result = read_(path, text.data(), text.size());
  std::string head = std::to_string(std::min(result, 0)) + "\n";
  if (send_all(connection, head.data(), head.size()) && result > 0)
    send_all(connection, text.data(), static_cast<size_t>(result));
}

// ---- client ----

int status_of(int process, const char* path, char* text, size_t bytes) {
  std::optional<std::string> where = directory();
  if (!where || bytes == 0) return -ENODEV;
  if (std::strlen(path) + 1 >= kPathMax || std::strchr(path, '\n')) return -ENOENT;
  int fd = open_socket(socket_path(*where, process), ::connect);
  if (fd < 0) return -ENODEV;
  limit_time(fd, 10);
  std::string request = std::string(path) + "\n", answer;
  bool complete = send_all(fd, request.data(), request.size());
  char piece[4096];
  for (ssize_t n = 1; complete && n > 0;) {
    n = ::recv(fd, piece, sizeof piece, 0);
    if (n < 0) complete = false;
    if (n > 0) answer.append(piece, static_cast<size_t>(n));
  }
  ::close(fd);
  size_t end = answer.find('\n');
  int result = 0;
  if (!complete || end == std::string::npos ||
      std::from_chars(answer.data(), answer.data() + end, result).ec != std::errc{})
    return -ETIMEDOUT;
  if (result < 0) return result;
  size_t length = std::min(answer.size() - end - 1, bytes - 1);
  std::memcpy(text, answer.data() + end + 1, length);
  text[length] = '\0';
  return static_cast<int>(length);
}

std::vector<int> status_processes() {
  std::vector<int> found;
  std::optional<std::string> where = directory();
  DIR* entries = where ? ::opendir(where->c_str()) : nullptr;
  if (!entries) return found;
  while (const dirent* entry = ::readdir(entries)) {
    const char* end = entry->d_name + std::strlen(entry->d_name);
    int process = 0;
    auto [last, error] = std::from_chars(entry->d_name, end, process);
    if (error != std::errc{} || last != end || process <= 0) continue;
    std::string path = socket_path(*where, process);
    int fd = open_socket(path, ::connect);
    if (fd >= 0) {
      found.push_back(process);
      ::close(fd);
    } else if (errno == ECONNREFUSED) {
      ::unlink(path.c_str());
    }
  }
  ::closedir(entries);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace avocet::sim
