/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers. A reference each is held by the handle, every mapping and every unfinished job; the pages behind them also by
 * descriptors. */
#include "buffer.h"

#include "context.h"
#include "device.h"
#include "file.h"

#define KNOWN_FLAGS (AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY | AVOCET_ACCEL_BUFFER_NO_MMAP)

/* mmap offsets: the handle above the largest buffer's size. */
enum { MMAP_SHIFT = 32 };

static void release(struct avocet_object *object) {
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  avocet_mapping_destroy(&buffer->mapping);
  avocet_os_free(buffer);
}

static uint64_t mmap_offset(uint32_t flags, uint32_t handle) {
  return flags & AVOCET_ACCEL_BUFFER_NO_MMAP ? UINT64_MAX : (uint64_t)handle << MMAP_SHIFT;
}

/* A buffer over these pages, with a handle. */
static int add(struct avocet_file *file, struct avocet_context *context, struct avocet_pages *pages, uint32_t flags,
               bool imported, uint32_t *handle, uint64_t *iova) {
  struct avocet_buffer *buffer = avocet_os_alloc(sizeof *buffer);
  if (!buffer) return -ENOMEM;
  int error = avocet_mapping_create(context, pages, !(flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY), &buffer->mapping);
  if (error) {
    avocet_os_free(buffer);
    return error;
  }
  buffer->flags = flags;
  buffer->imported = imported;
  avocet_object_init(&buffer->object, AVOCET_OBJECT_BUFFER, context->device, release);
  *iova = buffer->mapping.iova;
  error = avocet_file_add(file, &buffer->object, handle);
  /* Another thread may have guessed and closed the handle already: nothing of *buffer is used any more. */
  if (error) avocet_object_put(&buffer->object);
  return error;
}

int avocet_buffer_create(struct avocet_file *file, struct avocet_accel_buffer_create *arguments) {
  struct avocet_pages *pages;
  if (arguments->pad != 0 || (arguments->flags & ~KNOWN_FLAGS) != 0 || arguments->bytes == 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!object) return -ENOENT;
  struct avocet_context *context = avocet_context_of(object);
  int error = avocet_pages_create(context, arguments->bytes, &pages);
  if (!error) {
    error = add(file, context, pages, arguments->flags, false, &arguments->handle, &arguments->iova);
    avocet_pages_put(pages);
  }
  if (!error) arguments->mmap_offset = mmap_offset(arguments->flags, arguments->handle);
  avocet_object_put(object);
  return error;
}

int avocet_buffer_info(struct avocet_file *file, struct avocet_accel_buffer_info *arguments) {
  struct avocet_object *object = avocet_file_find(file, arguments->handle, AVOCET_OBJECT_BUFFER);
  if (!object) return -ENOENT;
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  arguments->flags = buffer->flags;
  arguments->bytes = avocet_buffer_bytes(buffer);
  arguments->iova = buffer->mapping.iova;
  arguments->mmap_offset = mmap_offset(buffer->flags, arguments->handle);
  arguments->context = buffer->mapping.context->object.handle;
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
  if (bytes == 0 || offset & ((1ull << MMAP_SHIFT) - 1)) return -EINVAL;
  struct avocet_object *object =
      avocet_file_find(file, (uint32_t)(offset >> MMAP_SHIFT), AVOCET_OBJECT_BUFFER);
  if (!object) return -EINVAL;
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  int error = 0;
  if (buffer->flags & AVOCET_ACCEL_BUFFER_NO_MMAP) error = -EACCES;
  if (bytes > avocet_buffer_bytes(buffer)) error = -EINVAL;
  if (error) {
    avocet_object_put(object);
    return error;
  }
  *result = buffer;
  return 0;
}

/* ---- export and import ---- */

/* What a descriptor stands for. */
struct avocet_export {
  struct avocet_refs refs;
  struct avocet_pages *pages;
  uint32_t flags;
};

static void put_export(struct avocet_export *export) {
  if (!avocet_os_refs_put(&export->refs)) return;
  avocet_pages_put(export->pages);
  avocet_os_free(export);
}

static void export_get(void *object) { avocet_os_refs_get(&((struct avocet_export *)object)->refs); }
static bool export_signalled(void *object) {
  (void)object;
  return false;
}
static void export_closed(void *object, struct avocet_descriptor *descriptor) {
  (void)descriptor;
  put_export(object);
}

const struct avocet_descriptor_type avocet_buffer_descriptor = {
    .name = "buffer", .get = export_get, .signalled = export_signalled, .closed = export_closed};

int avocet_buffer_export(struct avocet_file *file, struct avocet_accel_buffer_export *arguments) {
  struct avocet_descriptor *descriptor;
  if (arguments->flags != 0 || arguments->pad != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find(file, arguments->handle, AVOCET_OBJECT_BUFFER);
  if (!object) return -ENOENT;
  struct avocet_buffer *buffer = avocet_buffer_of(object);
  struct avocet_export *export = avocet_os_alloc(sizeof *export);
  int error = -ENOMEM;
  if (!export) goto put;
  avocet_os_refs_init(&export->refs);
  export->pages = buffer->mapping.pages;
  export->flags = buffer->flags;
  avocet_pages_get(export->pages);
  error = avocet_os_descriptor_create(file->device->os, &avocet_buffer_descriptor, export, &descriptor, &arguments->fd);
  if (error)
    put_export(export);
  else
    avocet_os_descriptor_install(descriptor);
put:
  avocet_object_put(object);
  return error;
}

int avocet_buffer_import(struct avocet_file *file, struct avocet_accel_buffer_import *arguments) {
  void *found;
  if ((arguments->flags & ~KNOWN_FLAGS) != 0) return -EINVAL;
  struct avocet_object *context = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!context) return -ENOENT;
  int error = avocet_os_descriptor_find(file->device->os, &avocet_buffer_descriptor, arguments->fd, &found);
  if (error) goto put;
  struct avocet_export *export = found;
  error = -EACCES;
  if ((export->flags & ~arguments->flags) == 0)
    error = add(file, avocet_context_of(context), export->pages, arguments->flags, true, &arguments->handle,
                &arguments->iova);
  if (!error) {
    arguments->bytes = export->pages->memory.bytes;
    arguments->mmap_offset = mmap_offset(arguments->flags, arguments->handle);
  }
  put_export(export);
put:
  avocet_object_put(context);
  return error;
}
