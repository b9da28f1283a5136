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

int avocet_query_get(struct avocet_file *file, struct avocet_accel_query *arguments) {
  struct avocet_device *device = file->device;
  struct avocet_accel_info info;
  if (arguments->type != AVOCET_ACCEL_QUERY_INFO) return -EINVAL;
  avocet_os_rwlock_read(&device->reset_lock);
  info = device->info;
  avocet_os_rwlock_unread(&device->reset_lock);
  return give(arguments->data, &arguments->size, &info, sizeof info);
}

static uint64_t device_cycles(struct avocet_device *device) {
  uint32_t high, low, again = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_HI);
  do { /* the low half may wrap in between */
    high = again;
    low = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_LO);
    again = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_HI);
  } while (again != high && high != UINT32_MAX);
  return (uint64_t)high << 32 | low;
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
    counters.device_cycles = device_cycles(device);
    counters.firmware_heartbeat = avocet_os_rd32(device->os, AVOCET_REG_FW_HEARTBEAT);
  } else {
    struct avocet_object *context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
    if (!context) return -ENOENT;
    copy_counters(&avocet_context_of(context)->counters, &counters);
    avocet_object_put(context);
  }
  return give(arguments->data, &arguments->size, &counters, sizeof counters);
}
