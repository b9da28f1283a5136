// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without a fuzzer's compiler: every file of the corpus, then seeded mutations of them until the time is over.
// The input under test lies in a file beside, so that a crash leaves it behind.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "input_reader.hpp"

namespace {

using Input = std::vector<uint8_t>;
constexpr size_t kLongest = 4096;

/// The bytes that are being run, in a file that survives the process.
class LastInput {
 public:
  explicit LastInput(std::string path) : path_(std::move(path)) {
    const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, kBytes) != 0) std::perror(path_.c_str()), std::exit(2);
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) std::perror("mmap"), std::exit(2);
    bytes_ = static_cast<uint8_t*>(memory);
  }
  ~LastInput() { unlink(path_.c_str()); }

  /// 8 bytes of length, then the input.
  void set(const Input& input) {
    const uint64_t size = input.size();
    std::memcpy(bytes_, &size, sizeof size);
    std::copy(input.begin(), input.end(), bytes_ + sizeof size);
  }

 private:
  static constexpr size_t kBytes = 8 + kLongest;
  std::string path_;
  uint8_t* bytes_ = nullptr;
};

std::vector<Input> read_corpus(const std::string& directory) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) paths.push_back(entry.path());
  if (error) std::fprintf(stderr, "%s: %s\n", directory.c_str(), error.message().c_str()), std::exit(2);
  std::sort(paths.begin(), paths.end());  // the same order everywhere
  std::vector<Input> corpus{{}};
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    Input input{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    input.resize(std::min(input.size(), kLongest));
    corpus.push_back(std::move(input));
  }
  return corpus;
}

/// A few of the usual changes.
Input mutated(const std::vector<Input>& corpus, std::mt19937_64& random) {
  static constexpr uint32_t kInteresting[] = {0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  Input input = corpus[random() % corpus.size()];
  for (uint64_t n = 1 + random() % 6; n > 0; --n) {
    const size_t at = input.empty() ? 0 : random() % input.size();
    switch (random() % 6) {
      case 0:
        if (!input.empty()) input[at] ^= static_cast<uint8_t>(1u << (random() % 8));
        break;
      case 1:
        if (!input.empty()) input[at] = static_cast<uint8_t>(random());
        break;
      case 2:
        if (input.size() >= at + 4) std::memcpy(&input[at], &kInteresting[random() % std::size(kInteresting)], 4);
        break;
      case 3:
        for (uint64_t i = random() % 16; i > 0; --i) input.insert(input.begin() + static_cast<ptrdiff_t>(at), static_cast<uint8_t>(random()));
        break;
      case 4:
        input.resize(at);
        break;
      default: {
        const Input& other = corpus[random() % corpus.size()];
        const size_t from = other.empty() ? 0 : random() % other.size();
        input.insert(input.begin() + static_cast<ptrdiff_t>(at), other.begin() + static_cast<ptrdiff_t>(from), other.end());
      }
    }
  }
  input.resize(std::min(input.size(), kLongest));
  return input;
}

}  // namespace

/// replay CORPUS_DIRECTORY [SECONDS [SEED]], or replay --last FILE to run what a crash left behind.
int main(int argc, char** argv) {
  if (argc == 3 && !std::strcmp(argv[1], "--last")) {
    std::ifstream file(argv[2], std::ios::binary);
    uint64_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    Input input(std::min<uint64_t>(size, kLongest));
    file.read(reinterpret_cast<char*>(input.data()), static_cast<std::streamsize>(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());  // does not come back from what it finds
    return 0;
  }
  if (argc < 2) return std::fprintf(stderr, "usage: %s CORPUS_DIRECTORY [SECONDS [SEED]]\n", argv[0]), 2;
  const std::vector<Input> corpus = read_corpus(argv[1]);
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 10);
  std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  LastInput last(std::string(argv[0]) + ".last_input");
  uint64_t runs = 0;
  const auto run = [&](const Input& input) {
    last.set(input);
    const Input exact(input.begin(), input.end());  // capacity == size: a sanitizer sees any overrun
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    runs++;
  };
  for (const Input& input : corpus) run(input);
  while (std::chrono::steady_clock::now() < stop) run(mutated(corpus, random));
  std::printf("%zu inputs of the corpus, %llu runs\n", corpus.size(), static_cast<unsigned long long>(runs));
  return 0;
}
