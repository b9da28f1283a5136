/* SPDX-License-Identifier: Apache-2.0 */
/* Taking the device from reset to a firmware that said hello, and back. */
#include "boot.h"

#include "device.h"

enum { POLL_US_MAX = 1000 };

/* Growing pauses, which are what is counted: time in which we did not run ourselves is not the device's. False: it has had its time. */
struct patience {
  uint64_t left_us;
  uint32_t pause_us;
};

static struct patience patience_of(const struct avocet_device *device) {
  return (struct patience){.left_us = device->parameters.boot_timeout_ms * 1000ull, .pause_us = 1};
}

static bool wait_a_little(struct patience *patience) {
  if (patience->left_us < patience->pause_us) return false;
  patience->left_us -= patience->pause_us;
  avocet_os_sleep_us(patience->pause_us);
  if (patience->pause_us < POLL_US_MAX) patience->pause_us *= 2;
  return true;
}

/* Polls until (value & mask) == expected. -ENODEV when the register reads all ones. */
static int poll_register(struct avocet_device *device, uint32_t offset, uint32_t mask, uint32_t expected) {
  struct patience patience = patience_of(device);
  do {
    uint32_t value = avocet_os_rd32(device->os, offset);
    if (value == UINT32_MAX) return -ENODEV;
    if ((value & mask) == expected) return 0;
  } while (wait_a_little(&patience));
  return -ETIMEDOUT;
}

int avocet_boot_load_image(struct avocet_device *device) {
  const void *image;
  size_t bytes;
  struct avocet_firmware_header header;
  int error = avocet_os_firmware(device->os, &image, &bytes);
  if (error) return error;
  if (bytes < sizeof header || bytes > UINT32_MAX) return -EPROTO;
  memcpy(&header, image, sizeof header);
  if (header.magic != AVOCET_FIRMWARE_MAGIC || header.version >> 16 != AVOCET_VERSION_MAJOR ||
      header.image_bytes != bytes) {
    avocet_os_log(device->os, AVOCET_LOG_ERROR, "no firmware image of contract %u.x", AVOCET_VERSION_MAJOR);
    return -EPROTO;
  }
  uint32_t kind = avocet_os_rd32(device->os, AVOCET_REG_FW_KIND);
  if (header.kind != kind) {
    avocet_os_log(device->os, AVOCET_LOG_ERROR, "the firmware image is for processor kind %u, the device has kind %u", header.kind,
                  kind);
    return -EPROTO;
  }
  error = avocet_os_memory_alloc(device->os, bytes, &device->image);
  if (!error) memcpy(device->image.cpu, image, bytes);
  device->info.firmware_version = header.version;
  device->image_kind = header.kind;
  return error;
}

static bool knows_minor(uint32_t version, uint32_t minor) { return (version & 0xFFFF) >= minor; }

bool avocet_boot_resets_engines(const struct avocet_device *device) {
  return knows_minor(avocet_os_load32(&device->info.firmware_version), 3) && knows_minor(device->info.contract_version, 3);
}

void avocet_boot_alloc_save_areas(struct avocet_device *device) {
  struct avocet_os_device *os = device->os;
  if (!knows_minor(device->info.firmware_version, 2) || !knows_minor(avocet_os_rd32(os, AVOCET_REG_VERSION), 2)) return;
  uint64_t area = ((uint64_t)avocet_os_rd32(os, AVOCET_REG_SAVE_AREA_BYTES) + 63) / 64 * 64;
  uint32_t cores = avocet_os_rd32(os, AVOCET_REG_CORES);
  if (area == 0 || cores == 0 || cores > AVOCET_CORES_MAX) return;
  /* One for each core and each priority but the highest. */
  if (avocet_os_memory_alloc(os, area * cores * (AVOCET_PRIORITY_COUNT - 1), &device->save) != 0)
    avocet_os_log(os, AVOCET_LOG_WARNING, "no memory for preempted jobs: running jobs will not be preempted");
}

static void write_address(struct avocet_device *device, uint32_t offset_lo, uint64_t address) {
  avocet_os_wr32(device->os, offset_lo, (uint32_t)address);
  avocet_os_wr32(device->os, offset_lo + 4, (uint32_t)(address >> 32));
}

static void write_boot_parameters(struct avocet_device *device) {
  struct avocet_boot boot = {
      .magic = AVOCET_BOOT_MAGIC,
      .version = AVOCET_VERSION,
      .admin_ring = avocet_shared_ring_bus(&device->admin.ring),
      .completion_ring = avocet_shared_ring_bus(&device->completions.ring),
      .log = avocet_shared_ring_bus(&device->log.ring),
      .save = device->save.bytes ? avocet_os_memory_bus(&device->save, 0) : 0,
      .save_bytes = device->save.bytes,
  };
  struct avocet_firmware_header header;
  memcpy(&header, device->image.cpu, sizeof header);
  memcpy(device->boot.cpu, &boot, sizeof boot);
  avocet_shared_ring_reset(&device->admin.ring, 0, 0);
  avocet_shared_ring_reset(&device->log.ring, 0, 0);
  avocet_completion_reset(device);
  write_address(device, AVOCET_REG_FW_IMAGE_LO, avocet_os_memory_bus(&device->image, 0));
  avocet_os_wr32(device->os, AVOCET_REG_FW_IMAGE_BYTES, header.image_bytes);
  write_address(device, AVOCET_REG_BOOT_LO, avocet_os_memory_bus(&device->boot, 0));
}

int avocet_boot_wait_state(struct avocet_device *device, enum avocet_firmware_state state) {
  struct patience patience = patience_of(device);
  do {
    uint32_t now = avocet_os_rd32(device->os, AVOCET_REG_FW_STATE);
    if (now == state) return 0;
    if (now == UINT32_MAX) return -ENODEV;
    if (now == AVOCET_FIRMWARE_STATE_FAILED || now == AVOCET_FIRMWARE_STATE_HALTED) return -EIO;
  } while (wait_a_little(&patience));
  return -ETIMEDOUT;
}

/* FW_ERROR of a boot that failed, as far as there is something to say of it. */
static const char *describe_error(uint32_t error) {
  switch (error) {
    case AVOCET_STATUS_BUS_ERROR:
      return "the device cannot read image or boot parameters";
    case AVOCET_STATUS_VERSION:
      return "another contract version";
    case AVOCET_STATUS_BAD_MESSAGE:
      return "image header or boot parameters make no sense";
    case AVOCET_FIRMWARE_ERROR_IMAGE_HEADER:
      return "not a firmware image";
    case AVOCET_FIRMWARE_ERROR_IMAGE_KIND:
      return "the image is for another processor";
    case AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM:
      return "the image's checksum is wrong";
    case AVOCET_FIRMWARE_ERROR_IMAGE_PLACE:
      return "the image does not fit into the core's memory";
    default:
      return error >= AVOCET_FIRMWARE_ERROR_TRAP_FETCH ? "the firmware crashed" : "unknown";
  }
}

static int wait_for_hello(struct avocet_device *device) {
  int error = avocet_boot_wait_state(device, AVOCET_FIRMWARE_STATE_READY);
  if (error == -EIO) {
    uint32_t code = avocet_os_rd32(device->os, AVOCET_REG_FW_ERROR);
    avocet_os_log(device->os, AVOCET_LOG_ERROR, "the firmware does not boot: status %u: %s", code, describe_error(code));
  }
  if (error == -ETIMEDOUT) avocet_os_log(device->os, AVOCET_LOG_ERROR, "the firmware does not boot");
  return error;
}

int avocet_boot_start(struct avocet_device *device) {
  struct avocet_os_device *os = device->os;
  avocet_os_wr32(os, AVOCET_REG_IRQ_MASK, 0);
  write_boot_parameters(device);
  avocet_os_wr32(os, AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
  int error = wait_for_hello(device);
  avocet_log_drain(device);
  if (error) return error;
  uint32_t version = avocet_os_rd32(os, AVOCET_REG_FW_VERSION);
  if (version >> 16 != AVOCET_VERSION_MAJOR) {
    avocet_os_log(os, AVOCET_LOG_ERROR, "firmware has contract %u.%u, this driver needs %u.x", version >> 16,
                  version & 0xFFFF, AVOCET_VERSION_MAJOR);
    return -EPROTO;
  }
  avocet_os_store32(&device->info.firmware_version, version); /* SUBMIT reads it without a lock */
  avocet_os_wr32(os, AVOCET_REG_IRQ_STATUS, UINT32_MAX);
  avocet_os_wr32(os, AVOCET_REG_IRQ_MASK,
                 AVOCET_IRQ_STATUS_COMPLETION | AVOCET_IRQ_STATUS_FIRMWARE | AVOCET_IRQ_STATUS_FAULT);
  return 0;
}

int avocet_boot_again(struct avocet_device *device) {
  const void *image;
  size_t bytes;
  avocet_os_log(device->os, AVOCET_LOG_WARNING, "starting the device once more from a fresh firmware image");
  int error = avocet_os_firmware(device->os, &image, &bytes);
  if (error || bytes > device->image.bytes) return error ? error : -EPROTO;
  memcpy(device->image.cpu, image, bytes);
  error = avocet_boot_stop(device);
  return error ? error : avocet_boot_start(device);
}

int avocet_boot_stop(struct avocet_device *device) {
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_MASK, 0);
  avocet_os_wr32(device->os, AVOCET_REG_CONTROL, 0);
  avocet_os_wr32(device->os, AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
  return poll_register(device, AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET, 0);
}
