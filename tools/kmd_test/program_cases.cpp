// SPDX-License-Identifier: Apache-2.0
// Programs: what the driver's one validation of a stream refuses, and that what it checked is what runs.
#include <avocet_isa.h>

#include <cerrno>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

/// PROGRAM_CREATE must refuse the stream with this status at this word.
void expect_refused(const Client& client, const Words& words, uint32_t status, uint32_t position,
                    const Location& where = Location::current()) {
  auto create = client.program_request(client.context(), words);
  expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EINVAL, "PROGRAM_CREATE", where);
  expect_status(create.status, status, "the refusal", where);
  expect_equal(create.position, position, "its position", where);
}

int create_bytes(const Client& client, uint64_t bytes) {
  static const Words words(16, 0);
  auto create = client.program_request(client.context(), words);
  create.bytes = bytes;
  const int error = client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create);
  expect_status(create.status, AVOCET_STATUS_OK, "a size is no matter of the stream");
  return error;
}

constexpr uint32_t kLoadWords = AVOCET_DMA_LOAD_WORDS, kStoreWords = AVOCET_DMA_STORE_WORDS;

const Case kCases[] = {
    {"program.tells_how_it_uses_its_regions", "bytes, direction and tags of a copy", [] {
       Client client;
       const Words words = copy_stream(0, 1, 100, 1000, 6);
       auto create = client.program_request(client.context(), words);
       expect_ok(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), "PROGRAM_CREATE");
       expect_equal(static_cast<int64_t>(create.region_bytes[0]), 1100, "bytes of region 0");
       expect_equal(static_cast<int64_t>(create.region_bytes[1]), 1100, "bytes of region 1");
       expect_equal(static_cast<int64_t>(create.region_bytes[2]), 0, "bytes of region 2");
       expect_equal(create.region_flags[0], AVOCET_ACCEL_REGION_READ, "flags of region 0");
       expect_equal(create.region_flags[1], AVOCET_ACCEL_REGION_WRITE, "flags of region 1");
       expect_equal(create.tags, 8, "tags");
     }},
    {"program.unknown_flags", "EINVAL", [] {
       Client client;
       const Words words = empty_stream();
       auto create = client.program_request(client.context(), words);
       create.flags = 2;
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EINVAL, "PROGRAM_CREATE");
     }},
    {"program.of_no_bytes", "EINVAL with status OK: no command stream at all", [] {
       expect_result(create_bytes(Client(), 0), -EINVAL, "0 bytes");
     }},
    {"program.of_odd_bytes", "EINVAL unless it is a multiple of 4", [] {
       Client client;
       for (const uint64_t bytes : {1, 2, 3, 5}) expect_result(create_bytes(client, bytes), -EINVAL, "odd bytes");
     }},
    {"program.too_long", "EINVAL above the contract's STREAM_BYTES_MAX, however large", [] {
       Client client;
       for (const uint64_t bytes : {uint64_t{AVOCET_STREAM_BYTES_MAX} + 4, uint64_t{1} << 32, ~uint64_t{3}})
         expect_result(create_bytes(client, bytes), -EINVAL, "too long");
     }},
    {"program.in_an_unknown_context", "ENOENT", [] {
       Client client;
       const Words words = empty_stream();
       auto create = client.program_request(4242, words);
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -ENOENT, "PROGRAM_CREATE");
     }},
    {"program.stream_nowhere", "EFAULT", [] {
       Client client;
       const Words words = empty_stream();
       auto create = client.program_request(client.context(), words);
       create.stream = 16;
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EFAULT, "PROGRAM_CREATE");
       create.stream = ~uint64_t{0} - 3;
       create.bytes = 4096;
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EFAULT, "whose end overflows");
     }},
    {"program.opcode_0", "ILLEGAL_OPCODE at word 0", [] { expect_refused(Client(), {0}, AVOCET_STATUS_ILLEGAL_OPCODE, 0); }},
    {"program.opcode_of_all_ones", "ILLEGAL_OPCODE at word 0", [] {
       expect_refused(Client(), {0xFFFFFFFF}, AVOCET_STATUS_ILLEGAL_OPCODE, 0);
     }},
    {"program.unknown_opcode", "ILLEGAL_OPCODE with its position", [] {
       Words words = copy_stream(0, 1, 0, 64);
       words.back() = avocet_command_header(0xEE, 1, 0);
       expect_refused(Client(), words, AVOCET_STATUS_ILLEGAL_OPCODE, kLoadWords + kStoreWords);
     }},
    {"program.command_cut_by_the_end", "a long command whose words are missing: ILLEGAL_LENGTH, no word behind the end is read", [] {
       Words words = copy_stream(0, 1, 0, 64);
       words.resize(kLoadWords + 1);
       expect_refused(Client(), words, AVOCET_STATUS_ILLEGAL_LENGTH, kLoadWords);
       words.resize(kLoadWords + kStoreWords - 1);
       expect_refused(Client(), words, AVOCET_STATUS_ILLEGAL_LENGTH, kLoadWords);
     }},
    {"program.command_of_another_length", "ILLEGAL_LENGTH", [] {
       Words words = copy_stream(0, 1, 0, 64);
       words[0] = avocet_command_header(AVOCET_OP_DMA_LOAD, kLoadWords + 1, 0);
       expect_refused(Client(), words, AVOCET_STATUS_ILLEGAL_LENGTH, 0);
     }},
    {"program.without_end", "NO_END", [] {
       Words words = copy_stream(0, 1, 0, 64);
       words.pop_back();
       expect_refused(Client(), words, AVOCET_STATUS_NO_END, kLoadWords + kStoreWords);
     }},
    {"program.words_behind_end", "NO_END", [] {
       Words words = empty_stream();
       words.push_back(words[0]);
       expect_refused(Client(), words, AVOCET_STATUS_NO_END, 1);
     }},
    {"program.more_streams_than_cores", "one stream for each core at most, with the position of the next: NO_END", [] {
       Client client;
       const uint32_t cores = client.info().cores;
       const Words words(cores + 1, empty_stream()[0]);
       auto create = client.program_request(client.context(), words);
       create.flags = AVOCET_ACCEL_PROGRAM_GANG;
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EINVAL, "PROGRAM_CREATE");
       expect_status(create.status, AVOCET_STATUS_NO_END, "the stream's status");
       expect_equal(create.position, cores, "its position");
     }},
    {"program.gang", "cores meet at a BARRIER: what one stored before it the next loads behind it", [] {
       Client client;
       const uint32_t cores = client.info().cores, share = 4096;
       const uint32_t context = client.context();
       Words words;
       for (uint32_t core = 0; core < cores; core++) {
         append(words, avocet_dma_load_encode, load_command(0, core * share, 0, share));
         append(words, avocet_dma_store_encode, store_command(1, core * share, 0, share));
         append(words, avocet_barrier_encode, avocet_cmd_barrier{0});
         append(words, avocet_dma_load_encode, load_command(1, (core + 1) % cores * share, 0, share));
         append(words, avocet_dma_store_encode, store_command(2, core * share, 0, share));
         words.push_back(empty_stream()[0]);
       }
       auto create = client.program_request(context, words);
       create.flags = AVOCET_ACCEL_PROGRAM_GANG;
       expect_ok(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), "PROGRAM_CREATE");
       const Buffer from = client.buffer(context, cores * share), between = client.buffer(context, cores * share),
                    to = client.buffer(context, cores * share);
       const Mapping source(client, from), target(client, to);
       for (uint32_t i = 0; i < cores * share; i++) source[i] = static_cast<uint8_t>(i / share * 31 + i);
       avocet_accel_job job = copy_job(create.handle, from.handle, between.handle, cores * share);
       job.region[1].flags |= AVOCET_ACCEL_REGION_READ;
       job.region[2] = {to.handle, AVOCET_ACCEL_REGION_WRITE, 0, cores * share};
       client.must_complete(context, client.must_submit(context, job));
       for (uint32_t i = 0; i < cores * share; i++)
         expect(target[i] == source[(i + share) % (cores * share)], "the next core's share");
     }},
    {"program.region_behind_the_last", "a region number above 7 is refused, never masked", [] {
       Client client;
       const Words words = copy_stream(AVOCET_REGIONS, 1, 0, 64);
       auto create = client.program_request(client.context(), words);
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EINVAL, "PROGRAM_CREATE");
       expect(create.status != AVOCET_STATUS_OK, "a status");
     }},
    {"program.last_region", "region 7 is legal", [] {
       Client client;
       client.program(client.context(), copy_stream(AVOCET_REGIONS - 1, 0, 0, 64));
     }},
    {"program.beyond_the_sram", "OUT_OF_RANGE one byte behind the device's SRAM, fine at its last", [] {
       Client client;
       const uint32_t sram = client.info().sram_bytes;
       client.program(client.context(), copy_stream(0, 1, 0, sram));
       expect_refused(client, copy_stream(0, 1, 0, sram + 1), AVOCET_STATUS_OUT_OF_RANGE, 0);
     }},
    {"program.strides_that_overflow", "the extent is computed in 64 bits and never wraps", [] {
       Client client;
       avocet_cmd_dma_load load = load_command(0, 0xFFFFFFFF, 0, 16);
       load.count0 = 2;
       load.count1 = load.count2 = 65535;
       load.dram_stride0 = load.dram_stride1 = load.dram_stride2 = 0xFFFFFFFF;
       Words words;
       append(words, avocet_dma_load_encode, load);
       words.push_back(empty_stream()[0]);
       auto create = client.program_request(client.context(), words);
       const int error = client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create);
       expect(error == -EINVAL || (error == 0 && create.region_bytes[0] > (uint64_t{1} << 40)), "a large extent or a refusal");
     }},
    {"program.channel_that_is_not_there", "a DMA channel above the device's number is refused", [] {
       Client client;
       avocet_cmd_dma_load load = load_command(0, 0, 0, 16);
       load.channel = client.info().dma_channels;
       Words words;
       append(words, avocet_dma_load_encode, load);
       words.push_back(empty_stream()[0]);
       auto create = client.program_request(client.context(), words);
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &create), -EINVAL, "PROGRAM_CREATE");
     }},
    {"program.wait_that_cannot_end", "ILLEGAL_WAIT: a WAIT for a command that is not there would hang the device", [] {
       avocet_cmd_wait wait{};
       wait.unit = AVOCET_UNIT_VECTOR;
       wait.producer = AVOCET_UNIT_DMA0;
       wait.count = 1;
       Words words;
       append(words, avocet_wait_encode, wait);
       words.push_back(empty_stream()[0]);
       expect_refused(Client(), words, AVOCET_STATUS_ILLEGAL_WAIT, 0);
     }},
    {"program.is_copied_at_creation", "changing the caller's words afterwards changes nothing", [] {
       Client client;
       const uint32_t context = client.context();
       Words words = copy_stream(0, 1, 0, 4096);
       const uint32_t program = client.program(context, words);
       std::fill(words.begin(), words.end(), 0xFFFFFFFF);
       const Buffer from = client.buffer(context, 4096), to = client.buffer(context, 4096);
       Mapping source(client, from), target(client, to);
       source[4095] = 0x77;
       client.must_complete(context, client.must_submit(context, copy_job(program, from.handle, to.handle, 4096)));
       expect_equal(target[4095], 0x77, "the last byte");
     }},
    {"program.close_of_an_unknown_handle", "ENOENT", [] {
       Client client;
       for (const uint32_t handle : {0u, 99u, 0xFFFFFFFFu})
         expect_result(client.close_program(handle), -ENOENT, "PROGRAM_CLOSE");
     }},
    {"program.close_twice", "ENOENT", [] {
       Client client;
       const uint32_t program = client.program(client.context(), empty_stream());
       expect_ok(client.close_program(program), "PROGRAM_CLOSE");
       expect_result(client.close_program(program), -ENOENT, "PROGRAM_CLOSE again");
     }},
    {"program.close_with_pad", "EINVAL, and the program stays", [] {
       Client client;
       avocet_accel_program_close close{client.program(client.context(), empty_stream()), 1};
       expect_result(client.ioctl(AVOCET_ACCEL_PROGRAM_CLOSE, &close), -EINVAL, "PROGRAM_CLOSE");
       expect_ok(client.close_program(close.handle), "PROGRAM_CLOSE");
     }},
    {"program.close_of_a_buffer", "another object's handle: ENOENT", [] {
       Client client;
       const uint32_t context = client.context();
       expect_result(client.close_program(client.buffer(context, 1).handle), -ENOENT, "a buffer");
       expect_result(client.close_program(context), -ENOENT, "a context");
     }},
    {"program.runs_many_times_at_once", "a program in flight can be submitted again", [] {
       Client client;
       CopyWork work(client);
       work.fill(3);
       std::vector<avocet_accel_job> jobs(30, work.job());
       expect_ok(client.submit(work.context(), &jobs), "SUBMIT");
       for (const auto& job : jobs) client.must_complete(work.context(), job.job_id);
       expect(work.arrived(), "the copied bytes");
     }},
    {"program.memory_is_counted", "memory_bytes grows with a program and falls again", [] {
       Client client;
       const uint32_t context = client.context();
       const int64_t before = static_cast<int64_t>(client.counters(context).memory_bytes);
       const uint32_t program = client.program(context, empty_stream());
       expect(static_cast<int64_t>(client.counters(context).memory_bytes) > before, "more with it");
       expect_ok(client.close_program(program), "PROGRAM_CLOSE");
       expect_equal(static_cast<int64_t>(client.counters(context).memory_bytes), before, "without it");
     }},
};

}  // namespace

std::span<const Case> program_cases() { return kCases; }

}  // namespace avocet::kmd
