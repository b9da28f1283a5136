/* SPDX-License-Identifier: Apache-2.0 */
/* First fit over a sorted list of free ranges. */
#include "range.h"

struct avocet_range {
  struct avocet_range *next;
  uint64_t begin, end;
};

int avocet_ranges_init(struct avocet_ranges *ranges, uint64_t begin, uint64_t end) {
  ranges->first = avocet_os_alloc(sizeof *ranges->first);
  if (!ranges->first) return -ENOMEM;
  ranges->first->begin = begin;
  ranges->first->end = end;
  return 0;
}

void avocet_ranges_destroy(struct avocet_ranges *ranges) {
  while (ranges->first) {
    struct avocet_range *gone = ranges->first;
    ranges->first = gone->next;
    avocet_os_free(gone);
  }
}

int avocet_ranges_take(struct avocet_ranges *ranges, uint64_t count, uint64_t *start) {
  for (struct avocet_range **link = &ranges->first; *link; link = &(*link)->next) {
    struct avocet_range *range = *link;
    if (range->end - range->begin < count) continue;
    *start = range->begin;
    range->begin += count;
    if (range->begin == range->end) {
      *link = range->next;
      avocet_os_free(range);
    }
    return 0;
  }
  return -ENOSPC;
}

int avocet_ranges_give(struct avocet_ranges *ranges, uint64_t start, uint64_t count) {
  struct avocet_range *before = NULL, *after = ranges->first;
  while (after && after->begin < start) {
    before = after;
    after = after->next;
  }
  bool joins_before = before && before->end == start;
  bool joins_after = after && after->begin == start + count;
  if (joins_before && joins_after) {
    before->end = after->end;
    before->next = after->next;
    avocet_os_free(after);
  } else if (joins_before) {
    before->end = start + count;
  } else if (joins_after) {
    after->begin = start;
  } else {
    struct avocet_range *range = avocet_os_alloc(sizeof *range);
    if (!range) return -ENOMEM;
    *range = (struct avocet_range){.next = after, .begin = start, .end = start + count};
    if (before)
      before->next = range;
    else
      ranges->first = range;
  }
  return 0;
}
