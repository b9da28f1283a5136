/* SPDX-License-Identifier: Apache-2.0 */
/* Rings in bus memory as the firmware sees them. An index that contradicts the ring's size is the other side's fault and is
 * reported, never followed. */
#ifndef AVOCET_FIRMWARE_RING_H
#define AVOCET_FIRMWARE_RING_H

#include "avocet_firmware.h"

/* Reads and checks the header at `address`. Gives BUS_ERROR, or BAD_MESSAGE when it is no ring of such entries. */
enum avocet_status avocet_fw_ring_open(const struct avocet_firmware_port *port, uint64_t address, uint32_t entry_bytes,
                                    bool consumer, struct avocet_firmware_ring *ring);

/* Entries that a consumer can take. BUS_ERROR, or BAD_MESSAGE when the tail is further than the ring is long. */
enum avocet_status avocet_fw_ring_available(const struct avocet_firmware_port *port, const struct avocet_firmware_ring *ring,
                                         uint32_t *count);

/* Whether a producer can write `count` entries; looks at the consumer's head only when it must. Errors as
 * avocet_fw_ring_available. */
enum avocet_status avocet_fw_ring_space(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring,
                                        uint32_t count, bool *room);

/* Bus address of the entry with this index. */
uint64_t avocet_fw_ring_entry(const struct avocet_firmware_ring *ring, uint32_t index);

/* A consumer gives the next entry back / a producer publishes `count` entries written behind its index. */
enum avocet_status avocet_fw_ring_consume(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring);
enum avocet_status avocet_fw_ring_publish(const struct avocet_firmware_port *port, struct avocet_firmware_ring *ring,
                                       uint32_t count);

#endif
