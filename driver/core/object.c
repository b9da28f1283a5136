/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts of what handles name. */
#include "object.h"

#include "device.h"

void avocet_object_init(struct avocet_object *object, enum avocet_object_type type, struct avocet_device *device,
                        void (*release)(struct avocet_object *)) {
  object->type = type;
  object->device = device;
  object->release = release;
  avocet_os_refs_init(&object->refs);
}

void avocet_object_put(struct avocet_object *object) {
  if (avocet_os_refs_put(&object->refs)) object->release(object);
}

void avocet_object_put_later(struct avocet_object *object) {
  struct avocet_graveyard *graveyard = &object->device->graveyard;
  if (!avocet_os_refs_put(&object->refs)) return;
  unsigned long flags = avocet_os_spin_lock(&graveyard->lock);
  object->next_dead = graveyard->first;
  graveyard->first = object;
  avocet_os_spin_unlock(&graveyard->lock, flags);
}

void avocet_object_bury(struct avocet_device *device) {
  struct avocet_graveyard *graveyard = &device->graveyard;
  unsigned long flags = avocet_os_spin_lock(&graveyard->lock);
  struct avocet_object *object = graveyard->first;
  graveyard->first = NULL;
  avocet_os_spin_unlock(&graveyard->lock, flags);
  while (object) {
    struct avocet_object *next = object->next_dead;
    object->release(object);
    object = next;
  }
}
