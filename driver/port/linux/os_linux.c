/* SPDX-License-Identifier: Apache-2.0 */
/* os.h over the Linux kernel's functions. Descriptors are in os_linux_descriptor.c. */
#include "os.h"

#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/* ---- registers, firmware ---- */

uint32_t avocet_os_rd32(struct avocet_os_device *os, uint32_t offset) { return readl(os->registers + offset); }

/* writel is ordered behind earlier stores to coherent memory. */
void avocet_os_wr32(struct avocet_os_device *os, uint32_t offset, uint32_t value) { writel(value, os->registers + offset); }

int avocet_os_firmware(struct avocet_os_device *os, const void **image, size_t *bytes) {
  if (!os->firmware) return -ENOENT;
  *image = os->firmware;
  *bytes = os->firmware_bytes;
  return 0;
}

/* ---- memory ---- */

/* Submissions allocate without a lock, so sleeping is fine; completions only free. */
void *avocet_os_alloc(size_t bytes) { return kvzalloc(bytes, GFP_KERNEL); }
void avocet_os_free(void *memory) { kvfree(memory); }

int avocet_os_memory_alloc(struct avocet_os_device *os, uint64_t bytes, struct avocet_memory *memory) {
  dma_addr_t bus;
  if (bytes == 0 || bytes > SIZE_MAX - PAGE_SIZE) return -ENOMEM;
  memory->bytes = PAGE_ALIGN(bytes);
  memory->cpu = dma_alloc_coherent(os->device, memory->bytes, &bus, GFP_KERNEL | __GFP_ZERO);
  if (!memory->cpu) return -ENOMEM;
  memory->bus = bus;
  return 0;
}

void avocet_os_memory_free(struct avocet_os_device *os, struct avocet_memory *memory) {
  if (!memory->cpu) return;
  dma_free_coherent(os->device, memory->bytes, memory->cpu, memory->bus);
  memory->cpu = NULL;
}

uint64_t avocet_os_memory_bus(const struct avocet_memory *memory, uint64_t offset) { return memory->bus + offset; }

/* ---- shared words ---- */

uint32_t avocet_os_load32(const uint32_t *word) { return smp_load_acquire(word); }
void avocet_os_store32(uint32_t *word, uint32_t value) { smp_store_release(word, value); }
uint64_t avocet_os_load64(const uint64_t *word) { return smp_load_acquire(word); }
void avocet_os_store64(uint64_t *word, uint64_t value) { smp_store_release(word, value); }
void avocet_os_add64(uint64_t *word, uint64_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
void avocet_os_add32(uint32_t *word, uint32_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
uint32_t avocet_os_exchange32(uint32_t *word, uint32_t value) { return xchg(word, value); }
void avocet_os_barrier(void) { mb(); }

void avocet_os_refs_init(struct avocet_refs *refs) { refs->count = 1; }
void avocet_os_refs_get(struct avocet_refs *refs) { __atomic_fetch_add(&refs->count, 1, __ATOMIC_RELAXED); }
bool avocet_os_refs_put(struct avocet_refs *refs) { return __atomic_sub_fetch(&refs->count, 1, __ATOMIC_ACQ_REL) == 0; }

/* ---- locks ---- */

void avocet_os_mutex_init(struct avocet_mutex *mutex) { mutex_init(&mutex->os); }
void avocet_os_mutex_destroy(struct avocet_mutex *mutex) { mutex_destroy(&mutex->os); }
void avocet_os_mutex_lock(struct avocet_mutex *mutex) { mutex_lock(&mutex->os); }
bool avocet_os_mutex_trylock(struct avocet_mutex *mutex) { return mutex_trylock(&mutex->os); }
void avocet_os_mutex_unlock(struct avocet_mutex *mutex) { mutex_unlock(&mutex->os); }

void avocet_os_rwlock_init(struct avocet_rwlock *lock) { init_rwsem(&lock->os); }
void avocet_os_rwlock_destroy(struct avocet_rwlock *lock) { (void)lock; }
void avocet_os_rwlock_read(struct avocet_rwlock *lock) { down_read(&lock->os); }
void avocet_os_rwlock_write(struct avocet_rwlock *lock) { down_write(&lock->os); }
void avocet_os_rwlock_unread(struct avocet_rwlock *lock) { up_read(&lock->os); }
void avocet_os_rwlock_unwrite(struct avocet_rwlock *lock) { up_write(&lock->os); }

void avocet_os_spin_init(struct avocet_spinlock *lock) { spin_lock_init(&lock->os); }
void avocet_os_spin_destroy(struct avocet_spinlock *lock) { (void)lock; }
unsigned long avocet_os_spin_lock(struct avocet_spinlock *lock) {
  unsigned long flags;
  spin_lock_irqsave(&lock->os, flags);
  return flags;
}
void avocet_os_spin_unlock(struct avocet_spinlock *lock, unsigned long flags) { spin_unlock_irqrestore(&lock->os, flags); }

/* ---- waiting ---- */

void avocet_os_waitq_init(struct avocet_waitq *queue) { init_waitqueue_head(&queue->os); }
void avocet_os_waitq_destroy(struct avocet_waitq *queue) { (void)queue; }
void avocet_os_waitq_wake(struct avocet_waitq *queue) { wake_up_all(&queue->os); }

int avocet_os_waitq_wait(struct avocet_waitq *queue, bool (*ready)(void *), void *argument, uint64_t deadline_ns,
                         bool interruptible) {
  uint64_t now = ktime_get_ns();
  long left = deadline_ns > now ? (long)min_t(uint64_t, nsecs_to_jiffies64(deadline_ns - now) + 1, MAX_JIFFY_OFFSET) : 0;
  if (ready(argument)) return 0;
  if (left == 0) return -ETIMEDOUT;
  left = interruptible ? wait_event_interruptible_timeout(queue->os, ready(argument), left)
                       : wait_event_timeout(queue->os, ready(argument), left);
  return left < 0 ? -EINTR : left == 0 ? -ETIMEDOUT : 0;
}

uint64_t avocet_os_now_ns(void) { return ktime_get_ns(); }

void avocet_os_sleep_us(uint32_t microseconds) { usleep_range(microseconds, microseconds + microseconds / 2 + 1); }

/* ---- work ---- */

static void run_work(struct work_struct *os) {
  struct avocet_work *work = container_of(to_delayed_work(os), struct avocet_work, os);
  work->run(work);
}

void avocet_os_work_init(struct avocet_work *work, void (*run)(struct avocet_work *)) {
  INIT_DELAYED_WORK(&work->os, run_work);
  work->run = run;
}

void avocet_os_work_after(struct avocet_work *work, uint32_t milliseconds) {
  unsigned long delay = msecs_to_jiffies(milliseconds);
  if (READ_ONCE(work->stopping)) return;
  if (delayed_work_pending(&work->os) && !time_before(jiffies + delay, work->os.timer.expires)) return;
  mod_delayed_work(system_wq, &work->os, delay);
}

void avocet_os_work_stop(struct avocet_work *work) {
  WRITE_ONCE(work->stopping, true);
  cancel_delayed_work_sync(&work->os);
}

void avocet_os_work_destroy(struct avocet_work *work) { avocet_os_work_stop(work); }

/* ---- the caller ---- */

uint32_t avocet_os_caller(void) { return (uint32_t)task_tgid_nr(current); }

int avocet_os_copy_from_user(void *to, uint64_t from, size_t bytes) {
  return copy_from_user(to, u64_to_user_ptr(from), bytes) ? -EFAULT : 0;
}

int avocet_os_copy_to_user(uint64_t to, const void *from, size_t bytes) {
  return copy_to_user(u64_to_user_ptr(to), from, bytes) ? -EFAULT : 0;
}

/* ---- messages ---- */

void avocet_os_log(struct avocet_os_device *os, enum avocet_log_level level, const char *format, ...) {
  static const char *const levels[] = {KERN_ERR, KERN_WARNING, KERN_INFO, KERN_DEBUG};
  struct va_format text = {.fmt = format};
  va_list arguments;
  va_start(arguments, format);
  text.va = &arguments;
  dev_printk(levels[level], os->device, "%pV\n", &text);
  va_end(arguments);
}

size_t avocet_os_format(char *text, size_t bytes, const char *format, va_list arguments) {
  return (size_t)vscnprintf(text, bytes, format, arguments);
}
