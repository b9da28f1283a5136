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
 * environment: AVOCET_CONFIG (file), AVOCET_ENGINE, AVOCET_TIMELINE (file). Returns a handle >= 0 or -errno; the reason is
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
