/* SPDX-License-Identifier: Apache-2.0 */
/* The log ring: one-byte entries, whole lines or nothing. */
#include "log.h"

#include <stddef.h>

#include "ring.h"

struct line {
  char bytes[AVOCET_LOG_LINE];
  uint32_t count;
};

static void put(struct line *line, char c) {
  if (line->count < AVOCET_LOG_LINE - 1) line->bytes[line->count++] = c; /* one byte stays for the line's end */
}

static void put_text(struct line *line, const char *text) {
  while (*text) put(line, *text++);
}

static void put_hex(struct line *line, uint64_t value) {
  int digits = 1;
  while (digits < 16 && value >> (4 * digits)) digits++;
  put_text(line, "0x");
  while (digits-- > 0) put(line, "0123456789abcdef"[(value >> (4 * digits)) & 15]);
}

static void write_line(struct avocet_firmware *firmware, const struct line *line) {
  const struct avocet_firmware_port *port = firmware->port;
  struct avocet_firmware_ring *ring = &firmware->log;
  bool room;
  if (avocet_fw_ring_space(port, ring, line->count, &room) != AVOCET_STATUS_OK || !room) {
    firmware->log_dropped += line->count;
    return;
  }
  uint32_t to_end = ring->entries - (ring->index & (ring->entries - 1));
  uint32_t first = line->count < to_end ? line->count : to_end;
  if (!port->store(port->opaque, avocet_fw_ring_entry(ring, ring->index), line->bytes, first)) return;
  if (first < line->count &&
      !port->store(port->opaque, avocet_fw_ring_entry(ring, 0), line->bytes + first, line->count - first))
    return;
  /* A log that cannot be written is no reason to stop serving. */
  (void)avocet_fw_ring_publish(port, ring, line->count);
}

void avocet_fw_log(struct avocet_firmware *firmware, enum avocet_firmware_log level, const char *text,
                   const struct avocet_fw_log_value *values) {
  if (firmware->log.address == 0 || level > firmware->log_level) return; /* address 0: before the boot parameters are known */
  struct line line = {.count = 0};
  put(&line, '<');
  put(&line, (char)('0' + level));
  put(&line, '>');
  put_text(&line, text);
  for (; values && values->name; values++) {
    put(&line, ' ');
    put_text(&line, values->name);
    put(&line, '=');
    put_hex(&line, values->value);
  }
  line.bytes[line.count++] = '\n';
  write_line(firmware, &line);
}
