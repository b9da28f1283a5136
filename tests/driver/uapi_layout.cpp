// SPDX-License-Identifier: Apache-2.0
// The uAPI's binary layout: numbers and sizes that callers have compiled in. A change here breaks them all.
#include <gtest/gtest.h>
#include <linux/ioctl.h>

#include <cstddef>

#include "uapi/avocet_accel.h"

namespace {

TEST(UapiLayout, RequestNumbersAreLinuxs) {
  EXPECT_EQ(AVOCET_ACCEL_QUERY, _IOWR('d', 0x40, avocet_accel_query));
  EXPECT_EQ(AVOCET_ACCEL_CONTEXT_CREATE, _IOWR('d', 0x41, avocet_accel_context_create));
  EXPECT_EQ(AVOCET_ACCEL_CONTEXT_DESTROY, _IOWR('d', 0x42, avocet_accel_context_destroy));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_CREATE, _IOWR('d', 0x43, avocet_accel_buffer_create));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_INFO, _IOWR('d', 0x44, avocet_accel_buffer_info));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_CLOSE, _IOWR('d', 0x45, avocet_accel_buffer_close));
  EXPECT_EQ(AVOCET_ACCEL_PROGRAM_CREATE, _IOWR('d', 0x46, avocet_accel_program_create));
  EXPECT_EQ(AVOCET_ACCEL_PROGRAM_CLOSE, _IOWR('d', 0x47, avocet_accel_program_close));
  EXPECT_EQ(AVOCET_ACCEL_SUBMIT, _IOWR('d', 0x48, avocet_accel_submit));
  EXPECT_EQ(AVOCET_ACCEL_WAIT, _IOWR('d', 0x49, avocet_accel_wait));
  EXPECT_EQ(AVOCET_ACCEL_COUNTERS, _IOWR('d', 0x4A, avocet_accel_counters_get));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_EXPORT, _IOWR('d', 0x4B, avocet_accel_buffer_export));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_IMPORT, _IOWR('d', 0x4C, avocet_accel_buffer_import));
  EXPECT_EQ(AVOCET_ACCEL_BUFFER_WAIT, _IOWR('d', 0x4D, avocet_accel_buffer_wait));
  EXPECT_EQ(AVOCET_ACCEL_FENCE_INFO, _IOWR('d', 0x4E, avocet_accel_fence_info));
  EXPECT_EQ(AVOCET_ACCEL_RESET_FENCE, _IOWR('d', 0x4F, avocet_accel_reset_fence));
}

TEST(UapiLayout, SizesAndOffsets) {
  EXPECT_EQ(sizeof(avocet_accel_query), 16u);
  EXPECT_EQ(sizeof(avocet_accel_info), 96u);
  EXPECT_EQ(offsetof(avocet_accel_info, iova_begin), 80u);
  EXPECT_EQ(sizeof(avocet_accel_context_create), 8u);
  EXPECT_EQ(sizeof(avocet_accel_buffer_create), 40u);
  EXPECT_EQ(sizeof(avocet_accel_buffer_info), 40u);
  EXPECT_EQ(sizeof(avocet_accel_program_create), 136u);
  EXPECT_EQ(sizeof(avocet_accel_region), 24u);
  EXPECT_EQ(offsetof(avocet_accel_job, region), 40u);
  EXPECT_EQ(offsetof(avocet_accel_job, job_id), 232u);
  EXPECT_EQ(AVOCET_ACCEL_JOB_BYTES_1_0, 240) << "callers of 1.0 end here";
  EXPECT_EQ(offsetof(avocet_accel_job, in_fences), 240u);
  EXPECT_EQ(offsetof(avocet_accel_job, out_fence), 252u);
  EXPECT_EQ(sizeof(avocet_accel_job), 256u);
  EXPECT_EQ(sizeof(avocet_accel_submit), 24u);
  EXPECT_EQ(sizeof(avocet_accel_wait), 72u);
  EXPECT_EQ(sizeof(avocet_accel_counters_get), 16u);
  EXPECT_EQ(sizeof(avocet_accel_counters), 88u);
  EXPECT_EQ(sizeof(avocet_accel_parameters), 40u);
  EXPECT_EQ(sizeof(avocet_accel_versions), 24u);
  EXPECT_EQ(sizeof(avocet_accel_utilisation), 32u);
  EXPECT_EQ(sizeof(avocet_accel_clock), 40u);
  EXPECT_EQ(sizeof(avocet_accel_memory), 48u);
  EXPECT_EQ(sizeof(avocet_accel_reset), 56u);
  EXPECT_EQ(sizeof(avocet_accel_buffer_export), 16u);
  EXPECT_EQ(sizeof(avocet_accel_buffer_import), 40u);
  EXPECT_EQ(sizeof(avocet_accel_buffer_wait), 16u);
  EXPECT_EQ(sizeof(avocet_accel_fence_info), 24u);
  EXPECT_EQ(sizeof(avocet_accel_reset_fence), 16u);
}

}  // namespace
