/* SPDX-License-Identifier: Apache-2.0 */
/* Programs. The stream is read from the caller once, into memory that the caller cannot map and the device cannot write, and
 * validated there: what was checked is what runs. */
#include "program.h"

#include "context.h"
#include "device.h"
#include "file.h"

static void release(struct avocet_object *object) {
  struct avocet_program *program = avocet_program_of(object);
  avocet_mapping_destroy(&program->mapping);
  avocet_os_free(program);
}

/* Checks the copied stream and keeps what it needs of each region. */
static int validate(struct avocet_program *program, struct avocet_accel_program_create *arguments) {
  struct avocet_device *device = program->object.device;
  struct avocet_stream_report report;
  const uint32_t *words = (const uint32_t *)program->mapping.pages->memory.cpu;
  uint32_t parts_max = arguments->flags & AVOCET_ACCEL_PROGRAM_GANG ? device->info.cores : 1;
  avocet_parts_check(words, program->stream_bytes / sizeof *words, parts_max, &device->limits, &program->parts, &report);
  if (report.status != AVOCET_STATUS_OK) {
    arguments->status = report.status;
    arguments->position = (uint32_t)report.position;
    avocet_os_log(device->os, AVOCET_LOG_DEBUG, "stream refused: status %u at word %llu: %s", report.status,
                  (unsigned long long)report.position, report.reason ? report.reason : "");
    return -EINVAL;
  }
  if (program->parts.count > 1 && !avocet_device_has_gangs(device)) return -EOPNOTSUPP;
  program->tags = report.tag_count;
  for (uint32_t i = 0; i < AVOCET_REGIONS; i++) {
    program->region_bytes[i] = report.region_bytes[i];
    program->region_flags[i] = (report.region_modes[i] & AVOCET_MODE_READ ? AVOCET_ACCEL_REGION_READ : 0) |
                               (report.region_modes[i] & AVOCET_MODE_WRITE ? AVOCET_ACCEL_REGION_WRITE : 0);
  }
  return 0;
}

static int create(struct avocet_context *context, struct avocet_accel_program_create *arguments,
                  struct avocet_program **result) {
  struct avocet_program *program = avocet_os_alloc(sizeof *program);
  struct avocet_pages *pages;
  int error;
  if (!program) return -ENOMEM;
  error = avocet_pages_create(context, arguments->bytes, &pages);
  if (!error) {
    error = avocet_mapping_create(context, pages, false, &program->mapping);
    avocet_pages_put(pages); /* the mapping has its own */
  }
  if (error) {
    avocet_os_free(program);
    return error;
  }
  program->stream_bytes = (uint32_t)arguments->bytes;
  avocet_object_init(&program->object, AVOCET_OBJECT_PROGRAM, context->device, release);
  error = avocet_os_copy_from_user(pages->memory.cpu, arguments->stream, arguments->bytes);
  if (!error) error = validate(program, arguments);
  if (error) {
    avocet_object_put(&program->object);
    return error;
  }
  *result = program;
  return 0;
}

int avocet_program_create(struct avocet_file *file, struct avocet_accel_program_create *arguments) {
  struct avocet_object *context;
  struct avocet_program *program = NULL;
  uint32_t handle;
  int error;
  arguments->status = AVOCET_STATUS_OK;
  arguments->position = 0;
  if ((arguments->flags & ~(uint32_t)AVOCET_ACCEL_PROGRAM_GANG) != 0 || arguments->bytes == 0 || arguments->bytes > AVOCET_STREAM_BYTES_MAX ||
      arguments->bytes % sizeof(uint32_t) != 0)
    return -EINVAL;
  context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!context) return -ENOENT;
  error = create(avocet_context_of(context), arguments, &program);
  avocet_object_put(context);
  if (error) return error;
  arguments->tags = program->tags;
  memcpy(arguments->region_bytes, program->region_bytes, sizeof arguments->region_bytes);
  memcpy(arguments->region_flags, program->region_flags, sizeof arguments->region_flags);
  error = avocet_file_add(file, &program->object, &handle);
  if (error) {
    avocet_object_put(&program->object);
    return error;
  }
  arguments->handle = handle;
  return 0;
}

int avocet_program_close(struct avocet_file *file, struct avocet_accel_program_close *arguments) {
  if (arguments->pad != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_remove(file, arguments->handle, AVOCET_OBJECT_PROGRAM);
  if (!object) return -ENOENT;
  avocet_object_put(object);
  return 0;
}
