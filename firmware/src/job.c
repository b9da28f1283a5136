/* SPDX-License-Identifier: Apache-2.0 */
/* The job in hardware: start, supervision by the timer, abort, end. The sequencer reads the descriptor in the ring entry, which
 * the driver keeps until the completion. */
#include <stddef.h>

#include "ring.h"
#include "state.h"

/* Writes the registers that do not hold the right values already. */
static void set_up_sequencer(struct avocet_firmware *firmware, uint32_t id, uint64_t entry) {
  if (firmware->seq_context != id) {
    avocet_fw_wr32(firmware, AVOCET_REG_SEQ_CONTEXT, id);
    avocet_fw_wr64(firmware, AVOCET_REG_SEQ_TABLE_LO, firmware->contexts[id].table);
    avocet_fw_wr32(firmware, AVOCET_REG_SEQ_JOB_HI, (uint32_t)(entry >> 32));
    firmware->seq_context = id;
    firmware->seq_job_hi = (uint32_t)(entry >> 32);
  } else if (firmware->seq_job_hi != entry >> 32) {
    avocet_fw_wr32(firmware, AVOCET_REG_SEQ_JOB_HI, (uint32_t)(entry >> 32));
    firmware->seq_job_hi = (uint32_t)(entry >> 32);
  }
  avocet_fw_wr32(firmware, AVOCET_REG_SEQ_JOB_LO, (uint32_t)entry);
}

void avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t id) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_firmware_context *context = &firmware->contexts[id];
  uint64_t entry = avocet_fw_ring_entry(&context->jobs, context->jobs.index);
  struct avocet_job job; /* as far as the firmware looks at it */
  if (!port->load(port->opaque, entry, &job, offsetof(struct avocet_job, region))) {
    context->faulted = true;
    avocet_fw_schedule_refuse(firmware, id, AVOCET_STATUS_BUS_ERROR);
    return;
  }
  if (job.deadline_cycle != 0 && avocet_fw_now(firmware) > job.deadline_cycle) {
    avocet_fw_schedule_refuse(firmware, id, AVOCET_STATUS_DEADLINE);
    return;
  }
  firmware->run = (struct avocet_firmware_run){
      .active = true,
      .context = id,
      .job_id = job.job_id,
      .doorbell_cycle = avocet_fw_schedule_seen_cycle(context),
  };
  set_up_sequencer(firmware, id, entry);
  avocet_fw_wr32(firmware, AVOCET_REG_SEQ_CONTROL, AVOCET_SEQ_CONTROL_START);
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, AVOCET_FIRMWARE_TICK_CYCLES);
  avocet_fw_schedule_taken(firmware, context); /* a head beyond the completions tells the driver which job is in hardware */
}

void avocet_fw_job_abort(struct avocet_firmware *firmware, enum avocet_status verdict) {
  struct avocet_firmware_run *run = &firmware->run;
  if (!run->active || run->ended || run->aborting) return;
  run->aborting = true;
  run->verdict = verdict;
  run->since = avocet_fw_now(firmware);
  avocet_fw_wr32(firmware, AVOCET_REG_SEQ_CONTROL, AVOCET_SEQ_CONTROL_ABORT);
}

void avocet_fw_job_supervise(struct avocet_firmware *firmware) {
  struct avocet_firmware_run *run = &firmware->run;
  if (!run->active || run->ended) return;
  if (avocet_fw_rd32(firmware, AVOCET_REG_SEQ_STATE) == 0) { /* its event was lost */
    run->ended = true;
    return;
  }
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, AVOCET_FIRMWARE_TICK_CYCLES);
  uint64_t now = avocet_fw_now(firmware);
  uint32_t progress = avocet_fw_rd32(firmware, AVOCET_REG_SEQ_PROGRESS);
  if (run->aborting) {
    if (now - run->since > AVOCET_FIRMWARE_ABORT_CYCLES) avocet_fw_halt(firmware, AVOCET_STATUS_HANG, "abort had no effect");
  } else if (progress != run->progress || run->since == 0) {
    run->progress = progress;
    run->since = now;
    avocet_fw_beat(firmware);
  } else if (now - run->since > AVOCET_FIRMWARE_HANG_CYCLES) {
    avocet_fw_job_abort(firmware, AVOCET_STATUS_HANG);
  }
}

/* After these the memory or the hardware behind the context cannot be trusted. */
static bool breaks_context(uint32_t status) {
  return status == AVOCET_STATUS_IOMMU_FAULT || status == AVOCET_STATUS_BUS_ERROR || status == AVOCET_STATUS_HANG;
}

static void report_fault(struct avocet_firmware *firmware, const struct avocet_completion *completion) {
  avocet_fw_log(firmware, "job failed", (const struct avocet_fw_log_value[]){{"context", completion->context},
                                                                       {"job", completion->job_id},
                                                                       {"status", completion->status},
                                                                       {"position", completion->position},
                                                                       {"address", completion->address},
                                                                       {0, 0}});
  if (breaks_context(completion->status)) firmware->contexts[completion->context].faulted = true;
}

bool avocet_fw_job_finish(struct avocet_firmware *firmware) {
  struct avocet_firmware_run *run = &firmware->run;
  if (!run->active || !run->ended || !avocet_fw_completion_room(firmware)) return false;
  uint32_t status = avocet_fw_rd32(firmware, AVOCET_REG_SEQ_STATUS);
  if (status == AVOCET_STATUS_ABORTED && run->verdict != AVOCET_STATUS_OK) status = run->verdict;
  struct avocet_completion completion = {
      .type = AVOCET_COMPLETION_TYPE_JOB,
      .status = status,
      .context = run->context,
      .job_id = run->job_id,
      .commands = avocet_fw_rd32(firmware, AVOCET_REG_SEQ_PROGRESS),
      .doorbell_cycle = run->doorbell_cycle,
      .start_cycle = avocet_fw_rd64(firmware, AVOCET_REG_SEQ_START_LO),
      .end_cycle = avocet_fw_rd64(firmware, AVOCET_REG_SEQ_END_LO),
  };
  if (status != AVOCET_STATUS_OK) {
    completion.position = avocet_fw_rd32(firmware, AVOCET_REG_SEQ_POSITION);
    completion.address = avocet_fw_rd64(firmware, AVOCET_REG_SEQ_ADDRESS_LO);
    report_fault(firmware, &completion);
  }
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, 0); /* an idle device sleeps */
  run->active = false;
  avocet_fw_completion_write(firmware, &completion);
  return true;
}
