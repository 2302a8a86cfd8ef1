// Yosys technology map: a multiplexer of four inputs is two LUTs of three inputs and the multiplexer of their slice (PFUMX), whose inputs need no wires.
module \$_MUX4_ (input A, B, C, D, S, T, output Y);
  wire lower, upper;
  LUT4 #(.INIT(16'hcaca)) u_lower (.A(A), .B(B), .C(S), .D(1'b0), .Z(lower));
  LUT4 #(.INIT(16'hcaca)) u_upper (.A(C), .B(D), .C(S), .D(1'b0), .Z(upper));
  PFUMX u_mux (.ALUT(upper), .BLUT(lower), .C0(T), .Z(Y));
endmodule
