// SPDX-License-Identifier: Apache-2.0
// The weight-stationary MAC array: o[c] = sum over r of a[r] * (w[r][c] - w_zero_point), one vector per cycle.
// This file holds the three channels' handshakes, avocet_mac_grid the arithmetic. One enable stops everything while
// an output waits for its taker, so all times in README.md (protocol, closed forms) count enabled cycles.
module avocet_mac_array #(
  parameter int unsigned Rows = 16,  // at least 2
  parameter int unsigned Cols = 16   // at least 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Weights: Rows beats make a tile, row 0 first. The zero point must hold during a tile's beats.
  input  logic                  w_valid_i,
  output logic                  w_ready_o,  // looks at a_valid_i and a_first_i
  input  logic [Cols*8-1:0]  w_data_i,
  input  logic [7:0]            w_zero_point_i,
  // Activations: a_first_i takes the loaded tile into use, from this vector on; a_last_i only comes out as o_last_o.
  input  logic                  a_valid_i,
  output logic                  a_ready_o,  // looks at a_first_i
  input  logic [Rows*8-1:0]  a_data_i,
  input  logic                  a_first_i,
  input  logic                  a_last_i,
  // Sums, one vector for each vector of activations, in order.
  output logic                  o_valid_o,
  input  logic                  o_ready_i,
  output logic [Cols*32-1:0] o_data_o,
  output logic                  o_last_o
);
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned Latency = Rows + Cols;

  logic enable;
  logic tile_loaded_q, tile_loaded_d;  // all beats of the next pass's tile have been accepted
  logic [RowBits-1:0] row_q, row_d;    // of the next weight beat
  logic w_accept, a_accept, start;
  logic [Latency-1:0] valid_q, last_q;

  assign enable = o_ready_i | ~o_valid_o;

  // The shadow weights are free again in the very cycle in which a pass starts: writes of the next tile reach no PE
  // before the wave that moves the old ones to the active registers, and in the same cycle the wave reads first.
  assign a_ready_o = enable & (tile_loaded_q | ~a_first_i);
  assign w_ready_o = enable & (~tile_loaded_q | (a_valid_i & a_first_i));
  assign a_accept = a_valid_i & a_ready_o;
  assign w_accept = w_valid_i & w_ready_o;
  assign start = a_accept & a_first_i;

  always_comb begin
    row_d = row_q;
    tile_loaded_d = tile_loaded_q & ~start;
    if (w_accept) begin
      tile_loaded_d = row_q == RowBits'(Rows - 1);
      row_d = tile_loaded_d ? '0 : row_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_q <= '0;
      tile_loaded_q <= 1'b0;
      valid_q <= '0;
      last_q <= '0;
    end else if (enable) begin
      row_q <= row_d;
      tile_loaded_q <= tile_loaded_d;
      valid_q <= {valid_q[Latency-2:0], a_accept};
      last_q <= {last_q[Latency-2:0], a_last_i};
    end
  end

  assign o_valid_o = valid_q[Latency-1];
  assign o_last_o = last_q[Latency-1];

  avocet_mac_grid #(
    .Rows(Rows),
    .Cols(Cols)
  ) u_grid (
    .clk_i,
    .rst_ni,
    .enable_i(enable),
    .a_data_i,
    .swap_i(start),
    .w_write_i(w_accept),
    .w_row_i(row_q),
    .w_data_i,
    .w_zero_point_i,
    .o_data_o
  );
endmodule
