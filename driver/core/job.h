/* SPDX-License-Identifier: Apache-2.0 */
/* SUBMIT: checks jobs and puts them into their context's queue. */
#ifndef AVOCET_JOB_H
#define AVOCET_JOB_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_file;

int avocet_job_submit(struct avocet_file *file, struct avocet_accel_submit *arguments);

#endif
