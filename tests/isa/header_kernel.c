// SPDX-License-Identifier: Apache-2.0
// In kernel builds the includer defines the fixed-width types: the headers must not bring <stdint.h> in themselves.
#define __KERNEL__
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;
#include "avocet_isa.h"
#include "avocet_isa_tables.h"
#include "avocet_stream.h"

uint32_t test_isa_kernel_lookup(uint32_t opcode) { return avocet_command_by_opcode[opcode & 255u] != 0; }
