/* SPDX-License-Identifier: Apache-2.0 */
/* A context's jobs of one priority, in their order, and the ring through which the firmware gets them. A job enters the ring when
 * nothing it depends on is left; its slot is free again when it has ended, because the hardware reads the descriptor there. */
#ifndef AVOCET_LANE_H
#define AVOCET_LANE_H

#include "os.h"
#include "pending.h"
#include "ring.h"

struct avocet_lane {
  struct avocet_shared_ring ring;
  struct avocet_context *context;
  struct avocet_pending *first, *last; /* unfinished jobs, as all that follows guarded by jobs_lock */
  struct avocet_pending *unpublished;  /* the first that is not in the ring */
  uint32_t published;                  /* ring index of the next */
  uint32_t count;                      /* unfinished jobs */
  bool advancing;                      /* in the device's list of lanes to advance */
  struct avocet_lane *next_advancing;
};

int avocet_lane_create(struct avocet_context *context, struct avocet_lane **lane);
void avocet_lane_free(struct avocet_lane *lane);

/* jobs_lock is held for all of these. */
void avocet_lane_append(struct avocet_lane *lane, struct avocet_pending *job);
void avocet_lane_remove(struct avocet_lane *lane, struct avocet_pending *job);
/* Publishes what can be published when jobs_lock is let go. */
void avocet_lane_advance_later(struct avocet_lane *lane);
/* Publishes now; may end jobs. True when the ring has new entries. */
bool avocet_lane_advance(struct avocet_lane *lane);
/* The job was taken by the firmware and has not ended. */
bool avocet_lane_in_hardware(const struct avocet_lane *lane, const struct avocet_pending *job);
/* The firmware took more jobs than the ring ever had. */
bool avocet_lane_overrun(const struct avocet_lane *lane);
/* Puts the unfinished jobs that were published into an empty ring, for a firmware that has forgotten everything; it sees them
 * when they are shown. */
void avocet_lane_rebuild(struct avocet_lane *lane);
void avocet_lane_show(struct avocet_lane *lane);

#endif
