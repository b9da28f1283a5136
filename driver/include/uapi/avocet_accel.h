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
#define AVOCET_ACCEL_UAPI_VERSION 0x00010002u

/* Request numbers have the bits of Linux's _IOWR('d', 0x40 + nr, struct): direction 31:30, size 29:16, type 15:8, number 7:0. */
#define AVOCET_ACCEL_IOCTL_TYPE 0x64u
#define AVOCET_ACCEL_IOCTL_FIRST 0x40u
#define AVOCET_ACCEL_IOWR(nr, type)                                                                   \
  ((3ul << 30) | ((unsigned long)sizeof(type) << 16) | ((unsigned long)AVOCET_ACCEL_IOCTL_TYPE << 8) | \
   (AVOCET_ACCEL_IOCTL_FIRST + (nr)))

/* Errors that every request may give: EFAULT (a pointer cannot be read or written), EINVAL (pad, flags, size or count),
 * ENOTTY (unknown request), ENODEV (the device is gone), EIO (the device could not be brought back by a reset), ENOMEM.
 * Every request that gives a descriptor may also give EMFILE.
 *
 * Descriptors are file descriptors of the calling process: they are closed with close(), duplicated, inherited and polled like any
 * other. A fence is readable (POLLIN) from the moment it has signalled, and it always signals. */

/* ---- QUERY ---- */

enum avocet_accel_query_type {
  AVOCET_ACCEL_QUERY_INFO = 0,        /* struct avocet_accel_info */
  AVOCET_ACCEL_QUERY_PARAMETERS = 1,  /* struct avocet_accel_parameters */
  AVOCET_ACCEL_QUERY_VERSIONS = 2,    /* struct avocet_accel_versions */
  AVOCET_ACCEL_QUERY_UTILISATION = 3, /* struct avocet_accel_utilisation */
  AVOCET_ACCEL_QUERY_CLOCK = 4,       /* struct avocet_accel_clock */
  AVOCET_ACCEL_QUERY_MEMORY = 5,      /* struct avocet_accel_memory */
  AVOCET_ACCEL_QUERY_RESET = 6,       /* struct avocet_accel_reset; also of a device that is gone */
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

/* Bounds of this driver and device. Grows at the end only, as all answers. Times are host time. */
struct avocet_accel_parameters {
  uint32_t priorities;        /* levels that the device's scheduler tells apart */
  uint32_t jobs_per_submit;   /* job_count at most */
  uint32_t handles_per_file;  /* open at once */
  uint32_t fences_per_job;    /* in_fence_count at most */
  uint32_t job_struct_bytes;  /* sizeof(struct avocet_accel_job) that the driver knows in full */
  uint32_t results_per_context; /* ended jobs that WAIT still knows */
  uint32_t hang_timeout_ms;   /* a job in hardware and no heartbeat for so long: the job is aborted */
  uint32_t extensions_max;    /* times that a job whose firmware still makes progress gets another hang_timeout_ms */
  uint32_t autosuspend_ms;    /* idle for so long: the device is suspended; 0 = never */
  uint32_t suspend_timeout_ms; /* a suspend that does not find the device idle within it is refused */
};

struct avocet_accel_versions {
  uint32_t uapi;             /* MAJOR << 16 | MINOR, each */
  uint32_t driver_contract;  /* contract that the driver was built with */
  uint32_t device_contract;
  uint32_t firmware_contract; /* of the firmware that runs */
  uint32_t firmware_kind;    /* of its image: 0 native, 1 RISC-V */
  uint32_t firmware_bytes;   /* of its image */
};

struct avocet_accel_utilisation {
  uint64_t busy_ns;    /* host time with at least one unfinished job on the device */
  uint64_t elapsed_ns; /* host time since the driver took the device over */
  uint64_t busy_cycles; /* device cycles spent in jobs */
  uint32_t per_mille;  /* busy part of the last second or so */
  uint32_t unfinished; /* jobs, now */
};

enum avocet_accel_power { AVOCET_ACCEL_POWER_ACTIVE = 0, AVOCET_ACCEL_POWER_SUSPENDED = 1 };

struct avocet_accel_clock {
  uint32_t clock_khz; /* now; 0 while suspended */
  uint32_t max_khz;
  uint32_t power;     /* enum avocet_accel_power */
  uint32_t pad;
  uint64_t suspends;
  uint64_t resumes;
  uint64_t suspended_ns; /* host time, sum */
};

struct avocet_accel_memory {
  uint64_t device_bytes;      /* buffers and programs of all clients, rings and tables excepted */
  uint64_t device_peak_bytes;
  uint64_t file_bytes;        /* made through this open file; an imported buffer counts where it was created */
  uint64_t file_buffers;      /* handles, now */
  uint64_t file_programs;
  uint64_t descriptors;       /* fences and exported buffers of all clients that are still open */
};

enum avocet_accel_reset_cause {
  AVOCET_ACCEL_RESET_NONE = 0,       /* there was none */
  AVOCET_ACCEL_RESET_HANG = 1,       /* a job did not end, could not be aborted and did not give way to a reset of its core, or the heartbeat stood still */
  AVOCET_ACCEL_RESET_FIRMWARE = 2,   /* the firmware halted */
  AVOCET_ACCEL_RESET_NO_ANSWER = 3,  /* the firmware did not answer a message */
  AVOCET_ACCEL_RESET_PROTOCOL = 4,   /* nonsense in a ring, or an unknown job status */
  AVOCET_ACCEL_RESET_REQUESTED = 5,  /* by the administrator */
  AVOCET_ACCEL_RESET_RESUME = 6,     /* the device did not wake up from a suspend */
  AVOCET_ACCEL_RESET_REMOVED = 7,    /* not a reset: the device is gone */
  AVOCET_ACCEL_RESET_FAILED = 8,     /* not a reset: the device did not come back from one */
};

/* The last reset. */
struct avocet_accel_reset {
  uint32_t generation; /* device resets since power-on */
  uint32_t cause;      /* enum avocet_accel_reset_cause */
  uint64_t time_ns;    /* CLOCK_MONOTONIC; 0 = there was none */
  uint64_t jobs_lost;  /* jobs that all resets ended */
  uint64_t jobs_resubmitted; /* jobs that all resets started again */
  uint64_t aborts;     /* hung jobs that were aborted without a reset */
  uint64_t extensions; /* times that a slow job was given more time */
  uint64_t engine_resets; /* since 1.2: cores that were reset alone, because a hung job could not be aborted, since power-on */
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

/* Gives the handle up. Memory lives on while it is mapped, exported, imported elsewhere or used by an unfinished job. ENOENT. */
struct avocet_accel_buffer_close {
  uint32_t handle;
  uint32_t pad;
};

/* ---- PROGRAM_CREATE, PROGRAM_CLOSE ---- */

enum avocet_accel_region_flags { AVOCET_ACCEL_REGION_READ = 1, AVOCET_ACCEL_REGION_WRITE = 2 };

#define AVOCET_ACCEL_REGIONS 8

enum avocet_accel_program_flags {
  AVOCET_ACCEL_PROGRAM_GANG = 1, /* since 1.2: streams for several cores, one behind the other, each up to its END. A job of the program
                                    runs on so many cores at once, and waits until they are free; it is never stopped in its
                                    middle. Positions count from the first stream's first word. */
};

/* Copies a command stream into memory of the driver and validates it there, once. EINVAL with status and position set when the
 * stream is refused (NO_END: words behind END, or more streams than the device has cores); EINVAL with status 0 for bytes = 0, above
 * the contract's STREAM_BYTES_MAX or not a multiple of 4. EOPNOTSUPP: the firmware is too old for several streams. */
struct avocet_accel_program_create {
  uint32_t context;
  uint32_t flags;  /* enum avocet_accel_program_flags */
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

enum avocet_accel_job_flags {
  AVOCET_ACCEL_JOB_OUT_FENCE = 1, /* out_fence receives a fence of this job */
  AVOCET_ACCEL_JOB_EXPLICIT = 2,  /* wait for in_fences alone, not for jobs that use the same buffers */
};

#define AVOCET_ACCEL_FENCES_MAX 64

/* A job starts when its in_fences have signalled and, unless it is EXPLICIT, no earlier job writes a buffer which it uses or uses a
 * buffer which it writes: in any context, through any handle of the same memory. A job whose in-fence carries an error ends
 * as ABORTED without having run. Jobs of one context and priority start in their order. */
struct avocet_accel_job {
  uint32_t program;
  uint32_t priority; /* enum avocet_accel_priority */
  uint32_t flags;    /* enum avocet_accel_job_flags */
  uint32_t profile_entries; /* records of the contract's avocet_profile, one per tag; 0 = no profile. So many for each stream of the
                               program, one stream's behind the other's */
  uint32_t profile; /* buffer handle; 0 = no profile */
  uint32_t pad;
  uint64_t profile_offset; /* multiple of 8 */
  uint64_t deadline_ns; /* CLOCK_MONOTONIC; 0 = none. The time left counts in device time: a job that has not started then ends
                           with status DEADLINE */
  struct avocet_accel_region region[AVOCET_ACCEL_REGIONS];
  uint64_t job_id; /* out: never 0, unique on the device, rising within a context */
  /* Since 1.1; zero when job_struct_size ends before. */
  uint64_t in_fences;      /* array of int32_t: fences */
  uint32_t in_fence_count; /* at most AVOCET_ACCEL_FENCES_MAX */
  int32_t out_fence;       /* out, with OUT_FENCE: signals when the job has ended, with an error unless its status is OK */
};

/* job_struct_size of 1.0. */
#define AVOCET_ACCEL_JOB_BYTES_1_0 240

/* All jobs are queued, or none; of equal priority in this order. Jobs of a context and priority run one after the other. Those of
 * different priorities have no order but that of their fences and buffers: a higher one goes before a lower one, or stops it in its
 * middle and lets it continue later; but a lower one is not passed over for ever. Success says that they are queued, not how
 * they end.
 * ENOENT: context, program or buffer handle unknown.
 * EINVAL: job_count 0 or above jobs_per_context; job_struct_size smaller than that of 1.0; priority; flags; region flags; a buffer or
 *   program of another context, or a program where a buffer belongs; a region given which the stream does not use, or missing
 *   which it uses; offset + bytes beyond the buffer; profile bounds; too many in-fences, or a descriptor that is not a fence of
 *   this device.
 * EBADF: an in-fence that is not an open descriptor.
 * EMFILE: no descriptor left for an out-fence.
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

/* ---- BUFFER_EXPORT, BUFFER_IMPORT ---- */

/* Gives a descriptor of the buffer's memory, which keeps the memory alive until its last copy is closed. ENOENT. */
struct avocet_accel_buffer_export {
  uint32_t handle;
  uint32_t flags; /* zero */
  int32_t fd;     /* out */
  uint32_t pad;
};

/* Another buffer over exported memory, in this context and file: with a handle and a device address of its own; it can be mapped
 * and outlives the exporting one. EBADF: not an open descriptor. EINVAL: not an exported buffer of this device. ENOENT:
 * context. EACCES: the flags leave out one that the exported buffer has. ENOSPC: no room in the address space. */
struct avocet_accel_buffer_import {
  uint32_t context;
  uint32_t flags; /* enum avocet_accel_buffer_flags */
  int32_t fd;
  uint32_t handle; /* out */
  uint64_t bytes;  /* out */
  uint64_t iova;   /* out */
  uint64_t mmap_offset; /* out */
};

/* ---- BUFFER_WAIT ---- */

enum avocet_accel_buffer_wait_flags {
  AVOCET_ACCEL_BUFFER_WAIT_READ = 1, /* the caller will only read: jobs that read the buffer as well do not matter */
};

/* Returns 0 when no unfinished job uses the buffer's memory in a way that excludes the caller. ETIMEDOUT: not yet. ENOENT. EINTR. */
struct avocet_accel_buffer_wait {
  uint32_t handle;
  uint32_t flags;     /* enum avocet_accel_buffer_wait_flags */
  int64_t timeout_ns; /* as in WAIT */
};

/* ---- FENCE_INFO ---- */

/* EBADF, EINVAL: not a fence of this device. */
struct avocet_accel_fence_info {
  int32_t fd;
  uint32_t flags;  /* zero */
  int32_t status;  /* out: 0 not signalled; 1 signalled; negative errno: signalled with an error (ECANCELED: aborted; EIO: the job
                      failed; ETIME: its deadline passed; ENODEV: the device is gone) */
  uint32_t pad;
  uint64_t time_ns; /* out: CLOCK_MONOTONIC when it signalled; 0 */
};

/* ---- RESET_FENCE ---- */

/* A fence that signals with the next reset after `generation`, or at once when the device is past it already; with the error ENODEV or
 * EIO when the device goes or does not come back. QUERY_RESET tells the cause. May also be asked of a device that is gone. */
struct avocet_accel_reset_fence {
  uint32_t generation;
  uint32_t flags; /* zero */
  int32_t fd;     /* out */
  uint32_t pad;
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
#define AVOCET_ACCEL_BUFFER_EXPORT AVOCET_ACCEL_IOWR(11, struct avocet_accel_buffer_export)
#define AVOCET_ACCEL_BUFFER_IMPORT AVOCET_ACCEL_IOWR(12, struct avocet_accel_buffer_import)
#define AVOCET_ACCEL_BUFFER_WAIT AVOCET_ACCEL_IOWR(13, struct avocet_accel_buffer_wait)
#define AVOCET_ACCEL_FENCE_INFO AVOCET_ACCEL_IOWR(14, struct avocet_accel_fence_info)
#define AVOCET_ACCEL_RESET_FENCE AVOCET_ACCEL_IOWR(15, struct avocet_accel_reset_fence)

#ifdef __cplusplus
}
#endif
#endif
