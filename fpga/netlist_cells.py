#!/usr/bin/env python3
"""Writes simulation models of the ECP5 cells that a netlist of the unit contains.

Yosys has none for DP16KD and MULT18X18D; its others build each LUT from a tree of multiplexers, which Verilator turns into
forty megabytes of C++. These here are an indexed constant each.

usage: netlist_cells.py OUTPUT.v

The models cover what Yosys emits for inferred memories and multipliers: one clock edge per port, no output register of the
block RAM, every port width, and the 36-bit pseudo dual-port form in which port A writes DIA and DIB together and port B
reads DOA (low half) and DOB (high half). Anything else stops the simulation with a message.
"""
import pathlib
import sys


def bits(name, n):
    return ", ".join(f"{name}{i}" for i in reversed(range(n)))


def dp16kd():
    inputs = []
    for port in "AB":
        inputs += [f"DI{port}{i}" for i in range(18)] + [f"AD{port}{i}" for i in range(14)]
        inputs += [f"{s}{port}" for s in ("CE", "OCE", "CLK", "WE", "RST")] + [f"CS{port}{i}" for i in range(3)]
    outputs = [f"DO{port}{i}" for port in "AB" for i in range(18)]
    o = ["module DP16KD(" + ", ".join([f"input {i}" for i in inputs] + [f"output {i}" for i in outputs]) + ");"]
    for name, value in (("DATA_WIDTH_A", "18"), ("DATA_WIDTH_B", "18")):
        o.append(f"  parameter {name} = {value};")
    for name, value in (("REGMODE_A", "NOREG"), ("REGMODE_B", "NOREG"), ("RESETMODE", "SYNC"), ("ASYNC_RESET_RELEASE", "SYNC"),
                        ("CSDECODE_A", "0b000"), ("CSDECODE_B", "0b000"), ("WRITEMODE_A", "NORMAL"), ("WRITEMODE_B", "NORMAL"),
                        ("CLKAMUX", "CLKA"), ("CLKBMUX", "CLKB"), ("GSR", "ENABLED"), ("INIT_DATA", "STATIC")):
        o.append(f"  parameter {name} = \"{value}\";")
    for i in range(64):
        o.append(f"  parameter [319:0] INITVAL_{i:02X} = 320'd0;")
    o.append("  localparam [20479:0] INIT = {" + ", ".join(f"INITVAL_{i:02X}" for i in reversed(range(64))) + "};")
    for port in "AB":
        o.append(f"  wire [17:0] di{port.lower()} = {{{bits('DI' + port, 18)}}};")
        o.append(f"  wire [13:0] ad{port.lower()} = {{{bits('AD' + port, 14)}}};")
    o.append("  wire [35:0] wide_di = {dib, dia};")
    o.append(f"  reg [17:0] doa, dob;\n  assign {{{bits('DOA', 18)}}} = doa;\n  assign {{{bits('DOB', 18)}}} = dob;")
    # Storage: 2048 bytes of 9 bits. An address counts bits of the 1-bit-wide form (which has no ninth bits).
    o.append("""  reg [8:0] mem [0:2047];
  // Only for memories with contents: a loop over 2048 bytes in each of some sixty cells makes a simulation that takes minutes to compile.
  generate if (INIT != 20480'd0) begin : g_init
    integer k;
    initial for (k = 0; k < 2048; k = k + 1) mem[k] = INIT[(k / 2) * 20 + (k % 2) * 9 +: 9];
  end endgenerate
  initial begin
    doa = 0;
    dob = 0;
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG") begin $display("DP16KD: output register not modelled"); $finish; end
    if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") begin $display("DP16KD: inverted clock not modelled"); $finish; end
  end

  function automatic [17:0] narrow(input integer width, input [13:0] ad);
    case (width)
      1: narrow = {17'd0, mem[ad[13:3]][ad[2:0]]};
      2: narrow = {16'd0, mem[ad[13:3]][{ad[2:1], 1'b0} +: 2]};
      4: narrow = {14'd0, mem[ad[13:3]][{ad[2], 2'b00} +: 4]};
      9: narrow = {9'd0, mem[ad[13:3]]};
      default: narrow = {mem[{ad[13:4], 1'b1}], mem[{ad[13:4], 1'b0}]};
    endcase
  endfunction
""")
    for port in "AB":
        p = port.lower()
        wide_write = f"""        36: for (int b = 0; b < 4; b++) if (ad{p}[b]) mem[{{ad{p}[13:5], 2'd0}} + 11'(b)] <= wide_di[b * 9 +: 9];
""" if port == "A" else ""
        if port == "A":
            read = "doa <= narrow(DATA_WIDTH_A, ada);"
        else:
            read = ("if (DATA_WIDTH_B == 36) {dob, doa_wide} <= {mem[{adb[13:5], 2'd3}], mem[{adb[13:5], 2'd2}], mem[{adb[13:5], 2'd1}], mem[{adb[13:5], 2'd0}]};\n"
                    "      else dob <= narrow(DATA_WIDTH_B, adb);")
        o.append(f"""  // Port {port}: write first in program order of the two edges; a read in the same cycle sees the old contents unless WRITETHROUGH.
  always @(posedge CLK{port}) if (CE{port}) begin
    if (WE{port}) begin
      case (DATA_WIDTH_{port})
        1: mem[ad{p}[13:3]][ad{p}[2:0]] <= di{p}[0];
        2: mem[ad{p}[13:3]][{{ad{p}[2:1], 1'b0}} +: 2] <= di{p}[1:0];
        4: mem[ad{p}[13:3]][{{ad{p}[2], 2'b00}} +: 4] <= di{p}[3:0];
        9: mem[ad{p}[13:3]] <= di{p}[8:0];
{wide_write}        default: for (int b = 0; b < 2; b++) if (ad{p}[b]) mem[{{ad{p}[13:4], 1'b0}} + 11'(b)] <= di{p}[b * 9 +: 9];
      endcase
    end
    if (RST{port}) begin {'doa <= 0;' if port == 'A' else "dob <= 0; doa_wide <= 0;"} end
    else if (!WE{port} || WRITEMODE_{port} == "READBEFOREWRITE" || (DATA_WIDTH_{port} == 36)) begin
      {read}
    end else if (WRITEMODE_{port} == "WRITETHROUGH") begin
      $display("DP16KD: WRITETHROUGH not modelled"); $finish;
    end
  end
""")
    text = "\n".join(o)
    text = text.replace("  reg [17:0] doa, dob;\n", "  reg [17:0] doa, dob, doa_wide;\n")
    text = text.replace(f"assign {{{bits('DOA', 18)}}} = doa;", f"assign {{{bits('DOA', 18)}}} = DATA_WIDTH_B == 36 ? doa_wide : doa;")
    text = text.replace("    doa = 0;\n", "    doa = 0;\n    doa_wide = 0;\n")
    return text + "endmodule\n"


def mult18():
    inputs = [f"{x}{i}" for x in "ABC" for i in range(18)] + ["SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB"]
    inputs += [f"{x}{i}" for x in ("CLK", "CE", "RST") for i in range(4)] + [f"SRI{x}{i}" for x in "AB" for i in range(18)]
    outputs = [f"SRO{x}{i}" for x in "AB" for i in range(18)] + [f"RO{x}{i}" for x in "ABC" for i in range(18)] + [f"P{i}" for i in range(36)] + ["SIGNEDP"]
    o = ["module MULT18X18D(" + ", ".join([f"input {i}" for i in inputs] + [f"output {i}" for i in outputs]) + ");"]
    for reg in ("INPUTA", "INPUTB", "INPUTC", "PIPELINE", "OUTPUT"):
        o.append(f"  parameter REG_{reg}_CLK = \"NONE\", REG_{reg}_CE = \"CE0\", REG_{reg}_RST = \"RST0\";")
    o.append("""  parameter CLK0_DIV = "ENABLED", CLK1_DIV = "ENABLED", CLK2_DIV = "ENABLED", CLK3_DIV = "ENABLED";
  parameter HIGHSPEED_CLK = "NONE", GSR = "ENABLED", CAS_MATCH_REG = "FALSE", SOURCEB_MODE = "B_SHIFT";
  parameter MULT_BYPASS = "DISABLED", RESETMODE = "SYNC";
  initial if (MULT_BYPASS != "DISABLED") begin $display("MULT18X18D: bypass not modelled"); $finish; end""")
    o.append(f"  wire signed [18:0] a_in = {{SIGNEDA & A17, {bits('A', 18)}}};")
    o.append(f"  wire signed [18:0] b_in = {{SIGNEDB & B17, {bits('B', 18)}}};")
    o.append("""  reg signed [18:0] a_q = 0, b_q = 0;
  reg [35:0] pipe_q = 0, out_q = 0;
  wire signed [18:0] a = REG_INPUTA_CLK == "NONE" ? a_in : a_q;
  wire signed [18:0] b = REG_INPUTB_CLK == "NONE" ? b_in : b_q;
  wire signed [37:0] full = a * b;
  wire [35:0] piped = REG_PIPELINE_CLK == "NONE" ? full[35:0] : pipe_q;
  always @(posedge CLK0) if (CE0) begin
    a_q <= a_in;
    b_q <= b_in;
    pipe_q <= full[35:0];
    out_q <= piped;
    if (RST0) begin a_q <= 0; b_q <= 0; pipe_q <= 0; out_q <= 0; end
  end""")
    o.append(f"  assign {{{bits('P', 36)}}} = REG_OUTPUT_CLK == \"NONE\" ? piped : out_q;")
    rest = [x for x in outputs if not x.startswith("P")]
    o.append("  assign {" + ", ".join(rest) + "} = 0;")
    return "\n".join(o) + "\nendmodule\n"


SMALL_CELLS = """
module LUT4(input A, input B, input C, input D, output Z);
  parameter [15:0] INIT = 16'h0000;
  assign Z = INIT[{D, C, B, A}];
endmodule

// Two LUTs and a carry chain: sum = lut ^ carry, carry out = lut ? carry : the two-input LUT in the low bits of INIT.
module CCU2C(input CIN, input A0, input B0, input C0, input D0, input A1, input B1, input C1, input D1, output S0, output S1, output COUT);
  parameter [15:0] INIT0 = 16'h0000, INIT1 = 16'h0000;
  parameter INJECT1_0 = "YES", INJECT1_1 = "YES";
  wire lut0 = INIT0[{D0, C0, B0, A0}], lut1 = INIT1[{D1, C1, B1, A1}];
  wire cin0 = INJECT1_0 == "YES" ? 1'b0 : CIN;
  wire gen0 = INJECT1_0 == "YES" ? 1'b0 : INIT0[{2'b00, B0, A0}];
  wire cout0 = lut0 ? cin0 : gen0;
  wire cin1 = INJECT1_1 == "YES" ? 1'b0 : cout0;
  wire gen1 = INJECT1_1 == "YES" ? 1'b0 : INIT1[{2'b00, B1, A1}];
  assign S0 = lut0 ^ cin0;
  assign S1 = lut1 ^ cin1;
  assign COUT = lut1 ? cin1 : gen1;
endmodule

module PFUMX(input ALUT, input BLUT, input C0, output Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule

module TRELLIS_FF(input CLK, input LSR, input CE, input DI, input M, output reg Q);
  parameter GSR = "ENABLED", CEMUX = "1", CLKMUX = "CLK", LSRMUX = "LSR", SRMODE = "LSR_OVER_CE", REGSET = "RESET", LSRMODE = "LSR";
  localparam SET = REGSET == "SET";
  wire ce = CEMUX == "1" ? 1'b1 : CEMUX == "INV" ? !CE : CE;
  wire lsr = LSRMUX == "INV" ? !LSR : LSR;
  initial Q = SET;
  initial if (CLKMUX == "INV" || SRMODE == "ASYNC") begin $display("TRELLIS_FF: inverted clock or asynchronous reset not modelled"); $finish; end
  always @(posedge CLK)
    if (SRMODE == "LSR_OVER_CE") begin
      if (lsr) Q <= SET;
      else if (ce) Q <= DI;
    end else if (ce) Q <= lsr ? SET : DI;
endmodule

module TRELLIS_DPR16X4(input [3:0] DI, input [3:0] WAD, input WRE, input WCK, input [3:0] RAD, output [3:0] DO);
  parameter WCKMUX = "WCK", WREMUX = "WRE";
  parameter [63:0] INITVAL = 64'd0;
  reg [3:0] mem [0:15];
  integer k;
  initial begin
    for (k = 0; k < 16; k = k + 1) mem[k] = INITVAL[4 * k +: 4];
    if (WCKMUX != "WCK" || WREMUX != "WRE") begin $display("TRELLIS_DPR16X4: inverted inputs not modelled"); $finish; end
  end
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_text("// Written by fpga/netlist_cells.py.\n/* verilator lint_off WIDTH */\n" + dp16kd() + "\n" + mult18() + SMALL_CELLS)


if __name__ == "__main__":
    main()
