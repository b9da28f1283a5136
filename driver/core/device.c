/* SPDX-License-Identifier: Apache-2.0 */
/* Probe, boot, interrupt and removal of a device. */
#include "device.h"

#include "context.h"

enum { LOG_BYTES = 8192, POLL_US_MAX = 1000 };

const struct avocet_parameters avocet_default_parameters = {
    .boot_timeout_ms = 10000,
    .admin_timeout_ms = 20000,
    .check_interval_ms = 500,
    .hang_timeout_ms = 20000,
    .resubmits_max = 2,
};

void avocet_device_get(struct avocet_device *device) { avocet_os_refs_get(&device->refs); }

int avocet_device_usable(const struct avocet_device *device) {
  switch (avocet_os_load32(&device->state)) {
    case AVOCET_DEVICE_RUNNING:
      return 0;
    case AVOCET_DEVICE_GONE:
      return -ENODEV;
    default:
      return -EIO;
  }
}

/* ---- registers ---- */

/* Polls until (value & mask) == expected, with growing pauses. -ENODEV when the register reads all ones. */
static int poll_register(struct avocet_device *device, uint32_t offset, uint32_t mask, uint32_t expected) {
  uint64_t deadline = avocet_os_now_ns() + device->parameters.boot_timeout_ms * 1000000ull;
  for (uint32_t pause = 1;; pause = pause < POLL_US_MAX ? 2 * pause : pause) {
    uint32_t value = avocet_os_rd32(device->os, offset);
    if (value == UINT32_MAX) return -ENODEV;
    if ((value & mask) == expected) return 0;
    if (avocet_os_now_ns() > deadline) return -ETIMEDOUT;
    avocet_os_sleep_us(pause);
  }
}

static int check_identity(struct avocet_device *device) {
  struct avocet_os_device *os = device->os;
  uint32_t id = avocet_os_rd32(os, AVOCET_REG_ID), version = avocet_os_rd32(os, AVOCET_REG_VERSION);
  if (id != AVOCET_MAGIC) {
    avocet_os_log(os, AVOCET_LOG_ERROR, "no Avocet here: ID reads 0x%08x", id);
    return -ENODEV;
  }
  if (version >> 16 != AVOCET_VERSION_MAJOR) {
    avocet_os_log(os, AVOCET_LOG_ERROR, "device has contract %u.%u, this driver needs %u.x", version >> 16,
                  version & 0xFFFF, AVOCET_VERSION_MAJOR);
    return -EPROTO;
  }
  return 0;
}

static int read_capabilities(struct avocet_device *device) {
  struct avocet_os_device *os = device->os;
  device->info = (struct avocet_accel_info){
      .uapi_version = AVOCET_ACCEL_UAPI_VERSION,
      .contract_version = avocet_os_rd32(os, AVOCET_REG_VERSION),
      .generation = avocet_os_rd32(os, AVOCET_REG_GENERATION),
      .engine = avocet_os_rd32(os, AVOCET_REG_ENGINE),
      .cores = avocet_os_rd32(os, AVOCET_REG_CORES),
      .array_rows = avocet_os_rd32(os, AVOCET_REG_ARRAY_ROWS),
      .array_cols = avocet_os_rd32(os, AVOCET_REG_ARRAY_COLS),
      .acc_rows = avocet_os_rd32(os, AVOCET_REG_ACC_ROWS),
      .vector_lanes = avocet_os_rd32(os, AVOCET_REG_VECTOR_LANES),
      .sram_bytes = avocet_os_rd32(os, AVOCET_REG_SRAM_BYTES),
      .sram_banks = avocet_os_rd32(os, AVOCET_REG_SRAM_BANKS),
      .dma_channels = avocet_os_rd32(os, AVOCET_REG_DMA_CHANNELS),
      .dma_bytes_per_cycle = avocet_os_rd32(os, AVOCET_REG_DMA_BYTES_PER_CYCLE),
      .dram_millibytes_per_cycle = avocet_os_rd32(os, AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE),
      .dram_latency = avocet_os_rd32(os, AVOCET_REG_DRAM_LATENCY),
      .clock_khz = avocet_os_rd32(os, AVOCET_REG_CLOCK_KHZ),
      .contexts_max = AVOCET_CONTEXTS_MAX - 1,
      .jobs_per_context = AVOCET_QUEUE_JOBS,
      .page_bytes = AVOCET_PAGE_BYTES,
      .iova_begin = AVOCET_IOVA_BEGIN,
      .iova_end = AVOCET_IOVA_END,
  };
  device->limits = (struct avocet_limits){
      .array_rows = device->info.array_rows,
      .array_cols = device->info.array_cols,
      .acc_rows = device->info.acc_rows,
      .sram_bytes = device->info.sram_bytes,
      .dma_channels = device->info.dma_channels,
  };
  if (device->info.array_rows == 0 || device->info.array_cols == 0 || device->info.dma_channels == 0 ||
      device->info.dma_channels > AVOCET_UNIT_COUNT - AVOCET_UNIT_DMA0 || device->info.clock_khz == 0) {
    avocet_os_log(os, AVOCET_LOG_ERROR, "the device's capability registers make no sense");
    return -EPROTO;
  }
  return 0;
}

/* ---- boot ---- */

static int load_image(struct avocet_device *device) {
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
  error = avocet_os_memory_alloc(device->os, bytes, &device->image);
  if (!error) memcpy(device->image.cpu, image, bytes);
  device->info.firmware_version = header.version;
  return error;
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
      .log = avocet_shared_ring_bus(&device->log),
  };
  struct avocet_firmware_header header;
  memcpy(&header, device->image.cpu, sizeof header);
  memcpy(device->boot.cpu, &boot, sizeof boot);
  avocet_shared_ring_reset(&device->admin.ring, 0, 0);
  avocet_shared_ring_reset(&device->log, 0, 0);
  avocet_completion_reset(device);
  write_address(device, AVOCET_REG_FW_IMAGE_LO, avocet_os_memory_bus(&device->image, 0));
  avocet_os_wr32(device->os, AVOCET_REG_FW_IMAGE_BYTES, header.image_bytes);
  write_address(device, AVOCET_REG_BOOT_LO, avocet_os_memory_bus(&device->boot, 0));
}

/* Reads FW_STATE until the firmware has decided. */
static int wait_for_hello(struct avocet_device *device) {
  uint64_t deadline = avocet_os_now_ns() + device->parameters.boot_timeout_ms * 1000000ull;
  for (uint32_t pause = 1;; pause = pause < POLL_US_MAX ? 2 * pause : pause) {
    switch (avocet_os_rd32(device->os, AVOCET_REG_FW_STATE)) {
      case AVOCET_FIRMWARE_STATE_READY:
        return 0;
      case AVOCET_FIRMWARE_STATE_FAILED:
      case AVOCET_FIRMWARE_STATE_HALTED:
        avocet_os_log(device->os, AVOCET_LOG_ERROR, "the firmware refused to boot: status %u",
                      avocet_os_rd32(device->os, AVOCET_REG_FW_ERROR));
        return -EIO;
      case UINT32_MAX:
        return -ENODEV;
      default:
        break;
    }
    if (avocet_os_now_ns() > deadline) {
      avocet_os_log(device->os, AVOCET_LOG_ERROR, "the firmware does not boot");
      return -ETIMEDOUT;
    }
    avocet_os_sleep_us(pause);
  }
}

int avocet_device_boot(struct avocet_device *device) {
  struct avocet_os_device *os = device->os;
  avocet_os_wr32(os, AVOCET_REG_IRQ_MASK, 0);
  write_boot_parameters(device);
  avocet_os_wr32(os, AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
  int error = wait_for_hello(device);
  avocet_device_drain_log(device);
  if (error) return error;
  uint32_t version = avocet_os_rd32(os, AVOCET_REG_FW_VERSION);
  if (version >> 16 != AVOCET_VERSION_MAJOR) {
    avocet_os_log(os, AVOCET_LOG_ERROR, "firmware has contract %u.%u, this driver needs %u.x", version >> 16,
                  version & 0xFFFF, AVOCET_VERSION_MAJOR);
    return -EPROTO;
  }
  device->info.firmware_version = version;
  avocet_os_wr32(os, AVOCET_REG_IRQ_STATUS, UINT32_MAX);
  avocet_os_wr32(os, AVOCET_REG_IRQ_MASK,
                 AVOCET_IRQ_STATUS_COMPLETION | AVOCET_IRQ_STATUS_FIRMWARE | AVOCET_IRQ_STATUS_FAULT);
  return 0;
}

int avocet_device_stop(struct avocet_device *device) {
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_MASK, 0);
  avocet_os_wr32(device->os, AVOCET_REG_CONTROL, 0);
  avocet_os_wr32(device->os, AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
  return poll_register(device, AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET, 0);
}

/* ---- interrupt ---- */

void avocet_device_interrupt(struct avocet_device *device) {
  uint32_t status = avocet_os_rd32(device->os, AVOCET_REG_IRQ_STATUS);
  if (status == UINT32_MAX) return; /* gone; the next check notices */
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_STATUS, status); /* before looking: what comes later interrupts again */
  avocet_os_add64(&device->counters.interrupts, 1);
  avocet_completion_drain(device);
  avocet_device_drain_log(device);
  if (!(status & AVOCET_IRQ_STATUS_FIRMWARE)) return;
  if (avocet_os_rd32(device->os, AVOCET_REG_FW_STATE) != AVOCET_FIRMWARE_STATE_HALTED) return;
  avocet_reset_request(device, "the firmware halted");
  avocet_device_wake_waiters(device);
}

void avocet_device_drain_log(struct avocet_device *device) {
  struct avocet_shared_ring *ring = &device->log;
  char line[192];
  if (avocet_shared_ring_head(ring) == avocet_shared_ring_tail(ring)) return;
  unsigned long flags = avocet_os_spin_lock(&device->log_lock);
  uint32_t length = 0, head = avocet_shared_ring_head(ring), tail = avocet_shared_ring_tail(ring);
  if (tail - head > ring->count) head = tail; /* nonsense: forget it */
  for (; head != tail; head++) {
    char c = *(char *)avocet_shared_ring_entry(ring, head);
    if (c != '\n' && length < sizeof line - 1) line[length++] = c >= ' ' && c <= '~' ? c : '?';
    if (c != '\n') continue;
    line[length] = 0;
    avocet_os_log(device->os, AVOCET_LOG_INFO, "firmware: %s", line);
    length = 0;
  }
  avocet_shared_ring_consume(ring, head);
  avocet_os_spin_unlock(&device->log_lock, flags);
}

void avocet_device_wake_waiters(struct avocet_device *device) {
  unsigned long flags = avocet_os_spin_lock(&device->completions.lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_os_waitq_wake(&device->contexts[id]->queue.waiters);
  }
  avocet_os_spin_unlock(&device->completions.lock, flags);
  avocet_os_waitq_wake(&device->admin.waiters);
}

/* ---- probe and removal ---- */

static int allocate(struct avocet_device *device) {
  int error = avocet_os_memory_alloc(device->os, sizeof(struct avocet_boot), &device->boot);
  if (error) return error;
  error = avocet_shared_ring_create(device->os, LOG_BYTES, 1, &device->log);
  if (error) goto free_boot;
  error = avocet_admin_init(device);
  if (error) goto free_log;
  error = avocet_completion_init(device);
  if (error) goto destroy_admin;
  avocet_os_rwlock_init(&device->reset_lock);
  avocet_os_mutex_init(&device->recovery.lock);
  avocet_os_mutex_init(&device->contexts_lock);
  avocet_os_spin_init(&device->graveyard.lock);
  avocet_os_spin_init(&device->log_lock);
  return 0;

destroy_admin:
  avocet_admin_destroy(device);
free_log:
  avocet_shared_ring_destroy(device->os, &device->log);
free_boot:
  avocet_os_memory_free(device->os, &device->boot);
  return error;
}

static void deallocate(struct avocet_device *device) {
  avocet_os_spin_destroy(&device->log_lock);
  avocet_os_spin_destroy(&device->graveyard.lock);
  avocet_os_mutex_destroy(&device->contexts_lock);
  avocet_os_mutex_destroy(&device->recovery.lock);
  avocet_os_rwlock_destroy(&device->reset_lock);
  avocet_completion_destroy(device);
  avocet_admin_destroy(device);
  avocet_shared_ring_destroy(device->os, &device->log);
  avocet_os_memory_free(device->os, &device->boot);
  avocet_os_memory_free(device->os, &device->image);
}

static int bring_up(struct avocet_device *device) {
  int error = check_identity(device);
  if (!error) error = read_capabilities(device);
  if (!error) error = load_image(device);
  if (!error && avocet_os_rd32(device->os, AVOCET_REG_CONTROL) != 0) error = avocet_device_stop(device);
  if (!error) error = avocet_device_boot(device);
  device->info.generation = avocet_os_rd32(device->os, AVOCET_REG_GENERATION);
  return error;
}

int avocet_device_probe(struct avocet_os_device *os, const struct avocet_parameters *parameters,
                        struct avocet_device **result) {
  struct avocet_device *device = avocet_os_alloc(sizeof *device);
  int error;
  if (!device) return -ENOMEM;
  device->os = os;
  device->parameters = parameters ? *parameters : avocet_default_parameters;
  avocet_os_refs_init(&device->refs);
  error = allocate(device);
  if (error) goto free_device;
  error = bring_up(device);
  if (error) goto stop;
  *result = device;
  return 0;

stop:
  avocet_os_store32(&device->state, AVOCET_DEVICE_GONE);
  avocet_os_wr32(os, AVOCET_REG_CONTROL, 0);
  deallocate(device);
free_device:
  avocet_os_free(device);
  return error;
}

void avocet_device_lost(struct avocet_device *device) {
  avocet_os_store32(&device->state, AVOCET_DEVICE_GONE);
  avocet_admin_cancel(device, true);
  avocet_os_rwlock_write(&device->reset_lock);
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_fail(device->contexts[id], AVOCET_STATUS_ABORTED);
  }
  avocet_os_mutex_unlock(&device->contexts_lock);
  avocet_os_rwlock_unwrite(&device->reset_lock);
}

void avocet_device_remove(struct avocet_device *device) {
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_MASK, 0);
  avocet_device_lost(device);
  (void)avocet_device_stop(device); /* harmless to one that is gone */
  avocet_device_put(device);
}

void avocet_device_put(struct avocet_device *device) {
  if (!avocet_os_refs_put(&device->refs)) return;
  deallocate(device);
  avocet_os_free(device);
}
