// SPDX-License-Identifier: Apache-2.0
// What a timeline consists of, as it was recorded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "avocet_device.h"
#include "avocet_model.h"

namespace avocet::sim {

struct HostSlice {
  avocet_host_track track;
  uint32_t thread;  // 0 = the first that recorded anything
  std::string name;
  uint64_t start_ns, end_ns;  // CLOCK_MONOTONIC
  uint64_t flow;              // job id, or 0
};

using LayerNames = std::shared_ptr<const std::vector<std::string>>;  // index = tag

struct Recording {
  std::vector<HostSlice> host;
  std::vector<avocet_model_slice> device;
  std::map<uint64_t, LayerNames> layers;  // by job id
  uint32_t clock_khz = 1000000;
  uint64_t dropped = 0;  // slices that found no room
};

/// "MAC array", "DMA channel 0", "firmware".
std::string device_track_name(uint32_t track);

/// The recording as a Chrome JSON trace. Two processes, one per clock: host time from the first host slice on, and simulated
/// time, which is moved to the right until every arrow from a host slice to its job goes forward (viewers drop the others).
std::string trace_json(const Recording& recording);

}  // namespace avocet::sim
