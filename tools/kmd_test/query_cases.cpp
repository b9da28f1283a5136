// SPDX-License-Identifier: Apache-2.0
// QUERY: the size and pointer protocol, and what the answer says.
#include <avocet_isa.h>

#include <cerrno>
#include <cstring>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

int query(const Client& client, uint32_t type, uint32_t* size, void* data) {
  avocet_accel_query query{type, *size, reinterpret_cast<uint64_t>(data)};
  const int error = client.ioctl(AVOCET_ACCEL_QUERY, &query);
  *size = query.size;
  return error;
}

const Case kCases[] = {
    {"query.size_without_a_pointer", "data = 0: size receives the size of the answer", [] {
       Client client;
       uint32_t size = 0;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_INFO, &size, nullptr), "QUERY");
       expect(size >= sizeof(avocet_accel_info), "at least the structure of this header");
     }},
    {"query.short_size", "no byte behind the caller's size is written", [] {
       Client client;
       uint8_t answer[64];
       std::memset(answer, 0xAA, sizeof answer);
       uint32_t size = 12;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_INFO, &size, answer), "QUERY");
       expect_equal(size, 12, "size");
       for (size_t i = 12; i < sizeof answer; i++) expect_equal(answer[i], 0xAA, "a byte behind");
     }},
    {"query.size_zero", "with a pointer and size 0 nothing is written", [] {
       Client client;
       uint8_t answer = 0xAA;
       uint32_t size = 0;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_INFO, &size, &answer), "QUERY");
       expect_equal(answer, 0xAA, "the byte");
     }},
    {"query.long_size", "size receives how many bytes were written", [] {
       Client client;
       uint8_t answer[4096];
       uint32_t size = 0, asked = sizeof answer;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_INFO, &size, nullptr), "QUERY of the size");
       expect_ok(query(client, AVOCET_ACCEL_QUERY_INFO, &asked, answer), "QUERY");
       expect_equal(asked, size, "size");
     }},
    {"query.unknown_type", "EINVAL", [] {
       Client client;
       uint8_t answer[16];
       uint32_t size = sizeof answer;
       expect_result(query(client, 0xFFFFFFFF, &size, answer), -EINVAL, "QUERY");
     }},
    {"query.into_nowhere", "EFAULT", [] {
       Client client;
       uint32_t size = 16;
       expect_result(query(client, AVOCET_ACCEL_QUERY_INFO, &size, reinterpret_cast<void*>(8)), -EFAULT, "QUERY");
     }},
    {"query.versions", "the interface's is this header's, the contract's and the firmware's have its MAJOR", [] {
       const avocet_accel_info info = Client().info();
       expect_equal(info.uapi_version >> 16, AVOCET_ACCEL_UAPI_VERSION >> 16, "MAJOR of the interface");
       expect_equal(info.contract_version >> 16, AVOCET_VERSION_MAJOR, "MAJOR of the device");
       expect_equal(info.firmware_version >> 16, AVOCET_VERSION_MAJOR, "MAJOR of the firmware");
     }},
    {"query.every_type", "each answers by size and pointer, and an unknown one is refused", [] {
       Client client;
       for (uint32_t type = AVOCET_ACCEL_QUERY_INFO; type <= AVOCET_ACCEL_QUERY_RESET; type++) {
         std::vector<uint8_t> answer(4096);
         uint32_t size = 0, asked = static_cast<uint32_t>(answer.size());
         expect_ok(query(client, type, &size, nullptr), "QUERY of the size");
         expect(size >= 8 && size < 4096, "a size");
         expect_ok(query(client, type, &asked, answer.data()), "QUERY");
         expect_equal(asked, size, "size");
       }
       uint32_t size = 0;
       expect_result(query(client, AVOCET_ACCEL_QUERY_RESET + 1, &size, nullptr), -EINVAL, "the type behind the last");
     }},
    {"query.parameters", "bounds that the driver keeps", [] {
       Client client;
       avocet_accel_parameters parameters{};
       uint32_t size = sizeof parameters;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_PARAMETERS, &size, &parameters), "QUERY");
       expect_equal(parameters.jobs_per_submit, client.info().jobs_per_context, "jobs_per_submit");
       expect_equal(parameters.fences_per_job, AVOCET_ACCEL_FENCES_MAX, "fences_per_job");
       expect_equal(parameters.job_struct_bytes, sizeof(avocet_accel_job), "job_struct_bytes");
       expect(parameters.priorities >= 1 && parameters.results_per_context > 0 && parameters.hang_timeout_ms > 0, "not zero");
     }},
    {"query.memory_of_this_file", "grows with a buffer and falls with its close", [] {
       Client client;
       const uint32_t context = client.context();
       avocet_accel_memory before{}, with{}, after{};
       uint32_t size = sizeof before;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_MEMORY, &size, &before), "QUERY");
       const Buffer buffer = client.buffer(context, 10000);
       expect_ok(query(client, AVOCET_ACCEL_QUERY_MEMORY, &size, &with), "QUERY");
       expect_ok(client.close_buffer(buffer.handle), "BUFFER_CLOSE");
       expect_ok(query(client, AVOCET_ACCEL_QUERY_MEMORY, &size, &after), "QUERY");
       expect_equal(static_cast<int64_t>(with.file_bytes - before.file_bytes), 12288, "file_bytes");
       expect_equal(static_cast<int64_t>(with.file_buffers - before.file_buffers), 1, "file_buffers");
       expect_equal(static_cast<int64_t>(after.file_bytes), static_cast<int64_t>(before.file_bytes), "file_bytes afterwards");
     }},
    {"query.utilisation", "busy time grows with a job, and is no more than the time that passed", [] {
       Client client;
       CopyWork work(client);
       avocet_accel_utilisation before{}, after{};
       uint32_t size = sizeof before;
       expect_ok(query(client, AVOCET_ACCEL_QUERY_UTILISATION, &size, &before), "QUERY");
       work.run(1);
       expect_ok(query(client, AVOCET_ACCEL_QUERY_UTILISATION, &size, &after), "QUERY");
       expect(after.busy_ns > before.busy_ns && after.busy_cycles > before.busy_cycles, "busy grows");
       expect(after.busy_ns <= after.elapsed_ns && after.per_mille <= 1000, "not more than all");
     }, ""},
    {"query.capabilities_make_sense", "no capability is zero", [] {
       const avocet_accel_info info = Client().info();
       expect(info.cores && info.array_rows && info.array_cols && info.acc_rows && info.vector_lanes, "the units");
       expect(info.sram_bytes && info.sram_banks && info.dma_channels && info.dma_bytes_per_cycle, "the memories");
       expect(info.clock_khz && info.contexts_max && info.jobs_per_context && info.page_bytes, "the limits");
       expect(info.iova_begin > 0 && info.iova_begin < info.iova_end, "the device addresses");
     }},
};

}  // namespace

std::span<const Case> query_cases() { return kCases; }

}  // namespace avocet::kmd
