/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's log. */
#include "log.h"

#include "device.h"

enum { LOG_BYTES = 8192 };

int avocet_log_init(struct avocet_device *device) {
  struct avocet_log *log = &device->log;
  log->lines = avocet_os_alloc(AVOCET_LOG_LINES * sizeof *log->lines);
  if (!log->lines) return -ENOMEM;
  int error = avocet_shared_ring_create(device->os, LOG_BYTES, 1, &log->ring);
  if (error) {
    avocet_os_free(log->lines);
    return error;
  }
  avocet_os_spin_init(&log->lock);
  return 0;
}

void avocet_log_destroy(struct avocet_device *device) {
  avocet_os_spin_destroy(&device->log.lock);
  avocet_shared_ring_destroy(device->os, &device->log.ring);
  avocet_os_free(device->log.lines);
}

/* A line of the firmware's begins with its level: "<3>job failed". What it calls an error is a job's, not the driver's. */
static void put_line(struct avocet_device *device, const char *line, uint32_t length) {
  struct avocet_log *log = &device->log;
  bool has_level = length >= 3 && line[0] == '<' && line[1] >= '0' && line[1] <= '7' && line[2] == '>';
  bool debug = has_level && line[1] - '0' >= AVOCET_FIRMWARE_LOG_DEBUG;
  uint32_t skip = has_level ? 3 : 0;
  memcpy(log->lines[log->count % AVOCET_LOG_LINES], line + skip, length - skip + 1);
  avocet_os_store64(&log->count, log->count + 1); /* atomic for the status tree */
  avocet_os_log(device->os, debug ? AVOCET_LOG_DEBUG : AVOCET_LOG_INFO, "firmware: %s", line + skip);
}

void avocet_log_drain(struct avocet_device *device) {
  struct avocet_log *log = &device->log;
  struct avocet_shared_ring *ring = &log->ring;
  char line[AVOCET_LOG_LINE];
  if (avocet_shared_ring_head(ring) == avocet_shared_ring_tail(ring)) return;
  unsigned long flags = avocet_os_spin_lock(&log->lock);
  uint32_t length = 0, head = avocet_shared_ring_head(ring), tail = avocet_shared_ring_tail(ring);
  if (tail - head > ring->count) head = tail; /* nonsense: forget it */
  for (; head != tail; head++) {
    char c = *(char *)avocet_shared_ring_entry(ring, head);
    if (c != '\n' && length < sizeof line - 1) line[length++] = c >= ' ' && c <= '~' ? c : '?';
    if (c != '\n') continue;
    line[length] = 0;
    put_line(device, line, length);
    length = 0;
  }
  avocet_shared_ring_consume(ring, head);
  avocet_os_spin_unlock(&log->lock, flags);
}

bool avocet_log_line(struct avocet_device *device, uint64_t number, char text[AVOCET_LOG_LINE]) {
  struct avocet_log *log = &device->log;
  unsigned long flags = avocet_os_spin_lock(&log->lock);
  bool kept = number < log->count && log->count - number <= AVOCET_LOG_LINES;
  if (kept) memcpy(text, log->lines[number % AVOCET_LOG_LINES], AVOCET_LOG_LINE);
  avocet_os_spin_unlock(&log->lock, flags);
  return kept;
}
