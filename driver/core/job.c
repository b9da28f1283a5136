/* SPDX-License-Identifier: Apache-2.0 */
/* SUBMIT. Every job is copied once, checked and holds its objects before the first is queued: all of them or none. */
#include "job.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "file.h"
#include "program.h"

enum { JOB_STRUCT_BYTES_MAX = 4096, PUSH_ATTEMPTS = 8 };

/* What one SUBMIT works with. */
struct submission {
  struct avocet_file *file;
  struct avocet_context *context;
  struct avocet_pending **jobs;
  uint32_t count; /* of jobs that were allocated */
};

/* Reads one array element: members behind its end are zero, bytes behind the structure we know must be. */
static int copy_job(const struct avocet_accel_submit *arguments, uint32_t index, struct avocet_accel_job *job) {
  uint64_t element = arguments->jobs + (uint64_t)index * arguments->job_struct_size; /* end was checked by the caller */
  uint32_t known = sizeof *job < arguments->job_struct_size ? sizeof *job : arguments->job_struct_size;
  memset(job, 0, sizeof *job);
  int error = avocet_os_copy_from_user(job, element, known);
  for (uint32_t at = known; !error && at < arguments->job_struct_size;) {
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

/* ---- buffers ---- */

static void hold(struct avocet_pending *job, struct avocet_object *object) {
  job->objects[job->object_count++] = object;
}

/* A buffer of the submission's context, held and used by the job. */
static int find_buffer(const struct submission *submission, uint32_t handle, bool write, struct avocet_pending *job,
                       struct avocet_buffer **buffer) {
  struct avocet_object *object = avocet_file_find_any(submission->file, handle);
  if (!object) return -ENOENT;
  hold(job, object);
  if (object->type != AVOCET_OBJECT_BUFFER) return -EINVAL; /* also a program: it is nobody's data */
  *buffer = avocet_buffer_of(object);
  if ((*buffer)->mapping.context != submission->context) return -EINVAL;
  job->uses[job->use_count++] = (struct avocet_use){.pages = (*buffer)->mapping.pages, .job = job, .write = write};
  return 0;
}

static bool inside(uint64_t offset, uint64_t bytes, const struct avocet_buffer *buffer) {
  uint64_t end;
  return !__builtin_add_overflow(offset, bytes, &end) && end <= avocet_buffer_bytes(buffer);
}

static int check_region(const struct submission *submission, const struct avocet_accel_region *region,
                        const struct avocet_program *program, uint32_t index, struct avocet_pending *job) {
  const uint32_t known = AVOCET_ACCEL_REGION_READ | AVOCET_ACCEL_REGION_WRITE;
  uint32_t used = program->region_flags[index];
  struct avocet_buffer *buffer;
  if (region->handle == 0)
    return used || region->flags || region->offset || region->bytes ? -EINVAL : 0;
  if (!used || region->flags == 0 || (region->flags & ~known)) return -EINVAL;
  int error = find_buffer(submission, region->handle, region->flags & AVOCET_ACCEL_REGION_WRITE, job, &buffer);
  if (error) return error;
  if (region->bytes == 0 || !inside(region->offset, region->bytes, buffer)) return -EINVAL;
  if (used & ~region->flags) return -EACCES;
  if ((region->flags & AVOCET_ACCEL_REGION_WRITE) && (buffer->flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY))
    return -EACCES;
  if (program->region_bytes[index] > region->bytes) return -EOVERFLOW;
  job->descriptor.region[index].address = buffer->mapping.iova + region->offset;
  job->descriptor.region[index].bytes = region->bytes;
  return 0;
}

static int check_profile(const struct submission *submission, const struct avocet_accel_job *arguments,
                         const struct avocet_program *program, struct avocet_pending *job) {
  const uint64_t bytes = (uint64_t)arguments->profile_entries * program->parts.count * sizeof(struct avocet_profile);
  struct avocet_buffer *buffer;
  if (arguments->profile == 0) return arguments->profile_entries || arguments->profile_offset ? -EINVAL : 0;
  if (arguments->profile_entries == 0 || arguments->profile_entries > AVOCET_TAGS_MAX || arguments->profile_offset % 8 != 0)
    return -EINVAL;
  int error = find_buffer(submission, arguments->profile, true, job, &buffer);
  if (error) return error;
  if (!inside(arguments->profile_offset, bytes, buffer)) return -EINVAL;
  if (buffer->flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY) return -EACCES;
  job->descriptor.profile = buffer->mapping.iova + arguments->profile_offset;
  job->descriptor.profile_entries = arguments->profile_entries;
  return 0;
}

/* ---- deadline, priority, fences ---- */

/* The time left, in device cycles from now on: the simulated device's clock is not the host's. */
static int check_deadline(struct avocet_device *device, uint64_t deadline_ns, struct avocet_pending *job) {
  if (deadline_ns == 0) return 0;
  uint64_t now = avocet_os_now_ns();
  if (deadline_ns <= now) return -ETIME;
  uint64_t left_us = (deadline_ns - now) / 1000, cycles, end;
  /* Beyond the range of the counter there is no deadline. */
  if (__builtin_mul_overflow(left_us, device->info.clock_khz, &cycles)) return 0;
  if (__builtin_add_overflow(avocet_device_cycles(device), cycles / 1000, &end)) return 0;
  job->descriptor.deadline_cycle = end ? end : 1;
  return 0;
}

/* A firmware that does not know CREATE_RING has one ring for all. */
static uint32_t lane_of(const struct avocet_device *device, uint32_t priority) {
  if (avocet_device_priorities(device) == 1) return AVOCET_PRIORITY_MEDIUM;
  switch (priority) {
    case AVOCET_ACCEL_PRIORITY_LOW:
      return AVOCET_PRIORITY_LOW;
    case AVOCET_ACCEL_PRIORITY_HIGH:
      return AVOCET_PRIORITY_HIGH;
    default:
      return AVOCET_PRIORITY_MEDIUM;
  }
}

static int find_in_fences(const struct submission *submission, const struct avocet_accel_job *arguments,
                          struct avocet_pending *job) {
  int32_t descriptors[AVOCET_ACCEL_FENCES_MAX];
  if (arguments->in_fence_count > AVOCET_ACCEL_FENCES_MAX) return -EINVAL;
  if (arguments->in_fence_count == 0) return arguments->in_fences ? -EINVAL : 0;
  int error =
      avocet_os_copy_from_user(descriptors, arguments->in_fences, arguments->in_fence_count * sizeof descriptors[0]);
  for (uint32_t i = 0; !error && i < arguments->in_fence_count; i++) {
    void *found;
    error = avocet_os_descriptor_find(submission->file->device->os, &avocet_fence_descriptor, descriptors[i], &found);
    if (error) break;
    struct avocet_fence *fence = found;
    if (fence->of_reset)
      error = -EINVAL;
    else
      avocet_pending_depend(job, fence, true);
    avocet_fence_put(fence);
  }
  return error;
}

static int make_out_fence(struct avocet_device *device, struct avocet_pending *job, int32_t *fd) {
  int error = avocet_os_descriptor_create(device->os, &avocet_fence_descriptor, &job->fence, &job->out_fence, fd);
  if (error) return error;
  job->fence.descriptor = job->out_fence;
  avocet_pending_get(job); /* the descriptor's reference */
  return 0;
}

/* ---- one job ---- */

static int check(const struct submission *submission, const struct avocet_accel_job *arguments,
                 struct avocet_pending *job) {
  struct avocet_device *device = submission->context->device;
  const uint32_t known = AVOCET_ACCEL_JOB_OUT_FENCE | AVOCET_ACCEL_JOB_EXPLICIT;
  if (arguments->priority > AVOCET_ACCEL_PRIORITY_HIGH || (arguments->flags & ~known) != 0 || arguments->pad != 0)
    return -EINVAL;
  struct avocet_object *object = avocet_file_find_any(submission->file, arguments->program);
  if (!object) return -ENOENT;
  hold(job, object);
  if (object->type != AVOCET_OBJECT_PROGRAM) return -EINVAL;
  struct avocet_program *program = avocet_program_of(object);
  if (program->mapping.context != submission->context) return -EINVAL;
  job->priority = lane_of(device, arguments->priority);
  job->is_explicit = arguments->flags & AVOCET_ACCEL_JOB_EXPLICIT;
  job->descriptor.stream = program->mapping.iova;
  job->descriptor.stream_bytes = program->stream_bytes;
  job->descriptor.parts = program->parts.count > 1 ? program->parts.count : 0;
  for (uint32_t i = 0; i < job->descriptor.parts; i++) job->descriptor.part_bytes[i] = program->parts.words[i] * 4;
  for (uint32_t i = 0; i < AVOCET_REGIONS; i++) {
    int error = check_region(submission, &arguments->region[i], program, i, job);
    if (error) return error;
  }
  int error = check_profile(submission, arguments, program, job);
  if (!error) error = check_deadline(device, arguments->deadline_ns, job);
  if (!error) error = find_in_fences(submission, arguments, job);
  return error;
}

static uint64_t job_address(const struct avocet_accel_submit *arguments, uint32_t index, size_t offset) {
  return arguments->jobs + (uint64_t)index * arguments->job_struct_size + offset;
}

/* Once the jobs are queued nothing may fail any more, so their results are written now as far as they are known. */
static int write_results(const struct avocet_accel_submit *arguments, uint32_t index, int32_t out_fence) {
  uint64_t none = 0;
  int error = avocet_os_copy_to_user(job_address(arguments, index, offsetof(struct avocet_accel_job, job_id)), &none,
                                     sizeof none);
  if (error || out_fence < 0) return error;
  return avocet_os_copy_to_user(job_address(arguments, index, offsetof(struct avocet_accel_job, out_fence)), &out_fence,
                                sizeof out_fence);
}

static int prepare(struct submission *submission, const struct avocet_accel_submit *arguments, uint32_t index) {
  struct avocet_device *device = submission->context->device;
  struct avocet_accel_job copy;
  int32_t out_fence = -1;
  int error = copy_job(arguments, index, &copy);
  if (error) return error;
  uint32_t fences = copy.in_fence_count <= AVOCET_ACCEL_FENCES_MAX ? copy.in_fence_count : 0;
  struct avocet_pending *job = avocet_pending_alloc(device, fences);
  if (!job) return -ENOMEM;
  submission->jobs[submission->count++] = job;
  error = check(submission, &copy, job);
  if (!error && copy.flags & AVOCET_ACCEL_JOB_OUT_FENCE) error = make_out_fence(device, job, &out_fence);
  if (!error) error = write_results(arguments, index, out_fence);
  return error;
}

/* ---- all jobs ---- */

static int push(struct submission *submission, uint64_t *first_id) {
  uint32_t needed = 0;
  int error = 0;
  for (uint32_t i = 0; i < submission->count && !error; i++)
    error = avocet_context_open_lane(submission->context, submission->jobs[i]->priority);
  if (!error) error = avocet_device_enter(submission->context->device);
  if (error) return error;
  for (int attempt = 0; attempt < PUSH_ATTEMPTS; attempt++) {
    error = avocet_queue_push(submission->context, submission->jobs, submission->count, first_id, &needed);
    if (error != -EAGAIN) break;
    error = -ENOMEM;
    bool grown = true; /* others may submit meanwhile: twice as much as was needed */
    for (uint32_t i = 0; i < submission->count && grown; i++)
      grown = avocet_pending_grow(submission->jobs[i], 2 * needed) == 0;
    if (!grown) break;
  }
  avocet_device_exit(submission->context->device);
  return error;
}

static void let_go(const struct submission *submission) {
  for (uint32_t i = 0; i < submission->count; i++) avocet_pending_put(submission->jobs[i]);
}

/* Nothing was queued. */
static void undo(const struct submission *submission) {
  for (uint32_t i = 0; i < submission->count; i++) {
    struct avocet_pending *job = submission->jobs[i];
    for (uint32_t o = 0; o < job->object_count; o++) avocet_object_put(job->objects[o]);
    if (!job->out_fence) continue;
    avocet_os_descriptor_cancel(job->out_fence);
    avocet_pending_put(job);
  }
}

/* The jobs may have ended by now: of each only our reference and the descriptor's are sure. */
static void finish(const struct submission *submission, const struct avocet_accel_submit *arguments, uint64_t first_id) {
  for (uint32_t i = 0; i < submission->count; i++) {
    uint64_t id = first_id + i;
    /* Could be written before. */
    (void)avocet_os_copy_to_user(job_address(arguments, i, offsetof(struct avocet_accel_job, job_id)), &id, sizeof id);
    if (submission->jobs[i]->out_fence) avocet_os_descriptor_install(submission->jobs[i]->out_fence);
  }
}

static int submit(struct submission *submission, const struct avocet_accel_submit *arguments) {
  uint64_t first_id;
  int error = 0;
  for (uint32_t i = 0; i < arguments->job_count && !error; i++) error = prepare(submission, arguments, i);
  if (!error) error = push(submission, &first_id);
  if (error)
    undo(submission);
  else
    finish(submission, arguments, first_id);
  let_go(submission);
  return error;
}

int avocet_job_submit(struct avocet_file *file, struct avocet_accel_submit *arguments) {
  struct submission submission = {.file = file};
  uint64_t end;
  int error = -ENOMEM;
  if (arguments->flags != 0 || arguments->job_count == 0 || arguments->job_count > AVOCET_QUEUE_JOBS ||
      arguments->job_struct_size < AVOCET_ACCEL_JOB_BYTES_1_0 || arguments->job_struct_size > JOB_STRUCT_BYTES_MAX)
    return -EINVAL;
  if (__builtin_add_overflow(arguments->jobs, (uint64_t)arguments->job_count * arguments->job_struct_size, &end))
    return -EFAULT;
  struct avocet_object *context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!context) return -ENOENT;
  submission.context = avocet_context_of(context);
  submission.jobs = avocet_os_alloc(arguments->job_count * sizeof *submission.jobs);
  if (submission.jobs) error = submit(&submission, arguments);
  avocet_os_free(submission.jobs);
  avocet_object_put(context);
  return error;
}
