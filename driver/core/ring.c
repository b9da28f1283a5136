/* SPDX-License-Identifier: Apache-2.0 */
/* Shared rings: allocation and initial state. */
#include "ring.h"

int avocet_shared_ring_create(struct avocet_os_device *os, uint32_t count, uint32_t entry_bytes,
                              struct avocet_shared_ring *ring) {
  int error = avocet_os_memory_alloc(os, sizeof *ring->header + (uint64_t)count * entry_bytes, &ring->memory);
  if (error) return error;
  ring->header = (struct avocet_ring *)ring->memory.cpu;
  ring->entries = ring->memory.cpu + sizeof *ring->header;
  ring->count = count;
  ring->entry_bytes = entry_bytes;
  avocet_shared_ring_reset(ring, 0, 0);
  return 0;
}

void avocet_shared_ring_destroy(struct avocet_os_device *os, struct avocet_shared_ring *ring) {
  avocet_os_memory_free(os, &ring->memory);
}

void avocet_shared_ring_reset(struct avocet_shared_ring *ring, uint32_t head, uint32_t tail) {
  ring->header->entries = ring->count;
  ring->header->entry_bytes = ring->entry_bytes;
  avocet_os_store32(&ring->header->head, head);
  avocet_os_store32(&ring->header->tail, tail);
}
