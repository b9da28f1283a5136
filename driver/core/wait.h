/* SPDX-License-Identifier: Apache-2.0 */
/* WAIT and BUFFER_WAIT: sleeping until jobs have ended. The device's timer looks for lost interrupts and stuck devices meanwhile. */
#ifndef AVOCET_WAIT_H
#define AVOCET_WAIT_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_file;

int avocet_wait_job(struct avocet_file *file, struct avocet_accel_wait *arguments);
int avocet_wait_buffer(struct avocet_file *file, struct avocet_accel_buffer_wait *arguments);

#endif
