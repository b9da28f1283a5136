/* SPDX-License-Identifier: Apache-2.0 */
/* The four functions that a compiler calls by itself. Words where both sides are aligned, bytes elsewhere. Built without the
 * optimisation that would turn their loops into calls of themselves. */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;

static int aligned(const void *a, const void *b) { return (((uintptr_t)a | (uintptr_t)b) & 3) == 0; }

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if (aligned(t, f)) {
    for (; bytes >= 4; bytes -= 4, t += 4, f += 4) *(word *)t = *(const word *)f;
  }
  while (bytes-- > 0) *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= bytes) return memcpy(to, from, bytes); /* forwards does no harm */
  while (bytes-- > 0) t[bytes] = f[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  uint8_t *t = to;
  if (aligned(t, t)) {
    for (uint32_t four = (uint8_t)value * 0x01010101u; bytes >= 4; bytes -= 4, t += 4) *(word *)t = four;
  }
  while (bytes-- > 0) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  const uint8_t *x = a, *y = b;
  for (; bytes > 0; bytes--, x++, y++) {
    if (*x != *y) return *x < *y ? -1 : 1;
  }
  return 0;
}
