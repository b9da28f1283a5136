/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's user interface. Every structure has fixed-width members, no implicit padding and the same layout for 32 and 64
 * bit callers; members called pad and unknown flag bits must be zero (-EINVAL). Requests are append-only: add at the end,
 * never reorder, change or reuse one. Handles are per open file; 0 is never a valid handle. Pointers travel as uint64_t. */
#ifndef AVOCET_ACCEL_UAPI_H
#define AVOCET_ACCEL_UAPI_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* MAJOR << 16 | MINOR of this interface; MINOR grows with every addition. */
#define AVOCET_ACCEL_UAPI_VERSION 0x00010000u

/* Request numbers have the bits of Linux's _IOWR('d', 0x40 + nr, struct): direction 31:30, size 29:16, type 15:8, number 7:0. */
#define AVOCET_ACCEL_IOCTL_TYPE 0x64u
#define AVOCET_ACCEL_IOCTL_FIRST 0x40u
#define AVOCET_ACCEL_IOWR(nr, type)                                                                   \
  ((3ul << 30) | ((unsigned long)sizeof(type) << 16) | ((unsigned long)AVOCET_ACCEL_IOCTL_TYPE << 8) | \
   (AVOCET_ACCEL_IOCTL_FIRST + (nr)))

/* Errors that every request may give: EFAULT (a pointer cannot be read or written), EINVAL (pad, flags, size or count),
 * ENOTTY (unknown request), ENODEV (the device is gone), EIO (the device could not be brought back by a reset), ENOMEM. */

/* ---- QUERY ---- */

enum avocet_accel_query_type {
  AVOCET_ACCEL_QUERY_INFO = 0, /* struct avocet_accel_info */
};

/* data = 0: size receives the size of the answer. Else at most size bytes are written at data and size receives how many. */
struct avocet_accel_query {
  uint32_t type; /* enum avocet_accel_query_type; EINVAL when unknown */
  uint32_t size;
  uint64_t data;
};

/* Grows at the end only. Capabilities are the values of the contract's registers of the same name. */
struct avocet_accel_info {
  uint32_t uapi_version;
  uint32_t contract_version; /* of the device */
  uint32_t firmware_version; /* contract version the firmware was built with */
  uint32_t generation;       /* device resets since power-on */
  uint32_t engine;           /* enum engine of the contract */
  uint32_t cores;
  uint32_t array_rows;
  uint32_t array_cols;
  uint32_t acc_rows;
  uint32_t vector_lanes;
  uint32_t sram_bytes;
  uint32_t sram_banks;
  uint32_t dma_channels;
  uint32_t dma_bytes_per_cycle;
  uint32_t dram_millibytes_per_cycle;
  uint32_t dram_latency;
  uint32_t clock_khz;
  uint32_t contexts_max;    /* contexts that can exist at once */
  uint32_t jobs_per_context; /* unfinished jobs of a priority a context can have; a submit beyond gives EBUSY */
  uint32_t page_bytes;
  uint64_t iova_begin; /* device addresses that buffers get */
  uint64_t iova_end;
};

/* ---- CONTEXT_CREATE, CONTEXT_DESTROY ---- */

/* A context is an address space and a job queue. Fails with ENOSPC when the device has no context left. */
struct avocet_accel_context_create {
  uint32_t flags; /* zero */
  uint32_t context; /* out */
};

/* Aborts the context's unfinished jobs; its buffers and programs lose their device addresses, mappings stay. ENOENT. */
struct avocet_accel_context_destroy {
  uint32_t context;
  uint32_t pad;
};

/* ---- BUFFER_CREATE, BUFFER_INFO, BUFFER_CLOSE ---- */

enum avocet_accel_buffer_flags {
  AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY = 1, /* jobs may not write it */
  AVOCET_ACCEL_BUFFER_NO_MMAP = 2,          /* the caller will not map it */
};

/* Zero-filled memory that jobs of this context reach. bytes is rounded up to pages. ENOENT: context. EINVAL: bytes is 0. ENOSPC: no
 * room in the context's address space. */
struct avocet_accel_buffer_create {
  uint32_t context;
  uint32_t flags; /* enum avocet_accel_buffer_flags */
  uint64_t bytes;
  uint32_t handle; /* out */
  uint32_t pad;
  uint64_t iova;        /* out: device address in the context */
  uint64_t mmap_offset; /* out: offset for mmap; all ones with NO_MMAP */
};

/* ENOENT: unknown handle. */
struct avocet_accel_buffer_info {
  uint32_t handle;
  uint32_t flags; /* out */
  uint64_t bytes; /* out: rounded size */
  uint64_t iova;  /* out */
  uint64_t mmap_offset; /* out */
  uint32_t context; /* out */
  uint32_t busy; /* out: 1 while an unfinished job uses it */
};

/* Gives the handle up. Memory lives on while it is mapped or an unfinished job uses it. ENOENT. */
struct avocet_accel_buffer_close {
  uint32_t handle;
  uint32_t pad;
};

/* ---- PROGRAM_CREATE, PROGRAM_CLOSE ---- */

enum avocet_accel_region_flags { AVOCET_ACCEL_REGION_READ = 1, AVOCET_ACCEL_REGION_WRITE = 2 };

#define AVOCET_ACCEL_REGIONS 8

/* Copies a command stream into memory of the driver and validates it there, once. EINVAL with status and position set when the
 * stream is refused; EINVAL with status 0 for bytes = 0, above the contract's STREAM_BYTES_MAX or not a multiple of 4. */
struct avocet_accel_program_create {
  uint32_t context;
  uint32_t flags;  /* zero */
  uint64_t stream; /* user pointer */
  uint64_t bytes;
  uint32_t handle;   /* out */
  uint32_t status;   /* out: enum status of the contract */
  uint32_t position; /* out: word index of the refused command */
  uint32_t tags;     /* out: number of layer tags: one more than the largest */
  uint64_t region_bytes[AVOCET_ACCEL_REGIONS]; /* out: bytes a job must give; 0 = the region is not used */
  uint32_t region_flags[AVOCET_ACCEL_REGIONS]; /* out: how the stream uses it, enum avocet_accel_region_flags */
};

/* ENOENT: unknown handle, or a buffer's. Unfinished jobs keep the program alive. */
struct avocet_accel_program_close {
  uint32_t handle;
  uint32_t pad;
};

/* ---- SUBMIT ---- */

enum avocet_accel_priority {
  AVOCET_ACCEL_PRIORITY_DEFAULT = 0, /* as MEDIUM */
  AVOCET_ACCEL_PRIORITY_LOW = 1,
  AVOCET_ACCEL_PRIORITY_MEDIUM = 2,
  AVOCET_ACCEL_PRIORITY_HIGH = 3,
};

/* Part of a buffer which the stream sees as a region. handle 0: absent, all other members zero. */
struct avocet_accel_region {
  uint32_t handle;
  uint32_t flags; /* enum avocet_accel_region_flags */
  uint64_t offset;
  uint64_t bytes;
};

struct avocet_accel_job {
  uint32_t program;
  uint32_t priority; /* enum avocet_accel_priority */
  uint32_t flags;    /* zero */
  uint32_t profile_entries; /* records of the contract's avocet_profile, one per tag; 0 = no profile */
  uint32_t profile; /* buffer handle; 0 = no profile */
  uint32_t pad;
  uint64_t profile_offset; /* multiple of 8 */
  uint64_t deadline_ns; /* CLOCK_MONOTONIC; 0 = none. The time left counts in device time: a job that has not started then ends
                           with status DEADLINE */
  struct avocet_accel_region region[AVOCET_ACCEL_REGIONS];
  uint64_t job_id; /* out: never 0, unique on the device, rising within a context and priority */
};

/* All jobs are queued, or none; of equal priority in this order. Jobs of a context and priority run one after the other. Those of
 * different priorities have no order: a higher one goes before a lower one, or stops it in its middle and lets it continue
 * later; but a lower one is not passed over for ever. Success says that they are queued, not how they end.
 * ENOENT: context, program or buffer handle unknown.
 * EINVAL: job_count 0 or above jobs_per_context; job_struct_size smaller than this structure; priority; region flags; a buffer or
 *   program of another context, or a program where a buffer belongs; a region given which the stream does not use, or missing
 *   which it uses; offset + bytes beyond the buffer; profile bounds.
 * E2BIG: non-zero bytes behind the known job structure.
 * EOVERFLOW: the stream reaches beyond the region.
 * EACCES: the stream reads or writes a region without that flag, or something read-only is to be written.
 * EBUSY: the context has too many unfinished jobs of the priority.
 * EBADFD: an earlier job of the context faulted.
 * ETIME: the deadline has passed already. */
struct avocet_accel_submit {
  uint32_t context;
  uint32_t flags; /* zero */
  uint32_t job_count;
  uint32_t job_struct_size; /* bytes between array elements */
  uint64_t jobs; /* array of struct avocet_accel_job */
};

/* ---- WAIT ---- */

/* Returns 0 when the job has ended, however it ended: look at status. ETIMEDOUT: not yet. ENOENT: unknown context or job, or one
 * that ended before the context's last 1024. EINTR. */
struct avocet_accel_wait {
  uint32_t context;
  uint32_t flags;     /* zero */
  uint64_t job_id;
  int64_t timeout_ns; /* absolute, CLOCK_MONOTONIC; 0 or past = poll; INT64_MAX = for ever */
  uint32_t status;    /* out: enum status of the contract */
  uint32_t position;  /* out: word index of the faulting command */
  uint64_t address;   /* out: fault address */
  uint64_t doorbell_cycle; /* out: device cycles; 0 when the job never reached that point */
  uint64_t start_cycle;
  uint64_t end_cycle;
  uint32_t commands;   /* out: commands completed */
  uint32_t generation; /* out: device resets when the job ended */
};

/* ---- COUNTERS ---- */

/* Size and pointer as in QUERY; the answer is struct avocet_accel_counters. */
struct avocet_accel_counters_get {
  uint32_t context; /* 0 = the whole device; ENOENT */
  uint32_t size;
  uint64_t data;
};

/* Grows at the end only. Of a context, members that only the device has are zero. */
struct avocet_accel_counters {
  uint64_t jobs_submitted;
  uint64_t jobs_completed; /* ended with status OK */
  uint64_t jobs_failed;    /* ended with another status */
  uint64_t busy_cycles;    /* sum of end - start of all jobs */
  uint64_t memory_bytes;   /* buffers and programs */
  uint64_t faults;         /* jobs that made their context unusable */
  uint64_t contexts;       /* device only, from here on */
  uint64_t device_cycles;
  uint64_t interrupts;
  uint64_t resets;
  uint64_t firmware_heartbeat;
};

#define AVOCET_ACCEL_QUERY AVOCET_ACCEL_IOWR(0, struct avocet_accel_query)
#define AVOCET_ACCEL_CONTEXT_CREATE AVOCET_ACCEL_IOWR(1, struct avocet_accel_context_create)
#define AVOCET_ACCEL_CONTEXT_DESTROY AVOCET_ACCEL_IOWR(2, struct avocet_accel_context_destroy)
#define AVOCET_ACCEL_BUFFER_CREATE AVOCET_ACCEL_IOWR(3, struct avocet_accel_buffer_create)
#define AVOCET_ACCEL_BUFFER_INFO AVOCET_ACCEL_IOWR(4, struct avocet_accel_buffer_info)
#define AVOCET_ACCEL_BUFFER_CLOSE AVOCET_ACCEL_IOWR(5, struct avocet_accel_buffer_close)
#define AVOCET_ACCEL_PROGRAM_CREATE AVOCET_ACCEL_IOWR(6, struct avocet_accel_program_create)
#define AVOCET_ACCEL_PROGRAM_CLOSE AVOCET_ACCEL_IOWR(7, struct avocet_accel_program_close)
#define AVOCET_ACCEL_SUBMIT AVOCET_ACCEL_IOWR(8, struct avocet_accel_submit)
#define AVOCET_ACCEL_WAIT AVOCET_ACCEL_IOWR(9, struct avocet_accel_wait)
#define AVOCET_ACCEL_COUNTERS AVOCET_ACCEL_IOWR(10, struct avocet_accel_counters_get)

#ifdef __cplusplus
}
#endif
#endif
