/* SPDX-License-Identifier: Apache-2.0 */
/* The image for the native kind: the code is part of the model, so a header is all there is to load. */
#include "avocet_firmware.h"

const struct avocet_firmware_header avocet_firmware_native_image = {
    .magic = AVOCET_FIRMWARE_MAGIC,
    .version = AVOCET_VERSION,
    .kind = AVOCET_FIRMWARE_KIND_NATIVE,
    .image_bytes = sizeof(struct avocet_firmware_header),
};
