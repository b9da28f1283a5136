/* SPDX-License-Identifier: Apache-2.0 */
/* <stdbool.h> for the headers that core and kernel share. */
#include <linux/types.h>
