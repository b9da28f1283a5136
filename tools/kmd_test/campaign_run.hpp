// SPDX-License-Identifier: Apache-2.0
// One run of the campaign: a fault of a kind, three contexts, what must hold afterwards.
#pragma once

#include <memory>
#include <random>
#include <string>

#include "kmd_test/client.hpp"

namespace avocet::kmd {

/// What a kind of fault may do.
struct CampaignKind {
  const char* name;
  /// The specification; %N are replaced: %n small number, %c cycles, %b bit of a completion, %r random seed.
  const char* specification;
  /// What the victim's job must end with when the fault has struck; -1: anything, as long as it ends.
  int victim_status;
  bool healthy_must_complete;  // it concerns the victim alone
  bool may_lose_device;        // ENODEV or EIO afterwards; a new device is plugged in
};

const CampaignKind& campaign_kind(size_t index);
size_t campaign_kinds();

/// A device with its contexts, used by many runs of one process.
class CampaignBench {
 public:
  /// Runs with this seed; throws Failure.
  void run(const CampaignKind& kind, uint64_t seed);
  uint64_t struck() const { return struck_; }

 private:
  void prepare();
  void check_job(const char* who, CopyWork& work, uint64_t id, const CampaignKind& kind, bool healthy);
  void repair(const CampaignKind& kind);
  bool usable();

  // Device contexts 1 and 2 are healthy, 3 is the victim's; in this order they are made again after a loss.
  std::unique_ptr<Client> client_;
  std::unique_ptr<CopyWork> healthy_[2], victim_;
  uint64_t struck_ = 0;
};

}  // namespace avocet::kmd
