/* SPDX-License-Identifier: Apache-2.0 */
/* Everything the driver core needs from the system below it. os_user.h/os_user.c implement it with threads and a memory file;
 * a kernel port brings its own pair. No other file of the core includes a system header. */
#ifndef AVOCET_OS_H
#define AVOCET_OS_H

#ifdef __KERNEL__
#include "avocet_os_linux.h" /* of driver/port/linux */
#else
#include "os_user.h" /* fixed-width types, bool, va_list, errno values, memcpy/memset, and the bodies of the types named here */
#endif

struct avocet_os_device; /* register access, memory and firmware image of one device; provided by the port */

/* ---- registers: aligned 32-bit words; ordered behind earlier stores to device memory ---- */
uint32_t avocet_os_rd32(struct avocet_os_device *os, uint32_t offset);
void avocet_os_wr32(struct avocet_os_device *os, uint32_t offset, uint32_t value);

/* The firmware image to load; stays valid. 0 or -ENOENT. */
int avocet_os_firmware(struct avocet_os_device *os, const void **image, size_t *bytes);

/* ---- memory of the driver; zeroed; NULL when there is none ---- */
void *avocet_os_alloc(size_t bytes);
void avocet_os_free(void *memory);

/* ---- memory that the device reaches: whole pages, zeroed, coherent, page aligned on the bus ---- */
struct avocet_memory {
  uint8_t *cpu;
  uint64_t bytes;
  uint64_t bus; /* of the first byte; the user-space port's memory is contiguous */
};
int avocet_os_memory_alloc(struct avocet_os_device *os, uint64_t bytes, struct avocet_memory *memory);
void avocet_os_memory_free(struct avocet_os_device *os, struct avocet_memory *memory);
uint64_t avocet_os_memory_bus(const struct avocet_memory *memory, uint64_t offset);

/* ---- words shared with the device or between threads ---- */
uint32_t avocet_os_load32(const uint32_t *word); /* acquire */
void avocet_os_store32(uint32_t *word, uint32_t value); /* release */
uint64_t avocet_os_load64(const uint64_t *word); /* acquire */
void avocet_os_store64(uint64_t *word, uint64_t value); /* release */
#define avocet_os_load_pointer(at) __atomic_load_n((at), __ATOMIC_ACQUIRE)
#define avocet_os_store_pointer(at, value) __atomic_store_n((at), (value), __ATOMIC_RELEASE)
void avocet_os_add64(uint64_t *word, uint64_t value); /* counters: atomic, no order */
void avocet_os_add32(uint32_t *word, uint32_t value);
uint32_t avocet_os_exchange32(uint32_t *word, uint32_t value); /* the old value; full barrier */
void avocet_os_barrier(void); /* full */

/* ---- reference counts ---- */
struct avocet_refs {
  uint32_t count;
};
void avocet_os_refs_init(struct avocet_refs *refs); /* 1 */
void avocet_os_refs_get(struct avocet_refs *refs);
bool avocet_os_refs_put(struct avocet_refs *refs); /* true for the last one */

/* ---- locks: mutex and rwlock may sleep; a spinlock may be taken in the interrupt handler ---- */
void avocet_os_mutex_init(struct avocet_mutex *mutex);
void avocet_os_mutex_destroy(struct avocet_mutex *mutex);
void avocet_os_mutex_lock(struct avocet_mutex *mutex);
bool avocet_os_mutex_trylock(struct avocet_mutex *mutex);
void avocet_os_mutex_unlock(struct avocet_mutex *mutex);

void avocet_os_rwlock_init(struct avocet_rwlock *lock); /* waiting writers go first; not recursive */
void avocet_os_rwlock_destroy(struct avocet_rwlock *lock);
void avocet_os_rwlock_read(struct avocet_rwlock *lock);
void avocet_os_rwlock_write(struct avocet_rwlock *lock);
void avocet_os_rwlock_unread(struct avocet_rwlock *lock);
void avocet_os_rwlock_unwrite(struct avocet_rwlock *lock);

void avocet_os_spin_init(struct avocet_spinlock *lock);
void avocet_os_spin_destroy(struct avocet_spinlock *lock);
unsigned long avocet_os_spin_lock(struct avocet_spinlock *lock); /* returns what unlock needs */
void avocet_os_spin_unlock(struct avocet_spinlock *lock, unsigned long flags);

/* ---- waiting ---- */
void avocet_os_waitq_init(struct avocet_waitq *queue);
void avocet_os_waitq_destroy(struct avocet_waitq *queue);
void avocet_os_waitq_wake(struct avocet_waitq *queue); /* all; also from the interrupt handler */
/* Sleeps until ready(argument), which must be cheap and take no lock. 0, -ETIMEDOUT at deadline_ns (CLOCK_MONOTONIC), or, when
 * interruptible, -EINTR. */
int avocet_os_waitq_wait(struct avocet_waitq *queue, bool (*ready)(void *), void *argument, uint64_t deadline_ns,
                         bool interruptible);
uint64_t avocet_os_now_ns(void); /* CLOCK_MONOTONIC */
void avocet_os_sleep_us(uint32_t microseconds);

/* ---- work that runs later, on a thread that may sleep; never twice at the same time ---- */
void avocet_os_work_init(struct avocet_work *work, void (*run)(struct avocet_work *));
/* Runs once, so much later, or earlier when it is due earlier already. Also from the interrupt handler. */
void avocet_os_work_after(struct avocet_work *work, uint32_t milliseconds);
/* Waits for a run to end; there is none afterwards. Not from the work itself. */
void avocet_os_work_stop(struct avocet_work *work);
void avocet_os_work_destroy(struct avocet_work *work); /* after stop */

/* ---- descriptors: what the caller's process holds of an object of the driver. They are closed by the system, which the
 * user-space port notices some time later ---- */
struct avocet_descriptor;
struct avocet_descriptor_type {
  const char *name;
  void (*get)(void *object);
  bool (*signalled)(void *object);                                  /* for poll */
  void (*closed)(void *object, struct avocet_descriptor *descriptor); /* the last copy is gone, *descriptor with it; may sleep */
};
/* A new descriptor, which nobody sees before install. -EMFILE, -ENOMEM. */
int avocet_os_descriptor_create(struct avocet_os_device *os, const struct avocet_descriptor_type *type, void *object,
                                struct avocet_descriptor **descriptor, int32_t *fd);
void avocet_os_descriptor_install(struct avocet_descriptor *descriptor);
void avocet_os_descriptor_cancel(struct avocet_descriptor *descriptor); /* instead of install; closed() is not called */
void avocet_os_descriptor_signal(struct avocet_descriptor *descriptor); /* readable from now on; never sleeps */
/* The object behind a descriptor, with a reference (get). -EBADF: not open; -EINVAL: of another type or device. */
int avocet_os_descriptor_find(struct avocet_os_device *os, const struct avocet_descriptor_type *type, int32_t fd,
                              void **object);
/* Calls closed() for those that are; returns how many are open. */
uint32_t avocet_os_descriptor_sweep(struct avocet_os_device *os);

/* The calling process. */
uint32_t avocet_os_caller(void);

/* ---- the caller's memory; 0 or -EFAULT ---- */
int avocet_os_copy_from_user(void *to, uint64_t from, size_t bytes);
int avocet_os_copy_to_user(uint64_t to, const void *from, size_t bytes);

/* ---- messages: one line without newline ---- */
enum avocet_log_level { AVOCET_LOG_ERROR = 0, AVOCET_LOG_WARNING = 1, AVOCET_LOG_INFO = 2, AVOCET_LOG_DEBUG = 3 };
void avocet_os_log(struct avocet_os_device *os, enum avocet_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Into text[bytes], always terminated; returns the length that is there. */
size_t avocet_os_format(char *text, size_t bytes, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
