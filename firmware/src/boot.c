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
  if (header.magic != AVOCET_FIRMWARE_MAGIC || header.image_bytes != bytes || header.kind != AVOCET_FIRMWARE_KIND ||
      (header.kind == AVOCET_FIRMWARE_KIND_NATIVE && (header.checksum | header.ram_bytes) != 0) ||
      !all_zero(header.reserved, sizeof header.reserved))
    return AVOCET_STATUS_BAD_MESSAGE;
  if (other_major(header.version)) return AVOCET_STATUS_VERSION;
  return AVOCET_STATUS_OK;
}

/* Save areas are optional, and only a driver that knows MINOR 2 can give them. */
static enum avocet_status take_save_areas(struct avocet_firmware *firmware, const struct avocet_boot *boot) {
  if (boot->save == 0) return boot->save_bytes == 0 ? AVOCET_STATUS_OK : AVOCET_STATUS_BAD_MESSAGE;
  if ((boot->version & 0xFFFF) < 2 || boot->save % 64 != 0) return AVOCET_STATUS_BAD_MESSAGE;
  uint32_t bytes = (avocet_fw_rd32(firmware, AVOCET_REG_SAVE_AREA_BYTES) + 63) & ~63u;
  if (bytes == 0) return AVOCET_STATUS_OK; /* the hardware cannot preempt */
  if (boot->save_bytes < (uint64_t)bytes * (firmware->cores * AVOCET_FIRMWARE_PARKED)) return AVOCET_STATUS_BAD_MESSAGE;
  firmware->save = boot->save;
  firmware->save_bytes = bytes;
  return AVOCET_STATUS_OK;
}

static uint32_t number_of_cores(const struct avocet_firmware *firmware) {
  uint32_t cores = avocet_fw_rd32(firmware, AVOCET_REG_CORES);
  if (cores > AVOCET_CORES_MAX) return AVOCET_CORES_MAX;
  return cores > 0 ? cores : 1;
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
  firmware->driver_minor = boot.version & 0xFFFF;
  firmware->cores = number_of_cores(firmware);
  status = take_save_areas(firmware, &boot);
  if (status != AVOCET_STATUS_OK) return status;

  status = avocet_fw_ring_open(port, boot.admin_ring, sizeof(struct avocet_message), true, &firmware->admin);
  if (status != AVOCET_STATUS_OK) return status;
  status = avocet_fw_ring_open(port, boot.completion_ring, sizeof(struct avocet_completion), false, &firmware->completion);
  if (status != AVOCET_STATUS_OK) return status;
  return avocet_fw_ring_open(port, boot.log, 1, false, &firmware->log);
}
