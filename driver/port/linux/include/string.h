/* SPDX-License-Identifier: Apache-2.0 */
/* <string.h> for the headers that core and kernel share. */
#include <linux/string.h>
