/* SPDX-License-Identifier: Apache-2.0 */
/* WAIT: sleeps until a job has ended. */
#ifndef AVOCET_WAIT_H
#define AVOCET_WAIT_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_file;

int avocet_wait_job(struct avocet_file *file, struct avocet_accel_wait *arguments);

#endif
