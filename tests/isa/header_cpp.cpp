// SPDX-License-Identifier: Apache-2.0
// The C headers as C++.
#include "avocet_isa.h"
#include "avocet_isa_tables.h"
#include "avocet_l2_normalise.h"
#include "avocet_requantise.h"
#include "avocet_softmax.h"
#include "avocet_stream.h"

uint32_t test_isa_cpp_end(uint32_t* words) {
  avocet_cmd_end end{};
  return avocet_end_encode(&end, 0, words);
}
