/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's parts as they see each other. Everything runs on the one thread of the management core. */
#ifndef AVOCET_FIRMWARE_STATE_H
#define AVOCET_FIRMWARE_STATE_H

#include "avocet_firmware.h"
#include "log.h"

/* A running job is looked at in this interval; without progress for HANG cycles it is aborted with status HANG; a sequencer that
 * has not stopped ABORT cycles later is reset with its core; one that has not stopped after another ABORT cycles halts the
 * firmware, and the driver resets the device. In cycles: simulated time,
 * not the host's. One second at 1 GHz is longer than any single command that the compiler emits. */
#define AVOCET_FIRMWARE_TICK_CYCLES (1u << 17)
#define AVOCET_FIRMWARE_HANG_CYCLES (1ull << 30)
#define AVOCET_FIRMWARE_ABORT_CYCLES (1ull << 30)

/* Starvation: once so many jobs of higher priority have started while one of a lower waited, the lower one is next, and is not
 * preempted for the given time. A millisecond at 1 GHz. */
#define AVOCET_FIRMWARE_PASSED_MAX 8u
#define AVOCET_FIRMWARE_PROTECTED_CYCLES (1ull << 20)

static inline uint32_t avocet_fw_rd32(const struct avocet_firmware *firmware, uint32_t offset) {
  return firmware->port->rd32(firmware->port->opaque, offset);
}
static inline void avocet_fw_wr32(const struct avocet_firmware *firmware, uint32_t offset, uint32_t value) {
  firmware->port->wr32(firmware->port->opaque, offset, value);
}
static inline uint64_t avocet_fw_rd64(const struct avocet_firmware *firmware, uint32_t offset_lo) {
  return avocet_fw_rd32(firmware, offset_lo) | (uint64_t)avocet_fw_rd32(firmware, offset_lo + 4) << 32;
}
static inline void avocet_fw_wr64(const struct avocet_firmware *firmware, uint32_t offset_lo, uint64_t value) {
  avocet_fw_wr32(firmware, offset_lo, (uint32_t)value);
  avocet_fw_wr32(firmware, offset_lo + 4, (uint32_t)(value >> 32));
}
static inline uint64_t avocet_fw_now(const struct avocet_firmware *firmware) {
  return firmware->port->cycles(firmware->port->opaque);
}
static inline void avocet_fw_beat(struct avocet_firmware *firmware) {
  firmware->heartbeat++;
  firmware->heartbeat_due = true;
}

/* boot.c: checks the image and the boot parameters and opens the rings. Status OK, or why the boot is refused. */
enum avocet_status avocet_fw_boot_check(struct avocet_firmware *firmware);

/* main.c: sets FW_STATE; stops for good with FW_ERROR = code. */
void avocet_fw_set_state(struct avocet_firmware *firmware, enum avocet_firmware_state state);
void avocet_fw_halt(struct avocet_firmware *firmware, uint32_t code, const char *why);

/* completion.c: room for another entry; writes one (only when there is room). A broken ring halts. */
bool avocet_fw_completion_room(struct avocet_firmware *firmware);
void avocet_fw_completion_write(struct avocet_firmware *firmware, const struct avocet_completion *completion);

/* admin.c: takes or continues one message; true when it got anywhere. */
bool avocet_fw_admin_serve(struct avocet_firmware *firmware);

/* job.c: the sequencers' jobs. */
/* The ring's oldest job, on this core alone or on all cores of `gang`, of which this is the lowest. */
void avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t core, uint32_t context, uint32_t priority, uint32_t gang);
void avocet_fw_job_resume(struct avocet_firmware *firmware, uint32_t core, uint32_t priority); /* the parked one */
void avocet_fw_job_abort(struct avocet_firmware *firmware, uint32_t core, enum avocet_status verdict);
/* The core's job ends as HANG, whatever its units do. False: this hardware cannot. */
bool avocet_fw_job_reset(struct avocet_firmware *firmware, uint32_t core);
void avocet_fw_job_preempt(struct avocet_firmware *firmware, uint32_t core);
void avocet_fw_job_supervise(struct avocet_firmware *firmware); /* on the timer */
/* How the core's job ended, from its registers. */
struct avocet_completion avocet_fw_job_outcome(const struct avocet_firmware *firmware, uint32_t core, uint32_t status);
/* Its core, or all cores of its gang, are free and the completion is written. */
void avocet_fw_job_complete(struct avocet_firmware *firmware, uint32_t core, const struct avocet_completion *completion);
void avocet_fw_job_events(struct avocet_firmware *firmware, uint32_t events); /* which sequencers ended */
bool avocet_fw_job_finish(struct avocet_firmware *firmware);    /* true when one completed or was parked */
/* Completes a parked job without continuing it. The caller saw that there is room for the completion. */
void avocet_fw_job_drop_parked(struct avocet_firmware *firmware, uint32_t core, uint32_t priority,
                               enum avocet_status status);
/* What the SEQ_ registers of every core hold of a context is void. */
void avocet_fw_job_forget_setup(struct avocet_firmware *firmware, uint32_t context);

/* A SEQ_ register of a core. */
static inline uint32_t avocet_fw_seq(uint32_t core, uint32_t offset) { return offset + core * AVOCET_SEQ_STRIDE; }

static inline uint64_t avocet_fw_save_area(const struct avocet_firmware *firmware, uint32_t core, uint32_t priority) {
  return firmware->save + (uint64_t)(core * AVOCET_FIRMWARE_PARKED + priority) * firmware->save_bytes;
}

/* schedule.c: which job is next. */
bool avocet_fw_schedule_serve(struct avocet_firmware *firmware); /* starts, refuses, preempts; true when it got anywhere */
bool avocet_fw_schedule_idle(struct avocet_firmware *firmware);  /* no job runs, is parked or is queued */

/* gang.c: jobs that run on several cores at once. */
/* Cores that the ring's oldest job needs; 0: its descriptor is nonsense, or they are more than there are. */
uint32_t avocet_fw_gang_size(struct avocet_firmware *firmware, uint32_t context, uint32_t priority);
/* Free cores for a gang of this size, `core` the lowest; 0: there are not enough. */
uint32_t avocet_fw_gang_cores(const struct avocet_firmware *firmware, uint32_t core, uint32_t priority, uint32_t size,
                              bool starved);
uint32_t avocet_fw_gang_progress(const struct avocet_firmware *firmware, uint32_t gang); /* commands completed by all cores */
/* A core of a gang ended: aborts the others when it failed; true when all have ended and the job was completed. */
bool avocet_fw_gang_finish(struct avocet_firmware *firmware, uint32_t core);

/* queue.c: job rings. */
void avocet_fw_queue_open(struct avocet_firmware_queue *queue, const struct avocet_firmware_ring *jobs);
void avocet_fw_queue_look(struct avocet_firmware *firmware); /* marks new jobs of all rings */
uint64_t avocet_fw_queue_seen_cycle(const struct avocet_firmware_queue *queue); /* of the oldest job */
bool avocet_fw_queue_report(struct avocet_firmware *firmware); /* tells of one that makes no sense; true when it did */
void avocet_fw_queue_taken(struct avocet_firmware *firmware, uint32_t context, uint32_t priority);
/* Ends the ring's oldest job without running it. The caller saw that there is one, and room for the completion. */
void avocet_fw_queue_refuse(struct avocet_firmware *firmware, uint32_t context, uint32_t priority,
                            enum avocet_status status);
/* Jobs that have been seen and not taken. */
static inline uint32_t avocet_fw_queue_count(const struct avocet_firmware_queue *queue) {
  return queue->seen - queue->jobs.index;
}

#endif
