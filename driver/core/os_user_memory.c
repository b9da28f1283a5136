/* SPDX-License-Identifier: Apache-2.0 */
/* os.h's memory: the arena that the device reaches, in a sparse memory file, and copies from and to the caller. */
#include "os.h" /* first: it asks for the GNU functions */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "range.h"

enum { PAGE = 4096 };

/* Pages of the arena; halved while the system refuses the address space. */
#define ARENA_PAGES_MAX (1ull << 22)
#define ARENA_PAGES_MIN (1ull << 16)

int avocet_os_arena_open(struct avocet_os_device *os) {
  struct avocet_os_arena *arena = &os->arena;
  int error;
  arena->fd = memfd_create("avocet-memory", MFD_CLOEXEC);
  if (arena->fd < 0) return -errno;
  uint64_t pages = ARENA_PAGES_MAX;
  for (;; pages /= 2) {
    error = -ENOMEM;
    if (pages < ARENA_PAGES_MIN) goto close_file;
    arena->base = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, arena->fd, 0);
    if (arena->base != MAP_FAILED) break;
  }
  arena->bytes = pages * PAGE;
  if (ftruncate(arena->fd, (off_t)arena->bytes) != 0) {
    error = -errno;
    goto unmap;
  }
  arena->allocated = calloc(pages / 64, sizeof *arena->allocated);
  arena->free = calloc(1, sizeof *arena->free);
  error = -ENOMEM;
  if (!arena->allocated || !arena->free || avocet_ranges_init(arena->free, 0, pages) != 0) goto free_lists;
  pthread_mutex_init(&arena->lock, NULL);
  pthread_mutex_init(&os->descriptors.sweeping, NULL);
  pthread_mutex_init(&os->descriptors.lock, NULL);
  return 0;

free_lists:
  free(arena->free);
  free(arena->allocated);
unmap:
  munmap(arena->base, arena->bytes);
close_file:
  close(arena->fd);
  return error;
}

void avocet_os_arena_close(struct avocet_os_device *os) {
  struct avocet_os_arena *arena = &os->arena;
  avocet_os_descriptors_close(os); /* what they kept alive frees its memory now */
  munmap(arena->base, arena->bytes);
  close(arena->fd);
  free(arena->allocated);
  avocet_ranges_destroy(arena->free);
  free(arena->free);
  pthread_mutex_destroy(&arena->lock);
  pthread_mutex_destroy(&os->descriptors.lock);
  pthread_mutex_destroy(&os->descriptors.sweeping);
}

static void mark_pages(struct avocet_os_arena *arena, uint64_t page, uint64_t count, bool allocated) {
  for (; count > 0; page++, count--) {
    uint64_t bit = 1ull << (page % 64);
    if (allocated)
      __atomic_fetch_or(&arena->allocated[page / 64], bit, __ATOMIC_RELEASE);
    else
      __atomic_fetch_and(&arena->allocated[page / 64], ~bit, __ATOMIC_RELEASE);
  }
}

int avocet_os_memory_alloc(struct avocet_os_device *os, uint64_t bytes, struct avocet_memory *memory) {
  struct avocet_os_arena *arena = &os->arena;
  uint64_t page, pages = bytes / PAGE + (bytes % PAGE != 0);
  if (pages == 0 || pages > arena->bytes / PAGE) return -ENOMEM;
  pthread_mutex_lock(&arena->lock);
  int error = avocet_ranges_take(arena->free, pages, &page);
  pthread_mutex_unlock(&arena->lock);
  if (error) return -ENOMEM;
  mark_pages(arena, page, pages, true);
  memory->cpu = arena->base + page * PAGE;
  memory->bytes = pages * PAGE;
  memory->bus = AVOCET_OS_ARENA_BUS + page * PAGE;
  return 0;
}

void avocet_os_memory_free(struct avocet_os_device *os, struct avocet_memory *memory) {
  struct avocet_os_arena *arena = &os->arena;
  if (!memory->cpu) return;
  uint64_t page = (uint64_t)(memory->cpu - arena->base) / PAGE;
  mark_pages(arena, page, memory->bytes / PAGE, false);
  /* Back to the system, and zero for whoever gets it next. */
  if (fallocate(arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(page * PAGE), (off_t)memory->bytes) != 0)
    memset(memory->cpu, 0, memory->bytes);
  pthread_mutex_lock(&arena->lock);
  if (avocet_ranges_give(arena->free, page, memory->bytes / PAGE) != 0)
    avocet_os_log(os, AVOCET_LOG_WARNING, "out of memory: %llu bytes of device memory stay unused",
                  (unsigned long long)memory->bytes);
  pthread_mutex_unlock(&arena->lock);
  memory->cpu = NULL;
}

uint64_t avocet_os_memory_bus(const struct avocet_memory *memory, uint64_t offset) { return memory->bus + offset; }

void *avocet_os_arena_translate(struct avocet_os_device *os, uint64_t bus, uint64_t bytes) {
  struct avocet_os_arena *arena = &os->arena;
  uint64_t offset = bus - AVOCET_OS_ARENA_BUS;
  if (bus < AVOCET_OS_ARENA_BUS || offset >= arena->bytes || bytes == 0 || bytes > arena->bytes - offset) return NULL;
  for (uint64_t page = offset / PAGE; page <= (offset + bytes - 1) / PAGE; page++) {
    if (!(__atomic_load_n(&arena->allocated[page / 64], __ATOMIC_ACQUIRE) >> (page % 64) & 1)) return NULL;
  }
  return arena->base + offset;
}

void *avocet_os_memory_mmap(struct avocet_os_device *os, const struct avocet_memory *memory, uint64_t bytes) {
  off_t offset = memory->cpu - os->arena.base;
  void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, os->arena.fd, offset);
  return address == MAP_FAILED ? NULL : address;
}

/* ---- the caller's memory ---- */

static bool check_user_copies;

void avocet_os_check_user_copies(bool check) { __atomic_store_n(&check_user_copies, check, __ATOMIC_RELAXED); }

/* Through the system, which refuses bad addresses instead of killing us, and takes its time for it. */
static int copy_checked(void *mine, uint64_t theirs, size_t bytes, bool to_user) {
  struct iovec local = {.iov_base = mine, .iov_len = bytes};
  struct iovec remote = {.iov_base = (void *)(uintptr_t)theirs, .iov_len = bytes};
  ssize_t done = to_user ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                         : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (done == (ssize_t)bytes) return 0;
  return done >= 0 || errno == EFAULT ? -EFAULT : -EPERM;
}

static int copy(void *mine, uint64_t theirs, size_t bytes, bool to_user) {
  uint64_t end;
  if (bytes == 0) return 0;
  if (theirs < PAGE || __builtin_add_overflow(theirs, bytes, &end) || end > UINTPTR_MAX) return -EFAULT;
  if (__atomic_load_n(&check_user_copies, __ATOMIC_RELAXED)) {
    int error = copy_checked(mine, theirs, bytes, to_user);
    if (error != -EPERM) return error; /* not allowed in this container: trust the caller */
  }
  if (to_user)
    memcpy((void *)(uintptr_t)theirs, mine, bytes);
  else
    memcpy(mine, (const void *)(uintptr_t)theirs, bytes);
  return 0;
}

int avocet_os_copy_from_user(void *to, uint64_t from, size_t bytes) { return copy(to, from, bytes, false); }

int avocet_os_copy_to_user(uint64_t to, const void *from, size_t bytes) {
  return copy((void *)(uintptr_t)from, to, bytes, true);
}
