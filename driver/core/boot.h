/* SPDX-License-Identifier: Apache-2.0 */
/* Taking the device from reset to a firmware that said hello, and back. Everything here may sleep, for a few boot_timeout_ms at
 * most. */
#ifndef AVOCET_BOOT_H
#define AVOCET_BOOT_H

#include "os.h"
/* after os.h */
#include "avocet_isa.h"

struct avocet_device;

/* Copies the port's firmware image into device memory, once. -ENOENT, -EPROTO (no image of this MAJOR, or for another processor),
 * -ENOMEM. */
int avocet_boot_load_image(struct avocet_device *device);
/* Starts the firmware on a device in reset and waits for its hello. -EIO (it refuses), -EPROTO, -ETIMEDOUT, -ENODEV. */
int avocet_boot_start(struct avocet_device *device);
/* The same for a device that did not come back from a reset: resets it again and starts it from a fresh copy of the image. */
int avocet_boot_again(struct avocet_device *device);
/* Waits for FW_STATE. -ETIMEDOUT, -ENODEV, -EIO (it halted). */
int avocet_boot_wait_state(struct avocet_device *device, enum avocet_firmware_state state);
/* Holds the core and resets the device. -ETIMEDOUT, -ENODEV. */
int avocet_boot_stop(struct avocet_device *device);
/* After it: whether firmware and device can reset one core alone. */
bool avocet_boot_resets_engines(const struct avocet_device *device);
/* After it: memory for preempted jobs, where device and firmware can preempt. */
void avocet_boot_alloc_save_areas(struct avocet_device *device);

#endif
