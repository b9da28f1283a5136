// SPDX-License-Identifier: Apache-2.0
// All C headers of the contract as strict C11 without libc.
#include "avocet_isa.h"
#include "avocet_isa_tables.h"
#include "avocet_l2_normalise.h"
#include "avocet_requantise.h"
#include "avocet_softmax.h"
#include "avocet_stream.h"

uint32_t test_isa_freestanding_end(uint32_t* words) {
  struct avocet_cmd_end end = {0};
  return avocet_end_encode(&end, 0, words);
}
