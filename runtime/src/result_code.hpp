// SPDX-License-Identifier: Apache-2.0
// Result codes: their names, and the one table from the driver's errno values to them.
#pragma once

namespace avocet::runtime {

/// "BAD_DATA" for ANEURALNETWORKS_BAD_DATA; "result code ?" for a value the API does not define.
const char* result_name(int code);

/// The result code for 0, an errno value or its negative. Values the table does not list are OP_FAILED.
int result_from_errno(int error);

}  // namespace avocet::runtime
