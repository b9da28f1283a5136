/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's whole state, for whoever provides its memory; nothing outside the firmware reads it. Also the image that a
 * driver loads for the kind which runs natively inside the model. */
#ifndef AVOCET_FIRMWARE_H
#define AVOCET_FIRMWARE_H

#include <stdbool.h>
#include <stdint.h>

#include "avocet_firmware_port.h"
#include "avocet_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What this is built for. */
#ifdef __riscv
#define AVOCET_FIRMWARE_KIND AVOCET_FIRMWARE_KIND_RISCV
#else
#define AVOCET_FIRMWARE_KIND AVOCET_FIRMWARE_KIND_NATIVE
#endif

/* What the driver loads when the firmware is built into the model: a header without code. */
extern const struct avocet_firmware_header avocet_firmware_native_image;

/* A ring in bus memory. */
struct avocet_firmware_ring {
  uint64_t address;
  uint32_t entries;
  uint32_t entry_bytes;
  uint32_t index; /* this side's own: the head of a consumer, the tail of a producer */
  uint32_t head;  /* of a producer: the consumer's head when last looked at */
};

/* Jobs with a ring index before `tail` were seen in `cycle`. When all marks are in use the ring is not looked at until one is
 * free: its newer jobs have not been seen yet. */
enum { AVOCET_FIRMWARE_MARKS = 8 };
struct avocet_firmware_mark {
  uint64_t cycle;
  uint32_t tail;
};

/* One of a context's job rings. */
struct avocet_firmware_queue {
  struct avocet_firmware_ring jobs; /* address 0: there is none */
  bool busy;                        /* a job of it was started and has not completed: the next one waits */
  uint32_t report;                  /* its ring makes no sense, and why; the driver has not been told. OK = nothing to tell */
  uint32_t seen;                    /* ring index up to which jobs are marked */
  uint32_t parts;                   /* cores that the oldest job needs; 0 = it has not been looked at */
  uint32_t mark_first, mark_count;
  struct avocet_firmware_mark marks[AVOCET_FIRMWARE_MARKS];
};

struct avocet_firmware_context {
  bool live;
  bool faulted;   /* a job broke the context: its later jobs end as ABORTED */
  uint64_t table; /* first-level page table, bus address */
  struct avocet_firmware_queue queues[AVOCET_PRIORITY_COUNT];
};

/* A job that was started: it is in hardware, or preempted and parked. */
struct avocet_firmware_job {
  uint32_t context; /* 0 = none */
  uint32_t priority;
  uint32_t preemptions;
  uint64_t entry; /* its descriptor, bus address */
  uint64_t job_id;
  uint64_t doorbell_cycle;
  uint64_t start_cycle; /* of the first start; known once it was preempted */
  uint32_t gang;        /* cores that run it together, one bit each; 0 = one core */
};

/* Jobs of every priority but the highest can be preempted. */
enum { AVOCET_FIRMWARE_PARKED = AVOCET_PRIORITY_COUNT - 1 };

/* A core: the job in hardware, and those that were preempted there. */
struct avocet_firmware_run {
  bool active;
  bool ended;       /* the sequencer is done, the completion not yet written */
  bool aborting;    /* ABORT was written in cycle `since` */
  bool resetting;   /* and then, because it had no effect, RESET */
  bool preempting;  /* PREEMPT was written */
  bool judged;      /* of a gang: the others were aborted if it failed */
  uint32_t verdict; /* status that replaces the sequencer's ABORTED; OK = none */
  uint32_t progress; /* SEQ_PROGRESS when last looked at */
  uint64_t since; /* cycle of the last progress, of the abort or the reset; 0 = not looked at yet */
  uint64_t protected_until; /* it had waited for too long: not preempted before this cycle; 0 = it may be */
  struct avocet_firmware_job job;
  struct avocet_firmware_job parked[AVOCET_FIRMWARE_PARKED]; /* by priority */
  uint32_t seq_context; /* what the SEQ_ registers hold; context 0 = they are not set up */
  uint32_t seq_job_hi;
  uint32_t seq_gang;
};

struct avocet_firmware {
  const struct avocet_firmware_port *port;
  uint32_t state; /* enum firmware_state */
  uint32_t cores;
  uint32_t driver_minor; /* the driver's contract */
  struct avocet_firmware_ring admin, completion, log;
  uint64_t save;       /* save areas, bus address; 0 = no preemption */
  uint32_t save_bytes; /* of each */
  uint32_t heartbeat;
  bool heartbeat_due;  /* differs from the register */
  bool completion_due; /* completions written, interrupt not raised yet */
  bool look_due;        /* job rings are to be looked at */
  bool doorbell;        /* the admin ring is to be looked at */
  bool report_due;      /* some queue has a report */
  uint32_t log_level;   /* lines of a greater number are left out */
  uint32_t log_dropped; /* bytes that found the log full */
  bool message_open;     /* `message` was taken from the ring and has not been answered */
  struct avocet_message message;
  bool urgent_open;      /* the same for a message that overtook it */
  struct avocet_message urgent;
  uint32_t queued[AVOCET_PRIORITY_COUNT];       /* jobs seen and not taken, of all contexts */
  uint32_t last_context[AVOCET_PRIORITY_COUNT]; /* whose job started last */
  uint32_t passed[AVOCET_PRIORITY_COUNT];       /* jobs of higher priority that started while one of this waited */
  struct avocet_firmware_run runs[AVOCET_CORES_MAX];
  struct avocet_firmware_context contexts[AVOCET_CONTEXTS_MAX];
};

#ifdef __cplusplus
}
#endif
#endif
