// Modifiers, operands of instructions, blocks and calls, and what is refused as not supported yet: L60 to L86.
#include "rule_cases.hpp"

namespace maskwork::rule_cases {

std::vector<Case> modifier_cases() {
    return {
        bad_code("L60_types", "L60", "ADD.F.@S R0, R1, R2;"),
        bad_code("L60_base_and_sized", "L60", "ADD.F.@F32 R0, R1, R2;"),
        bad_code("L60_cc", "L60", "ADD.CC0.@CC1 R0, R1, R2;"),
        bad_code("L60_clamp", "L60", "ADD.SAT.@SSAT R0, R1, R2;"),
        bad_code("L60_suffix_and_modifier", "L60", "ADDC.@CC R0, R1, R2;"),
        bad_code("L60_rounding", "L60", "CVT.S32.F32.FLR.@CEIL R0, R1;"),
        good_code("L60_one_of_each", "ADD.SAT.CC1.F.NTC.PREC R0, R1, R2; MOVC.U R0.x, R1; ADDRC1_SSAT R0, R1, R2; MULH R0, R1, R2;"),
        bad_code("L61_integer_add", "L61", "ADD.S.@SAT R0, R1, R2;"),
        bad_code("L61_and", "L61", "AND.@SAT R0, R1, R2;"),
        bad_code("L61_floor_to_integer", "L61", "FLR.S.@SSAT R0, R1;"),
        bad_code("L61_load", "L61", "LDS.U32.@SAT R0, sh[0];"),
        bad_code("L61_suffix", "L61", "ADD@_SAT.U R0, R1, R2;"),
        good_code("L61_float_results", "ADD.SAT R0, R1, R2; LDS.F32.SAT R0, sh[0]; FLR.SSAT R0, R1; CVT.S32.F32.SAT R0, R1;"),
        bad_code("L62_and_float", "L62", "AND.@F R0, R1, R2;"),
        bad_code("L62_dot_integer", "L62", "DP3.@S R0, R1, R2;"),
        bad_code("L62_dot_64", "L62", "DP4.@F64 R0, R1, R2;"),
        bad_code("L62_frc_signed", "L62", "FRC.@S R0, R1;"),
        bad_code("L62_add_storage_type", "L62", "ADD.@U32X2 R0, R1, R2;"),
        bad_code("L62_store_cc", "L62", "STS.U32.@CC R0, sh[0];"),
        bad_code("L62_store_sat", "L62", "STB.F32.@SAT R0, st[0];"),
        bad_code("L62_i2f_sat", "L62", "I2F.@SAT R0, R1;"),
        bad_code("L62_coh_on_shared", "L62", "LDS.U32.@COH R0, sh[0];"),
        bad_code("L62_cta_on_bar", "L62", "BAR.@CTA;"),
        bad_code("L62_cc_on_rep", "L62", "REP.@CC R0;\nENDREP;"),
        bad_code("L62_type_on_if", "L62", "IF.@S NE.x;\nENDIF;"),
        bad_code("L62_atomic_on_mov", "L62", "MOV.@EXCH R0, R1;"),
        bad_code("L62_rounding_on_mov", "L62", "MOV.@FLR R0, R1;"),
        bad_code("L62_prec_on_load", "L62", "LDB.U32.@PREC R0, st[0];"),
        good_code("L62_supported",
                  "AND.U R0, R1, R2; DP3.F32 R0, R1, R2; LDB.U32.COH.CC R0, st[0]; STB.U32.VOL R0, st[0]; MEMBAR.CTA; ATOMB.ADD.U32.CC R0, "
                  "R1, st[0];"),
        bad_code("L63_add_hi", "L63", "ADD.@HI.U R0, R1, R2;"),
        bad_code("L63_two", "L63", "MUL.HI.@S24 R0, R1, R2;"),
        good_code("L63_mul", "MUL.HI.U R0, R1, R2; MUL.S24 R0, R1, R2; MUL.U24 R0, R1, R2;"),
        bad_code("L64_hi_without_type", "L64", "@MUL.HI R0, R1, R2;"),
        bad_code("L64_hi_float", "L64", "MUL.HI.@F R0, R1, R2;"),
        bad_code("L64_s24_with_type", "L64", "MUL.S24.@S R0, R1, R2;"),
        good_code("L64_hi", "MUL.HI.S R0, R1, R2; MUL.S32.HI R0, R1, R2;"),
        bad_code("L65_cc_before_type", "L65", "@ADDCR R0, R1, R2;"),
        bad_code("L65_clamp_before_cc", "L65", "@ADD_SATC R0, R1, R2;"),
        good_code("L65_order", "ADDRC R0, R1, R2; ADDC0_SAT R0, R1, R2; SHRC R0, R1, 1; FLRR R0, R1;"),
        bad_code("L66_none", "L66", "@LDS R0, sh[0];"),
        bad_code("L66_base_type", "L66", "LDB.@U R0, st[0];"),
        bad_code("L66_two", "L66", "STS.U32.@S32 R0, sh[0];"),
        good_code("L66_one", "LDS.U32 R0, sh[0]; LDB.F32X4 R0, st[16]; STS.S32X2 R0, sh[8]; STB.S32X4 R0, st[R1.x];"),
        bad_code("L67_no_type", "L67", "@ATOMS.ADD R0, R1, sh[0];"),
        bad_code("L67_no_operation", "L67", "@ATOMB.U32 R0, R1, st[0];"),
        bad_code("L67_two_operations", "L67", "ATOMS.ADD.@MIN.U32 R0, R1, sh[0];"),
        bad_code("L67_two_types", "L67", "ATOMS.ADD.U32.@S32 R0, R1, sh[0];"),
        bad_code("L67_base_type", "L67", "ATOMS.ADD.@U R0, R1, sh[0];"),
        bad_code("L67_wrap_signed", "L67", "ATOMS.IWRAP.@S32 R0, R1, sh[0];"),
        bad_code("L67_min_float", "L67", "ATOMB.MIN.@F32 R0, R1, st[0];"),
        bad_code("L67_vector", "L67", "ATOMB.ADD.@U32X2 R0, R1, st[0];"),
        good_code(
            "L67_pairs",
            "ATOMS.ADD.U32 R0, R1, sh[0]; ATOMS.U32.IWRAP R0, R1, sh[0]; ATOMB.DWRAP.U32 R0, R1, st[0]; ATOMB.CSWAP.S32 R0, R1, st[4];\n"
            "ATOMS.MIN.S32 R0, R1, sh[0]; ATOMS.MAX.U32 R0, R1, sh[0]; ATOMS.AND.U32 R0, R1, sh[0]; ATOMS.OR.S32 R0, R1, sh[0]; "
            "ATOMS.XOR.U32 R0, R1, sh[0]; ATOMS.EXCH.S32 R0, R1, sh[0];"),
        bad_code("L68_none", "L68", "@CVT R0, R1;"),
        bad_code("L68_one", "L68", "@CVT.S32 R0, R1;"),
        bad_code("L68_three", "L68", "CVT.S32.F32.@U32 R0, R1;"),
        bad_code("L68_base_type", "L68", "CVT.@F.S32 R0, R1;"),
        good_code("L68_two", "CVT.S32.F32 R0, R1; CVT.F32.U32.FLR R0, R1; CVT.U32.S32.SAT R0, R1; CVT.F32.F32.SSAT R0, R1;"),
        bad_code("L69_sign", "L69", "CVT.S32.F32 R0, @-R1;"),
        bad_code("L69_absolute", "L69", "CVT.S32.F32 R0, @|R1|;"),
        good_code("L69_cvt_without_sign", "CVT.S32.F32 R0, R1; CVT.F32.S32 R0, {-5};"),
        bad_code("L73_kil", "L73", "@KIL TR.x;"),
        bad_code("L73_ddx", "L73", "@DDX R0, R1;"),
        bad_code("L73_emit", "L73", "@EMIT;"),
        bad_code("L73_older_branch", "L73", "@BRA loop0;"),
        good_code("L73_names_alone", "TEMP KIL, DDX;\nMOV KIL, DDX;"),
        bad_code("L74_shift_count", "L74", "SHL R0, R1, @R2;"),
        bad_code("L74_vector_selector", "L74", "SHR R0, R1, R2.@xyzw;"),
        bad_code("L74_constant_vector", "L74", "SHL R0, R1, @{1,2,3,4};"),
        good_code("L74_scalars", "SHL R0, R1, R2.w; SHL R0, R1, 5; SHR.U R0, R1, {5,0,0,0}.x; SHL.S R0, R1, -|-R2.x|;"),
    };
}

// Instructions beyond the first ones, 64-bit integers, packing, options: L52 to L54, L70 to L75.
std::vector<Case> wide_cases() {
    return {
        good_wide("arithmetic_rows",
                  "DIV R0, R1, R2.x; DIV.S R0, R1, R2.x; MOD.U R0, R1, 5; RCP R0, R1.x; RSQ.SAT R0.xy, -|R1.x|; EX2 R0, R1.x; LG2 R0, R1.x;\n"
                  "SIN.F32 R0, R1.x; COS R0, R1.x; POW R0, R1.x, R2.y; DP2 R0, R1, R2; DP2A R0, R1, R2, R0; DPH R0, R1, R2; XPD R0, R1, R2;\n"
                  "LRP R0, R1, R2, R0; LIT R0, R1; DST R0, R1, R2; NRM R0, R1; RFL R0.xyz, R1, R2; SCS R0.xy, R1.x; X2D R0, R1, R2, R0;\n"
                  "RCC R0, R1.x; STR R0, R1, R1; SFL.S R0, R1, R1; SSG R0, R1; SAD.U R0, R1, R2, 1; SAD R0, R1, R2, R0;"),
        good_wide("bit_rows",
                  "BFE.U R0, {8, 4, 0, 0}, R1; BFI R0, {8, 4, 0, 0}, R1, R2; BFR.U R0, R1; BTC R0, R1; BTFL.S R0, R1; BTFM.U.CC R0, R1;\n"
                  "PK2H R0.x, R1; PK2US.U R0.x, R1; PK4B R0, R1; PK4UB R0, -R1; UP2H R0, R1.x; UP2US.U.SAT R0, R1.x; UP4B R0, R1.x; UP4UB.U R0, R1.x;"),
        good_wide("thread_rows",
                  "TGALL.U R0, R1; TGANY R0.x, R1; TGEQ.S.CC R0, R1; TGBALLOT R0.x, R1.x; TGBALLOT.U R0, R1; SHFIDX.U R0.xy, R1, R2, {31};\n"
                  "SHFUP R0, R1, 1, 0; SHFDOWN.F R0, R1, {1}, {31}; SHFXOR.S R0.y, R1.w, 1, 31;"),
        good_wide("swz", "SWZ R0, R1, 0,1,x,-y; SWZ.SAT R0.xy, P[1], -w, +x, -0, -1; SWZ R0, {1,2,3,4}, a, b, g, r; SWZ R0, A[R1.x], x, y, z, w;"),
        bad_wide("L02_swz_letters", "L02", "SWZ R0, R1, @xyzw;"),
        bad_wide("L02_swz_two", "L02", "SWZ R0, R1, 0, @2, x, y;"),
        bad_wide("L02_swz_three_selectors", "L02", "SWZ R0, R1, 0, x, y@;"),
        bad_wide("L09_swz_mixed", "L09", "SWZ R0, R1, 0, x, @b, y;"),
        bad_wide("L74_swz_sign", "L74", "SWZ R0, @-R1, x, y, z, w;"),
        bad_wide("L74_swz_bars", "L74", "SWZ R0, @|R1|, x, y, z, w;"),
        bad_wide("L74_swz_swizzle", "L74", "SWZ R0, R1.@xyzw, x, y, z, w;"),
        bad_wide("L74_rcp", "L74", "RCP R0, @R1;"),
        bad_wide("L74_pow", "L74", "POW R0, R1.x, R2.@xyzw;"),
        good_wide("integers_64",
                  "MOV.U64 D0, D1; ADD.S64 D0, D1, R0; SUB.U64.CC D0.xy, D1, 18446744073709551615; SHL.U64 D0, D1, 40; SHR.S64 D0, D1, R0.x;\n"
                  "AND.U64 D0.x, D1.x, 0xFFFFFFFFFFFFFFFF; OR.S64 D0, D1, -9223372036854775808; XOR.U64 D0, D1, D0; NOT.S64 D0, D1;\n"
                  "SGE.U64 R0.x, D0.x, D1.x; SEQ.S64 R0, D0, D1; SNE.S64 D0, D0, D1; SLT.U64 R0, R1, D1; CVT.U64.U32 D0, R0; CVT.U32.S64.SAT R0, D0;\n"
                  "CVT.S64.F32.FLR D0, R1; CVT.F32.U64 R0, D1; I2F.S64 R0, D0; MOV.U R0, D0; MOV.S D0, R0; ADD.U D0, D1, 1;"),
        good_wide("short", "MOV H0, R0; ADD.S H0.x, H1, 1; MOV.U.CC H0, R0; SEQ.U.CC H0.x, R0, R1;"),
        bad_wide("L05_64", "L05", "MOV.U64 D0, @18446744073709551616;"),
        bad_wide("L05_64_signed", "L05", "MOV.S64 D0, @9223372036854775808;"),
        bad_wide("L06_64", "L06", "ADD.U64 D0, D1, @1.5;"),
        bad_wide("L07_64", "L07", "ADD.U64 D0, D1, {@-1};"),
        bad_wide("L62_bit_field_64", "L62", "BFE.@U64 D0, D0, D1;"),
        bad_wide("L62_sine_64", "L62", "SIN.@F64 D0, D0.x;"),
        bad_wide("L62_pack_cc", "L62", "PK2H.@CC R0, R1;"),
        bad_wide("L62_vote_sat", "L62", "TGALL.@SAT R0, R1;"),
        bad_wide("L61_mod_sat", "L61", "MOD.@SAT R0, R1, R2.x;"),
        bad("L52_shuffle", "L52", V + "@SHFXOR R0, R1, 1, 31;\nSHFUP R0, R1, 1, 31;\nEND"),
        good_wide("L52_option", "SHFIDX R0, R1, R2, 31;"),
        bad("L53_ballot", "L53", V + "@TGBALLOT R0, R1;\nEND"),
        good_code("L53_votes_need_no_option", "TGALL R0, R1; TGANY R0, R1; TGEQ R0, R1;"),
        bad_code("L54_counter", "L54", "@ATOMCTR.INCR R0, c[0];"),
        bad_code("L54_image_size", "L54", "@IMQ R0, image[0], 2D;"),
        bad_wide("L70_pack", "L70", "PK2H @H0.x, R1;"),
        bad_wide("L70_unpack", "L70", "UP4UB R0, @H0.x;"),
        good_wide("L70_other_side", "PK4B R0.x, H0; UP2H H0, R0.x;"),
        bad_wide("L71_pack", "L71", "PK64 @R0, R1;"),
        bad_wide("L71_unpack", "L71", "UP64.U R0, @R1;"),
        good_wide("L71_long", "PK64 D0, R1; PK64.U D0.x, {1, 2, 0, 0}; UP64 R0, D0; UP64.S R0.xy, D0.x;"),
        bad_wide("L75_reflection", "L75", "RFL R0.@xyzw, R1, R2;"),
        good_wide("L75_without_w", "RFL R0.xyz, R1, R2; RFL R0, R1, R2;"),
        bad_head("L21_long_param_float", "L21", "@LONG PARAM p = 1.0;"),
        bad_head("L21_short_input", "L21", "@SHORT ATTRIB a = invocation.localid;"),
        good_head("L21_temporaries", "LONG TEMP a; SHORT INT TEMP b; UINT LONG TEMP c, d[3];"),
    };
}

std::vector<Case> flow_cases() {
    return {
        bad_code("L80_endrep_in_if", "L80", "REP 4;\nIF NE.x;\n@ENDREP;\nENDIF;"),
        bad_code("L80_endif_in_rep", "L80", "IF NE.x;\nREP 4;\n@ENDIF;"),
        bad_code("L80_else_in_rep", "L80", "IF NE.x;\nREP 4;\n@ELSE;\nENDIF;"),
        bad_code("L80_second_else", "L80", "IF NE.x;\nELSE;\n@ELSE;\nENDIF;"),
        good_code("L80_nested", "IF NE.x;\nREP 4;\nIF EQ;\nELSE;\nENDIF;\nENDREP;\nELSE;\nENDIF;"),
        bad_code("L81_endif_alone", "L81", "@ENDIF;"),
        bad_code("L81_else_alone", "L81", "@ELSE;"),
        bad_code("L81_endrep_alone", "L81", "MOV R0, R1;\n@ENDREP;"),
        bad_code("L81_if_open", "L81", "@IF NE.x;\nMOV R0, R1;"),
        bad_code("L81_rep_open", "L81", "  @REP 5;\nMOV R0, R1;"),
        good_code("L81_closed", "IF NE.x;\nENDIF;\nREP 5;\nENDREP;"),
        bad_code("L82_in_if", "L82", "IF NE.x;\n@a:\nENDIF;"),
        bad_code("L82_in_rep", "L82", "REP 5;\nMOV R0, R1;\n@a:\nENDREP;"),
        bad_code("L82_at_the_end", "L82", "IF NE.x;\n@a:"),
        good_code("L82_outside", "IF NE.x;\nENDIF;\na:\nREP 5;\nENDREP;\nb:"),
        bad_code("L83_brk", "L83", "@BRK;"),
        bad_code("L83_cont_in_if", "L83", "IF NE.x;\n@CONT (NE.x);\nENDIF;"),
        bad_code("L83_behind_the_loop", "L83", "REP 5;\nENDREP;\n@BRK (NE.x);"),
        good_code("L83_in_if_in_rep", "REP 5;\nIF NE.x;\nBRK(EQ.x);\nCONT;\nENDIF;\nENDREP;"),
        bad_code("L84_if_49", "L84", repeat("IF NE.x;", 48) + "@IF NE.x;" + repeat("ENDIF;", 49)),
        bad_code("L84_rep_9", "L84", repeat("REP 2;", 8) + "@REP 2;" + repeat("ENDREP;", 9)),
        good_code("L84_if_48", repeat("IF NE.x;", 48) + repeat("ENDIF;", 48)),
        good_code("L84_rep_8", repeat("REP 2;", 8) + repeat("ENDREP;", 8)),
        good_code("L84_in_sequence", repeat("IF NE.x; ENDIF; REP 2; ENDREP;", 60)),
        bad_code("L85_endless", "L85", "@REP;\nMOV R0, R1;\nENDREP;"),
        bad_code("L85_break_of_inner_loop", "L85", "@REP;\nREP;\nBRK;\nENDREP;\nENDREP;"),
        bad_code("L85_return_behind", "L85", "@REP;\nENDREP;\nRET;"),
        good_code("L85_break_in_if", "REP;\nIF NE.x;\nBRK;\nENDIF;\nENDREP;"),
        good_code("L85_return_in_inner_loop", "REP.S;\nREP 5;\nIF NE.x;\nRET;\nENDIF;\nENDREP;\nENDREP;"),
        good_code("L85_counted", "REP {5,0,0,0};\nENDREP;\nREP.U R0.y;\nENDREP;"),
        bad_code("L86_undefined", "L86", "CAL @nowhere;"),
        bad_code("L86_variable", "L86", "CAL @R0;"),
        good_code("L86_defined_later", "CAL f;\nCAL f (NE.x);\nRET;\nf:\nCAL f(GT1.y);\nRET (TR);"),
    };
}

std::vector<Case> refused_cases() {
    const std::string rule(maskwork::kNotSupportedYet);
    std::vector<Case> cases{
        bad_head("later_texture", rule, "@TEXTURE t[] = { texture[0..3] };"),
        bad_head("later_image", rule, "@IMAGE i = image[0];"),
        bad_wide("later_counter", rule, "@COUNTER c[] { program.counter[0][0..3] };"),
        bad_head("later_state", rule, "PARAM m = @state.matrix.mvp.row[0];"),
        bad("later_variable_size", rule, "!!NVcp5.0\nOPTION @ARB_compute_variable_group_size;\nEND"),
        bad_code("later_f64", rule, "ADD.@F64 R0, R1, R2;"),
        bad_code("later_f16", rule, "MUL.@F16 R0, R1, R2;"),
        bad_code("later_rep_64", rule, "REP.@S64 R0;\nENDREP;"),
        bad_code("later_storage_f64", rule, "LDS.@F64 R0, sh[0];"),
        bad_wide("later_storage_s8", rule, "LDB.@S8 R0, st[0];"),
        bad_wide("later_atomic_u64", rule, "ATOMB.EXCH.@U64 R0, R1, st[0];"),
        bad_code("later_convert_half", rule, "CVT.@F16.F32 R0, R1;"),
        bad_code("later_condition", rule, "MOV R0 (@RESIDENT), R1;"),
        bad_code("later_texture_operand", rule, "MOV R0, @texture[0];"),
        bad_wide("later_handle", rule, "MOV R0, @handle(R1.x);"),
    };
    for (const char* text : {"TEX R0, R1, texture[0], 2D",
                             "TXF R0, R1, t, 1D",
                             "LOADIM.U32 R0, R1, image[0], 2D",
                             "STOREIM.F image[0], R1, R0, 2D",
                             "ATOMCTR.INCR R0, c[0]",
                             "IMQ R0, image[0], 2D"}) {
        const std::string code(text);
        const std::string opcode = code.substr(0, code.find_first_of(" ."));
        cases.push_back(bad_wide("later_" + opcode, rule, "@" + code + ";"));
    }
    return cases;
}

}  // namespace maskwork::rule_cases
