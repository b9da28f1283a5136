// SPDX-License-Identifier: Apache-2.0
// Tables for the terminal and the texts of their cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace avocet::tools {

/// One line a row, columns as wide as their widest cell; the first `left_columns` to the left, the others to the right.
std::string format_table(const std::vector<std::vector<std::string>>& rows, size_t left_columns);

std::string with_separators(uint64_t value);                  // 1,234,567
std::string percent(double fraction);                         // 12.3 %
std::string shape_text(const std::vector<uint32_t>& extents);  // 1x224x224x3

}  // namespace avocet::tools
