/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch of the uAPI's requests. */
#ifndef AVOCET_IOCTL_H
#define AVOCET_IOCTL_H

#include "os.h"

struct avocet_file;

/* argument: address of the request's structure in the caller's memory. 0 or -errno. Any thread; may sleep. */
int avocet_ioctl_dispatch(struct avocet_file *file, unsigned long request, uint64_t argument);

#endif
