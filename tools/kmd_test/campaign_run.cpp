// SPDX-License-Identifier: Apache-2.0
// Kinds, one run, and what is put right between runs.
#include "kmd_test/campaign_run.hpp"

#include <avocet_isa.h>

#include <cerrno>

namespace avocet::kmd {
namespace {

constexpr int kAny = -1;
constexpr int kOk = AVOCET_STATUS_OK;

const CampaignKind kKinds[] = {
    {"interrupt lost", "irq-lost:nth=%n", kOk, true, false},
    {"interrupt twice", "irq-duplicate:nth=%n", kOk, true, false},
    {"doorbell lost", "doorbell-lost:nth=%n", kOk, true, false},
    {"completion late", "completion-delay:nth=%n,cycles=%c", kOk, true, false},
    {"completion corrupt", "completion-corrupt:nth=%n,bit=%b", kAny, false, false},
    {"SRAM bit corrected", "sram-flip:context=3", kOk, true, false},
    {"SRAM bits lost", "sram-flip:context=3,bits=2", AVOCET_STATUS_ECC_ERROR, true, false},
    {"SRAM bit without ECC", "sram-flip:context=3,ecc=off", kOk, true, false},
    {"DRAM bit corrected", "dram-flip:context=3", kOk, true, false},
    {"DRAM bits lost", "dram-flip:context=3,bits=3", AVOCET_STATUS_ECC_ERROR, true, false},
    {"DRAM bit without ECC", "dram-flip:context=3,ecc=off", kOk, true, false},
    {"bus error", "bus-error:context=3,nth=%n", AVOCET_STATUS_BUS_ERROR, true, false},
    {"IOMMU fault", "iommu-fault:context=3,nth=%n", AVOCET_STATUS_IOMMU_FAULT, true, false},
    {"unit stuck", "unit-stuck:context=3,nth=%1", AVOCET_STATUS_HANG, true, false},
    {"unit stuck in its core", "unit-stuck:context=3,nth=%1,abort=off", AVOCET_STATUS_HANG, true, false},
    {"unit stuck for good", "unit-stuck:context=3,nth=%1,abort=off,reset=off", AVOCET_STATUS_HANG, true, false},
    {"firmware silent", "firmware-crash:nth=%n", kAny, false, false},
    {"firmware halts", "firmware-crash:nth=%n,halt=on", kAny, false, false},
    {"heartbeat stale", "heartbeat-stale:nth=%n", kOk, true, false},
    {"firmware version", "firmware-crash:nth=%n,halt=on;firmware-version:count=all", kAny, false, true},
    {"unplugged", "unplug:nth=%1", kAny, false, true},
    {"null submission", "null-submission:context=3", kOk, true, false},
};

/// Faults after which a job that completed with OK holds what the memory or the mode made of it.
bool spoils_bytes(const CampaignKind& kind) {
  const std::string specification = kind.specification;
  return specification.find("ecc=off") != std::string::npos || specification.starts_with("null-submission");
}

std::string specification_of(const CampaignKind& kind, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text = "seed=" + std::to_string(seed) + ";";
  for (const char* at = kind.specification; *at; at++) {
    if (*at != '%') {
      text += *at;
      continue;
    }
    switch (*++at) {
      case 'n': text += std::to_string(1 + random() % 3); break;
      case '1': text += std::to_string(1 + random() % 2); break;
      case 'c': text += std::to_string(1 + random() % 1000000); break;
      default: text += std::to_string(random() % (sizeof(avocet_completion) * 8)); break;
    }
  }
  return text;
}

}  // namespace

const CampaignKind& campaign_kind(size_t index) { return kKinds[index]; }
size_t campaign_kinds() { return std::size(kKinds); }

void CampaignBench::prepare() {
  if (client_) return;
  client_ = std::make_unique<Client>();
  for (auto& work : healthy_) work = std::make_unique<CopyWork>(*client_, 3000);
  victim_ = std::make_unique<CopyWork>(*client_, 3000);
}

void CampaignBench::run(const CampaignKind& kind, uint64_t seed) {
  prepare();
  CopyWork* const works[3] = {healthy_[0].get(), victim_.get(), healthy_[1].get()};
  static const char* const kNames[3] = {"the first healthy job", "the victim's job", "the second healthy job"};
  set_faults(specification_of(kind, seed).c_str());
  uint64_t ids[3] = {};
  for (int i = 0; i < 3; i++) {
    works[i]->fill(static_cast<uint32_t>(seed) + static_cast<uint32_t>(i));
    const int error = client_->submit(works[i]->context(), works[i]->job(), &ids[i]);
    if (error != 0 && !kind.may_lose_device) expect_ok(error, kNames[i]);
    if (error != 0) expect(error == -ENODEV || error == -EIO || error == -EBADFD, "ENODEV, EIO or EBADFD");
    if (error != 0) ids[i] = 0;
  }
  for (int i = 0; i < 3; i++)
    if (ids[i] != 0) check_job(kNames[i], *works[i], ids[i], kind, i != 1);
  const int64_t struck = avocet_sim_faults_struck(0);
  if (struck > 0) struck_++;
  repair(kind);
}

void CampaignBench::check_job(const char* who, CopyWork& work, uint64_t id, const CampaignKind& kind, bool healthy) {
  avocet_accel_wait result{};
  const int error = client_->wait(work.context(), id, in_ms(kBoundMs), &result);
  if (error == -ETIMEDOUT) fail(std::string(who) + " has not ended within the bound");
  if (error != 0) fail(std::string(who) + " is lost: WAIT gives " + std::to_string(error));
  const bool ok = result.status == AVOCET_STATUS_OK;
  if (healthy && kind.healthy_must_complete) expect_status(result.status, AVOCET_STATUS_OK, who);
  if (ok && (healthy || !spoils_bytes(kind)) && !work.arrived()) fail(std::string(who) + " ended with OK and wrong bytes");
  if (healthy || kind.victim_status == kAny) return;
  // A fault that was set for a later occurrence than there were leaves the job alone.
  const bool struck = avocet_sim_faults_struck(0) > 0;
  expect_status(result.status, struck ? static_cast<uint32_t>(kind.victim_status) : uint32_t{AVOCET_STATUS_OK}, who);
}

bool CampaignBench::usable() {
  avocet_accel_query query{AVOCET_ACCEL_QUERY_INFO, 0, 0};
  const int error = client_->ioctl(AVOCET_ACCEL_QUERY, &query);
  expect(error == 0 || error == -ENODEV || error == -EIO, "QUERY gives 0, ENODEV or EIO");
  return error == 0;
}

/// Every context that an error closed is made again; all three must then run a verified job.
void CampaignBench::repair(const CampaignKind& kind) {
  set_faults("");
  // A doorbell that the model gets to after the jobs have ended may still take the device away, unnoticed so far.
  if (!usable() || kind.may_lose_device) {
    expect(kind.may_lose_device, "the device is usable afterwards");
    victim_.reset();
    for (auto& work : healthy_) work.reset();
    client_.reset();
    if (avocet_sim_replug() != 0) fail(avocet_sim_error());
    prepare();
  }
  std::unique_ptr<CopyWork>* const works[3] = {&healthy_[0], &healthy_[1], &victim_};
  for (auto* work : works) {
    uint64_t id = 0;
    const int error = client_->submit((*work)->context(), (*work)->job(), &id);
    if (error == -EBADFD) {
      expect_ok(client_->destroy((*work)->context()), "CONTEXT_DESTROY");
      *work = nullptr;
      *work = std::make_unique<CopyWork>(*client_, 3000);
    } else {
      expect_ok(error, "SUBMIT after the fault");
      client_->must_complete((*work)->context(), id);
    }
    (*work)->run(17);
  }
}

}  // namespace avocet::kmd
