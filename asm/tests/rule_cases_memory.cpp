// Parameter buffers, global memory, program parameters, subroutines: L10 to L31, L50 to L54, L66, L67, L86, L87.
#include "rule_cases.hpp"

namespace maskwork::rule_cases {

namespace {

const std::string kBuffers =
    "BUFFER b[] = { program.buffer[0] }; BUFFER w = program.buffer[0][5]; BUFFER4 v[] = { program.buffer[1][4..9] }; BUFFER4 u = program.buffer[1][3];\n"
    "BUFFER bb[][] = { program.buffer[2..5] }; BUFFER4 vv[][] = { program.buffer[6..7][0..3] };\n"
    "CBUFFER c[] = { program.buffer[0] }; CBUFFER p[] = { program.buffer[1][16..31] }; CBUFFER s = program.buffer[1][32];\n"
    "CBUFFER cc[][] = { program.buffer[0..3] }; CBUFFER n[64] = { program.buffer[15] }; CBUFFER ss = program.buffer[2..3][16]; TEMP R0, R1;\n";

const std::string kRoutines =
    "SUBROUTINETYPE T { f, g };\nSUBROUTINETYPE U { g };\nSUBROUTINE T v = program.subroutine[0];\nSUBROUTINE T a[3] = { program.subroutine[1..3] };\nTEMP R0;\n";
const std::string kBodies = "RET;\nf SUBROUTINENUM(3):\nRET;\ng:\nRET;\n";

}  // namespace

std::vector<Case> memory_cases() {
    return {
        // parameter buffers
        good_head("L26_every_use",
                  kBuffers + "MOV R0, b[5]; ADD R0, w, -|v[1].wzyx|; MOV.U R0, u; MUL.S R0, b[R1.x + 2], bb[R1.x][R0.y+1]; MOV R0, vv[1][3].x;\n"
                             "DIV R0, R1, b[1].x; MAD R0, b[1], b[2], b[3]; REP b[0]; ENDREP;\n"
                             "LDC.U32 R0, c[16]; LDC.F32X4.SAT.CC R0.xy(NE), -|c[R1.x+8].wzyx|; LDC.S32X2 R0, +p[8]; LDC.U32 R0, s.x; LDC.U32 R0, cc[R1.x+1][R1.y+4];\n"
                             "LDC.U32 R0, cc[3][16].xxxx; LDC.F32 R0, |-n[60]|; LDC.U32 R0, ss[1]; LDC.S32.NTC R0, c[R0.x].r;"),
        bad_head("L26_operand", "L26", kBuffers + "MOV R0, @c[0];"),
        bad_head("L26_result", "L29", kBuffers + "MOV @c[0], R0;"),
        bad_head("L26_temp", "L26", kBuffers + "LDC.U32 R0, @R1;"),
        bad_head("L26_buffer", "L26", kBuffers + "LDC.U32 R0, @b[0];"),
        bad_head("L26_storage", "L26", "STORAGE t[] = { program.storage[0] };\n" + kBuffers + "LDC.U32 R0, @t[0];"),
        bad_head("L26_constant", "L26", kBuffers + "LDC.U32 R0, @{1,2,3,4};"),
        bad_head("L26_in_store", "L51", kBuffers + "STB.U32 R0, @c[0];"),
        bad_head("L29_buffer", "L29", kBuffers + "MOV @b[0], R0;"),
        bad_head("L27_binding_in_mov", "L27", "TEMP R0;\nMOV R0, @program.buffer[0][1];"),
        bad_head("L27_binding_in_ldc", "L27", "TEMP R0;\nLDC.U32 R0, @program.buffer[0];"),
        bad_head("L27_limit", "L27", "BUFFER b[] = { program.buffer[@16] };"),
        bad_head("L27_cbuffer_limit", "L27", "CBUFFER b[][] = { program.buffer[@10..16] };"),
        bad_head("L27_backwards", "L27", "BUFFER b[][] = { program.buffer[@3..1] };"),
        good_head("L27_last", "BUFFER b[] = { program.buffer[15] }; BUFFER d[][] = { program.buffer[0..14] };"),
        bad_head("L25_both", "L25", "BUFFER b[] = { program.buffer[0] };\n@BUFFER4 d[] = { program.buffer[0] };"),
        bad_head("L25_range", "L25", "BUFFER4 b[][] = { program.buffer[2..5] };\n@BUFFER d = program.buffer[4][1];"),
        good_head("L25_beside", "BUFFER b[] = { program.buffer[0] }; BUFFER4 d[] = { program.buffer[1] }; CBUFFER c[] = { program.buffer[0] }; CBUFFER e[] = { program.buffer[1] };"),
        bad_head("L22_buffer_words", "L22", "BUFFER b[] = { program.buffer[0][@0..16384] };"),
        bad_head("L22_buffer_vectors", "L22", "BUFFER4 b = program.buffer[0][@4096];"),
        good_head("L22_buffer_last", "BUFFER b = program.buffer[0][16383]; BUFFER4 d = program.buffer[1][4095]; CBUFFER c = program.buffer[0][65535];"),
        bad_head("L15_buffer_size", "L15", "BUFFER b[@5] = { program.buffer[0][2..5] };"),
        bad_head("L15_buffer_whole", "L15", "CBUFFER b = @program.buffer[0];"),
        bad_head("L15_buffer_zero", "L15", "CBUFFER b[@0] = { program.buffer[0] };"),
        bad_head("L24_buffer_gap", "L24", "BUFFER b[] = { program.buffer[0][2..5], program.buffer[0][@7] };"),
        bad_head("L24_buffers", "L24", "CBUFFER b[] = { program.buffer[0][0..3], program.buffer[@1][4..7] };"),
        bad_head("L17_buffer", "L17", kBuffers + "MOV R0, @b;"),
        bad_head("L17_buffers", "L17", kBuffers + "MOV R0, @bb[1];"),
        bad_head("L17_cbuffer", "L17", kBuffers + "LDC.U32 R0, @c;"),
        bad_head("L17_single", "L17", kBuffers + "LDC.U32 R0, s@[4];"),
        bad_head("L18_words", "L18", kBuffers + "MOV R0, v[@6];"),
        bad_head("L18_bytes", "L18", kBuffers + "LDC.U32 R0, p[@16];"),
        bad_head("L18_buffer_number", "L18", kBuffers + "MOV R0, bb[@4][0];"),
        bad_head("L18_whole_buffer", "L18", kBuffers + "LDC.U32 R0, c[@65536];"),
        good_head("L18_last_of_buffers", kBuffers + "MOV R0, v[5]; LDC.U32 R0, p[12]; MOV R0, bb[3][16383]; LDC.U32 R0, c[65532];"),
        bad_head("L19_words", "L19", kBuffers + "MOV R0, v[R1.x + @6];"),
        bad_head("L20_buffer_as_index", "L20", kBuffers + "MOV R0, b[@w.x];"),
        bad_wide("L20_long_as_index", "L20", "MOV R0, A[@D0.x];"),
        bad_head("L02_typed_buffer", "L02", "INT @BUFFER b[] = { program.buffer[0] };"),
        bad_head("L02_other_bank", "L02", "CBUFFER b[] = { program.@storage[0] };"),

        // program parameters
        bad_code("L23_twice_in_one", "L23", "PARAM @x[] = { program.local[0..2], program.local[1] };\nMOV R0, x[R1.x];"),
        bad_code("L23_in_two", "L23", "PARAM y[] = { program.env[0..2] };\nPARAM @x[] = { 1, program.env[2] };\nMOV R0, x[R1.x];\nMOV R0, y[R1.x];"),
        good_code("L23_constant_indices",
                  "PARAM x[] = { program.local[0..2], program.local[1] };\nPARAM y[] = { program.local[0..2] };\nPARAM z[] = { program.env[0..2], program.local[7], 1, 1 };\n"
                  "MOV R0, x[3]; MOV R0, y[R1.x]; MOV R0, z[R1.x];"),
        good("L50_lengths", "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nPARAM n[] = { program.storagelen[0..15] }; TEMP R0;\nMOV.U R0, program.storagelen[3];\nMOV.U R0, n[R0.x];\nEND"),
        bad("L50_lengths_without_option", "L50", "!!NVcp5.0\nGROUP_SIZE 8;\nPARAM n = @program.storagelen[0];\nEND"),
        bad_head("L22_lengths", "L22", "PARAM n = program.storagelen[@16];"),
        bad_code("L53_thread_id", "L53", "MOV.U R0, @invocation.threadid;"),
        bad_head("L53_mask", "L53", "ATTRIB m = @invocation.threadltmask;"),
        bad_head("L53_state", "L53", "PARAM m = @state.thread.warpsize;"),
        bad_code("L53_state_in_operand", "L53", "MOV.U R0, @state.thread.smcount;"),
        good_wide("L53_inputs",
                  "ATTRIB m = invocation.threadlemask; UINT PARAM q = state.thread.warpspersm; PARAM r[] = { state.thread.warpsize, state.thread.smcount };\n"
                  "MOV.U R0, m; MOV.U R0, q; MOV.U R0, r[R1.x]; AND.U R0.z, invocation.threadid, 3; MOV.U R0, invocation.warpid; MOV.U R0, invocation.smid.x;\n"
                  "MOV.U R0, invocation.threadeqmask; MOV.U R0, invocation.threadgtmask; MOV.U R0, invocation.threadgemask; MOV.U R0, A[invocation.threadid.x];"),
        bad_wide("L02_unknown_input", "L02", "MOV.U R0, invocation.@threadids;"),
        bad_wide("L02_unknown_state", "L02", "MOV.U R0, state.thread.@warps;"),
        bad_code("L31_alias_of_itself", "L31", "ALIAS x = @x;"),

        // global memory
        good_wide("L54_global",
                  "LOAD.U32 R0, R1.x; LOAD.F32X4.SAT.CC.COH R0.xy(NE), D0.y; LOAD.S32X2.VOL R0, -R1.x; LOAD.U32 R0, 4096; LOAD.U32 D0, R1.x; LOAD.U32 R0, A[R1.x].y;\n"
                  "STORE.U32 R0, R1.x; STORE.F32X4.COH {1,2,3,4}, D0.x; STORE.S32X2 -R0, R1.w;\n"
                  "ATOM.ADD.U32 R0, R1, D0.x; ATOM.CSWAP.S32.CC R0.x, R1, R2.x; ATOM.ADD.F32 R0, R1, R2.x; ATOM.EXCH.F32 R0, R1, R2.x; ATOM.U32.IWRAP R0, 5, R2.x;\n"
                  "ATOM.DWRAP.U32 R0, R1, R2.x; ATOM.MIN.S32 R0, R1, R2.x; ATOM.MAX.U32 R0, R1, R2.x; ATOM.AND.U32 R0, R1, R2.x; ATOM.OR.S32 R0, R1, R2.x; ATOM.XOR.U32 R0, R1, R2.x;"),
        bad_code("L54_float_atom", "L54", "ATOM.ADD.@F32 R0, R1, R2.x;"),
        good_code("L54_float_atomics_elsewhere", "ATOMS.ADD.F32 R0, R1, sh[0]; ATOMB.EXCH.F32 R0, R1, st[0];"),
        bad_code("L54_s64", "L54", "ATOMB.ADD.@S64 R0, R1, st[0];"),
        bad_code("L54_u64_min", "L54", "ATOMS.MIN.@U64 R0, R1, sh[0];"),
        bad_code("L54_double_atom", "L54", "ATOM.ADD.@F64 R0, R1, R2.x;"),
        bad_code("L54_half_atom", "L54", "ATOMB.ADD.@F16X2 R0, R1, st[0];"),
        bad_code("L54_half_atom_small_x", "L54", "ATOMB.ADD.@F16x2 R0, R1, st[0];"),
        bad_code("L54_half_load", "L54", "LDB.@F16 R0, st[0];"),
        bad_code("L54_bytes", "L54", "LOAD.@U8X4 R0, R1.x;"),
        bad_head("L54_counter_variable", "L54", "@COUNTER c[] { program.counter[0][0..3] };"),
        bad_code("L54_handle", "L54", "MOV R0, @handle(R1.x);"),
        bad_code("L54_texture_samples", "L54", "@TXQS R0, texture[0], 2DMS;"),
        bad_code("L66_load", "L66", "@LOAD R0, R1.x;"),
        bad_code("L66_store", "L66", "STORE.@F R0, R1.x;"),
        bad_head("L66_ldc", "L66", kBuffers + "LDC.U32.@F32 R0, c[0];"),
        bad_code("L67_atom_base", "L67", "ATOM.ADD.@U R0, R1, R2.x;"),
        bad_code("L67_atom_wrap", "L67", "ATOM.DWRAP.@S32 R0, R1, R2.x;"),
        bad_code("L67_atom_minimum_of_floats", "L67", "ATOM.MIN.@F32 R0, R1, R2.x;"),
        bad_code("L67_atomb_double", "L67", "ATOMB.ADD.@F64 R0, R1, st[0];"),
        bad_code("L67_cswap_float", "L67", "ATOMS.CSWAP.@F32 R0, R1, sh[0];"),
        bad_code("L62_store_cc_global", "L62", "STORE.U32.@CC R0, R1.x;"),
        bad_code("L62_coherent_atom", "L62", "ATOM.ADD.U32.@COH R0, R1, R2.x;"),
        bad_head("L62_coherent_ldc", "L62", kBuffers + "LDC.U32.@COH R0, c[0];"),
        bad_head("L61_ldc", "L61", kBuffers + "LDC.U32.@SAT R0, c[0];"),
        bad_code("L61_load_global", "L61", "LOAD.S32.@SSAT R0, R1.x;"),
        bad_code("L74_address", "L74", "LOAD.U32 R0, @R1;"),
        bad_code("L74_address_vector", "L74", "STORE.U32 R0, R1.@xyzw;"),
        bad_code("L48_shared_address", "L48", "LOAD.U32 R0, @sh[0];"),
        bad_head("L13_address", "L13", "FLOAT TEMP f; TEMP R0;\nLOAD.U32 R0, @f.x;"),
        good_head("L13_address_unsigned", "UINT TEMP u; TEMP R0;\nLOAD.F32 R0, u.x; ATOM.ADD.S32 R0, R0, u.y;"),

        // subroutines
        good_head("L87_calls", kRoutines + "CALI v; CALI a[2]; CALI a[R0.x] (NE.x); CALI a[R0.x+1](GT1); CALI v (TR); CAL g;\n" + kBodies),
        good_head("L87_numbers", "SUBROUTINETYPE T { f, g, f };\nSUBROUTINE T v[] = { program.subroutine[1022..1023] };\nf SUBROUTINENUM ( 255 ) :\nRET;\ng SUBROUTINENUM(0):"),
        good_head("L87_recursion_without_cali", kRoutines + "CALI v;\nRET;\nf:\nCAL h;\nRET;\ng:\nCAL h;\nRET;\nh:\nCAL h (NE.x);\nRET;"),
        bad_head("L87_number_limit", "L87", "f SUBROUTINENUM(@256):\nRET;"),
        bad_head("L87_number_twice", "L87", "f SUBROUTINENUM(1):\nRET;\ng SUBROUTINENUM(@1):\nRET;"),
        bad_head("L87_two_types", "L87", "SUBROUTINETYPE T { f };\nSUBROUTINETYPE U { f };\nSUBROUTINE T v = program.subroutine[2];\nSUBROUTINE U w[] = { program.subroutine[@1..3] };\nf:\nRET;"),
        bad_head("L87_itself", "L87", kRoutines + "CALI v;\nRET;\nf:\n@CALI v;\nRET;\ng:\nRET;"),
        bad_head("L87_by_call", "L87", kRoutines + "RET;\nf:\nCAL h;\nRET;\nh:\n@CALI a[0];\nRET;\ng:\nRET;"),
        bad_head("L87_main", "L87", "SUBROUTINETYPE T { main };\nSUBROUTINE T v = program.subroutine[0];\nmain:\n@CALI v (NE.x);\nRET;"),
        bad_head("L86_type_label", "L86", "SUBROUTINETYPE T { f, @nowhere };\nf:\nRET;"),
        bad_head("L86_cali_label", "L86", kRoutines + "TEMP x;\nCALI @x;\n" + kBodies),
        bad_head("L12_subroutine_type", "L12", "SUBROUTINE @Q v = program.subroutine[0];"),
        bad_head("L12_subroutine", "L12", kRoutines + "CALI @nobody;\n" + kBodies),
        bad_head("L11_subroutine_type", "L11", kRoutines + "SUBROUTINETYPE @T { f };\n" + kBodies),
        bad_head("L11_subroutine", "L11", kRoutines + "SUBROUTINE U @v = program.subroutine[9];\n" + kBodies),
        bad_head("L10_subroutine", "L10", "SUBROUTINETYPE T { f };\nSUBROUTINE T v = program.subroutine[0];\nf:\nRET;\n@v:\nRET;"),
        bad_head("L15_subroutine", "L15", "SUBROUTINETYPE T { f };\nSUBROUTINE T v[@2] = { program.subroutine[0..2] };\nf:\nRET;"),
        bad_head("L15_subroutine_range", "L15", "SUBROUTINETYPE T { f };\nSUBROUTINE T v = program.subroutine[@0..2];\nf:\nRET;"),
        bad_head("L22_subroutine", "L22", "SUBROUTINETYPE T { f };\nSUBROUTINE T v = program.subroutine[@1024];\nf:\nRET;"),
        bad_head("L24_subroutine", "L24", "SUBROUTINETYPE T { f };\nSUBROUTINE T v[] = { program.subroutine[0..1], program.subroutine[@3] };\nf:\nRET;"),
        bad_head("L17_subroutine", "L17", kRoutines + "CALI @a;\n" + kBodies),
        bad_head("L18_subroutine", "L18", kRoutines + "CALI a[@3];\n" + kBodies),
        bad_head("L02_subroutine_operand", "L02", kRoutines + "MOV R0, @v;\n" + kBodies),
        bad_head("L29_subroutine", "L29", kRoutines + "MOV @v, R0;\n" + kBodies),
        bad_head("L02_cali_type", "L62", kRoutines + "CALI.@S v;\n" + kBodies),
    };
}

}  // namespace maskwork::rule_cases
