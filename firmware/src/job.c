/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs in hardware, one on each core: start, supervision by the timer, abort, preemption, end. The sequencer reads the
 * descriptor in the ring entry, which the driver keeps until the completion. */
#include <stddef.h>

#include "ring.h"
#include "state.h"

/* Writes the registers that do not hold the right values already. */
static void set_up_sequencer(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  uint32_t id = run->job.context, entry_hi = (uint32_t)(run->job.entry >> 32);
  bool other_context = run->seq_context != id;
  if (other_context) {
    avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_CONTEXT), id);
    avocet_fw_wr64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_TABLE_LO), firmware->contexts[id].table);
  }
  if (other_context || run->seq_job_hi != entry_hi)
    avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_JOB_HI), entry_hi);
  if (run->seq_gang != run->job.gang) avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_GANG), run->job.gang);
  run->seq_context = id;
  run->seq_job_hi = entry_hi;
  run->seq_gang = run->job.gang;
  avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_JOB_LO), (uint32_t)run->job.entry);
}

void avocet_fw_job_forget_setup(struct avocet_firmware *firmware, uint32_t context) {
  for (uint32_t core = 0; core < firmware->cores; core++) {
    if (firmware->runs[core].seq_context == context) firmware->runs[core].seq_context = 0;
  }
}

/* run->job is what the core works on from now. */
static void start_sequencer(struct avocet_firmware *firmware, uint32_t core, uint32_t control) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  run->active = true;
  run->ended = run->aborting = run->resetting = run->preempting = run->judged = false;
  run->verdict = AVOCET_STATUS_OK;
  run->progress = 0;
  run->since = run->protected_until = 0;
  set_up_sequencer(firmware, core);
  if (control & AVOCET_SEQ_CONTROL_RESTORE) {
    uint64_t area = avocet_fw_save_area(firmware, core, run->job.priority);
    avocet_fw_wr64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_SAVE_LO), area);
  }
  avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_CONTROL), control);
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, AVOCET_FIRMWARE_TICK_CYCLES);
}

void avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t core, uint32_t id, uint32_t priority, uint32_t gang) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_firmware_context *context = &firmware->contexts[id];
  struct avocet_firmware_queue *queue = &context->queues[priority];
  uint64_t entry = avocet_fw_ring_entry(&queue->jobs, queue->jobs.index);
  struct avocet_job job; /* as far as the firmware looks at it */
  if (!port->load(port->opaque, entry, &job, offsetof(struct avocet_job, region))) {
    context->faulted = true;
    avocet_fw_queue_refuse(firmware, id, priority, AVOCET_STATUS_BUS_ERROR);
    return;
  }
  if (job.deadline_cycle != 0 && avocet_fw_now(firmware) > job.deadline_cycle) {
    avocet_fw_queue_refuse(firmware, id, priority, AVOCET_STATUS_DEADLINE);
    return;
  }
  const struct avocet_firmware_job started = {
      .context = id,
      .priority = priority,
      .entry = entry,
      .job_id = job.job_id,
      .doorbell_cycle = avocet_fw_queue_seen_cycle(queue),
      .gang = gang,
  };
  for (uint32_t cores = gang ? gang >> core : 1; cores != 0; cores >>= 1, core++) {
    if ((cores & 1) == 0) continue;
    firmware->runs[core].job = started;
    start_sequencer(firmware, core, AVOCET_SEQ_CONTROL_START);
  }
  queue->busy = true;
  /* A head beyond the completions tells the driver which jobs were started. */
  avocet_fw_queue_taken(firmware, id, priority);
}

static void log_job(struct avocet_firmware *firmware, const char *what, const struct avocet_firmware_job *job) {
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_DEBUG, what, (const struct avocet_fw_log_value[]){{"context", job->context},
                                                                                       {"job", job->job_id},
                                                                                       {"priority", job->priority},
                                                                                       {0, 0}});
}

void avocet_fw_job_resume(struct avocet_firmware *firmware, uint32_t core, uint32_t priority) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  run->job = run->parked[priority];
  run->parked[priority].context = 0;
  start_sequencer(firmware, core, AVOCET_SEQ_CONTROL_START | AVOCET_SEQ_CONTROL_RESTORE);
  log_job(firmware, "resumed", &run->job);
}

void avocet_fw_job_preempt(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  run->preempting = true;
  uint64_t area = avocet_fw_save_area(firmware, core, run->job.priority);
  avocet_fw_wr64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_SAVE_LO), area);
  avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_CONTROL), AVOCET_SEQ_CONTROL_PREEMPT);
}

void avocet_fw_job_abort(struct avocet_firmware *firmware, uint32_t core, enum avocet_status verdict) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if (!run->active || run->ended || run->aborting) return;
  run->aborting = true;
  run->verdict = verdict;
  run->since = avocet_fw_now(firmware);
  avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_CONTROL), AVOCET_SEQ_CONTROL_ABORT);
}

bool avocet_fw_job_reset(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if ((avocet_fw_rd32(firmware, AVOCET_REG_VERSION) & 0xFFFF) < 3) return false;
  run->aborting = run->resetting = true;
  run->verdict = AVOCET_STATUS_HANG;
  run->since = avocet_fw_now(firmware);
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_WARNING, "core reset",
                (const struct avocet_fw_log_value[]){
                    {"core", core}, {"context", run->job.context}, {"job", run->job.job_id}, {0, 0}});
  avocet_fw_wr32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_CONTROL), AVOCET_SEQ_CONTROL_RESET);
  return true;
}

static void supervise(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if (avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_STATE)) == 0) { /* its event was lost */
    run->ended = true;
    return;
  }
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, AVOCET_FIRMWARE_TICK_CYCLES);
  uint64_t now = avocet_fw_now(firmware);
  /* A core that waits for others gets on while they do. */
  uint32_t progress = run->job.gang ? avocet_fw_gang_progress(firmware, run->job.gang)
                                    : avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_PROGRESS));
  if (run->aborting) {
    if (now - run->since <= AVOCET_FIRMWARE_ABORT_CYCLES) return;
    if (run->resetting || !avocet_fw_job_reset(firmware, core))
      avocet_fw_halt(firmware, AVOCET_STATUS_HANG, run->resetting ? "core reset had no effect" : "abort had no effect");
  } else if (progress != run->progress || run->since == 0) {
    run->progress = progress;
    run->since = now;
    avocet_fw_beat(firmware);
  } else if (now - run->since > AVOCET_FIRMWARE_HANG_CYCLES) {
    avocet_fw_job_abort(firmware, core, AVOCET_STATUS_HANG);
  }
}

void avocet_fw_job_supervise(struct avocet_firmware *firmware) {
  for (uint32_t core = 0; core < firmware->cores; core++) {
    const struct avocet_firmware_run *run = &firmware->runs[core];
    if (run->active && !run->ended && firmware->state == AVOCET_FIRMWARE_STATE_READY) supervise(firmware, core);
  }
}

void avocet_fw_job_events(struct avocet_firmware *firmware, uint32_t events) {
  for (uint32_t core = 0; core < firmware->cores; core++) {
    uint32_t bit = core == 0 ? AVOCET_CORE_EVENTS_SEQUENCER : 1u << (16 + core); /* CORE_EVENTS.SEQUENCERS */
    if (events & bit) firmware->runs[core].ended = firmware->runs[core].active;
  }
}

/* After these the memory or the hardware behind the context cannot be trusted. */
static bool breaks_context(uint32_t status) {
  return status == AVOCET_STATUS_IOMMU_FAULT || status == AVOCET_STATUS_BUS_ERROR || status == AVOCET_STATUS_HANG;
}

static void report_fault(struct avocet_firmware *firmware, const struct avocet_completion *completion) {
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_ERROR, "job failed",
                (const struct avocet_fw_log_value[]){{"context", completion->context},
                                                     {"job", completion->job_id},
                                                     {"status", completion->status},
                                                     {"position", completion->position},
                                                     {"address", completion->address},
                                                     {0, 0}});
  if (breaks_context(completion->status)) firmware->contexts[completion->context].faulted = true;
}

static struct avocet_completion completion_of(const struct avocet_firmware_job *job, uint32_t status) {
  return (struct avocet_completion){
      .type = AVOCET_COMPLETION_TYPE_JOB,
      .status = status,
      .context = job->context,
      .request = job->preemptions,
      .job_id = job->job_id,
      .doorbell_cycle = job->doorbell_cycle,
      .start_cycle = job->start_cycle,
  };
}

void avocet_fw_job_drop_parked(struct avocet_firmware *firmware, uint32_t core, uint32_t priority,
                               enum avocet_status status) {
  struct avocet_firmware_job *job = &firmware->runs[core].parked[priority];
  struct avocet_completion completion = completion_of(job, status);
  completion.end_cycle = avocet_fw_now(firmware);
  firmware->contexts[job->context].queues[priority].busy = false;
  job->context = 0;
  avocet_fw_completion_write(firmware, &completion);
}

/* The core is free. */
static void leave(struct avocet_firmware *firmware, uint32_t core) {
  firmware->runs[core].active = false;
  for (uint32_t other = 0; other < firmware->cores; other++) {
    if (firmware->runs[other].active) return;
  }
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, 0); /* an idle device sleeps */
}

static void park(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if (run->job.preemptions++ == 0) run->job.start_cycle = avocet_fw_rd64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_START_LO));
  run->parked[run->job.priority] = run->job;
  log_job(firmware, "preempted", &run->job);
  leave(firmware, core);
}

struct avocet_completion avocet_fw_job_outcome(const struct avocet_firmware *firmware, uint32_t core, uint32_t status) {
  const struct avocet_firmware_run *run = &firmware->runs[core];
  if (status == AVOCET_STATUS_ABORTED && run->verdict != AVOCET_STATUS_OK) status = run->verdict;
  struct avocet_completion completion = completion_of(&run->job, status);
  completion.commands = avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_PROGRESS));
  if (run->job.preemptions == 0)
    completion.start_cycle = avocet_fw_rd64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_START_LO));
  completion.end_cycle = avocet_fw_rd64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_END_LO));
  if (status != AVOCET_STATUS_OK) {
    completion.position = avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_POSITION));
    completion.address = avocet_fw_rd64(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_ADDRESS_LO));
  }
  return completion;
}

void avocet_fw_job_complete(struct avocet_firmware *firmware, uint32_t core, const struct avocet_completion *completion) {
  const struct avocet_firmware_job job = firmware->runs[core].job;
  if (completion->status != AVOCET_STATUS_OK) report_fault(firmware, completion);
  for (uint32_t other = 0; other < firmware->cores; other++) {
    if (job.gang >> other & 1) firmware->runs[other].active = false;
  }
  leave(firmware, core);
  firmware->contexts[job.context].queues[job.priority].busy = false;
  avocet_fw_completion_write(firmware, completion);
}

static bool finish(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if (!run->active || !run->ended) return false;
  if (run->job.gang) return avocet_fw_gang_finish(firmware, core);
  if (!avocet_fw_completion_room(firmware)) return false;
  uint32_t status = avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_STATUS));
  if (status == AVOCET_STATUS_PREEMPTED && run->aborting) status = AVOCET_STATUS_ABORTED; /* it comes too late */
  if (status == AVOCET_STATUS_PREEMPTED && run->preempting) {
    park(firmware, core);
    return true;
  }
  const struct avocet_completion completion = avocet_fw_job_outcome(firmware, core, status);
  avocet_fw_job_complete(firmware, core, &completion);
  return true;
}

bool avocet_fw_job_finish(struct avocet_firmware *firmware) {
  bool any = false;
  for (uint32_t core = 0; core < firmware->cores; core++) any = finish(firmware, core) || any;
  return any;
}
