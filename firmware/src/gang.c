/* SPDX-License-Identifier: Apache-2.0 */
/* Gangs: jobs that several cores run together, each its own stream. They start at once, are never preempted, and are over when the
 * last core is. */
#include <stddef.h>

#include "ring.h"
#include "state.h"

uint32_t avocet_fw_gang_size(struct avocet_firmware *firmware, uint32_t id, uint32_t priority) {
  struct avocet_firmware_queue *queue = &firmware->contexts[id].queues[priority];
  const struct avocet_firmware_port *port = firmware->port;
  if (firmware->cores == 1) return 1; /* the sequencer refuses the descriptor of a gang */
  if (queue->parts == 0) {
    const uint64_t entry = avocet_fw_ring_entry(&queue->jobs, queue->jobs.index);
    uint32_t parts;
    if (!port->load(port->opaque, entry + offsetof(struct avocet_job, parts), &parts, sizeof parts)) parts = 1; /* START fails */
    queue->parts = parts == 0 ? 1 : parts;
  }
  return queue->parts <= firmware->cores ? queue->parts : 0;
}

/* A parked job of the same priority goes on first; one of a higher priority too, unless the gang has waited for too long. */
static bool is_free(const struct avocet_firmware *firmware, uint32_t core, uint32_t priority, bool starved) {
  if (firmware->runs[core].active) return false;
  for (uint32_t other = priority; other < AVOCET_FIRMWARE_PARKED; other++) {
    if (firmware->runs[core].parked[other].context != 0 && (other == priority || !starved)) return false;
  }
  return true;
}

uint32_t avocet_fw_gang_cores(const struct avocet_firmware *firmware, uint32_t core, uint32_t priority, uint32_t size,
                              bool starved) {
  uint32_t cores = 0;
  for (; core < firmware->cores && size > 0; core++) {
    if (!is_free(firmware, core, priority, starved)) continue;
    cores |= 1u << core;
    size--;
  }
  return size == 0 ? cores : 0;
}

uint32_t avocet_fw_gang_progress(const struct avocet_firmware *firmware, uint32_t gang) {
  uint32_t sum = 0;
  for (uint32_t core = 0; core < firmware->cores; core++) {
    if (gang >> core & 1) sum += avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_PROGRESS));
  }
  return sum;
}

/* What the others do has no use any more. */
static void judge(struct avocet_firmware *firmware, uint32_t core) {
  struct avocet_firmware_run *run = &firmware->runs[core];
  if (run->judged) return;
  run->judged = true;
  if (avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_STATUS)) == AVOCET_STATUS_OK) return;
  for (uint32_t other = 0; other < firmware->cores; other++) {
    if (run->job.gang >> other & 1) avocet_fw_job_abort(firmware, other, AVOCET_STATUS_OK);
  }
}

/* A fault says more than that something was aborted. */
static uint32_t weight(uint32_t status) {
  return status == AVOCET_STATUS_OK ? 0 : status == AVOCET_STATUS_ABORTED ? 1 : 2;
}

/* Word at which the stream of this part begins among those of all. */
static uint32_t part_begin(const struct avocet_firmware *firmware, const struct avocet_firmware_job *job, uint32_t part) {
  const struct avocet_firmware_port *port = firmware->port;
  uint32_t bytes[AVOCET_CORES_MAX], begin = 0;
  if (!port->load(port->opaque, job->entry + offsetof(struct avocet_job, part_bytes), bytes, sizeof bytes)) return 0;
  for (uint32_t i = 0; i < part; i++) begin += bytes[i] / 4;
  return begin;
}

static void add_outcome(struct avocet_completion *sum, const struct avocet_completion *one) {
  if (weight(one->status) > weight(sum->status)) {
    sum->status = one->status;
    sum->position = one->position;
    sum->address = one->address;
  }
  sum->commands += one->commands;
  if (one->start_cycle < sum->start_cycle) sum->start_cycle = one->start_cycle;
  if (one->end_cycle > sum->end_cycle) sum->end_cycle = one->end_cycle;
}

static struct avocet_completion outcome(const struct avocet_firmware *firmware, const struct avocet_firmware_job *job) {
  struct avocet_completion sum = {0};
  for (uint32_t core = 0, part = 0; core < firmware->cores; core++) {
    if ((job->gang >> core & 1) == 0) continue;
    uint32_t status = avocet_fw_rd32(firmware, avocet_fw_seq(core, AVOCET_REG_SEQ_STATUS));
    struct avocet_completion one = avocet_fw_job_outcome(firmware, core, status);
    if (one.status != AVOCET_STATUS_OK) one.position += part_begin(firmware, job, part);
    if (part++ == 0)
      sum = one;
    else
      add_outcome(&sum, &one);
  }
  return sum;
}

bool avocet_fw_gang_finish(struct avocet_firmware *firmware, uint32_t core) {
  const struct avocet_firmware_job *job = &firmware->runs[core].job;
  judge(firmware, core);
  for (uint32_t other = 0; other < firmware->cores; other++) {
    if ((job->gang >> other & 1) && !firmware->runs[other].ended) return false;
  }
  if (!avocet_fw_completion_room(firmware)) return false;
  const struct avocet_completion completion = outcome(firmware, job);
  avocet_fw_job_complete(firmware, core, &completion);
  return true;
}
