// SPDX-License-Identifier: Apache-2.0
// Assertions on the channels of avocet_requant and on its agreement with the contract. Bound into the unit where this file is
// among the sources, that is in the testbench's builds; the model's build has none.
module avocet_requant_checks #(
  parameter int unsigned Lanes = 16
) (
  input logic                                     clk_i,
  input logic                                     rst_ni,
  input logic                                     p_valid_i,
  input logic                                     p_ready_o,
  input logic [8*avocet_pkg::PARAMETER_BYTES-1:0] p_data_i,
  input logic                                     p_last_i,
  input logic [15:0]                              p_zero_point_i,
  input logic [15:0]                              p_clamp_min_i,
  input logic [15:0]                              p_clamp_max_i,
  input logic                                     r_valid_i,
  input logic                                     r_ready_o,
  input logic [Lanes*32-1:0]                      r_data_i,
  input logic                                     r_last_i,
  input logic                                     o_valid_o,
  input logic                                     o_ready_i,
  input logic [Lanes*8-1:0]                       o_data_o,
  input logic                                     o_last_o,
  input logic [$clog2(Lanes)-1:0]                 channel_q
);
  if (Lanes < 2) $error("avocet_requant: Lanes must be at least 2");
  if (avocet_pkg::PARAMETER_BYTES != 12) $error("avocet_requant: the contract's parameters are not three words");
  if (avocet_pkg::ACCUMULATOR_BITS != 32) $error("avocet_requant: the contract's accumulators are not 32 bits wide");

  // Whoever offers something keeps offering it, unchanged, until it is taken.
  ParametersHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    p_valid_i && !p_ready_o |=> p_valid_i && $stable(p_data_i) && $stable(p_last_i) && $stable(p_zero_point_i)
                                && $stable(p_clamp_min_i) && $stable(p_clamp_max_i));
  RowsHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    r_valid_i && !r_ready_o |=> r_valid_i && $stable(r_data_i) && $stable(r_last_i));
  BytesHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    o_valid_o && !o_ready_i |=> o_valid_o && $stable(o_data_o) && $stable(o_last_o));

  // One zero point and one pair of limits for a command, which has no more channels than there are lanes.
  logic [47:0] limits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) limits_q <= '0;
    else if (p_valid_i && p_ready_o) limits_q <= {p_zero_point_i, p_clamp_min_i, p_clamp_max_i};
  end
  LimitsHold: assert property (@(posedge clk_i) disable iff (!rst_ni)
    p_valid_i && channel_q != '0 |-> {p_zero_point_i, p_clamp_min_i, p_clamp_max_i} == limits_q);
  LimitsInOrder: assert property (@(posedge clk_i) disable iff (!rst_ni)
    p_valid_i |-> $signed(p_clamp_min_i) <= $signed(p_clamp_max_i));
  ChannelsHaveLanes: assert property (@(posedge clk_i) disable iff (!rst_ni)
    p_valid_i && 32'(channel_q) == Lanes - 1 |-> p_last_i);

  // Never both channels at once.
  ParametersBeforeRows: assert property (@(posedge clk_i) disable iff (!rst_ni) !(p_ready_o && r_ready_o));
endmodule

bind avocet_requant avocet_requant_checks #(.Lanes(Lanes)) u_checks (.*);
