/* SPDX-License-Identifier: Apache-2.0 */
/* Rings in bus memory: header checks, fill levels, index updates. */
#include "ring.h"

#include <stddef.h>

enum avocet_status avocet_fw_ring_open(const struct avocet_firmware_port *port, uint64_t address, uint32_t entry_bytes,
                                    bool consumer, struct avocet_firmware_ring *ring) {
  struct avocet_ring header;
  if (address % 8 != 0) return AVOCET_STATUS_BAD_MESSAGE;
  if (!port->load(port->opaque, address, &header, sizeof header)) return AVOCET_STATUS_BUS_ERROR;
  if (header.entry_bytes != entry_bytes || header.entries < 2 || (header.entries & (header.entries - 1)) != 0)
    return AVOCET_STATUS_BAD_MESSAGE;
  /* The log counts in bytes and may be longer than a ring of structures. */
  if (entry_bytes > 1 && header.entries > AVOCET_RING_ENTRIES_MAX) return AVOCET_STATUS_BAD_MESSAGE;
  if (header.tail - header.head > header.entries) return AVOCET_STATUS_BAD_MESSAGE;
  ring->address = address;
  ring->entries = header.entries;
  ring->entry_bytes = entry_bytes;
  ring->index = consumer ? header.head : header.tail;
  ring->head = header.head;
  return AVOCET_STATUS_OK;
}

enum avocet_status avocet_fw_ring_available(const struct avocet_firmware_port *port, const struct avocet_firmware_ring *ring,
                                         uint32_t *count) {
  uint32_t tail;
  if (!port->load32(port->opaque, ring->address + offsetof(struct avocet_ring, tail), &tail))
    return AVOCET_STATUS_BUS_ERROR;
  *count = tail - ring->index;
  return *count > ring->entries ? AVOCET_STATUS_BAD_MESSAGE : AVOCET_STATUS_OK;
}

enum avocet_status avocet_fw_ring_space(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring,
                                        uint32_t count, bool *room) {
  uint32_t head;
  *room = true;
  if (ring->entries - (ring->index - ring->head) >= count) return AVOCET_STATUS_OK;
  /* With the consumer's fence between its head and its look at our tail: either we see its new head, or it sees that the ring
   * was full and rings the doorbell. */
  port->fence(port->opaque);
  if (!port->load32(port->opaque, ring->address + offsetof(struct avocet_ring, head), &head))
    return AVOCET_STATUS_BUS_ERROR;
  if (ring->index - head > ring->entries) return AVOCET_STATUS_BAD_MESSAGE;
  ring->head = head;
  *room = ring->entries - (ring->index - head) >= count;
  return AVOCET_STATUS_OK;
}

uint64_t avocet_fw_ring_entry(const struct avocet_firmware_ring *ring, uint32_t index) {
  return ring->address + sizeof(struct avocet_ring) + (uint64_t)(index & (ring->entries - 1)) * ring->entry_bytes;
}

enum avocet_status avocet_fw_ring_consume(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring) {
  ring->index++;
  if (!port->store32(port->opaque, ring->address + offsetof(struct avocet_ring, head), ring->index))
    return AVOCET_STATUS_BUS_ERROR;
  return AVOCET_STATUS_OK;
}

enum avocet_status avocet_fw_ring_publish(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring,
                                       uint32_t count) {
  ring->index += count;
  if (!port->store32(port->opaque, ring->address + offsetof(struct avocet_ring, tail), ring->index))
    return AVOCET_STATUS_BUS_ERROR;
  return AVOCET_STATUS_OK;
}
