// SPDX-License-Identifier: Apache-2.0
// The driver's requests: any sequence of them, with members, sizes and handles of any value, while jobs end as the input says and
// interrupts get lost. Pointers go to memory of the target, or to none. At the end every file is closed and nothing is left.
#include <unistd.h>

#include <cstdint>
#include <iterator>
#include <memory>

#include "../driver/fake_device.hpp"
#include "input_reader.hpp"
#include "kmd_test/streams.hpp"

extern "C" {
#include "buffer.h"
#include "file.h"
#include "ioctl.h"
}

using avocet::fuzz::InputReader;
using avocet::fuzz::require;
using avocet::test::FakeDevice;

namespace {

constexpr unsigned long kRequests[] = {
    AVOCET_ACCEL_QUERY,          AVOCET_ACCEL_CONTEXT_CREATE, AVOCET_ACCEL_CONTEXT_DESTROY, AVOCET_ACCEL_BUFFER_CREATE,
    AVOCET_ACCEL_BUFFER_INFO,    AVOCET_ACCEL_BUFFER_CLOSE,   AVOCET_ACCEL_PROGRAM_CREATE,  AVOCET_ACCEL_PROGRAM_CLOSE,
    AVOCET_ACCEL_SUBMIT,         AVOCET_ACCEL_WAIT,           AVOCET_ACCEL_COUNTERS,        AVOCET_ACCEL_BUFFER_EXPORT,
    AVOCET_ACCEL_BUFFER_IMPORT,  AVOCET_ACCEL_BUFFER_WAIT,    AVOCET_ACCEL_FENCE_INFO,      AVOCET_ACCEL_RESET_FENCE};

class Session {
 public:
  Session(FakeDevice& fake, InputReader& in) : fake_(fake), in_(in) {
    require(avocet_file_open(fake.device, &file_) == 0, "a file opens");
  }
  ~Session() {
    avocet_file_close(file_);
    for (const int fd : descriptors_) close(fd);
  }

  void step() {
    switch (in_.below(19)) {
      case 0: return query();
      case 1: return create_context();
      case 2: return with_handle<avocet_accel_context_destroy>(AVOCET_ACCEL_CONTEXT_DESTROY, &avocet_accel_context_destroy::context);
      case 3: return create_buffer();
      case 4: return with_handle<avocet_accel_buffer_info>(AVOCET_ACCEL_BUFFER_INFO, &avocet_accel_buffer_info::handle);
      case 5: return with_handle<avocet_accel_buffer_close>(AVOCET_ACCEL_BUFFER_CLOSE, &avocet_accel_buffer_close::handle);
      case 6: return create_program();
      case 7: return with_handle<avocet_accel_program_close>(AVOCET_ACCEL_PROGRAM_CLOSE, &avocet_accel_program_close::handle);
      case 8:
      case 9: return submit();
      case 10: return wait();
      case 11: return counters();
      case 12: return raw();
      case 13: return export_buffer();
      case 14: return import_buffer();
      case 15: return wait_for_buffer();
      case 16: return fence_info();
      case 17: return reset_fence();
      default: return world();
    }
  }

 private:
  int ioctl(unsigned long request, void* argument) {
    return avocet_ioctl_dispatch(file_, request, reinterpret_cast<uint64_t>(argument));
  }
  uint32_t handle() { return in_.below(8) == 0 ? in_.take<uint32_t>() : in_.below(24); }
  /// Mostly 0, as a caller who knows would give.
  uint32_t reserved() { return in_.below(16) == 0 ? in_.take<uint32_t>() : 0; }
  uint64_t pointer() {
    switch (in_.below(8)) {
      case 0: return 0;
      case 1: return 8;
      case 2: return ~uint64_t{0} - in_.below(4);  // every end overflows
      default: return reinterpret_cast<uint64_t>(scratch_);
    }
  }

  /// One that the driver gave, or any number that is not one of this process's own.
  int descriptor() {
    if (descriptors_.empty() || in_.below(8) == 0) return in_.below(2) ? -1 : 1 << 20;
    return descriptors_[in_.below(static_cast<uint32_t>(descriptors_.size()))];
  }
  void keep(int fd) {
    require(fd > 2, "a descriptor");
    descriptors_.push_back(fd);
  }
  void export_buffer() {
    avocet_accel_buffer_export e{};
    e.handle = handle();
    e.flags = reserved();
    e.pad = reserved();
    if (ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &e) == 0) keep(e.fd);
  }
  void import_buffer() {
    avocet_accel_buffer_import i{};
    i.context = handle();
    i.flags = in_.below(4);
    i.fd = descriptor();
    ioctl(AVOCET_ACCEL_BUFFER_IMPORT, &i);
  }
  void wait_for_buffer() {
    avocet_accel_buffer_wait w{handle(), in_.below(3), -int64_t{in_.take<uint8_t>()}};
    ioctl(AVOCET_ACCEL_BUFFER_WAIT, &w);
  }
  void fence_info() {
    avocet_accel_fence_info f{};
    f.fd = descriptor();
    f.flags = reserved();
    ioctl(AVOCET_ACCEL_FENCE_INFO, &f);
  }
  void reset_fence() {
    avocet_accel_reset_fence r{};
    r.generation = in_.below(3);
    r.flags = reserved();
    if (ioctl(AVOCET_ACCEL_RESET_FENCE, &r) == 0) keep(r.fd);
  }

  void query() {
    avocet_accel_query q{in_.below(9), in_.take<uint8_t>() * 8u, pointer()};
    if (q.data == reinterpret_cast<uint64_t>(scratch_) && q.size > sizeof scratch_) q.size = sizeof scratch_;
    ioctl(AVOCET_ACCEL_QUERY, &q);
  }
  void create_context() {
    avocet_accel_context_create c{};
    c.flags = reserved();
    ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &c);
  }
  template <typename T>
  void with_handle(unsigned long request, uint32_t T::*member) {
    T argument{};
    argument.*member = handle();
    if (in_.below(8) == 0) in_.read(&argument, sizeof argument);
    ioctl(request, &argument);
  }
  void create_buffer() {
    avocet_accel_buffer_create b{};
    b.context = handle();
    b.flags = in_.below(4);
    b.pad = reserved();
    b.bytes = in_.below(8) == 0 ? in_.take<uint64_t>() : in_.take<uint16_t>();
    ioctl(AVOCET_ACCEL_BUFFER_CREATE, &b);
  }
  void create_program() {
    std::vector<uint32_t> words = in_.below(2) ? avocet::kmd::copy_stream(in_.below(9), in_.below(9), in_.take<uint16_t>(), 1 + in_.below(255))
                                               : in_.words(in_.below(64));
    avocet_accel_program_create p{};
    p.context = handle();
    p.flags = reserved();
    p.stream = in_.below(8) == 0 ? pointer() : reinterpret_cast<uint64_t>(words.data());
    p.bytes = p.stream == reinterpret_cast<uint64_t>(scratch_) ? in_.take<uint8_t>() : words.size() * 4;
    if (in_.below(16) == 0 && p.stream < 4096) p.bytes = in_.take<uint64_t>();
    ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &p);
  }
  avocet_accel_job job() {
    avocet_accel_job j = avocet::kmd::copy_job(handle(), handle(), handle(), in_.take<uint16_t>());
    j.priority = in_.below(5);
    j.flags = in_.below(2) ? in_.below(4) : reserved();
    if (in_.below(4) == 0) {
      for (int32_t& fence : fences_) fence = descriptor();
      j.in_fences = in_.below(8) ? reinterpret_cast<uint64_t>(fences_) : pointer();
      j.in_fence_count = in_.below(8) ? in_.below(std::size(fences_)) : in_.take<uint32_t>();
      if (j.in_fence_count > std::size(fences_) && j.in_fence_count <= AVOCET_ACCEL_FENCES_MAX) j.in_fence_count = 1;
    }
    j.pad = reserved();
    if (in_.below(4) == 0) {
      j.profile = handle();
      j.profile_entries = in_.take<uint16_t>();
      j.profile_offset = in_.take<uint16_t>();
    }
    if (in_.below(8) == 0) j.deadline_ns = in_.take<uint64_t>();
    if (in_.below(4) == 0) in_.read(&j.region[in_.below(AVOCET_ACCEL_REGIONS)], sizeof j.region[0]);
    return j;
  }
  void submit() {
    avocet_accel_job jobs[4];
    avocet_accel_submit s{};
    s.context = handle();
    s.flags = reserved();
    s.job_count = 1 + in_.below(4);
    for (uint32_t i = 0; i < s.job_count; i++) jobs[i] = job();
    s.job_struct_size = sizeof jobs[0];
    s.jobs = reinterpret_cast<uint64_t>(jobs);
    if (in_.below(16) == 0) {
      s.jobs = pointer();
      s.job_count = in_.take<uint32_t>();
      s.job_struct_size = in_.take<uint16_t>();
      if (s.jobs == reinterpret_cast<uint64_t>(scratch_)) s.job_count %= sizeof scratch_ / 4096;  // stay inside
    }
    if (ioctl(AVOCET_ACCEL_SUBMIT, &s) != 0 || s.jobs != reinterpret_cast<uint64_t>(jobs)) return;
    last_job_ = jobs[s.job_count - 1].job_id;
    for (uint32_t i = 0; i < s.job_count; i++)
      if (jobs[i].flags & AVOCET_ACCEL_JOB_OUT_FENCE) keep(jobs[i].out_fence);
  }
  void wait() {
    avocet_accel_wait w{};
    w.context = handle();
    w.flags = reserved();
    w.job_id = last_job_ + in_.below(3) - 1;
    w.timeout_ns = in_.below(8) == 0 ? static_cast<int64_t>(avocet_os_now_ns()) + in_.take<uint16_t>() : -int64_t{in_.take<uint8_t>()};
    ioctl(AVOCET_ACCEL_WAIT, &w);
  }
  void counters() {
    avocet_accel_counters_get c{in_.below(2) ? handle() : 0, in_.take<uint8_t>() * 8u, pointer()};
    if (c.data == reinterpret_cast<uint64_t>(scratch_) && c.size > sizeof scratch_) c.size = sizeof scratch_;
    ioctl(AVOCET_ACCEL_COUNTERS, &c);
  }
  /// A request number of any bits; those that would be served have their pointers in it and are left out.
  void raw() {
    unsigned long request = in_.take<uint32_t>();
    if (in_.below(2)) request = kRequests[in_.below(std::size(kRequests))] ^ (1ul << in_.below(32));
    for (const unsigned long known : kRequests)
      if (request == known) return;
    in_.read(scratch_, 256);
    require(ioctl(request, scratch_) == -ENOTTY, "an unknown request gives ENOTTY");
  }
  void world() {
    switch (in_.below(4)) {
      case 0: fake_.lose_interrupts = static_cast<int>(in_.below(2)); break;
      case 1: {
        const uint32_t status = in_.below(16);
        fake_.on_job([status](const avocet_job&) { return avocet::test::Ending{status, 0, 0, false}; });
        break;
      }
      case 2: {
        avocet_buffer* buffer = nullptr;
        if (avocet_buffer_for_mmap(file_, uint64_t{handle()} << 32 | reserved(), in_.take<uint16_t>(), &buffer) == 0)
          avocet_object_put(&buffer->object);
        break;
      }
      default: avocet_device_interrupt(fake_.device);
    }
  }

  FakeDevice& fake_;
  InputReader& in_;
  avocet_file* file_ = nullptr;
  uint64_t last_job_ = 0;
  std::vector<int> descriptors_;
  int32_t fences_[8] = {};
  alignas(8) uint8_t scratch_[64 * 1024] = {};
};

FakeDevice& device() {
  static FakeDevice* const fake = [] {
    auto* made = new FakeDevice;
    avocet_parameters parameters = avocet_default_parameters;
    parameters.check_interval_ms = 2;
    parameters.hang_timeout_ms = 1000;
    require(made->probe(&parameters) == 0, "the device starts");
    return made;
  }();
  return *fake;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FakeDevice& fake = device();
  fake.lose_interrupts = 0;
  fake.on_job(avocet::test::Ending{});
  {
    InputReader in(data, size);
    auto session = std::make_unique<Session>(fake, in);
    while (!in.empty()) session->step();
  }
  const avocet_accel_counters& counters = fake.device->counters;
  // That descriptors were closed shows when somebody looks, here or in the watchdog, which may be at it now.
  avocet_os_descriptor_sweep(fake.device->os);
  for (int ms = 0; ms < 5000 && avocet_os_load64(&counters.memory_bytes) != 0; ms++) usleep(1000);
  require(avocet_os_load64(&counters.memory_bytes) == 0, "no memory is left");
  require(avocet_os_load64(&counters.contexts) == 0, "no context is left");
  require(avocet_os_load64(&counters.jobs_submitted) ==
              avocet_os_load64(&counters.jobs_completed) + avocet_os_load64(&counters.jobs_failed),
          "every job has ended");
  require(avocet_device_usable(fake.device) == 0, "the device is usable");
  return 0;
}
