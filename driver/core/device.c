/* SPDX-License-Identifier: Apache-2.0 */
/* Probe, interrupt and removal of a device. */
#include "device.h"

#include "boot.h"
#include "context.h"

const struct avocet_parameters avocet_default_parameters = {
    .boot_timeout_ms = 10000,
    .admin_timeout_ms = 20000,
    .check_interval_ms = 500,
    .hang_timeout_ms = 20000,
    .resubmits_max = 2,
    .extensions_max = 10000, /* simulations take their time: two days */
    .autosuspend_ms = 2000,
    .suspend_timeout_ms = 1000,
};

enum { SWEEP_INTERVAL_MS = 1000 };

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

/* Takes what is pending, before anybody looks: what comes later interrupts again. */
static uint32_t acknowledge(struct avocet_device *device) {
  uint32_t status = avocet_os_rd32(device->os, AVOCET_REG_IRQ_STATUS);
  if (status != 0 && status != UINT32_MAX) avocet_os_wr32(device->os, AVOCET_REG_IRQ_STATUS, status);
  return status;
}

static void serve(struct avocet_device *device, uint32_t status) {
  avocet_completion_drain(device);
  avocet_log_drain(device);
  if (!(status & AVOCET_IRQ_STATUS_FIRMWARE)) return;
  if (avocet_os_rd32(device->os, AVOCET_REG_FW_STATE) != AVOCET_FIRMWARE_STATE_HALTED) return;
  avocet_reset_request(device, AVOCET_ACCEL_RESET_FIRMWARE, "the firmware halted");
}

void avocet_device_interrupt(struct avocet_device *device) {
  uint32_t status = acknowledge(device);
  if (status == UINT32_MAX) return; /* gone; the next check notices */
  avocet_device_get(device); /* whose removal may not be noticed before we are done */
  avocet_os_add64(&device->counters.interrupts, 1);
  serve(device, status);
  avocet_device_put(device);
}

bool avocet_device_poll(struct avocet_device *device) {
  uint32_t status = acknowledge(device);
  if (status == UINT32_MAX) return false;
  serve(device, status);
  return true;
}

/* ---- jobs ---- */

unsigned long avocet_jobs_lock(struct avocet_device *device) { return avocet_os_spin_lock(&device->jobs_lock); }

void avocet_jobs_unlock(struct avocet_device *device, unsigned long flags) {
  bool published = false;
  while (device->lanes_to_advance) {
    struct avocet_lane *lane = device->lanes_to_advance;
    device->lanes_to_advance = lane->next_advancing;
    lane->advancing = false;
    if (avocet_lane_advance(lane)) published = true;
  }
  avocet_os_spin_unlock(&device->jobs_lock, flags);
  if (published) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
}

void avocet_device_busy(struct avocet_device *device, int32_t change) {
  uint32_t before = device->unfinished, now = before + (uint32_t)change;
  avocet_os_store32(&device->unfinished, now);
  if (before == 0 && now != 0) {
    device->busy_since_ns = avocet_os_now_ns();
    avocet_utilisation_begin(device, device->busy_since_ns);
    avocet_os_store64(&device->power.idle_since_ns, 0);
    avocet_os_work_after(&device->watchdog, avocet_reset_interval_ms(device));
  } else if (before != 0 && now == 0) {
    uint64_t time = avocet_os_now_ns();
    device->busy_ns += time - device->busy_since_ns;
    avocet_os_store64(&device->power.idle_since_ns, time);
  }
}

static void watch(struct avocet_work *work) {
  struct avocet_device *device = (struct avocet_device *)((char *)work - offsetof(struct avocet_device, watchdog));
  uint32_t again = 0, descriptors = avocet_os_descriptor_sweep(device->os);
  avocet_reset_check(device);
  avocet_object_bury(device);
  if (avocet_os_load32(&device->unfinished))
    again = avocet_reset_interval_ms(device);
  else
    again = avocet_power_autosuspend(device);
  if (again == 0 && descriptors > 0) again = SWEEP_INTERVAL_MS;
  if (again != 0) avocet_os_work_after(work, again);
}

uint64_t avocet_device_cycles(struct avocet_device *device) {
  uint32_t high, low, again = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_HI);
  do { /* the low half may wrap in between */
    high = again;
    low = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_LO);
    again = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_HI);
  } while (again != high && high != UINT32_MAX);
  return (uint64_t)high << 32 | low;
}

uint32_t avocet_device_priorities(const struct avocet_device *device) {
  return (avocet_os_load32(&device->info.firmware_version) & 0xFFFF) < 2 ? 1 : AVOCET_PRIORITY_COUNT;
}

bool avocet_device_has_gangs(const struct avocet_device *device) {
  return (avocet_os_load32(&device->info.firmware_version) & 0xFFFF) >= 3;
}

/* ---- probe and removal ---- */

static int allocate(struct avocet_device *device) {
  int error = avocet_os_memory_alloc(device->os, sizeof(struct avocet_boot), &device->boot);
  if (error) return error;
  error = avocet_log_init(device);
  if (error) goto free_boot;
  error = avocet_admin_init(device);
  if (error) goto destroy_log;
  error = avocet_completion_init(device);
  if (error) goto destroy_admin;
  avocet_os_rwlock_init(&device->reset_lock);
  avocet_os_mutex_init(&device->recovery.lock);
  avocet_os_mutex_init(&device->contexts_lock);
  avocet_os_mutex_init(&device->files_lock);
  avocet_os_spin_init(&device->graveyard.lock);
  avocet_os_spin_init(&device->jobs_lock);
  avocet_os_work_init(&device->watchdog, watch);
  device->probed_ns = avocet_os_now_ns();
  return 0;

destroy_admin:
  avocet_admin_destroy(device);
destroy_log:
  avocet_log_destroy(device);
free_boot:
  avocet_os_memory_free(device->os, &device->boot);
  return error;
}

static void deallocate(struct avocet_device *device) {
  avocet_os_work_destroy(&device->watchdog);
  avocet_os_spin_destroy(&device->jobs_lock);
  avocet_os_spin_destroy(&device->graveyard.lock);
  avocet_os_mutex_destroy(&device->files_lock);
  avocet_os_mutex_destroy(&device->contexts_lock);
  avocet_os_mutex_destroy(&device->recovery.lock);
  avocet_os_rwlock_destroy(&device->reset_lock);
  avocet_completion_destroy(device);
  avocet_admin_destroy(device);
  avocet_log_destroy(device);
  avocet_os_memory_free(device->os, &device->boot);
  avocet_os_memory_free(device->os, &device->image);
  avocet_os_memory_free(device->os, &device->save);
}

static int bring_up(struct avocet_device *device) {
  int error = check_identity(device);
  if (!error) error = read_capabilities(device);
  if (!error) error = avocet_boot_load_image(device);
  if (!error) avocet_boot_alloc_save_areas(device);
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
  avocet_os_store64(&device->power.idle_since_ns, avocet_os_now_ns());
  if (device->parameters.autosuspend_ms) avocet_os_work_after(&device->watchdog, device->parameters.autosuspend_ms);
  *result = device;
  return 0;

stop:
  avocet_os_store32(&device->state, AVOCET_DEVICE_GONE);
  avocet_os_wr32(os, AVOCET_REG_CONTROL, 0);
  avocet_os_work_stop(&device->watchdog);
  deallocate(device);
free_device:
  avocet_os_free(device);
  return error;
}

void avocet_device_lost(struct avocet_device *device) {
  bool known = avocet_os_exchange32(&device->state, AVOCET_DEVICE_GONE) == AVOCET_DEVICE_GONE;
  avocet_admin_cancel(device, true);
  avocet_os_rwlock_write(&device->reset_lock);
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_abort(device->contexts[id], false);
  }
  avocet_os_mutex_unlock(&device->contexts_lock);
  avocet_os_rwlock_unwrite(&device->reset_lock);
  if (!known) avocet_reset_report(device, AVOCET_ACCEL_RESET_REMOVED, -ENODEV);
}

void avocet_device_remove(struct avocet_device *device) {
  avocet_os_wr32(device->os, AVOCET_REG_IRQ_MASK, 0);
  avocet_device_lost(device);
  (void)avocet_boot_stop(device); /* harmless to one that is gone */
  avocet_os_work_stop(&device->watchdog);
  avocet_device_put(device);
}

void avocet_device_put(struct avocet_device *device) {
  if (!avocet_os_refs_put(&device->refs)) return;
  deallocate(device);
  avocet_os_free(device);
}
