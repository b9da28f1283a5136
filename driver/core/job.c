/* SPDX-License-Identifier: Apache-2.0 */
/* SUBMIT. Every job is copied, checked and holds its objects before the first is queued: all of them or none. */
#include "job.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "file.h"
#include "program.h"

enum { JOB_STRUCT_BYTES_MAX = 4096 };

/* What one SUBMIT works with. */
struct submission {
  struct avocet_file *file;
  struct avocet_context *context;
  struct avocet_ready_job *ready;
  uint32_t count; /* of ready jobs that hold objects */
};

/* Reads one array element; bytes behind the structure we know must be zero. */
static int copy_job(const struct avocet_accel_submit *arguments, uint32_t index, struct avocet_accel_job *job) {
  uint64_t element = arguments->jobs + (uint64_t)index * arguments->job_struct_size; /* end was checked by the caller */
  int error = avocet_os_copy_from_user(job, element, sizeof *job);
  for (uint32_t at = sizeof *job; !error && at < arguments->job_struct_size;) {
    uint8_t rest[64];
    uint32_t bytes = arguments->job_struct_size - at;
    if (bytes > sizeof rest) bytes = sizeof rest;
    error = avocet_os_copy_from_user(rest, element + at, bytes);
    for (uint32_t i = 0; !error && i < bytes; i++) {
      if (rest[i] != 0) error = -E2BIG;
    }
    at += bytes;
  }
  return error;
}

static void hold(struct avocet_ready_job *ready, struct avocet_object *object) {
  ready->holds.objects[ready->holds.count++] = object;
}

/* A buffer of the submission's context, held by the job. */
static int find_buffer(const struct submission *submission, uint32_t handle, struct avocet_ready_job *ready,
                       struct avocet_buffer **buffer) {
  struct avocet_object *object = avocet_file_find_any(submission->file, handle);
  if (!object) return -ENOENT;
  hold(ready, object);
  if (object->type != AVOCET_OBJECT_BUFFER) return -EINVAL; /* also a program: it is nobody's data */
  *buffer = avocet_buffer_of(object);
  return (*buffer)->backing.context == submission->context ? 0 : -EINVAL;
}

static bool inside(uint64_t offset, uint64_t bytes, const struct avocet_buffer *buffer) {
  uint64_t end;
  return !__builtin_add_overflow(offset, bytes, &end) && end <= buffer->backing.memory.bytes;
}

static int check_region(const struct submission *submission, const struct avocet_accel_region *region,
                        const struct avocet_program *program, uint32_t index, struct avocet_ready_job *ready) {
  const uint32_t known = AVOCET_ACCEL_REGION_READ | AVOCET_ACCEL_REGION_WRITE;
  uint32_t used = program->region_flags[index];
  struct avocet_buffer *buffer;
  if (region->handle == 0)
    return used || region->flags || region->offset || region->bytes ? -EINVAL : 0;
  if (!used || region->flags == 0 || (region->flags & ~known)) return -EINVAL;
  int error = find_buffer(submission, region->handle, ready, &buffer);
  if (error) return error;
  if (region->bytes == 0 || !inside(region->offset, region->bytes, buffer)) return -EINVAL;
  if (used & ~region->flags) return -EACCES;
  if ((region->flags & AVOCET_ACCEL_REGION_WRITE) && (buffer->flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY))
    return -EACCES;
  if (program->region_bytes[index] > region->bytes) return -EOVERFLOW;
  ready->descriptor.region[index].address = buffer->backing.iova + region->offset;
  ready->descriptor.region[index].bytes = region->bytes;
  return 0;
}

static int check_profile(const struct submission *submission, const struct avocet_accel_job *job,
                         struct avocet_ready_job *ready) {
  struct avocet_buffer *buffer;
  if (job->profile == 0) return job->profile_entries || job->profile_offset ? -EINVAL : 0;
  if (job->profile_entries == 0 || job->profile_entries > AVOCET_TAGS_MAX || job->profile_offset % 8 != 0)
    return -EINVAL;
  int error = find_buffer(submission, job->profile, ready, &buffer);
  if (error) return error;
  if (!inside(job->profile_offset, (uint64_t)job->profile_entries * sizeof(struct avocet_profile), buffer))
    return -EINVAL;
  if (buffer->flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY) return -EACCES;
  ready->descriptor.profile = buffer->backing.iova + job->profile_offset;
  ready->descriptor.profile_entries = job->profile_entries;
  return 0;
}

/* The time left, in device cycles from now on: the simulated device's clock is not the host's. */
static int check_deadline(struct avocet_device *device, uint64_t deadline_ns, struct avocet_ready_job *ready) {
  if (deadline_ns == 0) return 0;
  uint64_t now = avocet_os_now_ns();
  if (deadline_ns <= now) return -ETIME;
  uint64_t left_us = (deadline_ns - now) / 1000, cycles, end;
  uint64_t device_now = avocet_os_rd32(device->os, AVOCET_REG_CYCLE_LO);
  device_now |= (uint64_t)avocet_os_rd32(device->os, AVOCET_REG_CYCLE_HI) << 32;
  /* Beyond the range of the counter there is no deadline. */
  if (__builtin_mul_overflow(left_us, device->info.clock_khz, &cycles)) return 0;
  if (__builtin_add_overflow(device_now, cycles / 1000, &end)) return 0;
  ready->descriptor.deadline_cycle = end ? end : 1;
  return 0;
}

/* A firmware that does not know CREATE_RING has one ring for all. */
static enum avocet_priority priority_of(const struct submission *submission, uint32_t priority) {
  if ((submission->context->device->info.firmware_version & 0xFFFF) < 2) return AVOCET_PRIORITY_MEDIUM;
  switch (priority) {
    case AVOCET_ACCEL_PRIORITY_LOW: return AVOCET_PRIORITY_LOW;
    case AVOCET_ACCEL_PRIORITY_HIGH: return AVOCET_PRIORITY_HIGH;
    default: return AVOCET_PRIORITY_MEDIUM;
  }
}

static int prepare(struct submission *submission, const struct avocet_accel_job *job, struct avocet_ready_job *ready) {
  if (job->priority > AVOCET_ACCEL_PRIORITY_HIGH || job->flags != 0 || job->pad != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find_any(submission->file, job->program);
  if (!object) return -ENOENT;
  hold(ready, object);
  if (object->type != AVOCET_OBJECT_PROGRAM) return -EINVAL;
  struct avocet_program *program = avocet_program_of(object);
  if (program->backing.context != submission->context) return -EINVAL;
  ready->priority = priority_of(submission, job->priority);
  ready->descriptor.stream = program->backing.iova;
  ready->descriptor.stream_bytes = program->stream_bytes;
  for (uint32_t i = 0; i < AVOCET_REGIONS; i++) {
    int error = check_region(submission, &job->region[i], program, i, ready);
    if (error) return error;
  }
  int error = check_profile(submission, job, ready);
  return error ? error : check_deadline(submission->context->device, job->deadline_ns, ready);
}

static uint64_t job_id_address(const struct avocet_accel_submit *arguments, uint32_t index) {
  return arguments->jobs + (uint64_t)index * arguments->job_struct_size + offsetof(struct avocet_accel_job, job_id);
}

static int prepare_all(struct submission *submission, const struct avocet_accel_submit *arguments) {
  for (uint32_t i = 0; i < arguments->job_count; i++) {
    struct avocet_accel_job job;
    uint64_t none = 0;
    int error = copy_job(arguments, i, &job);
    /* Once the jobs are queued nothing may fail any more, so find out now whether their ids can be written. */
    if (!error) error = avocet_os_copy_to_user(job_id_address(arguments, i), &none, sizeof none);
    if (error) return error;
    submission->count = i + 1;
    error = prepare(submission, &job, &submission->ready[i]);
    if (error) return error;
  }
  return 0;
}

static int push(struct submission *submission) {
  struct avocet_device *device = submission->context->device;
  for (uint32_t i = 0; i < submission->count; i++) {
    int error = avocet_context_open_queue(submission->context, submission->ready[i].priority);
    if (error) return error;
  }
  avocet_os_rwlock_read(&device->reset_lock);
  int error = avocet_device_usable(device);
  if (!error) error = avocet_queue_push(submission->context, submission->ready, submission->count);
  if (!error) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  avocet_os_rwlock_unread(&device->reset_lock);
  return error;
}

static void let_go(struct submission *submission) {
  for (uint32_t i = 0; i < submission->count; i++) {
    for (uint32_t h = 0; h < submission->ready[i].holds.count; h++)
      avocet_object_put(submission->ready[i].holds.objects[h]);
  }
}

static int submit(struct submission *submission, const struct avocet_accel_submit *arguments) {
  int error = prepare_all(submission, arguments);
  if (!error) error = push(submission);
  if (error) {
    let_go(submission);
    return error;
  }
  for (uint32_t i = 0; i < arguments->job_count; i++) {
    uint64_t id = submission->ready[i].descriptor.job_id;
    (void)avocet_os_copy_to_user(job_id_address(arguments, i), &id, sizeof id); /* could be written before */
  }
  return 0;
}

int avocet_job_submit(struct avocet_file *file, struct avocet_accel_submit *arguments) {
  struct submission submission = {.file = file};
  uint64_t end;
  int error = -ENOMEM;
  if (arguments->flags != 0 || arguments->job_count == 0 || arguments->job_count > AVOCET_QUEUE_JOBS ||
      arguments->job_struct_size < sizeof(struct avocet_accel_job) ||
      arguments->job_struct_size > JOB_STRUCT_BYTES_MAX)
    return -EINVAL;
  if (__builtin_add_overflow(arguments->jobs, (uint64_t)arguments->job_count * arguments->job_struct_size, &end))
    return -EFAULT;
  struct avocet_object *context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!context) return -ENOENT;
  submission.context = avocet_context_of(context);
  submission.ready = avocet_os_alloc(arguments->job_count * sizeof *submission.ready);
  if (submission.ready) error = submit(&submission, arguments);
  avocet_os_free(submission.ready);
  avocet_object_put(context);
  return error;
}
