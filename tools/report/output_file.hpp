// SPDX-License-Identifier: Apache-2.0
// Files that a command writes: refused before the work is done, complete or an InputError afterwards.
#pragma once

#include <cstddef>
#include <string>

namespace avocet::tools {

/// Throws InputError when `path` cannot be written; empty and "-" are fine. Said before the work is done, so that a slip in a
/// path costs no run and leaves nothing behind.
void require_writable(const std::string& path);

/// Throws InputError when not all of it could be written (a full disk).
void write_file(const std::string& path, const void* data, size_t bytes);
inline void write_file(const std::string& path, const std::string& text) { write_file(path, text.data(), text.size()); }

/// To standard output when `path` is "-".
void write_text(const std::string& path, const std::string& text);

/// Creates the directory and those above it.
void make_directory(const std::string& path);

}  // namespace avocet::tools
