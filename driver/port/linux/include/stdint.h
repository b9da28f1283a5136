/* SPDX-License-Identifier: Apache-2.0 */
/* <stdint.h> for the headers that core and kernel share. */
#ifndef AVOCET_LINUX_STDINT_H
#define AVOCET_LINUX_STDINT_H

#include <linux/limits.h>
#include <linux/types.h>

#define UINT8_MAX U8_MAX
#define UINT16_MAX U16_MAX
#define UINT32_MAX U32_MAX
#define UINT64_MAX U64_MAX
#define INT32_MAX S32_MAX
#define INT32_MIN S32_MIN
#define INT64_MAX S64_MAX
#define INT64_MIN S64_MIN

#endif
