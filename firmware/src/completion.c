/* SPDX-License-Identifier: Apache-2.0 */
/* The completion ring. When it is full nothing that would complete is taken up: the driver rings the doorbell after it has made
 * room in a full ring, so nothing is overwritten and nothing is polled. */
#include "ring.h"
#include "state.h"

bool avocet_fw_completion_room(struct avocet_firmware *firmware) {
  bool room;
  enum avocet_status status = avocet_fw_ring_space(firmware->port, &firmware->completion, 1, &room);
  if (status != AVOCET_STATUS_OK) {
    avocet_fw_halt(firmware, status, "completion ring unusable");
    return false;
  }
  return room;
}

void avocet_fw_completion_write(struct avocet_firmware *firmware, const struct avocet_completion *completion) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_firmware_ring *ring = &firmware->completion;
  if (!port->store(port->opaque, avocet_fw_ring_entry(ring, ring->index), completion, sizeof *completion) ||
      avocet_fw_ring_publish(port, ring, 1) != AVOCET_STATUS_OK) {
    avocet_fw_halt(firmware, AVOCET_STATUS_BUS_ERROR, "completion ring unusable");
    return;
  }
  firmware->completion_due = true;
  avocet_fw_beat(firmware);
}
