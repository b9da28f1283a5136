// SPDX-License-Identifier: Apache-2.0
// The requantisation unit, one lane per column: o[c] = clamp(scale(r[c] + bias[c]) + zero_point), one row per cycle.
// This file holds the three channels' handshakes, avocet_requant_lanes the arithmetic. A command is a beat of parameters
// for each of its channels, and then its rows; the next command's beats follow its last row at once. One enable stops
// everything while an output waits for its taker, so all times in README.md count enabled cycles.
module avocet_requant #(
  parameter int unsigned Lanes = 16  // at least 2
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // Parameters: records of the contract (bias, multiplier, shift), channel 0 first. Zero point and limits are the whole
  // command's and must hold during its beats.
  input  logic                                     p_valid_i,
  output logic                                     p_ready_o,
  input  logic [8*avocet_pkg::PARAMETER_BYTES-1:0] p_data_i,
  input  logic                                     p_last_i,
  input  logic [15:0]                              p_zero_point_i,  // int16
  input  logic [15:0]                              p_clamp_min_i,   // int16, not above p_clamp_max_i
  input  logic [15:0]                              p_clamp_max_i,   // int16
  // Rows of sums: r_last_i makes way for the next command's parameters.
  input  logic                                     r_valid_i,
  output logic                                     r_ready_o,
  input  logic [Lanes*32-1:0]                      r_data_i,
  input  logic                                     r_last_i,
  // Bytes, one row for each row of sums, in order. Lanes that the command has no channel for carry nothing of use.
  output logic                                     o_valid_o,
  input  logic                                     o_ready_i,
  output logic [Lanes*8-1:0]                       o_data_o,
  output logic                                     o_last_o
);
  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Latency = 8;  // registers of avocet_requant_lanes

  logic enable;
  logic loaded_q, loaded_d;          // all beats of this command have been accepted, its last row has not
  logic [LaneBits-1:0] channel_q, channel_d;  // of the next beat
  logic p_accept, r_accept;
  logic [Latency-1:0] valid_q, last_q;

  assign enable = o_ready_i | ~o_valid_o;
  assign p_ready_o = enable & ~loaded_q;
  assign r_ready_o = enable & loaded_q;
  assign p_accept = p_valid_i & p_ready_o;
  assign r_accept = r_valid_i & r_ready_o;

  always_comb begin
    loaded_d = loaded_q;
    channel_d = channel_q;
    if (p_accept) begin
      loaded_d = p_last_i;
      channel_d = p_last_i ? '0 : channel_q + 1'b1;
    end
    if (r_accept) loaded_d = ~r_last_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q <= 1'b0;
      channel_q <= '0;
      valid_q <= '0;
      last_q <= '0;
    end else if (enable) begin
      loaded_q <= loaded_d;
      channel_q <= channel_d;
      valid_q <= {valid_q[Latency-2:0], r_accept};
      last_q <= {last_q[Latency-2:0], r_last_i};
    end
  end

  assign o_valid_o = valid_q[Latency-1];
  assign o_last_o = last_q[Latency-1];

  avocet_requant_lanes #(
    .Lanes(Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .enable_i(enable),
    .p_write_i(p_accept),
    .p_channel_i(channel_q),
    .p_data_i,
    .p_zero_point_i,
    .p_clamp_min_i,
    .p_clamp_max_i,
    .r_data_i,
    .o_data_o
  );
endmodule
