/* SPDX-License-Identifier: Apache-2.0 */
/* os.h's descriptors as pairs of sockets: the caller holds one end, whose inode names the object; the driver the other. A byte that
 * we send makes the caller's end readable; when this process ends without it the system hangs up, so whoever has a copy in
 * another process is woken as well. That the caller closed all copies shows as a hang-up of our end. */
#include "os.h" /* first: it asks for the GNU functions */

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct avocet_descriptor {
  struct avocet_os_device *os;
  const struct avocet_descriptor_type *type;
  void *object;
  int fd;  /* the caller's end as it was made, its own from install on */
  int end; /* ours */
  dev_t device;
  ino_t inode;
  struct avocet_descriptor *next; /* in its bucket, or among those that were closed */
};

static struct avocet_descriptor **bucket_of(struct avocet_os_device *os, ino_t inode) {
  return &os->descriptors.buckets[inode % AVOCET_DESCRIPTOR_BUCKETS];
}

static int make_pair(struct avocet_descriptor *descriptor, int ends[2]) {
  struct stat status;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    return errno == ENFILE ? -EMFILE : -errno;
  if (fstat(ends[0], &status) != 0) {
    int error = -errno;
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  descriptor->fd = ends[0];
  descriptor->end = ends[1];
  descriptor->device = status.st_dev;
  descriptor->inode = status.st_ino;
  return 0;
}

/* A place for one more; closed ones are swept when there is none. */
static int reserve(struct avocet_os_device *os) {
  for (int attempt = 0; attempt < 2; attempt++) {
    pthread_mutex_lock(&os->descriptors.lock);
    bool room = os->descriptors.count < AVOCET_DESCRIPTORS_MAX;
    if (room) os->descriptors.count++;
    pthread_mutex_unlock(&os->descriptors.lock);
    if (room) return 0;
    avocet_os_descriptor_sweep(os);
  }
  return -EMFILE;
}

static void unreserve(struct avocet_os_device *os) {
  pthread_mutex_lock(&os->descriptors.lock);
  os->descriptors.count--;
  pthread_mutex_unlock(&os->descriptors.lock);
}

int avocet_os_descriptor_create(struct avocet_os_device *os, const struct avocet_descriptor_type *type, void *object,
                                struct avocet_descriptor **result, int32_t *fd) {
  int ends[2], error = reserve(os);
  if (error) return error;
  struct avocet_descriptor *descriptor = calloc(1, sizeof *descriptor);
  error = -ENOMEM;
  if (!descriptor) goto give_place_back;
  error = make_pair(descriptor, ends);
  if (error == -EMFILE && avocet_os_descriptor_sweep(os) < AVOCET_DESCRIPTORS_MAX) error = make_pair(descriptor, ends);
  if (error) goto free_descriptor;
  descriptor->os = os;
  descriptor->type = type;
  descriptor->object = object;
  *result = descriptor;
  *fd = descriptor->fd;
  return 0;

free_descriptor:
  free(descriptor);
give_place_back:
  unreserve(os);
  return error;
}

void avocet_os_descriptor_install(struct avocet_descriptor *descriptor) {
  struct avocet_os_descriptors *all = &descriptor->os->descriptors;
  struct avocet_descriptor **bucket = bucket_of(descriptor->os, descriptor->inode);
  pthread_mutex_lock(&all->lock);
  descriptor->next = *bucket;
  *bucket = descriptor;
  pthread_mutex_unlock(&all->lock);
}

void avocet_os_descriptor_cancel(struct avocet_descriptor *descriptor) {
  close(descriptor->fd);
  close(descriptor->end);
  unreserve(descriptor->os);
  free(descriptor);
}

void avocet_os_descriptor_signal(struct avocet_descriptor *descriptor) {
  (void)send(descriptor->end, "", 1, MSG_NOSIGNAL); /* the first byte: fails only when nobody listens any more */
}

int avocet_os_descriptor_find(struct avocet_os_device *os, const struct avocet_descriptor_type *type, int32_t fd,
                              void **object) {
  struct stat status;
  int error = -EINVAL;
  if (fd < 0 || fstat(fd, &status) != 0) return -EBADF;
  if (!S_ISSOCK(status.st_mode)) return -EINVAL;
  pthread_mutex_lock(&os->descriptors.lock);
  for (struct avocet_descriptor *d = *bucket_of(os, status.st_ino); d; d = d->next) {
    if (d->inode != status.st_ino || d->device != status.st_dev) continue;
    if (d->type == type) {
      type->get(d->object);
      *object = d->object;
      error = 0;
    }
    break;
  }
  pthread_mutex_unlock(&os->descriptors.lock);
  return error;
}

static bool caller_closed(const struct avocet_descriptor *descriptor) {
  struct pollfd state = {.fd = descriptor->end};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* Takes out those that the caller closed, or all. */
static uint32_t sweep(struct avocet_os_device *os, bool all_of_them) {
  struct avocet_os_descriptors *all = &os->descriptors;
  struct avocet_descriptor *closed = NULL;
  pthread_mutex_lock(&all->sweeping);
  pthread_mutex_lock(&all->lock);
  for (uint32_t i = 0; i < AVOCET_DESCRIPTOR_BUCKETS && all->count > 0; i++) {
    for (struct avocet_descriptor **link = &all->buckets[i]; *link;) {
      struct avocet_descriptor *descriptor = *link;
      if (!all_of_them && !caller_closed(descriptor)) {
        link = &descriptor->next;
        continue;
      }
      *link = descriptor->next;
      descriptor->next = closed;
      closed = descriptor;
      all->count--;
    }
  }
  uint32_t open = all->count;
  pthread_mutex_unlock(&all->lock);
  while (closed) {
    struct avocet_descriptor *next = closed->next;
    closed->type->closed(closed->object, closed);
    close(closed->end);
    free(closed);
    closed = next;
  }
  pthread_mutex_unlock(&all->sweeping);
  return open;
}

uint32_t avocet_os_descriptor_sweep(struct avocet_os_device *os) { return sweep(os, false); }

void avocet_os_descriptors_close(struct avocet_os_device *os) { (void)sweep(os, true); }

/* ---- fork ---- */

void avocet_os_descriptors_before_fork(struct avocet_os_device *os) {
  pthread_mutex_lock(&os->descriptors.sweeping);
  pthread_mutex_lock(&os->descriptors.lock);
}

void avocet_os_descriptors_after_fork(struct avocet_os_device *os, bool in_child) {
  if (in_child) {
    for (uint32_t i = 0; i < AVOCET_DESCRIPTOR_BUCKETS; i++) {
      for (struct avocet_descriptor *d = os->descriptors.buckets[i]; d; d = d->next) close(d->end);
    }
  }
  pthread_mutex_unlock(&os->descriptors.lock);
  pthread_mutex_unlock(&os->descriptors.sweeping);
}
