/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's rings as the driver sees them: memory shared with the firmware. Indices count freely; a producer's entries are
 * written before its tail (release), a consumer reads them after it (acquire). */
#ifndef AVOCET_DRIVER_RING_H
#define AVOCET_DRIVER_RING_H

#include "os.h"
/* after os.h, which brings the fixed-width types */
#include "avocet_isa.h"

struct avocet_shared_ring {
  struct avocet_memory memory;
  struct avocet_ring *header;
  uint8_t *entries;
  uint32_t count;
  uint32_t entry_bytes;
};

int avocet_shared_ring_create(struct avocet_os_device *os, uint32_t count, uint32_t entry_bytes,
                              struct avocet_shared_ring *ring);
void avocet_shared_ring_destroy(struct avocet_os_device *os, struct avocet_shared_ring *ring);
/* For a ring that nobody serves: entries [head, tail) are there to be taken. */
void avocet_shared_ring_reset(struct avocet_shared_ring *ring, uint32_t head, uint32_t tail);

static inline void *avocet_shared_ring_entry(const struct avocet_shared_ring *ring, uint32_t index) {
  return ring->entries + (size_t)(index & (ring->count - 1)) * ring->entry_bytes;
}
static inline uint32_t avocet_shared_ring_tail(const struct avocet_shared_ring *ring) {
  return avocet_os_load32(&ring->header->tail);
}
static inline uint32_t avocet_shared_ring_head(const struct avocet_shared_ring *ring) {
  return avocet_os_load32(&ring->header->head);
}
static inline void avocet_shared_ring_publish(struct avocet_shared_ring *ring, uint32_t tail) {
  avocet_os_store32(&ring->header->tail, tail);
}
static inline void avocet_shared_ring_consume(struct avocet_shared_ring *ring, uint32_t head) {
  avocet_os_store32(&ring->header->head, head);
}
static inline uint64_t avocet_shared_ring_entry_bus(const struct avocet_shared_ring *ring, uint32_t index) {
  size_t offset = sizeof(struct avocet_ring) + (size_t)(index & (ring->count - 1)) * ring->entry_bytes;
  return avocet_os_memory_bus(&ring->memory, offset);
}
static inline uint64_t avocet_shared_ring_bus(const struct avocet_shared_ring *ring) {
  return avocet_os_memory_bus(&ring->memory, 0);
}

#endif
