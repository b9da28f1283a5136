// SPDX-License-Identifier: Apache-2.0
// Assertions on the channels of avocet_mac_array and on its agreement with the contract. Bound into the array where this
// file is among the sources, that is in the testbench's build; the model's build has none.
module avocet_mac_array_checks #(
  parameter int unsigned Rows = 16,
  parameter int unsigned Cols = 16
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       w_valid_i,
  input logic                       w_ready_o,
  input logic [Cols*8-1:0]          w_data_i,
  input logic [7:0]                 w_zero_point_i,
  input logic                       a_valid_i,
  input logic                       a_ready_o,
  input logic [Rows*8-1:0]          a_data_i,
  input logic                       a_first_i,
  input logic                       a_last_i,
  input logic                       o_valid_o,
  input logic                       o_ready_i,
  input logic [Cols*32-1:0]         o_data_o,
  input logic                       o_last_o,
  input logic [$clog2(Rows)-1:0]    row_q
);
  if (Rows < 2 || Cols < 2) $error("avocet_mac_array: Rows and Cols must be at least 2");
  if (avocet_pkg::MAC_OPERAND_BITS != 8) $error("avocet_mac_array: the contract's operands are not 8 bits wide");
  if (avocet_pkg::ACCUMULATOR_BITS != 32) $error("avocet_mac_array: the contract's accumulators are not 32 bits wide");

  // Whoever offers something keeps offering it, unchanged, until it is taken.
  WeightsHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    w_valid_i && !w_ready_o |=> w_valid_i && $stable(w_data_i) && $stable(w_zero_point_i));
  ActivationsHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    a_valid_i && !a_ready_o |=> a_valid_i && $stable(a_data_i) && $stable(a_first_i) && $stable(a_last_i));
  SumsHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    o_valid_o && !o_ready_i |=> o_valid_o && $stable(o_data_o) && $stable(o_last_o));

  // One zero point for a tile, and no vector before the first pass.
  logic [7:0] zero_point_q;
  logic started_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_point_q <= '0;
      started_q <= 1'b0;
    end else begin
      if (w_valid_i && w_ready_o) zero_point_q <= w_zero_point_i;
      if (a_valid_i && a_ready_o) started_q <= 1'b1;
    end
  end
  ZeroPointHolds: assert property (@(posedge clk_i) disable iff (!rst_ni)
    w_valid_i && row_q != '0 |-> w_zero_point_i == zero_point_q);
  PassStartsFirst: assert property (@(posedge clk_i) disable iff (!rst_ni)
    a_valid_i && !started_q |-> a_first_i);
endmodule

bind avocet_mac_array avocet_mac_array_checks #(.Rows(Rows), .Cols(Cols)) u_checks (.*);
