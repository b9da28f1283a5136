/* SPDX-License-Identifier: Apache-2.0 */
/* Job rings, one for each context and priority: what is in them, since when, and what leaves them. */
#include "ring.h"
#include "state.h"

void avocet_fw_queue_open(struct avocet_firmware_queue *queue, const struct avocet_firmware_ring *jobs) {
  *queue = (struct avocet_firmware_queue){.jobs = *jobs, .seen = jobs->index};
}

/* The others are served; what was seen of this one before ends as ABORTED. */
static void reject_ring(struct avocet_firmware *firmware, struct avocet_firmware_context *context,
                        struct avocet_firmware_queue *queue, enum avocet_status status) {
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_ERROR, "job ring unusable",
                (const struct avocet_fw_log_value[]){{"ring", queue->jobs.address}, {"status", status}, {0, 0}});
  context->faulted = true;
  if (firmware->driver_minor < 3) return; /* its timeout notices */
  queue->report = status;
  firmware->report_due = true;
}

static void look_at(struct avocet_firmware *firmware, uint32_t id, uint32_t priority) {
  struct avocet_firmware_context *context = &firmware->contexts[id];
  struct avocet_firmware_queue *queue = &context->queues[priority];
  uint32_t count;
  if (queue->jobs.address == 0 || queue->mark_count == AVOCET_FIRMWARE_MARKS) return;
  enum avocet_status status = avocet_fw_ring_available(firmware->port, &queue->jobs, &count);
  if (status != AVOCET_STATUS_OK) {
    if (!context->faulted) reject_ring(firmware, context, queue, status);
    return;
  }
  uint32_t tail = queue->jobs.index + count;
  if (tail - queue->seen == 0 || tail - queue->seen > count) return; /* nothing new, or the tail went back */
  firmware->queued[priority] += tail - queue->seen;
  queue->seen = tail;
  uint32_t slot = (queue->mark_first + queue->mark_count++) % AVOCET_FIRMWARE_MARKS;
  queue->marks[slot] = (struct avocet_firmware_mark){.cycle = avocet_fw_now(firmware), .tail = tail};
}

void avocet_fw_queue_look(struct avocet_firmware *firmware) {
  firmware->look_due = false;
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (!firmware->contexts[id].live) continue;
    for (uint32_t priority = 0; priority < AVOCET_PRIORITY_COUNT; priority++) look_at(firmware, id, priority);
  }
}

/* The first ring that has something to report; false: none has. */
static bool find_report(struct avocet_firmware *firmware, uint32_t *id, uint32_t *priority) {
  for (*id = 1; *id < AVOCET_CONTEXTS_MAX; ++*id) {
    for (*priority = 0; *priority < AVOCET_PRIORITY_COUNT; ++*priority) {
      if (firmware->contexts[*id].live && firmware->contexts[*id].queues[*priority].report != AVOCET_STATUS_OK) return true;
    }
  }
  return false;
}

bool avocet_fw_queue_report(struct avocet_firmware *firmware) {
  uint32_t id, priority;
  firmware->report_due = find_report(firmware, &id, &priority);
  if (!firmware->report_due || !avocet_fw_completion_room(firmware)) return false;
  struct avocet_firmware_queue *queue = &firmware->contexts[id].queues[priority];
  struct avocet_completion completion = {
      .type = AVOCET_COMPLETION_TYPE_RING,
      .status = queue->report,
      .context = id,
      .request = priority,
      .address = queue->jobs.address,
      .end_cycle = avocet_fw_now(firmware),
  };
  queue->report = AVOCET_STATUS_OK;
  avocet_fw_completion_write(firmware, &completion);
  return true;
}

uint64_t avocet_fw_queue_seen_cycle(const struct avocet_firmware_queue *queue) {
  return queue->mark_count > 0 ? queue->marks[queue->mark_first].cycle : 0;
}

void avocet_fw_queue_taken(struct avocet_firmware *firmware, uint32_t id, uint32_t priority) {
  struct avocet_firmware_context *context = &firmware->contexts[id];
  struct avocet_firmware_queue *queue = &context->queues[priority];
  if (avocet_fw_ring_consume(firmware->port, &queue->jobs) != AVOCET_STATUS_OK) context->faulted = true;
  firmware->queued[priority]--;
  queue->parts = 0;
  if (queue->mark_count > 0 && queue->marks[queue->mark_first].tail == queue->jobs.index) {
    queue->mark_first = (queue->mark_first + 1) % AVOCET_FIRMWARE_MARKS;
    if (queue->mark_count-- == AVOCET_FIRMWARE_MARKS) firmware->look_due = true; /* we may have looked away */
  }
}

void avocet_fw_queue_refuse(struct avocet_firmware *firmware, uint32_t id, uint32_t priority, enum avocet_status status) {
  const struct avocet_firmware_queue *queue = &firmware->contexts[id].queues[priority];
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_completion completion = {
      .type = AVOCET_COMPLETION_TYPE_JOB,
      .status = status,
      .context = id,
      .doorbell_cycle = avocet_fw_queue_seen_cycle(queue),
  };
  /* Without its id the completion names no job: the driver fails the context's jobs when it is destroyed. */
  if (!port->load(port->opaque, avocet_fw_ring_entry(&queue->jobs, queue->jobs.index), &completion.job_id,
                  sizeof completion.job_id))
    completion.status = AVOCET_STATUS_BUS_ERROR;
  avocet_fw_queue_taken(firmware, id, priority);
  avocet_fw_completion_write(firmware, &completion);
}
