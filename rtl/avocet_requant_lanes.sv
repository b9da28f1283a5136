// SPDX-License-Identifier: Apache-2.0
// The lanes of the requantisation unit: the arithmetic of avocet_requantise.h in eight steps, a register behind each.
// Parameters are written in a wave: a beat that is accepted in cycle t reaches the register that step n reads in cycle
// t + n - 1, as a row of that cycle would. So they need no second copy, and the beats of the next command may follow a
// row at once. Flat arrays instead of a module per lane, for the reason given in avocet_mac_grid.sv.
module avocet_requant_lanes #(
  parameter int unsigned Lanes = 16,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     enable_i,  // when low, nothing moves
  input  logic                                     p_write_i,
  input  logic [LaneBits-1:0]                      p_channel_i,
  input  logic [8*avocet_pkg::PARAMETER_BYTES-1:0] p_data_i,  // shift, multiplier, bias; bias in the low bits
  input  logic [15:0]                              p_zero_point_i,
  input  logic [15:0]                              p_clamp_min_i,
  input  logic [15:0]                              p_clamp_max_i,
  input  logic [Lanes*32-1:0]                      r_data_i,  // int32
  output logic [Lanes*8-1:0]                       o_data_o   // 8 enabled cycles after its row
);
  // The beat as it enters. Shifts are data: one outside -31 to 30 counts as the nearest legal one.
  logic [31:0] bias, multiplier, shift, amount;
  logic [4:0] left, right;
  assign {shift, multiplier, bias} = p_data_i;

  always_comb begin
    amount = shift;
    if (!shift[31] && shift > 32'd30) amount = 32'd30;
    if (shift[31] && shift < 32'hFFFF_FFE1) amount = 32'hFFFF_FFE1;  // -31
    left = shift[31] ? 5'd0 : amount[4:0];
    right = shift[31] ? 5'(-amount) : 5'd0;
  end

  // What is left of the beat on its way past the steps: step n + 1 sees element n.
  localparam int unsigned Steps = 8;
  logic [Steps-1:1] write_q;
  logic [LaneBits-1:0] channel_q [1:5];
  logic [4:0] left_q;
  logic [31:0] multiplier_q [1:2];
  logic [4:0] right_q [1:5];
  logic [47:0] limits_q [1:7];  // zero point, lower limit, upper limit

  // Each step's parameters, and its result.
  logic [31:0] bias_of_q [Lanes];
  logic [4:0] left_of_q [Lanes];
  logic [31:0] multiplier_of_q [Lanes];
  logic [4:0] right_of_q [Lanes];
  logic signed [31:0] zero_point_q, clamp_min_q, clamp_max_q;
  logic [31:0] sum_q [Lanes];
  logic [31:0] shifted_q [Lanes];
  logic [63:0] low_q [Lanes];   // products with the multiplier's halves
  logic [63:0] high_q [Lanes];
  logic [63:0] product_q [Lanes];
  logic [31:0] doubled_q [Lanes];
  logic [31:0] whole_q [Lanes];
  logic round_q [Lanes];
  logic [31:0] scaled_q [Lanes];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
    end else if (enable_i) begin
      write_q <= {write_q[Steps-2:1], p_write_i};
    end
  end

  // Blocking assignments to registers, against the usual rule, as in avocet_mac_grid: the last step first, so that every
  // register is read for the last time before it is written.
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      // 8. Zero point (wraps) and limits.
      for (int unsigned i = 0; i < Lanes; i++) begin
        o_data_o[8*i+:8] <= limited(scaled_q[i] + zero_point_q, clamp_min_q, clamp_max_q);
      end
      // 7. Rounding.
      for (int unsigned i = 0; i < Lanes; i++) scaled_q[i] = whole_q[i] + 32'(round_q[i]);
      // 6. Right shift, and whether the rest is above half, for negative numbers above half and an ulp.
      for (int unsigned i = 0; i < Lanes; i++) begin
        whole_q[i] = unsigned'(signed'(doubled_q[i]) >>> right_of_q[i]);
        round_q[i] = (doubled_q[i] & mask(right_of_q[i])) > (mask(right_of_q[i]) >> 1) + 32'(doubled_q[i][31]);
      end
      // 5. High half of the doubled product, halves up; only INT32_MIN * INT32_MIN goes beyond 2^31 - 1.
      for (int unsigned i = 0; i < Lanes; i++) doubled_q[i] = saturated(33'((product_q[i] + 64'h4000_0000) >> 31));
      // 4. The product.
      for (int unsigned i = 0; i < Lanes; i++) product_q[i] = low_q[i] + (high_q[i] << 16);
      // 3. Its two parts.
      for (int unsigned i = 0; i < Lanes; i++) begin
        low_q[i] = 64'(signed'(shifted_q[i])) * 64'(signed'({1'b0, multiplier_of_q[i][15:0]}));
        high_q[i] = 64'(signed'(shifted_q[i])) * 64'(signed'(multiplier_of_q[i][31:16]));
      end
      // 2. Left shift (wraps).
      for (int unsigned i = 0; i < Lanes; i++) shifted_q[i] = sum_q[i] << left_of_q[i];
      // 1. Bias (wraps).
      for (int unsigned i = 0; i < Lanes; i++) sum_q[i] = r_data_i[32*i+:32] + bias_of_q[i];

      // The parameters of the steps, for the next cycle.
      if (write_q[7]) {zero_point_q, clamp_min_q, clamp_max_q} = limits_of(limits_q[7]);
      if (write_q[5]) right_of_q[channel_q[5]] = right_q[5];
      if (write_q[2]) multiplier_of_q[channel_q[2]] = multiplier_q[2];
      if (write_q[1]) left_of_q[channel_q[1]] = left_q;
      if (p_write_i) bias_of_q[p_channel_i] = bias;

      // The beat moves on.
      for (int unsigned n = 7; n > 1; n--) limits_q[n] = limits_q[n-1];
      limits_q[1] = {p_zero_point_i, p_clamp_min_i, p_clamp_max_i};
      for (int unsigned n = 5; n > 1; n--) right_q[n] = right_q[n-1];
      right_q[1] = right;
      multiplier_q[2] = multiplier_q[1];
      multiplier_q[1] = multiplier;
      left_q = left;
      for (int unsigned n = 5; n > 1; n--) channel_q[n] = channel_q[n-1];
      channel_q[1] = p_channel_i;
    end
  end
  // verilator lint_on BLKSEQ

  function automatic logic [31:0] mask(input logic [4:0] bits);
    mask = (32'd1 << bits) - 32'd1;
  endfunction

  function automatic logic [31:0] saturated(input logic [32:0] doubled);
    saturated = !doubled[32] & doubled[31] ? 32'h7FFF_FFFF : doubled[31:0];
  endfunction

  function automatic logic [7:0] limited(input logic signed [31:0] value, input logic signed [31:0] clamp_min,
                                         input logic signed [31:0] clamp_max);
    limited = value < clamp_min ? clamp_min[7:0] : value > clamp_max ? clamp_max[7:0] : value[7:0];
  endfunction

  // Zero point and both limits, each with its sign.
  function automatic logic [95:0] limits_of(input logic [47:0] limits);
    limits_of = {32'(signed'(limits[47:32])), 32'(signed'(limits[31:16])), 32'(signed'(limits[15:0]))};
  endfunction
endmodule
