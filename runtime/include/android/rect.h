// SPDX-License-Identifier: Apache-2.0
// The rectangle AHardwareBuffer_lock takes. Right and bottom are exclusive.
#ifndef ANDROID_RECT_H
#define ANDROID_RECT_H

#include <stdint.h>

typedef struct ARect {
  int32_t left;
  int32_t top;
  int32_t right;
  int32_t bottom;
} ARect;

#endif  // ANDROID_RECT_H
