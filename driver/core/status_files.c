/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the status tree: one row and, unless it shows a single number, one function each. */
#include "context.h"
#include "device.h"
#include "file.h"
#include "status.h"

#define RENDER(name)                                                                                  \
  static int name(struct avocet_device *device, const struct avocet_status_file *file, uint64_t number, \
                  struct avocet_text *text)
#define UNUSED ((void)file, (void)number)
#define LONG(value) ((unsigned long long)(value))

/* ---- single numbers ---- */

RENDER(number64) {
  (void)number;
  avocet_text_add(text, "%llu\n", LONG(avocet_os_load64((const uint64_t *)((const char *)device + file->offset))));
  return 0;
}

RENDER(number32) {
  (void)number;
  avocet_text_add(text, "%u\n", avocet_os_load32((const uint32_t *)((const char *)device + file->offset)));
  return 0;
}

RENDER(version) {
  (void)number;
  uint32_t value = avocet_os_load32((const uint32_t *)((const char *)device + file->offset));
  avocet_text_add(text, "%u.%u\n", value >> 16, value & 0xFFFF);
  return 0;
}

/* ---- the device ---- */

RENDER(uapi_version) {
  UNUSED;
  (void)device;
  avocet_text_add(text, "%u.%u\n", AVOCET_ACCEL_UAPI_VERSION >> 16, AVOCET_ACCEL_UAPI_VERSION & 0xFFFF);
  return 0;
}

RENDER(state) {
  static const char *const names[] = {"running", "wedged", "gone"};
  UNUSED;
  avocet_text_add(text, "%s\n", names[avocet_os_load32(&device->state)]);
  return 0;
}

RENDER(utilisation) {
  UNUSED;
  uint32_t per_mille = avocet_utilisation_per_mille(device);
  avocet_text_add(text, "%u.%u\n", per_mille / 10, per_mille % 10);
  return 0;
}

RENDER(busy_time_us) {
  UNUSED;
  avocet_text_add(text, "%llu\n", LONG(avocet_utilisation_busy_ns(device) / 1000));
  return 0;
}

RENDER(clock_khz) {
  UNUSED;
  bool active = avocet_os_load32(&device->power.state) == AVOCET_ACCEL_POWER_ACTIVE;
  avocet_text_add(text, "%u\n", active ? device->info.clock_khz : 0);
  return 0;
}

RENDER(descriptors) {
  UNUSED;
  avocet_text_add(text, "%u\n", avocet_os_descriptor_sweep(device->os));
  return 0;
}

RENDER(power_state) {
  UNUSED;
  bool active = avocet_os_load32(&device->power.state) == AVOCET_ACCEL_POWER_ACTIVE;
  avocet_text_add(text, "%s\n", active ? "active" : "suspended");
  return 0;
}

RENDER(suspended_ms) {
  UNUSED;
  avocet_text_add(text, "%llu\n", LONG(avocet_power_suspended_ns(device) / 1000000));
  return 0;
}

RENDER(reset_cause) {
  static const char *const names[] = {"none",    "hang",      "firmware", "no answer", "protocol",
                                      "requested", "resume", "removed",  "failed"};
  UNUSED;
  avocet_text_add(text, "%s\n", names[avocet_os_load32(&device->recovery.last.cause)]);
  return 0;
}

RENDER(engine_resets) {
  UNUSED;
  avocet_text_add(text, "%llu\n", LONG(avocet_reset_engines(device)));
  return 0;
}

/* ---- firmware and its rings ---- */

RENDER(firmware_kind) {
  UNUSED;
  avocet_text_add(text, "%s\n", device->image_kind == 0 ? "native" : "riscv");
  return 0;
}

RENDER(firmware_state) {
  static const char *const names[] = {"off", "booting", "ready", "failed", "halted", "suspended"};
  UNUSED;
  uint32_t value = avocet_os_rd32(device->os, AVOCET_REG_FW_STATE);
  avocet_text_add(text, "%s\n", value < sizeof names / sizeof names[0] ? names[value] : "unknown");
  return 0;
}

RENDER(firmware_heartbeat) {
  UNUSED;
  avocet_text_add(text, "%u\n", avocet_os_rd32(device->os, AVOCET_REG_FW_HEARTBEAT));
  return 0;
}

RENDER(firmware_log) {
  char line[AVOCET_LOG_LINE];
  UNUSED;
  avocet_log_drain(device);
  uint64_t end = avocet_os_load64(&device->log.count);
  for (uint64_t i = end > AVOCET_LOG_LINES ? end - AVOCET_LOG_LINES : 0; i < end; i++) {
    if (avocet_log_line(device, i, line)) avocet_text_add(text, "%s\n", line);
  }
  return 0;
}

RENDER(ring) {
  (void)number;
  const struct avocet_shared_ring *shown = (const struct avocet_shared_ring *)((const char *)device + file->offset);
  avocet_text_add(text, "head %u tail %u entries %u\n", avocet_shared_ring_head(shown), avocet_shared_ring_tail(shown),
                  shown->count);
  return 0;
}

/* ---- clients ---- */

/* files_lock is held. */
static struct avocet_file *find_client(struct avocet_device *device, uint64_t number) {
  struct avocet_file *client = device->files;
  while (client && client->number != number) client = client->next;
  return client;
}

enum client_member { CLIENT_PROCESS, CLIENT_CONTEXTS, CLIENT_BUFFERS, CLIENT_PROGRAMS, CLIENT_MEMORY };

RENDER(client) {
  struct avocet_file_usage usage;
  uint64_t process = 0;
  avocet_os_mutex_lock(&device->files_lock);
  struct avocet_file *found = find_client(device, number);
  if (found) {
    avocet_file_count(found, &usage);
    process = found->process;
  }
  avocet_os_mutex_unlock(&device->files_lock);
  if (!found) return -ENOENT;
  const uint64_t values[] = {process, usage.contexts, usage.buffers, usage.programs, usage.bytes};
  avocet_text_add(text, "%llu\n", LONG(values[file->offset]));
  return 0;
}

/* ---- contexts ---- */

static struct avocet_context *get_context(struct avocet_device *device, uint64_t id) {
  struct avocet_context *found = NULL;
  avocet_os_mutex_lock(&device->contexts_lock);
  if (id < AVOCET_CONTEXTS_MAX) found = device->contexts[id];
  if (found) avocet_object_get(&found->object);
  avocet_os_mutex_unlock(&device->contexts_lock);
  return found;
}

RENDER(context64) {
  struct avocet_context *context = get_context(device, number);
  if (!context) return -ENOENT;
  avocet_text_add(text, "%llu\n", LONG(avocet_os_load64((const uint64_t *)((const char *)context + file->offset))));
  avocet_object_put(&context->object);
  return 0;
}

RENDER(context32) {
  struct avocet_context *context = get_context(device, number);
  if (!context) return -ENOENT;
  avocet_text_add(text, "%u\n", avocet_os_load32((const uint32_t *)((const char *)context + file->offset)));
  avocet_object_put(&context->object);
  return 0;
}

RENDER(context_queue) {
  struct avocet_context *context = get_context(device, number);
  if (!context) return -ENOENT;
  unsigned long flags = avocet_jobs_lock(device);
  const struct avocet_lane *lane = context->queue.lanes[file->offset];
  uint32_t head = lane ? avocet_shared_ring_head(&lane->ring) : 0, tail = lane ? lane->published : 0;
  uint32_t unfinished = lane ? lane->count : 0;
  avocet_jobs_unlock(device, flags);
  avocet_object_put(&context->object);
  if (lane)
    avocet_text_add(text, "head %u tail %u unfinished %u\n", head, tail, unfinished);
  else
    avocet_text_add(text, "unused\n");
  return 0;
}

/* ---- numbers below a directory ---- */

bool avocet_status_next_number(struct avocet_device *device, const char *directory, uint64_t from, uint64_t *number) {
  bool found = false;
  if (directory[1] == 'l') { /* clients */
    avocet_os_mutex_lock(&device->files_lock);
    for (const struct avocet_file *client = device->files; client; client = client->next) {
      if (client->number < from || (found && client->number > *number)) continue;
      *number = client->number;
      found = true;
    }
    avocet_os_mutex_unlock(&device->files_lock);
    return found;
  }
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint64_t id = from; id < AVOCET_CONTEXTS_MAX && !found; id++) {
    found = device->contexts[id] != NULL;
    *number = id;
  }
  avocet_os_mutex_unlock(&device->contexts_lock);
  return found;
}

#define DEVICE(member) offsetof(struct avocet_device, member)
#define CONTEXT(member) offsetof(struct avocet_context, member)
#define COUNTER(member) {"counters/" #member, number64, DEVICE(counters.member)}
#define RESET(member) {"reset/" #member, number64, DEVICE(recovery.last.member)}

const struct avocet_status_file avocet_status_files[] = {
    {"uapi_version", uapi_version, 0},
    {"contract_version", version, DEVICE(info.contract_version)},
    {"state", state, 0},
    {"utilisation", utilisation, 0}, /* per cent of about the last second */
    {"busy_time_us", busy_time_us, 0},
    {"clock_khz", clock_khz, 0},
    {"unfinished_jobs", number32, DEVICE(unfinished)},
    COUNTER(jobs_submitted),
    COUNTER(jobs_completed),
    COUNTER(jobs_failed),
    COUNTER(faults),
    COUNTER(busy_cycles),
    COUNTER(interrupts),
    COUNTER(contexts),
    {"memory/used", number64, DEVICE(counters.memory_bytes)},
    {"memory/peak", number64, DEVICE(memory_peak)},
    {"memory/descriptors", descriptors, 0},
    {"power/state", power_state, 0},
    {"power/autosuspend_ms", number32, DEVICE(parameters.autosuspend_ms)},
    {"power/suspends", number64, DEVICE(power.suspends)},
    {"power/resumes", number64, DEVICE(power.resumes)},
    {"power/suspended_ms", suspended_ms, 0},
    {"reset/count", number64, DEVICE(counters.resets)},
    {"reset/generation", number32, DEVICE(info.generation)},
    {"reset/cause", reset_cause, 0},
    RESET(jobs_lost),
    RESET(jobs_resubmitted),
    RESET(aborts),
    RESET(extensions),
    {"reset/engine_resets", engine_resets, 0},
    {"firmware/version", version, DEVICE(info.firmware_version)},
    {"firmware/kind", firmware_kind, 0},
    {"firmware/state", firmware_state, 0},
    {"firmware/heartbeat", firmware_heartbeat, 0},
    {"firmware/log", firmware_log, 0},
    {"rings/admin", ring, DEVICE(admin.ring)},
    {"rings/completion", ring, DEVICE(completions.ring)},
    {"rings/log", ring, DEVICE(log.ring)},
    {"clients/#/process", client, CLIENT_PROCESS},
    {"clients/#/contexts", client, CLIENT_CONTEXTS},
    {"clients/#/buffers", client, CLIENT_BUFFERS},
    {"clients/#/programs", client, CLIENT_PROGRAMS},
    {"clients/#/memory", client, CLIENT_MEMORY},
    {"contexts/#/jobs_submitted", context64, CONTEXT(counters.jobs_submitted)},
    {"contexts/#/jobs_completed", context64, CONTEXT(counters.jobs_completed)},
    {"contexts/#/jobs_failed", context64, CONTEXT(counters.jobs_failed)},
    {"contexts/#/busy_cycles", context64, CONTEXT(counters.busy_cycles)},
    {"contexts/#/memory", context64, CONTEXT(counters.memory_bytes)},
    {"contexts/#/faulted", context32, CONTEXT(queue.faulted)},
    {"contexts/#/unfinished_jobs", context32, CONTEXT(queue.unfinished)},
    {"contexts/#/queues/low", context_queue, AVOCET_PRIORITY_LOW},
    {"contexts/#/queues/medium", context_queue, AVOCET_PRIORITY_MEDIUM},
    {"contexts/#/queues/high", context_queue, AVOCET_PRIORITY_HIGH},
};
const uint32_t avocet_status_file_count = sizeof avocet_status_files / sizeof avocet_status_files[0];
