// SPDX-License-Identifier: Apache-2.0
// One function per generated file. Each depends on the rows alone: same rows, same bytes.
#pragma once

#include <string>
#include <vector>

#include "contract.hpp"

namespace avocet::isa_generator {

std::string write_c_header(const Contract& contract);       // avocet_isa.h
std::string write_tables_header(const Contract& contract);  // avocet_isa_tables.h
std::string write_tables_source(const Contract& contract);  // avocet_isa_tables.c
std::string write_sv_package(const Contract& contract);     // avocet_pkg.sv
std::string write_pages(const Contract& contract);          // isa.md

struct GeneratedFile {
  std::string name, content;
};
std::vector<GeneratedFile> write_all(const Contract& contract);

}  // namespace avocet::isa_generator
