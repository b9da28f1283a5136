/* SPDX-License-Identifier: Apache-2.0 */
/* os.h in a user-space process: bodies of its types, and the device's memory as one sparse memory file that is mapped once for
 * driver and device and once more for every user mapping. */
#ifndef AVOCET_OS_USER_H
#define AVOCET_OS_USER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct avocet_mutex {
  pthread_mutex_t os;
};
struct avocet_rwlock {
  pthread_rwlock_t os;
};
struct avocet_spinlock {
  pthread_mutex_t os; /* the "interrupt handler" is a thread like any other */
};
struct avocet_waitq {
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  uint32_t sleepers;
};

struct avocet_work {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_t thread;
  void (*run)(struct avocet_work *);
  uint64_t due_ns; /* 0 = not due; atomic, written under mutex */
  bool started, stopping;
};

struct avocet_memory;
struct avocet_ranges;
struct avocet_descriptor;

enum { AVOCET_DESCRIPTORS_MAX = 4096, AVOCET_DESCRIPTOR_BUCKETS = 256 };

/* Filled in by the port, except the arena. */
struct avocet_os_device {
  void *opaque;
  uint32_t (*rd32)(void *opaque, uint32_t offset);
  void (*wr32)(void *opaque, uint32_t offset, uint32_t value);
  const void *firmware;
  size_t firmware_bytes;
  int log_level; /* enum avocet_log_level: more severe or equal goes to stderr */

  struct avocet_os_arena {
    int fd;
    uint8_t *base;
    uint64_t bytes;
    uint64_t *allocated; /* one bit per page */
    pthread_mutex_t lock;
    struct avocet_ranges *free;
  } arena;

  /* Open descriptors, by the inode of their file. */
  struct avocet_os_descriptors {
    pthread_mutex_t sweeping; /* before lock: one sweep at a time, so that what another one found is let go of when ours returns */
    pthread_mutex_t lock;
    uint32_t count;
    struct avocet_descriptor *buckets[AVOCET_DESCRIPTOR_BUCKETS];
  } descriptors;
};

/* Bus address of the arena's first byte: above 4 GiB, so that a truncated address is noticed. */
#define AVOCET_OS_ARENA_BUS 0x100000000ull

/* Memory and descriptors. 0 or -errno. */
int avocet_os_arena_open(struct avocet_os_device *os);
void avocet_os_arena_close(struct avocet_os_device *os);
/* Everything is closed from the driver's side: before the memory goes. */
void avocet_os_descriptors_close(struct avocet_os_device *os);
/* Around fork: the child gives up its side of the descriptors, so that the parent's still signal when the parent ends. */
void avocet_os_descriptors_before_fork(struct avocet_os_device *os);
void avocet_os_descriptors_after_fork(struct avocet_os_device *os, bool in_child);
/* Host pointer of bus memory that is allocated, else NULL. Any thread. */
void *avocet_os_arena_translate(struct avocet_os_device *os, uint64_t bus, uint64_t bytes);
/* A mapping of its own for the caller; NULL with errno. Goes away with munmap. */
void *avocet_os_memory_mmap(struct avocet_os_device *os, const struct avocet_memory *memory, uint64_t bytes);

/* Caller and driver share an address space, so a bad pointer of the caller ends the process as it would in any library; only the
 * first page and ends that overflow give -EFAULT. With checks (off by default: 20 us a copy) every bad address does, as
 * in a kernel. For the whole process. */
void avocet_os_check_user_copies(bool check);

#ifdef __cplusplus
}
#endif
#endif
