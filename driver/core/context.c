/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: create, announce to the firmware, destroy. */
#include "context.h"

#include "device.h"
#include "file.h"

static void release(struct avocet_object *object) {
  struct avocet_context *context = avocet_context_of(object);
  struct avocet_device *device = context->device;
  avocet_queue_destroy(context);
  avocet_os_mutex_destroy(&context->mmu_lock);
  avocet_os_mutex_destroy(&context->lanes_lock);
  avocet_os_free(context);
  avocet_device_put(device);
}

static void set_slot(struct avocet_device *device, uint32_t id, struct avocet_context *context) {
  unsigned long flags = avocet_os_spin_lock(&device->completions.lock);
  device->contexts[id] = context;
  avocet_os_spin_unlock(&device->completions.lock, flags);
}

/* Takes a device id and announces the context under it. reset_lock is held for reading. */
static int attach(struct avocet_context *context) {
  struct avocet_device *device = context->device;
  int error = -ENOSPC;
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) continue;
    context->id = id;
    avocet_queue_name(context, ++device->contexts_created);
    set_slot(device, id, context);
    avocet_os_add64(&device->counters.contexts, 1);
    error = 0;
    break;
  }
  avocet_os_mutex_unlock(&device->contexts_lock);
  if (!error) error = avocet_context_announce(context);
  return error;
}

static void detach(struct avocet_context *context) {
  struct avocet_device *device = context->device;
  if (context->id == 0) return;
  avocet_os_mutex_lock(&device->contexts_lock);
  if (device->contexts[context->id] == context) {
    set_slot(device, context->id, NULL);
    avocet_os_add64(&device->counters.contexts, (uint64_t)-1);
  }
  avocet_os_mutex_unlock(&device->contexts_lock);
}

static int announce_lane(struct avocet_context *context, uint32_t priority) {
  return avocet_admin_call(context->device, AVOCET_MESSAGE_TYPE_CREATE_RING, context->id, priority,
                           avocet_shared_ring_bus(&context->queue.lanes[priority]->ring));
}

int avocet_context_announce(struct avocet_context *context) {
  struct avocet_lane *const *lanes = context->queue.lanes;
  avocet_os_store32(&context->forgotten, 0);
  int error = avocet_admin_call(context->device, AVOCET_MESSAGE_TYPE_CREATE_CONTEXT, context->id,
                                avocet_mmu_table(&context->mmu),
                                avocet_shared_ring_bus(&lanes[AVOCET_PRIORITY_MEDIUM]->ring));
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT && !error; i++) {
    if (i != AVOCET_PRIORITY_MEDIUM && avocet_os_load_pointer(&lanes[i])) error = announce_lane(context, i);
  }
  return error;
}

/* lanes_lock is held. */
static int open_lane(struct avocet_context *context, uint32_t priority) {
  struct avocet_device *device = context->device;
  bool announce;
  int error = avocet_device_enter(device);
  if (error) return error;
  uint32_t generation = avocet_reset_generation(device);
  error = avocet_queue_open_lane(context, priority, &announce);
  int refused = !error && announce ? announce_lane(context, priority) : 0;
  avocet_device_exit(device);
  if (!refused || avocet_os_load32(&context->queue.faulted)) return error; /* SUBMIT tells that the context is broken */
  /* The reset announces it with the others. */
  return avocet_reset_device(device, generation, AVOCET_ACCEL_RESET_NO_ANSWER, "a job ring was not taken");
}

int avocet_context_open_lane(struct avocet_context *context, uint32_t priority) {
  int error = 0;
  if (avocet_os_load_pointer(&context->queue.lanes[priority])) return 0;
  avocet_os_mutex_lock(&context->lanes_lock);
  if (!context->queue.lanes[priority]) error = open_lane(context, priority);
  avocet_os_mutex_unlock(&context->lanes_lock);
  return error;
}

static int allocate(struct avocet_device *device, struct avocet_context **result) {
  struct avocet_context *context = avocet_os_alloc(sizeof *context);
  int error;
  if (!context) return -ENOMEM;
  context->device = device;
  error = avocet_mmu_init(&context->mmu, device->os);
  if (error) goto free_context;
  error = avocet_queue_init(context);
  if (error) goto destroy_mmu;
  context->mmu_open = true;
  avocet_os_mutex_init(&context->mmu_lock);
  avocet_os_mutex_init(&context->lanes_lock);
  avocet_object_init(&context->object, AVOCET_OBJECT_CONTEXT, device, release);
  avocet_device_get(device);
  *result = context;
  return 0;

destroy_mmu:
  avocet_mmu_destroy(&context->mmu);
free_context:
  avocet_os_free(context);
  return error;
}

int avocet_context_create(struct avocet_file *file, struct avocet_accel_context_create *arguments) {
  struct avocet_device *device = file->device;
  struct avocet_context *context;
  uint32_t handle;
  int error;
  if (arguments->flags != 0) return -EINVAL;
  error = allocate(device, &context);
  if (error) return error;
  error = avocet_device_enter(device);
  uint32_t generation = avocet_reset_generation(device);
  if (!error) {
    error = attach(context);
    avocet_device_exit(device);
  }
  if (error == -ETIMEDOUT || error == -ECANCELED) {
    /* The reset announces it, as every context in the table. */
    error = avocet_reset_device(device, generation, AVOCET_ACCEL_RESET_NO_ANSWER, "no answer from the firmware");
    if (!error && avocet_os_load32(&context->queue.faulted)) error = -EIO;
  }
  if (error == -EREMOTEIO) error = -EIO;
  if (error) goto close;
  error = avocet_file_add(file, &context->object, &handle);
  if (error) goto close;
  arguments->context = handle;
  return 0;

close:
  avocet_context_close(context);
  avocet_object_put(&context->object);
  return error;
}

static void leave_device(struct avocet_context *context) {
  struct avocet_device *device = context->device;
  int error = avocet_device_enter(device);
  if (!error) {
    uint32_t generation = avocet_reset_generation(device);
    if (context->id != 0 && !avocet_os_load32(&context->forgotten))
      error = avocet_admin_call(device, AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, context->id, 0, 0);
    avocet_device_exit(device);
    /* Refused: the firmware does not know the context, which is as good. A reset leaves a stopped context out. */
    if (error && error != -EREMOTEIO)
      (void)avocet_reset_device(device, generation, AVOCET_ACCEL_RESET_NO_ANSWER, "no answer when a context ended");
  }
  detach(context);
}

void avocet_context_close(struct avocet_context *context) {
  avocet_os_mutex_lock(&context->lanes_lock); /* no ring is announced after this */
  avocet_queue_stop(context);
  avocet_os_mutex_unlock(&context->lanes_lock);
  leave_device(context);
  avocet_queue_abort(context, false); /* those of which the firmware never heard */
  avocet_os_mutex_lock(&context->mmu_lock);
  if (context->mmu_open) avocet_mmu_destroy(&context->mmu);
  context->mmu_open = false;
  avocet_os_mutex_unlock(&context->mmu_lock);
}

int avocet_context_destroy(struct avocet_file *file, struct avocet_accel_context_destroy *arguments) {
  struct avocet_object *object;
  if (arguments->pad != 0) return -EINVAL;
  object = avocet_file_remove(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!object) return -ENOENT;
  avocet_context_close(avocet_context_of(object));
  avocet_object_put(object);
  return 0;
}

void avocet_context_flush(struct avocet_context *context) {
  struct avocet_device *device = context->device;
  if (!avocet_os_load32(&context->tlb_dirty) || avocet_os_load32(&context->forgotten)) return;
  if (avocet_queue_unfinished(&context->queue) == 0) avocet_os_store32(&context->tlb_dirty, 0);
  int error = avocet_device_enter(device);
  if (error) return; /* a device that does not come back from a reset holds no translations */
  uint32_t generation = avocet_reset_generation(device);
  error = avocet_admin_call(device, AVOCET_MESSAGE_TYPE_INVALIDATE, context->id, 0, 0);
  avocet_device_exit(device);
  /* Nor does one that was reset, or a firmware that refuses because it does not know the context. */
  if (error && error != -EREMOTEIO)
    (void)avocet_reset_device(device, generation, AVOCET_ACCEL_RESET_NO_ANSWER, "no answer to a TLB invalidation");
}
