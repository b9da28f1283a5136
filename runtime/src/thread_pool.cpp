// SPDX-License-Identifier: Apache-2.0
// See thread_pool.hpp. The caller and the workers take pieces of a job from one counter. After fork() a child begins
// with a pool of no threads: those of the parent do not exist there.
#include "thread_pool.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "environment.hpp"
#include "start_thread.hpp"

namespace avocet::runtime {
namespace {

constexpr unsigned kMaxThreads = 256;
constexpr unsigned kPiecesPerThread = 4;  // so that a thread that is late does not keep the others waiting
constexpr int kSpins = 300;               // before sleeping: layers of a network follow each other within microseconds

thread_local bool inside_a_job = false;

unsigned processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

void spin_once() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct Job {
  const std::function<void(size_t, size_t)>* body = nullptr;
  size_t count = 0, piece = 0;
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;  // the first

  void work() noexcept {
    for (;;) {
      const size_t begin = next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) return;
      try {
        (*body)(begin, std::min(count, begin + piece));
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next.store(count, std::memory_order_relaxed);
      }
    }
  }
};

class Pool {
 public:
  /// Ends the threads, after the job that may be running. The pool stays valid and declines jobs: a thread of the
  /// client may still be on its way into run().
  void stop() {
    std::lock_guard busy(busy_);
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      generation_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  /// False when another job is running, or the pool has stopped.
  bool run(Job& job, unsigned threads) {
    std::unique_lock busy(busy_, std::try_to_lock);
    if (!busy || stopping_) return false;
    const unsigned helpers = start_helpers(threads - 1);
    {
      std::lock_guard lock(mutex_);
      job_ = &job;
      wanted_ = helpers;
      generation_.fetch_add(1, std::memory_order_release);
    }
    if (helpers) wake_.notify_all();
    inside_a_job = true;
    job.work();
    inside_a_job = false;
    finish();
    return true;
  }

 private:
  /// Makes threads until there are `wanted`; fewer when the system has no more.
  unsigned start_helpers(unsigned wanted) {
    while (threads_.size() < wanted) {
      try {
        const uint64_t seen = generation_.load(std::memory_order_relaxed);
        threads_.push_back(start_thread("avocet-cpu", [this, seen] { serve(seen); }));
      } catch (const std::system_error&) {
        break;
      }
    }
    return std::min<unsigned>(wanted, static_cast<unsigned>(threads_.size()));
  }

  /// Takes the job back and waits for those who took it.
  void finish() {
    {
      std::lock_guard lock(mutex_);
      job_ = nullptr;
      wanted_ = 0;
    }
    for (int i = 0; i < kSpins && working_.load(std::memory_order_acquire) != 0; ++i) spin_once();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return working_.load(std::memory_order_acquire) == 0; });
  }

  void serve(uint64_t seen) {
    inside_a_job = true;
    for (;;) {
      for (int i = 0; i < kSpins && generation_.load(std::memory_order_acquire) == seen; ++i) spin_once();
      Job* job = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
        seen = generation_.load(std::memory_order_relaxed);
        if (stopping_) return;
        if (wanted_ == 0) continue;
        --wanted_;
        working_.fetch_add(1, std::memory_order_relaxed);
        job = job_;
      }
      job->work();
      {
        std::lock_guard lock(mutex_);
        working_.fetch_sub(1, std::memory_order_release);
      }
      done_.notify_one();
    }
  }

  std::mutex busy_;  // held by the caller whose job runs
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  std::atomic<uint64_t> generation_{0};
  std::atomic<unsigned> working_{0};
  Job* job_ = nullptr;
  unsigned wanted_ = 0;
  bool stopping_ = false;  // written under both locks
};

std::atomic<Pool*> pool{nullptr};
std::atomic<bool> library_ends{false};
Pool* stopped_pool = nullptr;  // still reachable: not a leak
std::atomic<unsigned> threads_set{0};
std::atomic<bool> threads_were_set{false};
std::mutex pool_mutex;

/// In a child the old pool is left alone: its threads are gone and its locks may be held by them.
void forget_after_fork() {
  pool.store(nullptr, std::memory_order_relaxed);
  new (&pool_mutex) std::mutex;
}

Pool* the_pool() {
  if (Pool* p = pool.load(std::memory_order_acquire)) return p;
  std::lock_guard lock(pool_mutex);
  if (library_ends.load()) return nullptr;
  Pool* p = pool.load(std::memory_order_relaxed);
  if (!p) {
    static const int registered = pthread_atfork(nullptr, nullptr, forget_after_fork);
    (void)registered;
    p = new Pool;
    pool.store(p, std::memory_order_release);
  }
  return p;
}

/// Runs when the process exits and when the library is unloaded.
struct AtEnd {
  ~AtEnd() {
    {
      std::lock_guard lock(pool_mutex);
      library_ends = true;
      stopped_pool = pool.exchange(nullptr);
    }
    if (stopped_pool) stopped_pool->stop();
  }
} at_end;

void parallel_for(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
  if (count == 0) return;
  grain = std::max<size_t>(grain, 1);
  const size_t most_pieces = (count + grain - 1) / grain;
  const unsigned threads = static_cast<unsigned>(std::min<size_t>(pool_threads(), most_pieces));
  if (threads > 1 && !inside_a_job) {
    if (Pool* p = the_pool()) {
      Job job;
      job.body = &body;
      job.count = count;
      job.piece = std::max(grain, (count + threads * kPiecesPerThread - 1) / (threads * kPiecesPerThread));
      if (p->run(job, threads)) {
        if (job.error) std::rethrow_exception(job.error);
        return;
      }
    }
  }
  body(0, count);
}

}  // namespace

void set_pool_threads(unsigned threads) {
  threads_set = std::min(threads, kMaxThreads);
  threads_were_set = true;
}

unsigned pool_threads() {
  static const unsigned per_processor = std::min(processors(), kMaxThreads);
  const unsigned wanted = threads_were_set ? threads_set.load() : std::min(environment().cpu_threads, kMaxThreads);
  return wanted ? wanted : per_processor;
}

const ParallelFor& pool_parallel_for() {
  static const ParallelFor* const function = new ParallelFor(parallel_for);
  return *function;
}

}  // namespace avocet::runtime
