/* SPDX-License-Identifier: Apache-2.0 */
/* Which job is next. The highest priority runs; contexts of the same take turns; a lower one that was passed over often enough
 * runs all the same. A waiting job stops one of lower priority when no core is free. */
#include "state.h"

/* A job that a core could take. */
struct candidate {
  uint32_t context; /* 0 = there is none */
  bool parked;
};

/* A parked job comes first: its save area is the only one of its priority on this core. */
static struct candidate candidate_of(const struct avocet_firmware *firmware, uint32_t core, uint32_t priority) {
  if (priority < AVOCET_FIRMWARE_PARKED && firmware->runs[core].parked[priority].context != 0)
    return (struct candidate){firmware->runs[core].parked[priority].context, true};
  if (firmware->queued[priority] == 0) return (struct candidate){0, false};
  for (uint32_t i = 1; i <= AVOCET_CONTEXTS_MAX; i++) {
    uint32_t id = (firmware->last_context[priority] + i) % AVOCET_CONTEXTS_MAX;
    const struct avocet_firmware_context *context = &firmware->contexts[id];
    if (!context->live) continue;
    const struct avocet_firmware_queue *queue = &context->queues[priority];
    if (!queue->busy && avocet_fw_queue_count(queue) > 0) return (struct candidate){id, false};
  }
  return (struct candidate){0, false};
}

/* What the core takes next; *starved: it is its turn though higher ones wait. */
static struct candidate choose(const struct avocet_firmware *firmware, uint32_t core, uint32_t *priority, bool *starved) {
  *starved = true;
  for (*priority = 0; *priority < AVOCET_PRIORITY_HIGH; ++*priority) {
    if (firmware->passed[*priority] < AVOCET_FIRMWARE_PASSED_MAX) continue;
    struct candidate found = candidate_of(firmware, core, *priority);
    if (found.context != 0) return found;
  }
  *starved = false;
  for (*priority = AVOCET_PRIORITY_COUNT; (*priority)-- > 0;) {
    struct candidate found = candidate_of(firmware, core, *priority);
    if (found.context != 0) return found;
  }
  return (struct candidate){0, false};
}

static void count_passed(struct avocet_firmware *firmware, uint32_t core, uint32_t priority) {
  firmware->passed[priority] = 0;
  for (uint32_t lower = 0; lower < priority; lower++) {
    if (candidate_of(firmware, core, lower).context != 0)
      firmware->passed[lower]++;
    else
      firmware->passed[lower] = 0;
  }
}

/* A job whose context is broken. */
static void drop(struct avocet_firmware *firmware, uint32_t core, struct candidate next, uint32_t priority) {
  if (next.parked)
    avocet_fw_job_drop_parked(firmware, core, priority, AVOCET_STATUS_ABORTED);
  else
    avocet_fw_queue_refuse(firmware, next.context, priority, AVOCET_STATUS_ABORTED);
}

/* False: the job needs more cores than are free. Until they are, nothing of its priority or below it starts. */
static bool take(struct avocet_firmware *firmware, uint32_t core, struct candidate next, uint32_t priority, bool starved) {
  const bool faulted = firmware->contexts[next.context].faulted;
  const uint32_t size = faulted || next.parked ? 1 : avocet_fw_gang_size(firmware, next.context, priority);
  const uint32_t gang = size > 1 ? avocet_fw_gang_cores(firmware, core, priority, size, starved) : 0;
  if (size > 1 && gang == 0) return false;
  if (!next.parked) firmware->last_context[priority] = next.context;
  if (faulted) {
    drop(firmware, core, next, priority);
  } else if (size == 0) {
    avocet_fw_queue_refuse(firmware, next.context, priority, AVOCET_STATUS_ILLEGAL_FIELD);
  } else {
    count_passed(firmware, core, priority);
    if (next.parked)
      avocet_fw_job_resume(firmware, core, priority);
    else
      avocet_fw_job_start(firmware, core, next.context, priority, gang);
    if (starved) firmware->runs[core].protected_until = avocet_fw_now(firmware) + AVOCET_FIRMWARE_PROTECTED_CYCLES;
  }
  return true;
}

static bool may_preempt(struct avocet_firmware *firmware, uint32_t core, uint32_t priority) {
  const struct avocet_firmware_run *run = &firmware->runs[core];
  if (!run->active || run->ended || run->aborting || run->job.gang || run->job.priority >= priority) return false;
  if (candidate_of(firmware, core, priority).context == 0) return false;
  return run->protected_until == 0 || avocet_fw_now(firmware) >= run->protected_until;
}

/* Stops the job of the lowest priority below that of a waiting one. One at a time: when it is parked we look again. */
static void preempt(struct avocet_firmware *firmware) {
  if (firmware->save == 0) return;
  for (uint32_t core = 0; core < firmware->cores; core++) {
    if (firmware->runs[core].active && firmware->runs[core].preempting) return;
  }
  for (uint32_t priority = AVOCET_PRIORITY_COUNT; priority-- > 1;) {
    uint32_t victim = firmware->cores;
    for (uint32_t core = 0; core < firmware->cores; core++) {
      if (may_preempt(firmware, core, priority) &&
          (victim == firmware->cores || firmware->runs[core].job.priority < firmware->runs[victim].job.priority))
        victim = core;
    }
    if (victim == firmware->cores) continue;
    avocet_fw_job_preempt(firmware, victim);
    return;
  }
}

bool avocet_fw_schedule_serve(struct avocet_firmware *firmware) {
  if (firmware->look_due) avocet_fw_queue_look(firmware);
  for (uint32_t core = 0; core < firmware->cores; core++) {
    if (firmware->runs[core].active) continue;
    uint32_t priority;
    bool starved;
    struct candidate next = choose(firmware, core, &priority, &starved);
    if (next.context == 0) continue;
    if (!avocet_fw_completion_room(firmware)) return false;
    if (take(firmware, core, next, priority, starved)) return true;
  }
  preempt(firmware);
  return false;
}

bool avocet_fw_schedule_idle(struct avocet_firmware *firmware) {
  avocet_fw_queue_look(firmware);
  for (uint32_t core = 0; core < firmware->cores; core++) {
    if (firmware->runs[core].active) return false;
    for (uint32_t priority = 0; priority < AVOCET_FIRMWARE_PARKED; priority++) {
      if (firmware->runs[core].parked[priority].context != 0) return false;
    }
  }
  for (uint32_t priority = 0; priority < AVOCET_PRIORITY_COUNT; priority++) {
    if (firmware->queued[priority] != 0) return false;
  }
  return true;
}
