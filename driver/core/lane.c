/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes: order, ring, publication. */
#include "lane.h"

#include "context.h"
#include "device.h"

int avocet_lane_create(struct avocet_context *context, struct avocet_lane **result) {
  struct avocet_lane *lane = avocet_os_alloc(sizeof *lane);
  if (!lane) return -ENOMEM;
  lane->context = context;
  int error = avocet_shared_ring_create(context->device->os, AVOCET_QUEUE_JOBS, sizeof(struct avocet_job), &lane->ring);
  if (error) {
    avocet_os_free(lane);
    return error;
  }
  *result = lane;
  return 0;
}

void avocet_lane_free(struct avocet_lane *lane) {
  avocet_shared_ring_destroy(lane->context->device->os, &lane->ring);
  avocet_os_free(lane);
}

void avocet_lane_append(struct avocet_lane *lane, struct avocet_pending *job) {
  job->next = NULL;
  if (lane->last)
    lane->last->next = job;
  else
    lane->first = job;
  lane->last = job;
  if (!lane->unpublished) lane->unpublished = job;
  lane->count++;
}

void avocet_lane_remove(struct avocet_lane *lane, struct avocet_pending *job) {
  struct avocet_pending *before = NULL;
  for (struct avocet_pending *at = lane->first; at != job; at = at->next) before = at; /* nearly always the first */
  if (before)
    before->next = job->next;
  else
    lane->first = job->next;
  if (lane->last == job) lane->last = before;
  if (lane->unpublished == job) lane->unpublished = job->next;
  lane->count--;
}

void avocet_lane_advance_later(struct avocet_lane *lane) {
  struct avocet_device *device = lane->context->device;
  if (lane->advancing) return;
  lane->advancing = true;
  lane->next_advancing = device->lanes_to_advance;
  device->lanes_to_advance = lane;
}

/* Slots from the oldest unfinished job's on are taken. */
static bool ring_has_room(const struct avocet_lane *lane) {
  const struct avocet_pending *oldest = lane->first;
  return !oldest->published || lane->published - oldest->index < lane->ring.count;
}

static void publish(struct avocet_lane *lane, struct avocet_pending *job) {
  memcpy(avocet_shared_ring_entry(&lane->ring, lane->published), &job->descriptor, sizeof job->descriptor);
  job->index = lane->published++;
  job->published = true;
  lane->unpublished = job->next;
}

bool avocet_lane_advance(struct avocet_lane *lane) {
  uint32_t before = lane->published;
  while (lane->unpublished && lane->unpublished->unmet == 0) {
    struct avocet_pending *job = lane->unpublished;
    if (job->doomed) {
      if (job != lane->first) break; /* jobs of a lane end in their order */
      avocet_queue_end(job, &(struct avocet_job_result){.status = AVOCET_STATUS_ABORTED});
      continue;
    }
    if (lane->context->device->parameters.null_hardware) { /* all before it have ended */
      avocet_queue_end(job, &(struct avocet_job_result){.status = AVOCET_STATUS_OK});
      continue;
    }
    if (!ring_has_room(lane)) break; /* goes on when the oldest ends */
    publish(lane, job);
  }
  if (lane->published == before) return false;
  avocet_os_store32(&lane->context->tlb_dirty, 1);
  avocet_shared_ring_publish(&lane->ring, lane->published);
  return true;
}

bool avocet_lane_in_hardware(const struct avocet_lane *lane, const struct avocet_pending *job) {
  /* Indices count freely; both lie within one ring's length of the tail. */
  return job->published && (int32_t)(avocet_shared_ring_head(&lane->ring) - job->index) > 0;
}

bool avocet_lane_overrun(const struct avocet_lane *lane) {
  return (int32_t)(avocet_shared_ring_head(&lane->ring) - lane->published) > 0;
}

void avocet_lane_rebuild(struct avocet_lane *lane) {
  avocet_shared_ring_reset(&lane->ring, 0, 0);
  struct avocet_pending *end = lane->unpublished;
  lane->published = 0;
  for (struct avocet_pending *job = lane->first; job != end; job = job->next) publish(lane, job);
}

void avocet_lane_show(struct avocet_lane *lane) { avocet_shared_ring_publish(&lane->ring, lane->published); }
