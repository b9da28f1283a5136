/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and their job rings: which job is next. Contexts of the highest priority take turns; one job is in hardware. */
#include <stddef.h>

#include "ring.h"
#include "state.h"

static void look_at(struct avocet_firmware *firmware, struct avocet_firmware_context *context) {
  uint32_t count;
  if (!context->live || context->mark_count == AVOCET_FIRMWARE_MARKS) return;
  enum avocet_status status = avocet_fw_ring_available(firmware->port, &context->jobs, &count);
  if (status != AVOCET_STATUS_OK) { /* its ring is nonsense: serve the others */
    if (!context->faulted)
      avocet_fw_log(firmware, "job ring unusable", (const struct avocet_fw_log_value[]){{"ring", context->jobs.address},
                                                                                  {"status", status},
                                                                                  {0, 0}});
    context->faulted = true;
    return;
  }
  uint32_t tail = context->jobs.index + count;
  if (tail == context->seen) return;
  context->seen = tail;
  uint32_t slot = (context->mark_first + context->mark_count++) % AVOCET_FIRMWARE_MARKS;
  context->marks[slot] = (struct avocet_firmware_mark){.cycle = avocet_fw_now(firmware), .tail = tail};
}

void avocet_fw_schedule_look(struct avocet_firmware *firmware) {
  firmware->look_due = false;
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) look_at(firmware, &firmware->contexts[id]);
}

uint64_t avocet_fw_schedule_seen_cycle(struct avocet_firmware_context *context) {
  return context->mark_count > 0 ? context->marks[context->mark_first].cycle : 0;
}

void avocet_fw_schedule_taken(struct avocet_firmware *firmware, struct avocet_firmware_context *context) {
  if (avocet_fw_ring_consume(firmware->port, &context->jobs) != AVOCET_STATUS_OK) context->faulted = true;
  if (context->mark_count > 0 && context->marks[context->mark_first].tail == context->jobs.index) {
    context->mark_first = (context->mark_first + 1) % AVOCET_FIRMWARE_MARKS;
    if (context->mark_count-- == AVOCET_FIRMWARE_MARKS) firmware->look_due = true; /* we may have looked away */
  }
}

void avocet_fw_schedule_refuse(struct avocet_firmware *firmware, uint32_t id, enum avocet_status status) {
  struct avocet_firmware_context *context = &firmware->contexts[id];
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_completion completion = {
      .type = AVOCET_COMPLETION_TYPE_JOB,
      .status = status,
      .context = id,
      .doorbell_cycle = avocet_fw_schedule_seen_cycle(context),
  };
  /* Without its id the completion names no job: the driver fails the context's jobs when it is destroyed. */
  if (!port->load(port->opaque, avocet_fw_ring_entry(&context->jobs, context->jobs.index), &completion.job_id,
                  sizeof completion.job_id))
    completion.status = AVOCET_STATUS_BUS_ERROR;
  avocet_fw_schedule_taken(firmware, context);
  avocet_fw_completion_write(firmware, &completion);
}

/* The context whose turn it is, or 0. */
static uint32_t choose(const struct avocet_firmware *firmware) {
  uint32_t best = 0;
  for (uint32_t i = 1; i <= AVOCET_CONTEXTS_MAX; i++) {
    uint32_t id = (firmware->last_context + i) % AVOCET_CONTEXTS_MAX;
    const struct avocet_firmware_context *context = &firmware->contexts[id];
    if (!context->live || avocet_fw_schedule_queued(context) == 0) continue;
    if (best == 0 || context->priority > firmware->contexts[best].priority) best = id;
  }
  return best;
}

bool avocet_fw_schedule_idle(struct avocet_firmware *firmware) {
  avocet_fw_schedule_look(firmware);
  return !firmware->run.active && choose(firmware) == 0;
}

bool avocet_fw_schedule_serve(struct avocet_firmware *firmware) {
  if (firmware->look_due) avocet_fw_schedule_look(firmware);
  if (firmware->run.active) return false;
  uint32_t id = choose(firmware);
  if (id == 0 || !avocet_fw_completion_room(firmware)) return false;
  firmware->last_context = id;
  if (firmware->contexts[id].faulted)
    avocet_fw_schedule_refuse(firmware, id, AVOCET_STATUS_ABORTED);
  else
    avocet_fw_job_start(firmware, id);
  return true;
}
