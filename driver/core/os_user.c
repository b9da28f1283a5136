/* SPDX-License-Identifier: Apache-2.0 */
/* os.h over POSIX threads: locks, waiting, time, messages. The memory is in os_user_memory.c. */
#include "os.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- registers, firmware ---- */

uint32_t avocet_os_rd32(struct avocet_os_device *os, uint32_t offset) { return os->rd32(os->opaque, offset); }

void avocet_os_wr32(struct avocet_os_device *os, uint32_t offset, uint32_t value) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  os->wr32(os->opaque, offset, value);
}

int avocet_os_firmware(struct avocet_os_device *os, const void **image, size_t *bytes) {
  if (!os->firmware) return -ENOENT;
  *image = os->firmware;
  *bytes = os->firmware_bytes;
  return 0;
}

/* ---- memory of the driver ---- */

void *avocet_os_alloc(size_t bytes) { return calloc(1, bytes); }
void avocet_os_free(void *memory) { free(memory); }

/* ---- shared words ---- */

uint32_t avocet_os_load32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
void avocet_os_store32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
uint64_t avocet_os_load64(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
void avocet_os_store64(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
void avocet_os_add64(uint64_t *word, uint64_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
void avocet_os_add32(uint32_t *word, uint32_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
uint32_t avocet_os_exchange32(uint32_t *word, uint32_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}
void avocet_os_barrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void avocet_os_refs_init(struct avocet_refs *refs) { __atomic_store_n(&refs->count, 1, __ATOMIC_RELAXED); }
void avocet_os_refs_get(struct avocet_refs *refs) { __atomic_fetch_add(&refs->count, 1, __ATOMIC_RELAXED); }
bool avocet_os_refs_put(struct avocet_refs *refs) { return __atomic_sub_fetch(&refs->count, 1, __ATOMIC_ACQ_REL) == 0; }

/* ---- locks ---- */

void avocet_os_mutex_init(struct avocet_mutex *mutex) { pthread_mutex_init(&mutex->os, NULL); }
void avocet_os_mutex_destroy(struct avocet_mutex *mutex) { pthread_mutex_destroy(&mutex->os); }
void avocet_os_mutex_lock(struct avocet_mutex *mutex) { pthread_mutex_lock(&mutex->os); }
bool avocet_os_mutex_trylock(struct avocet_mutex *mutex) { return pthread_mutex_trylock(&mutex->os) == 0; }
void avocet_os_mutex_unlock(struct avocet_mutex *mutex) { pthread_mutex_unlock(&mutex->os); }

void avocet_os_rwlock_init(struct avocet_rwlock *lock) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock->os, &attributes);
  pthread_rwlockattr_destroy(&attributes);
}
void avocet_os_rwlock_destroy(struct avocet_rwlock *lock) { pthread_rwlock_destroy(&lock->os); }
void avocet_os_rwlock_read(struct avocet_rwlock *lock) { pthread_rwlock_rdlock(&lock->os); }
void avocet_os_rwlock_write(struct avocet_rwlock *lock) { pthread_rwlock_wrlock(&lock->os); }
void avocet_os_rwlock_unread(struct avocet_rwlock *lock) { pthread_rwlock_unlock(&lock->os); }
void avocet_os_rwlock_unwrite(struct avocet_rwlock *lock) { pthread_rwlock_unlock(&lock->os); }

void avocet_os_spin_init(struct avocet_spinlock *lock) { pthread_mutex_init(&lock->os, NULL); }
void avocet_os_spin_destroy(struct avocet_spinlock *lock) { pthread_mutex_destroy(&lock->os); }
unsigned long avocet_os_spin_lock(struct avocet_spinlock *lock) {
  pthread_mutex_lock(&lock->os);
  return 0;
}
void avocet_os_spin_unlock(struct avocet_spinlock *lock, unsigned long flags) {
  (void)flags;
  pthread_mutex_unlock(&lock->os);
}

/* ---- waiting ---- */

/* Waking a sleeping thread takes longer than a short job, so a waiter looks around for a while first: long enough for the
 * device's thread to be woken (some 70 us) and to run the job, else both sides would wake each other every time. Never so
 * many at once that the device's thread finds no processor. */
#define SPIN_NS 200000ull
#define YIELD_NS 20000ull
static uint32_t spinners;

static uint32_t spinners_max(void) {
  static uint32_t cached; /* plus one */
  uint32_t known = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (known == 0) {
    cpu_set_t cpus;
    int count = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    known = (uint32_t)(count > 1 ? count : 1);
    __atomic_store_n(&cached, known, __ATOMIC_RELAXED);
  }
  return known - 1;
}

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static bool spin(bool (*ready)(void *), void *argument, uint64_t deadline_ns) {
  bool done = false;
  if (__atomic_fetch_add(&spinners, 1, __ATOMIC_RELAXED) < spinners_max()) {
    uint64_t now = avocet_os_now_ns(), stop = now + SPIN_NS, yield = now + YIELD_NS;
    if (stop > deadline_ns) stop = deadline_ns;
    do {
      for (int i = 0; i < 16 && !done; i++) {
        relax();
        done = ready(argument);
      }
      now = avocet_os_now_ns();
      if (!done && now > yield) { /* the device's thread may be waiting for this very processor */
        sched_yield();
        yield = now + YIELD_NS;
      }
    } while (!done && now < stop);
  }
  __atomic_fetch_sub(&spinners, 1, __ATOMIC_RELAXED);
  return done;
}

void avocet_os_waitq_init(struct avocet_waitq *queue) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  queue->sleepers = 0;
}

void avocet_os_waitq_destroy(struct avocet_waitq *queue) {
  pthread_cond_destroy(&queue->wake);
  pthread_mutex_destroy(&queue->mutex);
}

void avocet_os_waitq_wake(struct avocet_waitq *queue) {
  /* A read-modify-write on both sides: either we see the sleeper, or it sees what made us wake it. */
  if (__atomic_fetch_add(&queue->sleepers, 0, __ATOMIC_SEQ_CST) == 0) return;
  pthread_mutex_lock(&queue->mutex);
  pthread_cond_broadcast(&queue->wake);
  pthread_mutex_unlock(&queue->mutex);
}

int avocet_os_waitq_wait(struct avocet_waitq *queue, bool (*ready)(void *), void *argument, uint64_t deadline_ns,
                         bool interruptible) {
  (void)interruptible; /* signals do not end a thread's wait */
  if (ready(argument)) return 0;
  if (deadline_ns <= avocet_os_now_ns()) return -ETIMEDOUT;
  if (spin(ready, argument, deadline_ns)) return 0;
  struct timespec until = {.tv_sec = (time_t)(deadline_ns / 1000000000), .tv_nsec = (long)(deadline_ns % 1000000000)};
  int error = 0;
  pthread_mutex_lock(&queue->mutex);
  __atomic_fetch_add(&queue->sleepers, 1, __ATOMIC_SEQ_CST);
  while (!ready(argument) && error == 0) error = pthread_cond_timedwait(&queue->wake, &queue->mutex, &until);
  __atomic_fetch_sub(&queue->sleepers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&queue->mutex);
  return error == 0 || ready(argument) ? 0 : -error;
}

uint64_t avocet_os_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void avocet_os_sleep_us(uint32_t microseconds) {
  struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = (long)(microseconds % 1000000) * 1000};
  nanosleep(&time, NULL);
}

uint32_t avocet_os_caller(void) { return (uint32_t)getpid(); }

/* ---- messages ---- */

size_t avocet_os_format(char *text, size_t bytes, const char *format, va_list arguments) {
  if (bytes == 0) return 0;
  int length = vsnprintf(text, bytes, format, arguments);
  if (length < 0) length = text[0] = 0;
  return (size_t)length < bytes ? (size_t)length : bytes - 1;
}

void avocet_os_log(struct avocet_os_device *os, enum avocet_log_level level, const char *format, ...) {
  if ((int)level > os->log_level) return;
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "avocet: %s\n", line);
}
