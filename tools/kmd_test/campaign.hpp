// SPDX-License-Identifier: Apache-2.0
// The fault campaign: seeded runs, each with a fault of some kind set while two healthy contexts run verified jobs.
#pragma once

#include <cstdint>

namespace avocet::kmd {

struct CampaignOptions {
  uint64_t runs = 0;
  uint64_t seed = 1;
  unsigned workers = 8;  // most of them sleep until a timeout
};

/// Prints a line for each violation and a table of the kinds; true when there was none.
bool run_campaign(const CampaignOptions& options);

}  // namespace avocet::kmd
