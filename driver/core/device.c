/* SPDX-License-Identifier: Apache-2.0 */
/* Probe, interrupt and removal of a device. */
#include "device.h"

#include "boot.h"
#include "context.h"

enum { LOG_BYTES = 8192 };

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

/* ---- identity ---- */

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

/* ---- interrupt ---- */

void avocet_device_interrupt(struct avocet_device *device) {
  uint32_t status = avocet_os_rd32(device->os, AVOCET_REG_IRQ_STATUS);
  if (status == UINT32_MAX) return; /* gone; the next check notices */
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_STATUS, status); /* before looking: what comes later interrupts again */
  avocet_os_add64(&device->counters.interrupts, 1);
  avocet_completion_drain(device);
  avocet_boot_drain_log(device);
  if (!(status & AVOCET_IRQ_STATUS_FIRMWARE)) return;
  if (avocet_os_rd32(device->os, AVOCET_REG_FW_STATE) != AVOCET_FIRMWARE_STATE_HALTED) return;
  avocet_reset_request(device, "the firmware halted");
  avocet_device_wake_waiters(device);
}

void avocet_device_wake_waiters(struct avocet_device *device) {
  unsigned long flags = avocet_os_spin_lock(&device->completions.lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_os_waitq_wake(&device->contexts[id]->queues.waiters);
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
  if (!error) error = avocet_boot_load_image(device);
  if (!error && avocet_os_rd32(device->os, AVOCET_REG_CONTROL) != 0) error = avocet_boot_stop(device);
  if (!error) error = avocet_boot_start(device);
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
  (void)avocet_boot_stop(device); /* harmless to one that is gone */
  avocet_device_put(device);
}

void avocet_device_put(struct avocet_device *device) {
  if (!avocet_os_refs_put(&device->refs)) return;
  deallocate(device);
  avocet_os_free(device);
}
