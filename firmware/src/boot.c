/* SPDX-License-Identifier: Apache-2.0 */
/* Boot checks: the image's header, the boot parameters, both MAJOR versions, then the rings. */
#include "ring.h"
#include "state.h"

static bool other_major(uint32_t version) { return version >> 16 != AVOCET_VERSION_MAJOR; }

static bool all_zero(const void *data, uint32_t bytes) {
  const uint8_t *p = data;
  while (bytes-- > 0) {
    if (*p++ != 0) return false;
  }
  return true;
}

static enum avocet_status check_image(struct avocet_firmware *firmware) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_firmware_header header;
  uint32_t bytes = avocet_fw_rd32(firmware, AVOCET_REG_FW_IMAGE_BYTES);
  if (bytes < sizeof header) return AVOCET_STATUS_BAD_MESSAGE;
  if (!port->load(port->opaque, avocet_fw_rd64(firmware, AVOCET_REG_FW_IMAGE_LO), &header, sizeof header))
    return AVOCET_STATUS_BUS_ERROR;
  if (header.magic != AVOCET_FIRMWARE_MAGIC || header.image_bytes != bytes ||
      !all_zero(header.reserved, sizeof header.reserved))
    return AVOCET_STATUS_BAD_MESSAGE;
  if (other_major(header.version)) return AVOCET_STATUS_VERSION;
  return AVOCET_STATUS_OK;
}

enum avocet_status avocet_fw_boot_check(struct avocet_firmware *firmware) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_boot boot;
  enum avocet_status status = check_image(firmware);
  if (status != AVOCET_STATUS_OK) return status;
  if (!port->load(port->opaque, avocet_fw_rd64(firmware, AVOCET_REG_BOOT_LO), &boot, sizeof boot))
    return AVOCET_STATUS_BUS_ERROR;
  if (boot.magic != AVOCET_BOOT_MAGIC || !all_zero(boot.reserved, sizeof boot.reserved))
    return AVOCET_STATUS_BAD_MESSAGE;
  if (other_major(boot.version)) return AVOCET_STATUS_VERSION;

  status = avocet_fw_ring_open(port, boot.admin_ring, sizeof(struct avocet_message), true, &firmware->admin);
  if (status != AVOCET_STATUS_OK) return status;
  status = avocet_fw_ring_open(port, boot.completion_ring, sizeof(struct avocet_completion), false, &firmware->completion);
  if (status != AVOCET_STATUS_OK) return status;
  return avocet_fw_ring_open(port, boot.log, 1, false, &firmware->log);
}
