/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a file of the status tree by its path, and listing directories. */
#include "status.h"

#include "device.h"

void avocet_text_add(struct avocet_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text->length += avocet_os_format(text->data + text->length, text->bytes - text->length, format, arguments);
  va_end(arguments);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Compares a pattern and a path, component by component, as far as the path goes. Returns where the pattern goes on, or NULL: they
 * differ. */
static const char *match(const char *pattern, const char *path, uint64_t *number) {
  while (*path) {
    if (*pattern == '#' && is_digit(*path)) {
      for (*number = 0; is_digit(*path); path++) {
        if (*number > UINT32_MAX) return NULL;
        *number = *number * 10 + (uint64_t)(*path - '0');
      }
      pattern++;
    } else if (*pattern == *path && *pattern != '#') {
      pattern++;
      path++;
    } else {
      return NULL;
    }
  }
  return pattern;
}

/* "clients" of "clients/#/memory". */
static void add_numbers(struct avocet_device *device, const char *pattern, struct avocet_text *text) {
  for (uint64_t number, from = 0; avocet_status_next_number(device, pattern, from, &number); from = number + 1)
    avocet_text_add(text, "%llu/\n", (unsigned long long)number);
}

static bool same_entry(const char *a, const char *b) {
  if (!a) return false;
  for (; *a == *b && *a && *a != '/'; a++) b++;
  return (*a == '/' || !*a) && (*b == '/' || !*b);
}

static void add_entry(struct avocet_device *device, const char *pattern, const char *entry, struct avocet_text *text) {
  int length = 0;
  if (*entry == '#') return add_numbers(device, pattern, text);
  while (entry[length] && entry[length] != '/') length++;
  avocet_text_add(text, "%.*s%s\n", length, entry, entry[length] ? "/" : "");
}

static int list(struct avocet_device *device, const char *path, struct avocet_text *text) {
  const char *previous = NULL;
  uint64_t there;
  int found = -ENOENT;
  for (uint32_t i = 0; i < avocet_status_file_count; i++) {
    const char *pattern = avocet_status_files[i].path;
    uint64_t number = UINT64_MAX; /* none in the path */
    const char *rest = match(pattern, path, &number);
    if (!rest || (*path && *rest++ != '/')) continue;
    if (number != UINT64_MAX && !(avocet_status_next_number(device, pattern, number, &there) && there == number)) continue;
    found = 0;
    if (!same_entry(previous, rest)) add_entry(device, pattern, rest, text);
    previous = rest;
  }
  return found;
}

static int render(struct avocet_device *device, const char *path, struct avocet_text *text) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < avocet_status_file_count; i++) {
    const struct avocet_status_file *file = &avocet_status_files[i];
    const char *rest = match(file->path, path, &number);
    if (rest && !*rest) return file->render(device, file, number, text);
  }
  return list(device, path, text);
}

int avocet_status_read(struct avocet_device *device, const char *path, char *text, size_t bytes) {
  struct avocet_text out = {.data = text, .bytes = bytes};
  if (bytes == 0) return -EINVAL;
  text[0] = 0;
  int error = render(device, path, &out);
  return error ? error : (int)out.length;
}
