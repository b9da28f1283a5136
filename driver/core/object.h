/* SPDX-License-Identifier: Apache-2.0 */
/* What a handle names: contexts, buffers, programs. Counted references; the last one may be dropped in the interrupt handler, but
 * releasing may sleep, so such objects wait in the device's graveyard for the next caller. */
#ifndef AVOCET_OBJECT_H
#define AVOCET_OBJECT_H

#include "os.h"

struct avocet_device;

enum avocet_object_type { AVOCET_OBJECT_CONTEXT = 1, AVOCET_OBJECT_BUFFER = 2, AVOCET_OBJECT_PROGRAM = 3 };

struct avocet_object {
  enum avocet_object_type type;
  struct avocet_refs refs;
  uint32_t handle; /* in the file that made it */
  uint32_t jobs; /* unfinished jobs that hold a reference; atomic */
  struct avocet_device *device;
  void (*release)(struct avocet_object *object);
  struct avocet_object *next_dead; /* in the graveyard */
};

struct avocet_graveyard {
  struct avocet_spinlock lock;
  struct avocet_object *first;
};

void avocet_object_init(struct avocet_object *object, enum avocet_object_type type, struct avocet_device *device,
                        void (*release)(struct avocet_object *));
static inline void avocet_object_get(struct avocet_object *object) { avocet_os_refs_get(&object->refs); }
void avocet_object_put(struct avocet_object *object);       /* may sleep */
void avocet_object_put_later(struct avocet_object *object); /* never sleeps */
void avocet_object_bury(struct avocet_device *device);      /* releases the dead; may sleep; no lock held */

#endif
