/* SPDX-License-Identifier: Apache-2.0 */
/* Taking the device from reset to a firmware that said hello, and back. Everything here may sleep, for boot_timeout_ms at most, but
 * avocet_boot_drain_log. */
#ifndef AVOCET_BOOT_H
#define AVOCET_BOOT_H

#include "os.h"

struct avocet_device;

/* Copies the port's firmware image into device memory, once. -ENOENT, -EPROTO (no image of this MAJOR), -ENOMEM. */
int avocet_boot_load_image(struct avocet_device *device);
/* Starts the firmware on a device in reset and waits for its hello. -EIO (it refuses), -EPROTO, -ETIMEDOUT, -ENODEV. */
int avocet_boot_start(struct avocet_device *device);
/* Holds the core and resets the device. -ETIMEDOUT, -ENODEV. */
int avocet_boot_stop(struct avocet_device *device);
/* Firmware lines to the driver's log. Never sleeps. */
void avocet_boot_drain_log(struct avocet_device *device);

#endif
