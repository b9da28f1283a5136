/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers. A reference each is held by the handle, every mapping and every unfinished job. */
#include "buffer.h"

#include "context.h"
#include "device.h"
#include "file.h"

/* mmap offsets: the handle above the largest buffer's size. */
enum { MMAP_SHIFT = 32 };

static void release(struct avocet_object *object) {
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  avocet_backing_destroy(&buffer->backing);
  avocet_os_free(buffer);
}

static uint64_t mmap_offset(uint32_t flags, uint32_t handle) {
  return flags & AVOCET_ACCEL_BUFFER_NO_MMAP ? UINT64_MAX : (uint64_t)handle << MMAP_SHIFT;
}

static int create(struct avocet_context *context, uint64_t bytes, uint32_t flags, struct avocet_buffer **result) {
  struct avocet_buffer *buffer = avocet_os_alloc(sizeof *buffer);
  if (!buffer) return -ENOMEM;
  int error =
      avocet_backing_create(context, bytes, !(flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY), &buffer->backing);
  if (error) {
    avocet_os_free(buffer);
    return error;
  }
  buffer->flags = flags;
  avocet_object_init(&buffer->object, AVOCET_OBJECT_BUFFER, context->device, release);
  *result = buffer;
  return 0;
}

int avocet_buffer_create(struct avocet_file *file, struct avocet_accel_buffer_create *arguments) {
  const uint32_t known = AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY | AVOCET_ACCEL_BUFFER_NO_MMAP;
  struct avocet_object *context;
  struct avocet_buffer *buffer;
  uint32_t handle;
  int error;
  if (arguments->pad != 0 || (arguments->flags & ~known) != 0 || arguments->bytes == 0) return -EINVAL;
  context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!context) return -ENOENT;
  error = create(avocet_context_of(context), arguments->bytes, arguments->flags, &buffer);
  if (error) goto put_context;
  uint64_t iova = buffer->backing.iova;
  error = avocet_file_add(file, &buffer->object, &handle);
  if (error) {
    avocet_object_put(&buffer->object);
    goto put_context;
  }
  /* Another thread may have guessed and closed the handle already: nothing of *buffer is used any more. */
  arguments->handle = handle;
  arguments->iova = iova;
  arguments->mmap_offset = mmap_offset(arguments->flags, handle);
put_context:
  avocet_object_put(context);
  return error;
}

int avocet_buffer_info(struct avocet_file *file, struct avocet_accel_buffer_info *arguments) {
  struct avocet_object *object = avocet_file_find(file, arguments->handle, AVOCET_OBJECT_BUFFER);
  if (!object) return -ENOENT;
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  arguments->flags = buffer->flags;
  arguments->bytes = buffer->backing.memory.bytes;
  arguments->iova = buffer->backing.iova;
  arguments->mmap_offset = mmap_offset(buffer->flags, arguments->handle);
  arguments->context = buffer->backing.context->object.handle;
  arguments->busy = avocet_os_load32(&buffer->object.jobs) != 0;
  avocet_object_put(object);
  return 0;
}

int avocet_buffer_close(struct avocet_file *file, struct avocet_accel_buffer_close *arguments) {
  if (arguments->pad != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_remove(file, arguments->handle, AVOCET_OBJECT_BUFFER);
  if (!object) return -ENOENT;
  avocet_object_put(object);
  return 0;
}

int avocet_buffer_for_mmap(struct avocet_file *file, uint64_t offset, uint64_t bytes, struct avocet_buffer **result) {
  if ((offset & ((1ull << MMAP_SHIFT) - 1)) != 0 || offset >> MMAP_SHIFT > UINT32_MAX || bytes == 0) return -EINVAL;
  struct avocet_object *object =
      avocet_file_find(file, (uint32_t)(offset >> MMAP_SHIFT), AVOCET_OBJECT_BUFFER);
  if (!object) return -EINVAL;
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  int error = 0;
  if (buffer->flags & AVOCET_ACCEL_BUFFER_NO_MMAP) error = -EACCES;
  if (bytes > buffer->backing.memory.bytes) error = -EINVAL;
  if (error) {
    avocet_object_put(object);
    return error;
  }
  *result = buffer;
  return 0;
}
