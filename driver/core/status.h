/* SPDX-License-Identifier: Apache-2.0 */
/* The status tree: what sysfs and debugfs show of a device, as small text files. A path names a file or a directory, without leading
 * slash; "" is the root. The text of a directory is its entries, one a line, directories with a slash behind. */
#ifndef AVOCET_STATUS_H
#define AVOCET_STATUS_H

#include "os.h"

struct avocet_device;

struct avocet_text {
  char *data; /* always terminated */
  size_t bytes, length;
};

void avocet_text_add(struct avocet_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills text[bytes]; what does not fit is left out. The length, or -ENOENT. May sleep; no lock is held. Works on a device that is gone. */
int avocet_status_read(struct avocet_device *device, const char *path, char *text, size_t bytes);

/* ---- the files ---- */

struct avocet_status_file {
  const char *path; /* # stands for a number */
  int (*render)(struct avocet_device *device, const struct avocet_status_file *file, uint64_t number,
                struct avocet_text *text); /* 0 or -ENOENT: there is no such number */
  size_t offset;    /* of the member that is shown, for the simple ones */
};

/* Files of one directory stand together. */
extern const struct avocet_status_file avocet_status_files[];
extern const uint32_t avocet_status_file_count;
/* The numbers below a directory: the smallest one that is at least `from`; false when there is none. */
bool avocet_status_next_number(struct avocet_device *device, const char *directory, uint64_t from, uint64_t *number);

#endif
