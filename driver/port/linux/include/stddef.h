/* SPDX-License-Identifier: Apache-2.0 */
/* <stddef.h> for the headers that core and kernel share. */
#include <linux/stddef.h>
