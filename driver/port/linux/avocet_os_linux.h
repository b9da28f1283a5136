/* SPDX-License-Identifier: Apache-2.0 */
/* os.h in a Linux kernel: the types behind its names. Functions are in os_linux.c. */
#ifndef AVOCET_OS_LINUX_H
#define AVOCET_OS_LINUX_H

#include <linux/device.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/stdarg.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "stdint.h" /* the limits that linux/types.h leaves out */

struct avocet_mutex {
  struct mutex os;
};
struct avocet_rwlock {
  struct rw_semaphore os;
};
struct avocet_spinlock {
  spinlock_t os;
};
struct avocet_waitq {
  wait_queue_head_t os;
};
struct avocet_work {
  struct delayed_work os;
  void (*run)(struct avocet_work *);
  bool stopping;
};

/* Filled in by whoever found the device. */
struct avocet_os_device {
  struct device *device;
  void __iomem *registers;
  const void *firmware;
  size_t firmware_bytes;
  atomic_t descriptors; /* open ones */
};

#endif
