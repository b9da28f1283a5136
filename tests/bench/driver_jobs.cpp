// SPDX-License-Identifier: Apache-2.0
// Host time of jobs that do nothing: submit to completion, SUBMIT alone, jobs per second from several threads, fences, buffers. The
// whole device with the engine of AVOCET_ENGINE (functional unless told otherwise).
#include <avocet_device.h>
#include <benchmark/benchmark.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
#include <vector>

#include "avocet_isa.h"
#include "uapi/avocet_accel.h"

namespace {

int device() {
  static const int opened = avocet_open();
  if (opened < 0) std::abort();
  return opened;
}

void must(int error) {
  if (error) std::abort();
}

struct Context {
  Context() {
    avocet_accel_context_create create{};
    must(avocet_ioctl(device(), AVOCET_ACCEL_CONTEXT_CREATE, &create));
    context = create.context;
    const uint32_t end = avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, 0);
    avocet_accel_program_create made{};
    made.context = context;
    made.stream = reinterpret_cast<uint64_t>(&end);
    made.bytes = sizeof end;
    must(avocet_ioctl(device(), AVOCET_ACCEL_PROGRAM_CREATE, &made));
    program = made.handle;
  }
  ~Context() {
    avocet_accel_context_destroy destroy{context, 0};
    must(avocet_ioctl(device(), AVOCET_ACCEL_CONTEXT_DESTROY, &destroy));
  }
  /// The last job's id; 0 when the queue is full.
  uint64_t submit(std::vector<avocet_accel_job>& jobs) {
    avocet_accel_submit a{context, 0, static_cast<uint32_t>(jobs.size()), sizeof jobs[0],
                          reinterpret_cast<uint64_t>(jobs.data())};
    int error = avocet_ioctl(device(), AVOCET_ACCEL_SUBMIT, &a);
    if (error != -EBUSY) must(error);
    return error ? 0 : jobs.back().job_id;
  }
  void wait(uint64_t job) {
    avocet_accel_wait a{};
    a.context = context;
    a.job_id = job;
    a.timeout_ns = INT64_MAX;
    must(avocet_ioctl(device(), AVOCET_ACCEL_WAIT, &a));
  }
  std::vector<avocet_accel_job> jobs(size_t count, uint32_t flags = 0) const {
    avocet_accel_job job{};
    job.program = program;
    job.flags = flags;
    return std::vector<avocet_accel_job>(count, job);
  }
  uint32_t context = 0, program = 0;
};

void submit_to_completion(benchmark::State& state) {
  Context context;
  auto jobs = context.jobs(1);
  for (auto _ : state) context.wait(context.submit(jobs));
}
BENCHMARK(submit_to_completion)->UseRealTime();

void with_an_out_fence(benchmark::State& state) {
  Context context;
  auto jobs = context.jobs(1, AVOCET_ACCEL_JOB_OUT_FENCE);
  for (auto _ : state) {
    context.wait(context.submit(jobs));
    close(jobs[0].out_fence);
  }
}
BENCHMARK(with_an_out_fence)->UseRealTime();

/// The time in which SUBMIT returns; the completion is not counted.
void submit_alone(benchmark::State& state) {
  Context context;
  auto jobs = context.jobs(1);
  for (auto _ : state) {
    uint64_t id = context.submit(jobs);
    state.PauseTiming();
    context.wait(id);
    state.ResumeTiming();
  }
}
BENCHMARK(submit_alone)->UseRealTime();

/// Every thread has a context and keeps its queue filled with submissions of so many jobs.
void jobs_per_second(benchmark::State& state) {
  Context context;
  auto jobs = context.jobs(static_cast<size_t>(state.range(0)));
  uint64_t previous = 0;
  for (auto _ : state) {
    uint64_t id = context.submit(jobs);
    if (previous) context.wait(previous);
    while (id == 0) id = context.submit(jobs);
    previous = id;
  }
  context.wait(previous);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(jobs_per_second)->Arg(1)->Arg(8)->Arg(32)->Threads(1)->Threads(4)->UseRealTime();

void buffer_cycle(benchmark::State& state) {
  Context context;
  for (auto _ : state) {
    avocet_accel_buffer_create create{};
    create.context = context.context;
    create.bytes = 4096;
    must(avocet_ioctl(device(), AVOCET_ACCEL_BUFFER_CREATE, &create));
    avocet_accel_buffer_close close{create.handle, 0};
    must(avocet_ioctl(device(), AVOCET_ACCEL_BUFFER_CLOSE, &close));
  }
}
BENCHMARK(buffer_cycle)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  setenv("AVOCET_ENGINE", "functional", 0);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
