// SPDX-License-Identifier: Apache-2.0
// Numbers and bits of the control and status registers that the hart has.
#pragma once

#include <cstdint>

namespace avocet::model {

enum RiscvCsr : uint32_t {
  kMstatus = 0x300, kMisa = 0x301, kMie = 0x304, kMtvec = 0x305, kMstatush = 0x310,
  kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342, kMtval = 0x343, kMip = 0x344,
  kMcycle = 0xB00, kMinstret = 0xB02, kMcycleh = 0xB80, kMinstreth = 0xB82,
  kCycle = 0xC00, kInstret = 0xC02, kCycleh = 0xC80, kInstreth = 0xC82,
  kMvendorid = 0xF11, kMarchid = 0xF12, kMimpid = 0xF13, kMhartid = 0xF14, kMconfigptr = 0xF15,
};

inline constexpr uint32_t kMstatusMie = 1u << 3, kMstatusMpie = 1u << 7, kMstatusMpp = 3u << 11;
inline constexpr uint32_t kMisaValue = 1u << 30 | 1u << ('C' - 'A') | 1u << ('I' - 'A') | 1u << ('M' - 'A');
inline constexpr uint32_t kMieBits = 1u << 3 | 1u << 7 | 1u << 11; // software, timer, external
inline constexpr uint32_t kCauseInterrupt = 1u << 31;

// Exceptions of mcause.
enum RiscvCause : uint32_t {
  kCauseFetch = 1, kCauseIllegal = 2, kCauseBreakpoint = 3, kCauseLoadMisaligned = 4, kCauseLoad = 5,
  kCauseStoreMisaligned = 6, kCauseStore = 7, kCauseCall = 11,
};

} // namespace avocet::model
