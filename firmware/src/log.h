/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text in the log ring. A line that finds too little room is counted and dropped whole: the log never blocks. */
#ifndef AVOCET_FIRMWARE_LOG_H
#define AVOCET_FIRMWARE_LOG_H

#include "avocet_firmware.h"

/* One name=value pair of a line; a NULL name ends the list. */
struct avocet_fw_log_value {
  const char *name;
  uint64_t value;
};

/* Writes "<level>text name=0x1 name=0x2\n" unless the level is left out. At most AVOCET_LOG_LINE bytes; a longer one is cut. */
enum { AVOCET_LOG_LINE = 160 };
void avocet_fw_log(struct avocet_firmware *firmware, enum avocet_firmware_log level, const char *text,
                   const struct avocet_fw_log_value *values);

#endif
