/* SPDX-License-Identifier: Apache-2.0 */
/* Reaching the accelerator from user space: open/ioctl/mmap-shaped calls whose port decides what stands behind them (here:
 * the core driver on the simulator, inside this process), and the simulator's own switches. Any thread may call. */
#ifndef AVOCET_DEVICE_H
#define AVOCET_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a client of device 0; powers the simulated device on for the first one. Settings come from avocet_sim_configure, else from the
 * environment: AVOCET_CONFIG (file), AVOCET_ENGINE, AVOCET_TIMELINE (file); AVOCET_RECORD (file) records every job. Returns a handle >= 0 or -errno; the reason is
 * in avocet_sim_error(). */
int avocet_open(void);
int avocet_close(int device);
/* request: AVOCET_ACCEL_* of uapi/avocet_accel.h. 0 or -errno. */
int avocet_ioctl(int device, unsigned long request, void *argument);
/* Maps a buffer at the offset BUFFER_CREATE returned; NULL on failure with errno set. */
void *avocet_mmap(int device, uint64_t offset, size_t bytes);
int avocet_munmap(void *address, size_t bytes);

/* ---- the simulator port ---- */

/* Before the first avocet_open of the process: any may be NULL. */
void avocet_sim_configure(const char *config_path, const char *engine, const char *timeline_path);
/* The last failure of avocet_open on this thread as one line; "" when none. */
const char *avocet_sim_error(void);
/* The configuration in force as JSON; NULL when the device was never opened. */
const char *avocet_sim_config(void);

/* What each job of the device cost (avocet_model.h): called on the simulation's thread when a job has ended, before its completion;
 * the job is valid during the call. Before the first avocet_open of the process, later calls do nothing. */
struct avocet_model_job;
typedef void (*avocet_sim_job_listener)(void *opaque, const struct avocet_model_job *job);
void avocet_sim_listen(avocet_sim_job_listener listener, void *opaque);

/* ---- faults on command ---- */

/* Replaces the simulated device's faults by those of the specification ("kind:parameter=value,...;kind..."; NULL or "": none), at any
 * time while the device is open. Those in force at power-on come from the environment, AVOCET_FAULTS, else from the
 * configuration's key `faults`; null-hardware can be set there only. 0; -EINVAL with one line in avocet_sim_error(); -ENODEV before the first avocet_open. */
int avocet_sim_set_faults(const char *specification);
/* Whether the specification is well formed: 0, or -EINVAL with one line in avocet_sim_error(). Needs no device. */
int avocet_sim_check_faults(const char *specification);
/* How often the fault at this index of the specification in force has struck; -1 behind the last. */
int64_t avocet_sim_faults_struck(size_t index);
/* Memory errors that an ECC corrected since power-on. */
uint64_t avocet_sim_ecc_corrected(void);
/* The kinds of faults there are: name, what its parameter nth counts, meaning, and a line for each parameter. Strings are
 * static. 0 behind the last, else 1. */
struct avocet_sim_fault_kind {
  const char *name, *counts, *doc, *parameters;
};
int avocet_sim_describe_fault(size_t index, struct avocet_sim_fault_kind *kind);
/* Removes the device (pulling the plug, if it is still there) and plugs a new one in, without the faults set before. Open files
 * stay with the device that is gone: their requests give ENODEV. 0 or -errno with avocet_sim_error(). */
int avocet_sim_replug(void);
/* The name of a content in a trace: 32 hexadecimal digits (XXH3, 128 bits). */
void avocet_sim_content_hash(const void *data, size_t bytes, char text[33]);

/* Status: text files about the device, see driver/README.md; path "" is the root, a directory's text its entries, one a line, directories
 * with a slash behind. Fills text[bytes] (terminated) and returns the length, or -ENOENT; -ENODEV: no device here. */
int avocet_sim_status(const char *path, char *text, size_t bytes);
/* The same of the device in another process, which serves it below AVOCET_STATUS, else XDG_RUNTIME_DIR. -ENODEV: it does not;
 * -ETIMEDOUT: it does not answer. */
int avocet_sim_status_of(int process, const char *path, char *text, size_t bytes);
/* Processes that serve a device, at most count of them into processes; returns how many there are. */
size_t avocet_sim_status_processes(int *processes, size_t count);

/* What an administrator can do: suspend now (-EBUSY: jobs do not end in time), and reset. -ENODEV. */
int avocet_sim_suspend(void);
int avocet_sim_reset(void);

/* Completes the file of waves (AVOCET_VCD) once the device is idle; else that is done at process exit. 0 (also without such a file), or
 * -errno: not all of it could be written. */
int avocet_sim_finish_vcd(void);

/* Timeline: host-side tracks. Host time in nanoseconds (CLOCK_MONOTONIC). Cheap no-ops when no timeline is recorded. */
enum avocet_host_track { AVOCET_HOST_APPLICATION = 0, AVOCET_HOST_RUNTIME = 1, AVOCET_HOST_DRIVER = 2 };
int avocet_timeline_enabled(void);
uint64_t avocet_timeline_now(void);
/* flow != 0 draws an arrow from this slice to the device's job of the same flow number (the job id). */
void avocet_timeline_slice(enum avocet_host_track track, const char *name, uint64_t start_ns, uint64_t end_ns, uint64_t flow);
/* Names for the layer tags of a job, index = tag; copied. */
void avocet_timeline_name_layers(uint64_t job_id, const char *const *names, size_t count);
/* Writes the file now (also done at process exit). 0 or -errno. */
int avocet_timeline_flush(void);

#ifdef __cplusplus
}
#endif
#endif
