// SPDX-License-Identifier: Apache-2.0
// The reference page of the operations, written from their rows: types, forms, operands, defaults, feature levels.
#pragma once

#include <span>
#include <string>

#include "operation.hpp"

namespace avocet::runtime {

/// Markdown, one section for each operation.
std::string reference_page(std::span<const Operation> operations);

}  // namespace avocet::runtime
