/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator model as its host sees it: a register window, an interrupt, and bus access to the host's memory.
 * Plain C; SystemC and Verilator stay behind it. One device per process (SystemC elaborates once); it runs on a thread
 * of its own, which sleeps while the device is idle. */
#ifndef AVOCET_MODEL_H
#define AVOCET_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tracks of a timeline slice beyond the contract's unit ids (enum unit, 0..15). */
enum { AVOCET_TRACK_SEQUENCER = 16, AVOCET_TRACK_FIRMWARE = 17 };

/* One interval in which a unit was busy; cycles since power-on. */
struct avocet_model_slice {
  uint32_t track;    /* unit id, or AVOCET_TRACK_* */
  uint32_t core;     /* NPU core from 0; 0 for the firmware */
  uint32_t context;
  uint64_t job_id;   /* 0 when no job is concerned */
  uint64_t start_cycle;
  uint64_t end_cycle;
  uint32_t opcode;   /* of the command; 0 for firmware and sequencer slices */
  uint32_t tag;      /* layer tag */
  const char *name;  /* static string for firmware and sequencer slices, else NULL */
};

/* What a unit does in a cycle. A cycle has one kind: work before everything else, then the wait at the queue's head. */
enum avocet_model_cycle {
  AVOCET_CYCLE_BUSY,     /* works on a command, or drains one */
  AVOCET_CYCLE_TOKEN,    /* WAIT for a unit other than a DMA channel */
  AVOCET_CYCLE_SRAM,     /* a bank was taken by a unit of higher priority */
  AVOCET_CYCLE_DMA,      /* WAIT for a DMA channel */
  AVOCET_CYCLE_DRAM,     /* a DMA channel waits for the memory: latency, or bandwidth that others have */
  AVOCET_CYCLE_TLB,      /* a DMA channel waits for page walks */
  AVOCET_CYCLE_CORES,    /* a DMA channel waits at a BARRIER for the other cores of its job */
  AVOCET_CYCLE_FIRMWARE, /* between jobs, the management core awake */
  AVOCET_CYCLE_IDLE,     /* no command */
  AVOCET_CYCLE_KINDS
};

struct avocet_model_counters {
  uint64_t cycles[AVOCET_CYCLE_KINDS]; /* by kind */
  uint64_t read_bytes, write_bytes;    /* of memory; DMA channels and sequencers alone have any */
};

/* The kind as a word, for files and tables. */
static inline const char *avocet_model_cycle_name(unsigned kind) {
  static const char *const names[AVOCET_CYCLE_KINDS] = {"busy", "token", "sram", "dma", "dram", "tlb", "cores", "firmware", "idle"};
  return kind < AVOCET_CYCLE_KINDS ? names[kind] : "";
}

/* What costs energy. */
enum avocet_model_event {
  AVOCET_EVENT_MAC,              /* a useful multiplication of the array */
  AVOCET_EVENT_VECTOR,           /* a lane of the vector unit in a cycle of work */
  AVOCET_EVENT_REQUANT,          /* a value requantised behind the array */
  AVOCET_EVENT_SRAM_BYTE,        /* read or written by any unit */
  AVOCET_EVENT_ACCUMULATOR_BYTE, /* read or written */
  AVOCET_EVENT_DRAM_BYTE,        /* read or written by the DMA channels; stream and profile */
  AVOCET_EVENT_CYCLE,            /* leakage; of a layer those by which it moved the job's end */
  AVOCET_EVENT_KINDS
};

struct avocet_model_energy {
  uint64_t events[AVOCET_EVENT_KINDS];
  uint64_t femtojoules[AVOCET_EVENT_KINDS];
};

/* What the memory did, all channels together. Only bytes with dram.model "ideal", whose transfers have no rows. */
struct avocet_model_dram_counters {
  uint64_t read_bytes, write_bytes;
  uint64_t row_hits;        /* bursts whose row was open */
  uint64_t row_misses;      /* rows opened in a closed bank */
  uint64_t row_conflicts;   /* rows opened in place of another */
  uint64_t refreshes;       /* of all banks of a channel */
  uint64_t turnarounds;     /* of a channel's pins, from reading to writing or back */
  uint64_t pin_millicycles; /* thousandths of a cycle in which a channel's pins moved data */
};

/* A job that ended; of a job on several cores, the part of one of them; or a piece of a job that was preempted: then status is
 * PREEMPTED, and the rest follows later under the same job_id. A piece lasts from fetching the job (again) to its state being saved. The counters of a unit add up to
 * end_cycle - start_cycle; those of its layers to the unit's without the idle cycles, which belong to no layer. Engine functional
 * does not model time: a command takes one idle cycle. */
struct avocet_model_job {
  uint64_t job_id;                            /* 0 when the job's descriptor could not be read */
  uint32_t core;                              /* NPU core from 0 */
  uint32_t context;
  uint32_t status;                            /* enum status of the contract */
  uint64_t start_cycle, end_cycle;            /* from its start to its profile being written, since power-on */
  const struct avocet_model_counters *units;  /* [16], by unit id; zeros for a unit that the device does not have */
  const struct avocet_model_counters *layers; /* [tags][16] */
  uint32_t tags;                              /* layer tags that the job's profile has room for */
  const struct avocet_model_energy *energy;        /* the whole job's */
  const struct avocet_model_energy *layer_energy; /* [tags]; they add up to the job's but for cycles outside of all layers */
};

/* Bytes contiguous in memory that a DMA channel, or a sequencer for its stream or a profile, asks for from this cycle on. */
struct avocet_model_access {
  uint64_t cycle; /* since power-on */
  uint32_t core;  /* NPU core from 0 */
  uint32_t unit;  /* unit id of the channel, or AVOCET_TRACK_SEQUENCER */
  uint32_t context;
  uint64_t address; /* in the context's address space */
  uint64_t bytes;
  bool write;
};

/* What the host gives the device. All functions are called on the simulation thread and must not call avocet_model_close. */
struct avocet_model_host {
  void *opaque;
  /* Host pointer of [bus_address, bus_address + bytes), or NULL: bus error. Valid until the host unmaps it. */
  void *(*translate)(void *opaque, uint64_t bus_address, uint64_t bytes, bool write);
  /* The device's interrupt line rose. The handler may read and write registers. */
  void (*interrupt)(void *opaque);
  /* Timeline; NULL when nobody listens. */
  void (*slice)(void *opaque, const struct avocet_model_slice *slice);
  /* A job ended; pointers are valid during the call. NULL when nobody listens. */
  void (*job)(void *opaque, const struct avocet_model_job *job);
  /* What runs on the management core: native, riscv, or NULL for the configuration's (key firmware.kind). Part of the
   * configuration: the same at every opening. */
  const char *firmware;
  /* An access to memory; their bytes add up to the memory's counters. NULL when nobody listens. */
  void (*access)(void *opaque, const struct avocet_model_access *access);
};

/* Powers the device on. config_path: JSON file, NULL = built-in avocet_256. engine: functional, timed, rtl, or NULL for the
 * configuration's. Returns 0 or -errno (-EINVAL bad configuration, -EBUSY already open with another configuration or
 * engine, -ENOENT no such file) with a one-line sentence in error[error_bytes].
 * Opening again with the same settings after avocet_model_close reuses the elaborated device after a power cycle. */
int avocet_model_open(const char *config_path, const char *engine, const struct avocet_model_host *host,
                      char *error, size_t error_bytes);

/* Stops the device and waits until its thread sleeps; no callback runs afterwards. The elaborated model stays loaded. */
void avocet_model_close(void);

/* Aligned 32-bit register access from any thread, also while the device sleeps. Reads never block; writes are posted and
 * wake the device. Out-of-range reads give all ones. */
uint32_t avocet_model_read(uint32_t offset);
void avocet_model_write(uint32_t offset, uint32_t value);

/* Counters of a unit summed over all time from power-on to the end of the last job, which is at *cycles; they add up to it.
 * Of a sequencer (AVOCET_TRACK_SEQUENCER) bytes alone. Any thread, also in a callback. False when not open or when the device
 * has no such core or unit. */
bool avocet_model_unit_counters(uint32_t core, uint32_t unit, uint64_t *cycles, struct avocet_model_counters *counters);

/* The memory's counters from power-on to the end of the last job. Any thread. False when not open. */
bool avocet_model_memory_counters(struct avocet_model_dram_counters *counters);

/* ---- waves ---- */

/* Writes a value change dump (VCD) of the device's main signals, and with engine rtl of the ports of the Verilated units, from now
 * until avocet_model_finish_waves. Once in a process, behind avocet_model_open and before the first register access. 0, -EBUSY,
 * -ENODEV when not open, or -errno: the file cannot be made. */
int avocet_model_write_waves(const char *path);
/* Completes the file once the device is idle, so that it ends in the same cycle in every run; a device that does not come to rest
 * within seconds is not waited for. Any thread. 0 (also when there is no dump), or the -errno of the first failure in writing. */
int avocet_model_finish_waves(void);

/* ---- faults on command ---- */

/* Replaces the faults in force by those of the specification (NULL or "": none); occurrences count anew. Faults of the
 * configuration's key `faults` are set at each power-on. Any thread. 0, -EINVAL with one line in error, -ENODEV when not open. */
int avocet_model_set_faults(const char *specification, char *error, size_t error_bytes);
/* Whether it could be set: 0 or -EINVAL with one line. No device is needed. */
int avocet_model_check_faults(const char *specification, char *error, size_t error_bytes);
/* Whether a fault of this kind is in force. */
bool avocet_model_fault_in_force(const char *kind);
/* The rule at this index of the specification in force and how often it struck; false behind the last. */
bool avocet_model_fault_report(size_t index, char *text, size_t text_bytes, uint64_t *struck);

/* Memory errors that an ECC corrected since power-on. */
uint64_t avocet_model_ecc_corrected(void);

struct avocet_model_fault_kind {
  const char *name;
  const char *counts;     /* what its parameter nth counts; "" when it has none */
  const char *doc;
  const char *parameters; /* lines "name=N (allowed; default): meaning" */
};
/* The kinds there are; false behind the last. Strings are static. */
bool avocet_model_describe_fault(size_t index, struct avocet_model_fault_kind *kind);

/* The configuration in force as JSON text (static storage until close); NULL when not open. */
const char *avocet_model_config(void);

#ifdef __cplusplus
}
#endif
#endif
