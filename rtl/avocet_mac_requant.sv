// SPDX-License-Identifier: Apache-2.0
// The MAC array with the requantisation unit right behind it, for passes whose sums need no accumulation: a pass of the array
// is a command of the unit. In the device accumulators stand between the two; this module is how they are proved and
// counted together.
module avocet_mac_requant #(
  parameter int unsigned Rows = 16,  // at least 2
  parameter int unsigned Cols = 16   // at least 2
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // Weights and activations of avocet_mac_array.
  input  logic                                     w_valid_i,
  output logic                                     w_ready_o,
  input  logic [Cols*8-1:0]                        w_data_i,
  input  logic [7:0]                               w_zero_point_i,
  input  logic                                     a_valid_i,
  output logic                                     a_ready_o,
  input  logic [Rows*8-1:0]                        a_data_i,
  input  logic                                     a_first_i,
  input  logic                                     a_last_i,
  // Parameters and bytes of avocet_requant.
  input  logic                                     p_valid_i,
  output logic                                     p_ready_o,
  input  logic [8*avocet_pkg::PARAMETER_BYTES-1:0] p_data_i,
  input  logic                                     p_last_i,
  input  logic [15:0]                              p_zero_point_i,
  input  logic [15:0]                              p_clamp_min_i,
  input  logic [15:0]                              p_clamp_max_i,
  output logic                                     o_valid_o,
  input  logic                                     o_ready_i,
  output logic [Cols*8-1:0]                        o_data_o,
  output logic                                     o_last_o
);
  logic r_valid, r_ready, r_last;
  logic [Cols*32-1:0] r_data;

  avocet_mac_array #(
    .Rows(Rows),
    .Cols(Cols)
  ) u_array (
    .clk_i,
    .rst_ni,
    .w_valid_i,
    .w_ready_o,
    .w_data_i,
    .w_zero_point_i,
    .a_valid_i,
    .a_ready_o,
    .a_data_i,
    .a_first_i,
    .a_last_i,
    .o_valid_o(r_valid),
    .o_ready_i(r_ready),
    .o_data_o(r_data),
    .o_last_o(r_last)
  );

  avocet_requant #(
    .Lanes(Cols)
  ) u_requant (
    .clk_i,
    .rst_ni,
    .p_valid_i,
    .p_ready_o,
    .p_data_i,
    .p_last_i,
    .p_zero_point_i,
    .p_clamp_min_i,
    .p_clamp_max_i,
    .r_valid_i(r_valid),
    .r_ready_o(r_ready),
    .r_data_i(r_data),
    .r_last_i(r_last),
    .o_valid_o,
    .o_ready_i,
    .o_data_o,
    .o_last_o
  );
endmodule
