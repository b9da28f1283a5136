// SPDX-License-Identifier: Apache-2.0
// The systolic grid: skew of activations and weights, Rows x Cols processing elements (PE), deskew of the sums.
// Activations move right, sums move down, one PE per cycle: what enters in cycle t is at PE(r,c) in cycle t + r + c.
// Flat arrays and in-place updates instead of a module per PE: Verilator then makes loops that the C++ compiler turns
// into vector code, several times as fast as instances.
module avocet_mac_grid #(
  parameter int unsigned Rows = 16,
  parameter int unsigned Cols = 16,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  enable_i,        // when low, nothing moves
  input  logic [Rows*8-1:0]  a_data_i,        // int8
  input  logic                  swap_i,          // this vector is the first to use the shadow weights
  input  logic                  w_write_i,
  input  logic [RowBits-1:0]    w_row_i,
  input  logic [Cols*8-1:0]  w_data_i,        // int8
  input  logic [7:0]            w_zero_point_i,  // int8
  output logic [Cols*32-1:0] o_data_o         // int32, Rows + Cols cycles after its vector
);
  // Arithmetic. With u = w + 128 and z = w_zero_point + 128, both 0..255, w - w_zero_point = u - z, so weights are
  // kept unsigned. A PE adds product = a*u + Bias >= 0, which needs no sign extension, and a column starts from
  //   seed = -z * (sum of a) - Rows * Bias,
  // one small adder tree and one multiplier for the grid: it corrects for the zero point and takes the biases out.
  // On the way sums may wrap; the final one fits SumBits, as |a * (u - z)| < 2^15.
  localparam int unsigned SumBits = 16 + RowBits;
  localparam int unsigned ASumBits = 8 + RowBits;
  localparam int unsigned Bias = 128 * 255;
  localparam logic [SumBits-1:0] MinusRowsBias = SumBits'(0 - Rows * Bias);

  // Layout. PE(r,c) is element Pes-1 - (r*Cols + c): its left neighbour is one up, the PE above it Cols up. Data move
  // to lower indices only, so a loop that counts up may work in place. The same goes for the three triangles of
  // delays, of which line n has n + 1 stages, n*N + n (entry) down to n*N (exit):
  //     line 0:  0        line 1:  N  <-  N+1        line 2:  2N  <-  2N+1  <-  2N+2        ...
  // A line's entry is written after the shift and its exit read at once, so line n delays by n cycles. Elements
  // above the diagonal hold nothing of interest.
  localparam int unsigned Pes = Rows * Cols;
  localparam int unsigned Diagonals = Rows + Cols - 1;

  logic [7:0] a_skew_q [Rows*Rows];  // line r: row r
  logic [7:0] act_q [Pes];
  logic [7:0] w_skew_q [Cols*Cols];  // line c: column c
  logic [RowBits-1:0] w_row_q [Cols];
  logic [7:0] shadow_q [Pes];
  logic [7:0] weight_q [Pes];
  logic [15:0] product [Pes];
  logic [SumBits-1:0] psum_q [Pes+Cols];     // the top Cols are the seeds, moving right
  logic [SumBits-1:0] deskew_q [Cols*Cols];  // line n: column Cols-1-n

  // Bit d: the PEs with r + c = d swap in this cycle. Bit c: column c writes its shadow weight.
  logic [Diagonals-2:0] swap_q;
  logic [Diagonals-1:0] swap;
  logic [Cols-2:0] write_q;
  logic [Cols-1:0] write;
  assign swap = {swap_q, swap_i};
  assign write = {write_q, w_write_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swap_q <= '0;
      write_q <= '0;
    end else if (enable_i) begin
      swap_q <= swap[Diagonals-2:0];
      write_q <= write[Cols-2:0];
    end
  end

  // Seed of the vector that entered one cycle ago, for the PE at the top left.
  logic signed [8:0] minus_z_shadow_q, minus_z_q;
  logic signed [ASumBits-1:0] a_sum, a_sum_q;
  logic [SumBits-1:0] seed;

  always_comb begin
    a_sum = '0;
    for (int unsigned r = 0; r < Rows; r++) a_sum += ASumBits'(signed'(a_data_i[8*r+:8]));
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      a_sum_q <= a_sum;
      if (w_write_i) minus_z_shadow_q <= -{1'b0, w_zero_point_i ^ 8'h80};
      if (swap_i) minus_z_q <= minus_z_shadow_q;
    end
  end

  assign seed = SumBits'(a_sum_q) * SumBits'(minus_z_q) + MinusRowsBias;

  // Blocking assignments to registers, against the usual rule: each array is used in this process alone, and every
  // register is read for the last time before it is written. What leaves the process is assigned with <=.
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      // 1. Sums move down by one PE and out through the deskew.
      for (int unsigned i = Pes; i < Pes + Cols - 1; i++) psum_q[i] = psum_q[i+1];
      psum_q[Pes+Cols-1] = seed;
      for (int unsigned i = 0; i < Pes; i++) begin
        // a*u + Bias = (a mod 128)*u + 128*(255 - (a < 0 ? u : 0))
        product[i] = 16'(act_q[i][6:0]) * 16'(weight_q[i]) + {1'b0, ~(weight_q[i] & {8{act_q[i][7]}}), 7'b0};
      end
      for (int unsigned i = 0; i < Pes; i++) psum_q[i] = psum_q[i+Cols] + SumBits'(product[i]);
      for (int unsigned i = 0; i < Cols * Cols - 1; i++) deskew_q[i] = deskew_q[i+1];
      for (int unsigned n = 0; n < Cols; n++) deskew_q[n*Cols+n] = psum_q[n];
      for (int unsigned n = 0; n < Cols; n++) o_data_o[32*(Cols-1-n)+:32] <= 32'(signed'(deskew_q[n*Cols]));

      // 2. Activations move right by one PE.
      for (int unsigned i = 0; i < Rows * Rows - 1; i++) a_skew_q[i] = a_skew_q[i+1];
      for (int unsigned r = 0; r < Rows; r++) a_skew_q[r*Rows+r] = a_data_i[8*r+:8];
      for (int unsigned i = 0; i < Pes - 1; i++) act_q[i] = act_q[i+1];
      for (int unsigned r = 0; r < Rows; r++) act_q[Pes-1-r*Cols] = a_skew_q[r*Rows];

      // 3. A pass's first vector brings the shadow weights into use wherever it arrives.
      for (int unsigned d = 0; d < Diagonals; d++) begin
        if (swap[d]) begin
          for (int unsigned r = 0; r < Rows; r++) begin
            if (r <= d && d < r + Cols) weight_q[Pes-1-r*(Cols-1)-d] = shadow_q[Pes-1-r*(Cols-1)-d];
          end
        end
      end

      // 4. A row of weights reaches column c after c cycles, and so never overtakes the swap of the pass before it.
      for (int unsigned i = 0; i < Cols * Cols - 1; i++) w_skew_q[i] = w_skew_q[i+1];
      for (int unsigned c = 0; c < Cols; c++) w_skew_q[c*Cols+c] = w_data_i[8*c+:8] ^ 8'h80;
      for (int unsigned c = Cols - 1; c >= 1; c--) w_row_q[c] = w_row_q[c-1];
      w_row_q[0] = w_row_i;
      for (int unsigned c = 0; c < Cols; c++) begin
        if (write[c]) shadow_q[Pes-1-c-Cols*32'(w_row_q[c])] = w_skew_q[c*Cols];
      end
    end
  end
  // verilator lint_on BLKSEQ
endmodule
