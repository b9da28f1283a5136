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
  uint32_t context;
  uint64_t job_id;   /* 0 when no job is concerned */
  uint64_t start_cycle;
  uint64_t end_cycle;
  uint32_t opcode;   /* of the command; 0 for firmware and sequencer slices */
  uint32_t tag;      /* layer tag */
  const char *name;  /* static string for firmware and sequencer slices, else NULL */
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

/* The configuration in force as JSON text (static storage until close); NULL when not open. */
const char *avocet_model_config(void);

#ifdef __cplusplus
}
#endif
#endif
