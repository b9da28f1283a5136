/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of single commands that the rows cannot express, such as one field being the product of others. */
#ifndef AVOCET_COMMAND_RULES_H
#define AVOCET_COMMAND_RULES_H

#include "avocet_stream.h"

/* Null when the command keeps its rules (or has none), else which one it breaks. */
const char* avocet_command_rules_broken(const uint32_t* words, const struct avocet_limits* limits);

#endif
