/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the firmware: one at a time, each waits for its answer in the completion ring. */
#ifndef AVOCET_ADMIN_H
#define AVOCET_ADMIN_H

#include "os.h"
#include "ring.h"

struct avocet_device;

struct avocet_admin {
  struct avocet_mutex lock;
  struct avocet_shared_ring ring;
  struct avocet_waitq waiters;
  uint32_t request;   /* of the message under way; atomic, written before the message is published */
  uint32_t answered;  /* request of the last answer; atomic */
  uint32_t status;    /* of that answer */
  uint32_t cancelled; /* a reset is coming: nobody may sleep through it; atomic */
};

int avocet_admin_init(struct avocet_device *device);
void avocet_admin_destroy(struct avocet_device *device);
/* May sleep; reset_lock is held. 0; -EREMOTEIO: refused by the firmware; -ETIMEDOUT, -ECANCELED: no answer, reset the device. */
int avocet_admin_call(struct avocet_device *device, enum avocet_message_type type, uint32_t context, uint64_t argument0,
                      uint64_t argument1);
void avocet_admin_answer(struct avocet_device *device, const struct avocet_completion *completion); /* interrupt handler */
void avocet_admin_cancel(struct avocet_device *device, bool cancelled);

#endif
