// SPDX-License-Identifier: Apache-2.0
// A user of the generated package: it must lint clean with every warning on, used only in part.
module package_use
  import avocet_pkg::*;
(
  input  opcode_e     opcode_i,
  output logic        is_matmul_o,
  output logic [31:0] version_o
);
  assign is_matmul_o = opcode_i == OP_MATMUL;
  assign version_o   = VERSION;
endmodule
