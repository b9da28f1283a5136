/* SPDX-License-Identifier: Apache-2.0 */
/* Open files and their handle tables. */
#include "file.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "program.h"

enum { FIRST_CAPACITY = 64 };

int avocet_file_open(struct avocet_device *device, struct avocet_file **result) {
  int error = avocet_device_usable(device);
  if (error) return error;
  struct avocet_file *file = avocet_os_alloc(sizeof *file);
  if (!file) return -ENOMEM;
  file->device = device;
  avocet_os_mutex_init(&file->lock);
  avocet_device_get(device);
  file->process = avocet_os_caller();
  avocet_os_mutex_lock(&device->files_lock);
  file->number = ++device->files_opened;
  file->next = device->files;
  device->files = file;
  avocet_os_mutex_unlock(&device->files_lock);
  *result = file;
  return 0;
}

static void leave_list(struct avocet_file *file) {
  struct avocet_device *device = file->device;
  avocet_os_mutex_lock(&device->files_lock);
  struct avocet_file **link = &device->files;
  while (*link != file) link = &(*link)->next;
  *link = file->next;
  avocet_os_mutex_unlock(&device->files_lock);
}

void avocet_file_close(struct avocet_file *file) {
  struct avocet_device *device = file->device;
  leave_list(file);
  /* Contexts first: afterwards the device reaches none of the buffers, and they go without a word to the firmware. */
  for (uint32_t i = 0; i < file->capacity; i++) {
    if (file->objects[i] && file->objects[i]->type == AVOCET_OBJECT_CONTEXT)
      avocet_context_close(avocet_context_of(file->objects[i]));
  }
  for (uint32_t i = 0; i < file->capacity; i++) {
    if (file->objects[i]) avocet_object_put(file->objects[i]);
  }
  avocet_object_bury(device);
  avocet_os_free(file->objects);
  avocet_os_mutex_destroy(&file->lock);
  avocet_os_free(file);
  avocet_device_put(device);
}

static int grow(struct avocet_file *file) {
  uint32_t capacity = file->capacity ? 2 * file->capacity : FIRST_CAPACITY;
  if (capacity > AVOCET_FILE_HANDLES_MAX) return -EMFILE;
  struct avocet_object **objects = avocet_os_alloc(capacity * sizeof *objects);
  if (!objects) return -ENOMEM;
  if (file->capacity) memcpy(objects, file->objects, file->capacity * sizeof *objects);
  avocet_os_free(file->objects);
  file->objects = objects;
  file->next_slot = file->capacity;
  file->capacity = capacity;
  return 0;
}

static bool find_free(struct avocet_file *file, uint32_t *slot) {
  for (uint32_t i = 0; i < file->capacity; i++) {
    *slot = (file->next_slot + i) % file->capacity;
    if (!file->objects[*slot]) return true;
  }
  return false;
}

int avocet_file_add(struct avocet_file *file, struct avocet_object *object, uint32_t *handle) {
  uint32_t slot;
  int error = 0;
  avocet_os_mutex_lock(&file->lock);
  if (!find_free(file, &slot)) {
    error = grow(file);
    slot = file->next_slot;
  }
  if (!error) {
    file->objects[slot] = object;
    file->next_slot = (slot + 1) % file->capacity;
    *handle = object->handle = slot + 1;
  }
  avocet_os_mutex_unlock(&file->lock);
  return error;
}

struct avocet_object *avocet_file_remove(struct avocet_file *file, uint32_t handle, enum avocet_object_type type) {
  struct avocet_object *object = NULL;
  avocet_os_mutex_lock(&file->lock);
  if (handle > 0 && handle <= file->capacity && file->objects[handle - 1] &&
      file->objects[handle - 1]->type == type) {
    object = file->objects[handle - 1];
    file->objects[handle - 1] = NULL;
  }
  avocet_os_mutex_unlock(&file->lock);
  return object;
}

struct avocet_object *avocet_file_find_any(struct avocet_file *file, uint32_t handle) {
  struct avocet_object *object = NULL;
  avocet_os_mutex_lock(&file->lock);
  if (handle > 0 && handle <= file->capacity) object = file->objects[handle - 1];
  if (object) avocet_object_get(object);
  avocet_os_mutex_unlock(&file->lock);
  return object;
}

struct avocet_object *avocet_file_find(struct avocet_file *file, uint32_t handle, enum avocet_object_type type) {
  struct avocet_object *object = avocet_file_find_any(file, handle);
  if (object && object->type != type) {
    avocet_object_put(object);
    return NULL;
  }
  return object;
}

static void count(const struct avocet_object *object, struct avocet_file_usage *usage) {
  const struct avocet_buffer *buffer = (const struct avocet_buffer *)object;
  const struct avocet_program *program = (const struct avocet_program *)object;
  if (avocet_os_load32(&object->jobs)) usage->busy++;
  switch (object->type) {
    case AVOCET_OBJECT_CONTEXT:
      usage->contexts++;
      break;
    case AVOCET_OBJECT_BUFFER:
      usage->buffers++;
      if (!buffer->imported) usage->bytes += avocet_buffer_bytes(buffer);
      break;
    case AVOCET_OBJECT_PROGRAM:
      usage->programs++;
      usage->bytes += program->mapping.pages->memory.bytes;
      break;
  }
}

void avocet_file_count(struct avocet_file *file, struct avocet_file_usage *usage) {
  *usage = (struct avocet_file_usage){0};
  avocet_os_mutex_lock(&file->lock);
  for (uint32_t i = 0; i < file->capacity; i++) {
    if (file->objects[i]) count(file->objects[i], usage);
  }
  avocet_os_mutex_unlock(&file->lock);
}
