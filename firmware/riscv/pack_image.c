/* SPDX-License-Identifier: Apache-2.0 */
/* Build tool: pack_image IN.bin OUT.fw [OUT.c]. Puts the checksum into the header of a linked firmware image; OUT.fw is the image as
 * a driver loads it, OUT.c the same as a C array. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "avocet_isa.h"

static uint8_t image[AVOCET_CORE_RAM_BYTES + 1];

static int fail(const char *path, const char *what) {
  fprintf(stderr, "pack_image: %s: %s\n", path, what);
  return 2;
}

static void write_array(FILE *file, size_t bytes) {
  fprintf(file, "#include \"avocet_firmware_image.h\"\n\n_Alignas(8) const uint8_t avocet_firmware_riscv_image[] = {");
  for (size_t i = 0; i < bytes; i++) fprintf(file, "%s0x%02x,", i % 20 == 0 ? "\n" : "", image[i]);
  fprintf(file, "\n};\nconst size_t avocet_firmware_riscv_image_bytes = sizeof avocet_firmware_riscv_image;\n");
}

static int write_file(const char *path, size_t bytes, bool as_array) {
  FILE *file = fopen(path, "wb");
  if (!file) return fail(path, "cannot be written");
  if (as_array)
    write_array(file, bytes);
  else
    fwrite(image, 1, bytes, file);
  bool broken = ferror(file);
  return fclose(file) != 0 || broken ? fail(path, "cannot be written") : 0;
}

int main(int argc, char **argv) {
  struct avocet_firmware_header header;
  if (argc < 3 || argc > 4) return fail("usage", "pack_image IN.bin OUT.fw [OUT.c]");
  FILE *file = fopen(argv[1], "rb");
  if (!file) return fail(argv[1], "cannot be read");
  size_t bytes = fread(image, 1, sizeof image, file);
  bool broken = ferror(file);
  fclose(file);
  if (broken || bytes < sizeof header || bytes >= sizeof image) return fail(argv[1], "no firmware image");
  memcpy(&header, image, sizeof header);
  if (header.magic != AVOCET_FIRMWARE_MAGIC || header.image_bytes != bytes || header.checksum != 0)
    return fail(argv[1], "the header is not that of an unpacked image of this size");
  header.checksum = (uint32_t)crc32(0, image, (uInt)bytes);
  memcpy(image, &header, sizeof header);
  int error = write_file(argv[2], bytes, false);
  return error == 0 && argc == 4 ? write_file(argv[3], bytes, true) : error;
}
