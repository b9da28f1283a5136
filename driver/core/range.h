/* SPDX-License-Identifier: Apache-2.0 */
/* Allocator of ranges of numbers (device addresses, pages of the arena): first fit over a sorted list of free ranges, which merge
 * when given back. No lock of its own. */
#ifndef AVOCET_RANGE_H
#define AVOCET_RANGE_H

#include "os.h"

struct avocet_range;
struct avocet_ranges {
  struct avocet_range *first;
};

int avocet_ranges_init(struct avocet_ranges *ranges, uint64_t begin, uint64_t end); /* 0 or -ENOMEM */
void avocet_ranges_destroy(struct avocet_ranges *ranges);
/* Start of `count` numbers. 0, -ENOSPC; count is at least 1. */
int avocet_ranges_take(struct avocet_ranges *ranges, uint64_t count, uint64_t *start);
/* Gives back what take returned. -ENOMEM: the range is lost to the allocator, nothing else. */
int avocet_ranges_give(struct avocet_ranges *ranges, uint64_t start, uint64_t count);

#endif
