// SPDX-License-Identifier: Apache-2.0
// Requests, mappings and verified copies.
#include "kmd_test/client.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>

namespace avocet::kmd {
namespace {

uint8_t pattern(uint32_t seed, uint64_t i) { return static_cast<uint8_t>((seed * 2654435761u + i * 40503u + 17) >> 7); }

}  // namespace

int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// ---- Client ----

Client::Client() : file_(avocet_open()) {
  if (file_ < 0) fail(std::string("the device does not open: ") + avocet_sim_error());
}

Client::~Client() { close(); }

int Client::close() {
  if (file_ < 0) return 0;
  const int result = avocet_close(file_);
  file_ = -1;
  return result;
}

avocet_accel_info Client::info() const {
  avocet_accel_info info{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_INFO, sizeof info, reinterpret_cast<uint64_t>(&info)};
  expect_ok(ioctl(AVOCET_ACCEL_QUERY, &query), "QUERY");
  return info;
}

uint32_t Client::context() const {
  avocet_accel_context_create create{};
  expect_ok(ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &create), "CONTEXT_CREATE");
  expect(create.context != 0, "CONTEXT_CREATE gives a handle");
  return create.context;
}

int Client::destroy(uint32_t context) const {
  avocet_accel_context_destroy destroy{};
  destroy.context = context;
  return ioctl(AVOCET_ACCEL_CONTEXT_DESTROY, &destroy);
}

int Client::create_buffer(uint32_t context, uint64_t bytes, uint32_t flags, Buffer* buffer) const {
  avocet_accel_buffer_create create{};
  create.context = context;
  create.bytes = bytes;
  create.flags = flags;
  const int error = ioctl(AVOCET_ACCEL_BUFFER_CREATE, &create);
  *buffer = {create.handle, bytes, create.iova, create.mmap_offset};
  return error;
}

Buffer Client::buffer(uint32_t context, uint64_t bytes, uint32_t flags) const {
  Buffer buffer;
  expect_ok(create_buffer(context, bytes, flags, &buffer), "BUFFER_CREATE");
  return buffer;
}

int Client::close_buffer(uint32_t handle) const {
  avocet_accel_buffer_close close{};
  close.handle = handle;
  return ioctl(AVOCET_ACCEL_BUFFER_CLOSE, &close);
}

int Client::buffer_info(uint32_t handle, avocet_accel_buffer_info* info) const {
  *info = {};
  info->handle = handle;
  return ioctl(AVOCET_ACCEL_BUFFER_INFO, info);
}

avocet_accel_program_create Client::program_request(uint32_t context, const Words& words) const {
  avocet_accel_program_create create{};
  create.context = context;
  create.stream = reinterpret_cast<uint64_t>(words.data());
  create.bytes = words.size() * sizeof words[0];
  return create;
}

uint32_t Client::program(uint32_t context, const Words& words) const {
  avocet_accel_program_create create = program_request(context, words);
  expect_ok(ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), "PROGRAM_CREATE");
  return create.handle;
}

int Client::close_program(uint32_t handle) const {
  avocet_accel_program_close close{};
  close.handle = handle;
  return ioctl(AVOCET_ACCEL_PROGRAM_CLOSE, &close);
}

int Client::submit(uint32_t context, std::vector<avocet_accel_job>* jobs) const {
  avocet_accel_submit submit{};
  submit.context = context;
  submit.job_count = static_cast<uint32_t>(jobs->size());
  submit.job_struct_size = sizeof(avocet_accel_job);
  submit.jobs = reinterpret_cast<uint64_t>(jobs->data());
  return ioctl(AVOCET_ACCEL_SUBMIT, &submit);
}

int Client::submit(uint32_t context, const avocet_accel_job& job, uint64_t* id) const {
  std::vector<avocet_accel_job> jobs{job};
  const int error = submit(context, &jobs);
  if (id) *id = jobs[0].job_id;
  return error;
}

uint64_t Client::must_submit(uint32_t context, const avocet_accel_job& job) const {
  uint64_t id = 0;
  expect_ok(submit(context, job, &id), "SUBMIT");
  expect(id != 0, "SUBMIT gives an id");
  return id;
}

uint64_t Client::must_submit_empty(uint32_t context) const {
  avocet_accel_job job{};
  job.program = program(context, empty_stream());
  const uint64_t id = must_submit(context, job);
  expect_ok(close_program(job.program), "PROGRAM_CLOSE");  // the job keeps it
  return id;
}

int Client::wait(uint32_t context, uint64_t job, int64_t timeout_ns, avocet_accel_wait* result) const {
  avocet_accel_wait wait{};
  wait.context = context;
  wait.job_id = job;
  wait.timeout_ns = timeout_ns;
  const int error = ioctl(AVOCET_ACCEL_WAIT, &wait);
  if (result) *result = wait;
  return error;
}

avocet_accel_wait Client::must_end(uint32_t context, uint64_t job, const Location& where) const {
  avocet_accel_wait result{};
  expect_result(wait(context, job, in_ms(kBoundMs), &result), 0, "WAIT", where);
  return result;
}

void Client::must_complete(uint32_t context, uint64_t job, const Location& where) const {
  expect_status(must_end(context, job, where).status, AVOCET_STATUS_OK, "the job", where);
}

avocet_accel_counters Client::counters(uint32_t context) const {
  avocet_accel_counters counters{};
  avocet_accel_counters_get get{};
  get.context = context;
  get.size = sizeof counters;
  get.data = reinterpret_cast<uint64_t>(&counters);
  expect_ok(ioctl(AVOCET_ACCEL_COUNTERS, &get), "COUNTERS");
  return counters;
}

int64_t Client::engine_resets() const {
  avocet_accel_reset reset{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_RESET, sizeof reset, reinterpret_cast<uint64_t>(&reset)};
  expect_ok(ioctl(AVOCET_ACCEL_QUERY, &query), "QUERY of the resets");
  expect_equal(query.size, sizeof reset, "size of the answer");
  return static_cast<int64_t>(reset.engine_resets);
}

// ---- Mapping ----

Mapping::Mapping(const Client& client, const Buffer& buffer) : Mapping(client, buffer, buffer.bytes) {}

Mapping::Mapping(const Client& client, const Buffer& buffer, uint64_t bytes) : bytes_(bytes) {
  data_ = static_cast<uint8_t*>(avocet_mmap(client.file(), buffer.mmap_offset, bytes));
  if (!data_) fail(std::string("mmap: ") + std::strerror(errno));
}

Mapping::~Mapping() { unmap(); }

int Mapping::unmap() {
  if (!data_) return 0;
  const int result = avocet_munmap(data_, bytes_);
  data_ = nullptr;
  return result;
}

// ---- CopyWork ----

CopyWork::CopyWork(const Client& client, uint32_t bytes, uint32_t first_tag)
    : client_(client), bytes_(bytes), context_(client.context()), from_(client.buffer(context_, bytes)),
      to_(client.buffer(context_, bytes)), program_(client.program(context_, copy_stream(0, 1, 0, bytes, first_tag))),
      source_(std::make_unique<Mapping>(client, from_)), target_(std::make_unique<Mapping>(client, to_)) {}

void CopyWork::fill(uint32_t seed) {
  seed_ = seed;
  for (uint32_t i = 0; i < bytes_; i++) (*source_)[i] = pattern(seed, i);
  std::memset(target_->data(), static_cast<uint8_t>(~pattern(seed, 0)), bytes_);
}

bool CopyWork::arrived() const {
  for (uint32_t i = 0; i < bytes_; i++)
    if ((*target_)[i] != pattern(seed_, i)) return false;
  return true;
}

void CopyWork::run(uint32_t seed, const Location& where) {
  fill(seed);
  client_.must_complete(context_, client_.must_submit(context_, job()), where);
  expect(arrived(), "the copied bytes", where);
}

void set_faults(const char* specification, const Location& where) {
  if (avocet_sim_set_faults(specification) != 0) fail(avocet_sim_error(), where);
}

Words long_stream(uint32_t rounds) {
  Words words;
  for (uint32_t i = 0; i < rounds; i++) append(words, avocet_dma_load_encode, load_command(0, 0, 0, 100000));
  words.push_back(empty_stream()[0]);
  return words;
}

}  // namespace avocet::kmd
