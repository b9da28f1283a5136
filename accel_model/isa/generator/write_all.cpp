// SPDX-License-Identifier: Apache-2.0
// The list of generated files.
#include "writers.hpp"

namespace avocet::isa_generator {

std::vector<GeneratedFile> write_all(const Contract& contract) {
  return {{"avocet_isa.h", write_c_header(contract)},
          {"avocet_isa_tables.h", write_tables_header(contract)},
          {"avocet_isa_tables.c", write_tables_source(contract)},
          {"avocet_pkg.sv", write_sv_package(contract)},
          {"isa.md", write_pages(contract)}};
}

}  // namespace avocet::isa_generator
