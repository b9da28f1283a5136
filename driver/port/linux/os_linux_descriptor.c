/* SPDX-License-Identifier: Apache-2.0 */
/* os.h's descriptors as anonymous files: closing the last copy releases the file, and with it the object. */
#include "os.h"

#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/slab.h>

struct avocet_descriptor {
  struct avocet_os_device *os;
  const struct avocet_descriptor_type *type;
  void *object;
  struct file *file;
  int fd;
  bool installed;
  wait_queue_head_t waiters;
};

static __poll_t descriptor_poll(struct file *file, poll_table *table) {
  struct avocet_descriptor *descriptor = file->private_data;
  poll_wait(file, &descriptor->waiters, table);
  return descriptor->type->signalled(descriptor->object) ? EPOLLIN | EPOLLRDNORM : 0;
}

static int descriptor_release(struct inode *inode, struct file *file) {
  struct avocet_descriptor *descriptor = file->private_data;
  (void)inode;
  atomic_dec(&descriptor->os->descriptors);
  if (descriptor->installed) descriptor->type->closed(descriptor->object, descriptor);
  kfree(descriptor);
  return 0;
}

static const struct file_operations descriptor_operations = {
    .poll = descriptor_poll, .release = descriptor_release, .llseek = noop_llseek};

int avocet_os_descriptor_create(struct avocet_os_device *os, const struct avocet_descriptor_type *type, void *object,
                                struct avocet_descriptor **result, int32_t *fd) {
  struct avocet_descriptor *descriptor = kzalloc(sizeof *descriptor, GFP_KERNEL);
  if (!descriptor) return -ENOMEM;
  init_waitqueue_head(&descriptor->waiters);
  descriptor->os = os;
  descriptor->type = type;
  descriptor->object = object;
  int error = descriptor->fd = get_unused_fd_flags(O_CLOEXEC);
  if (error < 0) goto free_descriptor;
  descriptor->file = anon_inode_getfile(type->name, &descriptor_operations, descriptor, O_RDONLY | O_CLOEXEC);
  error = PTR_ERR_OR_ZERO(descriptor->file);
  if (error) goto put_number;
  atomic_inc(&os->descriptors);
  *result = descriptor;
  *fd = descriptor->fd;
  return 0;

put_number:
  put_unused_fd(descriptor->fd);
free_descriptor:
  kfree(descriptor);
  return error;
}

void avocet_os_descriptor_install(struct avocet_descriptor *descriptor) {
  descriptor->installed = true;
  fd_install(descriptor->fd, descriptor->file);
}

void avocet_os_descriptor_cancel(struct avocet_descriptor *descriptor) {
  put_unused_fd(descriptor->fd);
  fput(descriptor->file);
}

void avocet_os_descriptor_signal(struct avocet_descriptor *descriptor) { wake_up_poll(&descriptor->waiters, EPOLLIN); }

int avocet_os_descriptor_find(struct avocet_os_device *os, const struct avocet_descriptor_type *type, int32_t fd,
                              void **object) {
  struct file *file = fget(fd);
  int error = -EINVAL;
  if (!file) return -EBADF;
  if (file->f_op == &descriptor_operations) {
    struct avocet_descriptor *descriptor = file->private_data;
    if (descriptor->os == os && descriptor->type == type) {
      type->get(descriptor->object);
      *object = descriptor->object;
      error = 0;
    }
  }
  fput(file);
  return error;
}

uint32_t avocet_os_descriptor_sweep(struct avocet_os_device *os) { return (uint32_t)atomic_read(&os->descriptors); }
