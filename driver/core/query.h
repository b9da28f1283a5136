/* SPDX-License-Identifier: Apache-2.0 */
/* QUERY and COUNTERS: answers whose size the caller asks for first. */
#ifndef AVOCET_QUERY_H
#define AVOCET_QUERY_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_file;

int avocet_query_get(struct avocet_file *file, struct avocet_accel_query *arguments);
int avocet_query_counters(struct avocet_file *file, struct avocet_accel_counters_get *arguments);

#endif
