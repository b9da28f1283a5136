/* SPDX-License-Identifier: Apache-2.0 */
/* os.h's delayed work: a thread of its own for each, started when it is due for the first time and asleep while it is not. */
#include "os.h" /* first: it asks for the GNU functions */

#include <signal.h>
#include <time.h>

void avocet_os_work_init(struct avocet_work *work, void (*run)(struct avocet_work *)) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&work->mutex, NULL);
  pthread_cond_init(&work->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  work->run = run;
  work->due_ns = 0;
  work->started = work->stopping = false;
}

static void wait_until(struct avocet_work *work, uint64_t due_ns) {
  struct timespec until = {.tv_sec = (time_t)(due_ns / 1000000000), .tv_nsec = (long)(due_ns % 1000000000)};
  pthread_cond_timedwait(&work->changed, &work->mutex, &until);
}

static void *serve(void *argument) {
  struct avocet_work *work = argument;
  pthread_mutex_lock(&work->mutex);
  while (!work->stopping) {
    if (work->due_ns == 0) {
      pthread_cond_wait(&work->changed, &work->mutex);
    } else if (work->due_ns > avocet_os_now_ns()) {
      wait_until(work, work->due_ns);
    } else {
      __atomic_store_n(&work->due_ns, 0, __ATOMIC_SEQ_CST);
      pthread_mutex_unlock(&work->mutex);
      work->run(work);
      pthread_mutex_lock(&work->mutex);
    }
  }
  pthread_mutex_unlock(&work->mutex);
  return NULL;
}

/* mutex is held. The thread takes no signals: they belong to the program around us. */
static void start(struct avocet_work *work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  /* Without a thread there is no watchdog; requests still look after the device. */
  work->started = pthread_create(&work->thread, NULL, serve, work) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void be_due(struct avocet_work *work, uint64_t due_ns) {
  pthread_mutex_lock(&work->mutex);
  if (!work->stopping && (work->due_ns == 0 || due_ns < work->due_ns)) {
    __atomic_store_n(&work->due_ns, due_ns, __ATOMIC_SEQ_CST);
    if (!work->started) start(work);
    pthread_cond_signal(&work->changed);
  }
  pthread_mutex_unlock(&work->mutex);
}

void avocet_os_work_after(struct avocet_work *work, uint32_t milliseconds) {
  uint64_t due = avocet_os_now_ns() + milliseconds * 1000000ull;
  uint64_t known = __atomic_load_n(&work->due_ns, __ATOMIC_SEQ_CST);
  if (known == 0 || due < known) be_due(work, due);
}

void avocet_os_work_stop(struct avocet_work *work) {
  pthread_mutex_lock(&work->mutex);
  bool started = work->started;
  work->stopping = true;
  work->started = false;
  pthread_cond_signal(&work->changed);
  pthread_mutex_unlock(&work->mutex);
  if (started) pthread_join(work->thread, NULL);
}

void avocet_os_work_destroy(struct avocet_work *work) {
  pthread_cond_destroy(&work->changed);
  pthread_mutex_destroy(&work->mutex);
}
