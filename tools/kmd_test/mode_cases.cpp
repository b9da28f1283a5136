// SPDX-License-Identifier: Apache-2.0
// The two test modes: without hardware, and without running what the firmware takes. And the specification of faults itself.
#include <avocet_isa.h>

#include <cerrno>
#include <string>

#include "kmd_test/client.hpp"

namespace avocet::kmd {
namespace {

const Case kCases[] = {
    {"mode.null_hardware", "jobs complete at once, the device never hears of them", [] {
       Client client;
       CopyWork work(client);
       for (uint32_t i = 0; i < 200; i++) {
         work.fill(i);
         const avocet_accel_wait result = client.must_end(work.context(), client.must_submit(work.context(), work.job()));
         expect_status(result.status, AVOCET_STATUS_OK, "the job");
         expect_equal(static_cast<int64_t>(result.start_cycle), 0, "start_cycle");
         expect(!work.arrived(), "nothing was copied");
       }
     }, "AVOCET_FAULTS=null-hardware"},
    {"mode.null_submission", "the firmware takes and completes the job, nothing is run", [] {
       Client client;
       CopyWork work(client);
       set_faults("null-submission");
       for (uint32_t i = 0; i < 200; i++) {
         work.fill(i);
         const avocet_accel_wait result = client.must_end(work.context(), client.must_submit(work.context(), work.job()));
         expect_status(result.status, AVOCET_STATUS_OK, "the job");
         expect(result.doorbell_cycle > 0, "the firmware saw it");
         expect_equal(result.commands, 0, "commands");
         expect(!work.arrived(), "nothing was copied");
       }
       set_faults("");
       work.run(1);
     }, ""},
    {"mode.null_submission_of_one_context", "another context's jobs run", [] {
       Client client;
       CopyWork skipped(client), work(client);
       set_faults("null-submission:context=1");
       skipped.fill(1);
       client.must_complete(skipped.context(), client.must_submit(skipped.context(), skipped.job()));
       expect(!skipped.arrived(), "nothing was copied");
       work.run(2);
     }, ""},
    {"mode.bad_specifications", "EINVAL with one line, and the faults in force stay", [] {
       Client client;
       set_faults("irq-duplicate");
       for (const char* bad : {"nonsense", "irq-lost:nth", "irq-lost:nth=0", "irq-lost:nth=-1", "irq-lost:nth=1,nth=2",
                               "irq-lost:bit=3", "unit-stuck:unit=tpu", "sram-flip:bits=9", "seed=x", "irq-lost;;bus-error:iova=1g",
                               "irq-lost:nth=99999999999999999999", "null-hardware:nth=1", "sram-flip:ecc=1"}) {
         expect_result(avocet_sim_set_faults(bad), -EINVAL, bad);
         const std::string sentence = avocet_sim_error();
         expect(!sentence.empty() && sentence.find('\n') == std::string::npos, "one line");
         expect_result(avocet_sim_check_faults(bad), -EINVAL, bad);
       }
       expect(avocet_sim_faults_struck(0) >= 0 && avocet_sim_faults_struck(1) < 0, "the rule set before is in force");
       set_faults(" ; seed=7 ; irq-lost : nth = 0x10 , count = all ; ");
     }, ""},
    {"mode.same_seed_same_fault", "the flipped bit depends on the specification alone", [] {
       Client client;
       CopyWork work(client);
       Mapping target(client, work.to());
       std::vector<uint8_t> results[3];
       const char* const specifications[3] = {"seed=5;dram-flip:ecc=off", "seed=5;dram-flip:ecc=off", "seed=6;dram-flip:ecc=off"};
       for (int i = 0; i < 3; i++) {
         work.fill(1);
         set_faults(specifications[i]);
         client.must_complete(work.context(), client.must_submit(work.context(), work.job()));
         results[i].assign(target.data(), target.data() + 5000);
       }
       expect(results[0] == results[1], "equal");
       expect(results[0] != results[2], "another seed, another bit");
     }, ""},
};

}  // namespace

std::span<const Case> mode_cases() { return kCases; }

}  // namespace avocet::kmd
