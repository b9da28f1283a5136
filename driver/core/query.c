/* SPDX-License-Identifier: Apache-2.0 */
/* QUERY and COUNTERS. */
#include "query.h"

#include "context.h"
#include "device.h"
#include "file.h"

/* The size and pointer protocol: without a pointer the size, else at most the caller's size. */
static int give(uint64_t data, uint32_t *size, const void *answer, uint32_t answer_bytes) {
  if (data == 0 || *size > answer_bytes) *size = answer_bytes;
  return data == 0 ? 0 : avocet_os_copy_to_user(data, answer, *size);
}

union answer {
  struct avocet_accel_info info;
  struct avocet_accel_parameters parameters;
  struct avocet_accel_versions versions;
  struct avocet_accel_utilisation utilisation;
  struct avocet_accel_clock clock;
  struct avocet_accel_memory memory;
  struct avocet_accel_reset reset;
};

static void info(struct avocet_file *file, union answer *answer) {
  avocet_os_rwlock_read(&file->device->reset_lock);
  answer->info = file->device->info;
  avocet_os_rwlock_unread(&file->device->reset_lock);
}

static void parameters(struct avocet_file *file, union answer *answer) {
  const struct avocet_parameters *bounds = &file->device->parameters;
  answer->parameters = (struct avocet_accel_parameters){
      .priorities = avocet_device_priorities(file->device),
      .jobs_per_submit = AVOCET_QUEUE_JOBS,
      .handles_per_file = AVOCET_FILE_HANDLES_MAX,
      .fences_per_job = AVOCET_ACCEL_FENCES_MAX,
      .job_struct_bytes = sizeof(struct avocet_accel_job),
      .results_per_context = AVOCET_QUEUE_RESULTS,
      .hang_timeout_ms = bounds->hang_timeout_ms,
      .extensions_max = bounds->extensions_max,
      .autosuspend_ms = bounds->autosuspend_ms,
      .suspend_timeout_ms = bounds->suspend_timeout_ms,
  };
}

static void versions(struct avocet_file *file, union answer *answer) {
  struct avocet_device *device = file->device;
  struct avocet_firmware_header header;
  avocet_os_rwlock_read(&device->reset_lock);
  memcpy(&header, device->image.cpu, sizeof header);
  answer->versions = (struct avocet_accel_versions){
      .uapi = AVOCET_ACCEL_UAPI_VERSION,
      .driver_contract = AVOCET_VERSION,
      .device_contract = device->info.contract_version,
      .firmware_contract = device->info.firmware_version,
      .firmware_kind = device->image_kind,
      .firmware_bytes = header.image_bytes,
  };
  avocet_os_rwlock_unread(&device->reset_lock);
}

static void utilisation(struct avocet_file *file, union answer *answer) {
  struct avocet_device *device = file->device;
  answer->utilisation = (struct avocet_accel_utilisation){
      .busy_ns = avocet_utilisation_busy_ns(device),
      .elapsed_ns = avocet_os_now_ns() - device->probed_ns,
      .busy_cycles = avocet_os_load64(&device->counters.busy_cycles),
      .per_mille = avocet_utilisation_per_mille(device),
      .unfinished = avocet_os_load32(&device->unfinished),
  };
}

static void clock_state(struct avocet_file *file, union answer *answer) {
  struct avocet_device *device = file->device;
  uint32_t power = avocet_os_load32(&device->power.state);
  answer->clock = (struct avocet_accel_clock){
      .clock_khz = power == AVOCET_ACCEL_POWER_ACTIVE ? device->info.clock_khz : 0,
      .max_khz = device->info.clock_khz,
      .power = power,
      .suspends = avocet_os_load64(&device->power.suspends),
      .resumes = avocet_os_load64(&device->power.resumes),
      .suspended_ns = avocet_power_suspended_ns(device),
  };
}

static void memory(struct avocet_file *file, union answer *answer) {
  struct avocet_device *device = file->device;
  struct avocet_file_usage usage;
  uint32_t descriptors = avocet_os_descriptor_sweep(device->os);
  avocet_file_count(file, &usage);
  answer->memory = (struct avocet_accel_memory){
      .device_bytes = avocet_os_load64(&device->counters.memory_bytes),
      .device_peak_bytes = avocet_os_load64(&device->memory_peak),
      .file_bytes = usage.bytes,
      .file_buffers = usage.buffers,
      .file_programs = usage.programs,
      .descriptors = descriptors,
  };
}

static void reset(struct avocet_file *file, union answer *answer) {
  const struct avocet_accel_reset *last = &file->device->recovery.last;
  answer->reset = (struct avocet_accel_reset){
      .generation = avocet_reset_generation(file->device),
      .cause = avocet_os_load32(&last->cause),
      .time_ns = avocet_os_load64(&last->time_ns),
      .jobs_lost = avocet_os_load64(&last->jobs_lost),
      .jobs_resubmitted = avocet_os_load64(&last->jobs_resubmitted),
      .aborts = avocet_os_load64(&last->aborts),
      .extensions = avocet_os_load64(&last->extensions),
      .engine_resets = avocet_reset_engines(file->device),
  };
}

/* In the order of enum avocet_accel_query_type. */
static const struct {
  void (*fill)(struct avocet_file *file, union answer *answer);
  uint32_t bytes;
  bool without_device;
} queries[] = {
    {info, sizeof(struct avocet_accel_info), false},
    {parameters, sizeof(struct avocet_accel_parameters), false},
    {versions, sizeof(struct avocet_accel_versions), false},
    {utilisation, sizeof(struct avocet_accel_utilisation), false},
    {clock_state, sizeof(struct avocet_accel_clock), false},
    {memory, sizeof(struct avocet_accel_memory), false},
    {reset, sizeof(struct avocet_accel_reset), true},
};

int avocet_query_get(struct avocet_file *file, struct avocet_accel_query *arguments) {
  union answer answer;
  bool known = arguments->type < sizeof queries / sizeof queries[0];
  int error = avocet_device_usable(file->device);
  if (error && !(known && queries[arguments->type].without_device)) return error;
  if (!known) return -EINVAL;
  memset(&answer, 0, sizeof answer);
  queries[arguments->type].fill(file, &answer);
  return give(arguments->data, &arguments->size, &answer, queries[arguments->type].bytes);
}

static void copy_counters(const struct avocet_accel_counters *from, struct avocet_accel_counters *to) {
  const uint64_t *source = (const uint64_t *)from;
  uint64_t *target = (uint64_t *)to;
  for (size_t i = 0; i < sizeof *from / sizeof *source; i++) target[i] = avocet_os_load64(&source[i]);
}

int avocet_query_counters(struct avocet_file *file, struct avocet_accel_counters_get *arguments) {
  struct avocet_device *device = file->device;
  struct avocet_accel_counters counters;
  if (arguments->context == 0) {
    copy_counters(&device->counters, &counters);
    counters.device_cycles = avocet_device_cycles(device);
    counters.firmware_heartbeat = avocet_os_rd32(device->os, AVOCET_REG_FW_HEARTBEAT);
  } else {
    struct avocet_object *context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
    if (!context) return -ENOENT;
    copy_counters(&avocet_context_of(context)->counters, &counters);
    avocet_object_put(context);
  }
  return give(arguments->data, &arguments->size, &counters, sizeof counters);
}
