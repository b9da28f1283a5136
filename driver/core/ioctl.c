/* SPDX-License-Identifier: Apache-2.0 */
/* One row per request. The structure is copied in once, handled, and copied back whatever the outcome: a refusal may explain
 * itself in it. */
#include "ioctl.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "file.h"
#include "job.h"
#include "program.h"
#include "query.h"
#include "wait.h"

union arguments {
  struct avocet_accel_query query;
  struct avocet_accel_context_create context_create;
  struct avocet_accel_context_destroy context_destroy;
  struct avocet_accel_buffer_create buffer_create;
  struct avocet_accel_buffer_info buffer_info;
  struct avocet_accel_buffer_close buffer_close;
  struct avocet_accel_program_create program_create;
  struct avocet_accel_program_close program_close;
  struct avocet_accel_submit submit;
  struct avocet_accel_wait wait;
  struct avocet_accel_counters_get counters;
  struct avocet_accel_buffer_export buffer_export;
  struct avocet_accel_buffer_import buffer_import;
  struct avocet_accel_buffer_wait buffer_wait;
  struct avocet_accel_fence_info fence_info;
  struct avocet_accel_reset_fence reset_fence;
};

#define HANDLER(name, member, function) \
  static int name(struct avocet_file *file, union arguments *arguments) { return function(file, &arguments->member); }
HANDLER(query, query, avocet_query_get)
HANDLER(context_create, context_create, avocet_context_create)
HANDLER(context_destroy, context_destroy, avocet_context_destroy)
HANDLER(buffer_create, buffer_create, avocet_buffer_create)
HANDLER(buffer_info, buffer_info, avocet_buffer_info)
HANDLER(buffer_close, buffer_close, avocet_buffer_close)
HANDLER(program_create, program_create, avocet_program_create)
HANDLER(program_close, program_close, avocet_program_close)
HANDLER(submit, submit, avocet_job_submit)
HANDLER(wait, wait, avocet_wait_job)
HANDLER(counters, counters, avocet_query_counters)
HANDLER(buffer_export, buffer_export, avocet_buffer_export)
HANDLER(buffer_import, buffer_import, avocet_buffer_import)
HANDLER(buffer_wait, buffer_wait, avocet_wait_buffer)
HANDLER(fence_info, fence_info, avocet_fence_info)
HANDLER(reset_fence, reset_fence, avocet_fence_for_reset)
#undef HANDLER

struct row {
  unsigned long request;
  size_t bytes;
  int (*handle)(struct avocet_file *file, union arguments *arguments);
  bool without_device; /* may be asked of a device that is gone */
  bool creates;        /* something that would be lost when the answer cannot be written */
};

/* In the order of the request numbers. */
static const struct row rows[] = {
    {AVOCET_ACCEL_QUERY, sizeof(struct avocet_accel_query), query, true, false},
    {AVOCET_ACCEL_CONTEXT_CREATE, sizeof(struct avocet_accel_context_create), context_create, false, true},
    {AVOCET_ACCEL_CONTEXT_DESTROY, sizeof(struct avocet_accel_context_destroy), context_destroy, true, false},
    {AVOCET_ACCEL_BUFFER_CREATE, sizeof(struct avocet_accel_buffer_create), buffer_create, false, true},
    {AVOCET_ACCEL_BUFFER_INFO, sizeof(struct avocet_accel_buffer_info), buffer_info, true, false},
    {AVOCET_ACCEL_BUFFER_CLOSE, sizeof(struct avocet_accel_buffer_close), buffer_close, true, false},
    {AVOCET_ACCEL_PROGRAM_CREATE, sizeof(struct avocet_accel_program_create), program_create, false, true},
    {AVOCET_ACCEL_PROGRAM_CLOSE, sizeof(struct avocet_accel_program_close), program_close, true, false},
    {AVOCET_ACCEL_SUBMIT, sizeof(struct avocet_accel_submit), submit, false, false},
    {AVOCET_ACCEL_WAIT, sizeof(struct avocet_accel_wait), wait, true, false},
    {AVOCET_ACCEL_COUNTERS, sizeof(struct avocet_accel_counters_get), counters, false, false},
    {AVOCET_ACCEL_BUFFER_EXPORT, sizeof(struct avocet_accel_buffer_export), buffer_export, false, true},
    {AVOCET_ACCEL_BUFFER_IMPORT, sizeof(struct avocet_accel_buffer_import), buffer_import, false, true},
    {AVOCET_ACCEL_BUFFER_WAIT, sizeof(struct avocet_accel_buffer_wait), buffer_wait, true, false},
    {AVOCET_ACCEL_FENCE_INFO, sizeof(struct avocet_accel_fence_info), fence_info, true, false},
    {AVOCET_ACCEL_RESET_FENCE, sizeof(struct avocet_accel_reset_fence), reset_fence, true, true},
};

int avocet_ioctl_dispatch(struct avocet_file *file, unsigned long request, uint64_t argument) {
  uint32_t index = (uint32_t)(request & 0xFF) - AVOCET_ACCEL_IOCTL_FIRST;
  union arguments arguments;
  int error;
  if (index >= sizeof rows / sizeof rows[0] || rows[index].request != request) return -ENOTTY;
  const struct row *row = &rows[index];
  error = avocet_device_usable(file->device);
  if (error && !row->without_device) return error;
  error = avocet_os_copy_from_user(&arguments, argument, row->bytes);
  if (!error && row->creates) error = avocet_os_copy_to_user(argument, &arguments, row->bytes); /* find out now */
  if (error) return error;
  avocet_object_bury(file->device);
  if (!row->without_device && avocet_os_load32(&file->device->recovery.wanted)) avocet_reset_check(file->device);
  error = row->handle(file, &arguments);
  if (avocet_os_copy_to_user(argument, &arguments, row->bytes) != 0 && !error) error = -EFAULT;
  return error;
}
