// Valid programs that the fuzz tests alter: between them they have all of the syntax.
#pragma once

#include <string>

namespace maskwork::test {

inline const std::string kFuzzPrograms[] = {
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8 8 1;\nSHARED_MEMORY 1024;\nSHARED "
    "sh[]={program.sharedmem[0..511],program.sharedmem[512..1023]};\n"
    "STORAGE st[][]={program.storage[0..3]};\nSTORAGE su = program.storage[1][8];\nINT TEMP R0,R1,A[20];\nALIAS B = A;\nPARAM "
    "c[4]={program.local[0..1],{1,-2.5,3},program.env[0]};\n"
    "ATTRIB id = invocation.globalid;\nMOV.S R0,id;\nREP.S 10;\nSUB.S.CC1 R1.x(GT0.yxwz),-|-R0.x|,{1,2,3,4}.y;\nBRK(LT1.x);\nLDS.S32X2 "
    "R1,sh[R0.x+16];\nATOMB.CSWAP.S32 R1.x,1,st[R0.x+1][R0.y];\n"
    "IF NE.x;\nMOV.S A[R0.x+3].x,B[1].y;\nELSE;\nCONT;\nENDIF;\nENDREP;\nCAL f (TR);\nMEMBAR.CTA;\nBAR;\nRET;\nf:\nCVT.S32.F32.FLR.SAT "
    "R1.yz,0.5;\nSTB.S32 R1,su;\nEND\n",
    "!!NVcp5.0\nGROUP_SIZE 64;\n# text\nTEMP a, b, t[3];\nFLOAT PARAM p = -1e-3;\nMADC_SAT a.xyz, -a.wzyx, p, |t[2]|;\nmain:\nDP4.F32.CC "
    "a.w, a, b;\nSHL.U a, b, 0x1F;\nREP;\nIF EQ.x;\nRET;\nENDIF;\nENDREP;\nEND",
    // Memory of every kind, parameters, subroutines.
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;OPTION NV_shader_atomic_float;OPTION NV_shader_thread_group;\nGROUP_SIZE 32;\nSHARED_MEMORY 256;\n"
    "SHARED sh[] = { program.sharedmem };\nSTORAGE st[][] = { program.storage[0..2] };\nCBUFFER c[] = { program.buffer[0] };\n"
    "CBUFFER cc[][]={program.buffer[0..3][16..63]};\nBUFFER b[] = { program.buffer[4] };\nBUFFER4 v[][] = { program.buffer[5..6] };\n"
    "PARAM p[] = { program.local[0..1], { 1, 2 }, program.env[3], program.storagelen[0..1] };\nPARAM w = state.thread.warpspersm;\n"
    "SUBROUTINETYPE T { f, g };\nSUBROUTINE T u[2] = { program.subroutine[0..1] };\nSUBROUTINE T o = program.subroutine[7];\n"
    "TEMP R0, R1, A[4];\nLONG TEMP D0, D1, E[3];\nSHORT TEMP H0;\nMOV.U R0, invocation.threadid;\nLDC.F32X4.SAT R1.xyz, -|c[R0.x+16].wzyx|;\n"
    "LDC.U32 R0.y(NE), cc[R0.x][R0.y+4].x;\nADD R1, b[R0.x+1], v[1][R0.y].zwxy;\nMAD R1, b[2], v[R0.z][3], p[R0.x+1];\n"
    "LDB.U32X2 R0.xy, st[R0.x+1][R0.y];\nSTB.F32 -R1, st[R0.x][8];\nATOMB.MAX.S32.CC R0.x, R1, st[R0.w][4];\nMOV.U R0.z, w;\n"
    "LOAD.U32X4 R0, D0.x;\nSTORE.F32.COH R1, E[R0.x+1].y;\nATOM.ADD.F32 R1.x, R1, R0.x;\nATOMS.ADD.F32.CC1 R1, R1, sh[16];\nLDB.S32 D0.xy, st[2][R0.x];\n"
    "CALI u[R0.x+1] (GT1.xyxy);\nCALI o;\nCALI u[0];\nMOV.U R0, program.storagelen[1];\nRET;\nf SUBROUTINENUM(3):\nMOV.U A[R0.x].y, invocation.threadltmask;\nRET;\ng:\nRET;\nEND",
    // Arithmetic of every shape.
    "!!NVcp5.0\nOPTION NV_shader_thread_group;OPTION NV_shader_thread_shuffle;\nGROUP_SIZE 64;\nTEMP R0, R1, R2, A[4];\nLONG TEMP D0, D1;\nSHORT TEMP H0;\n"
    "DIV.S R0, R1, R2.x;\nMOD.U R0.xy, R1, 7;\nRCP R0, R1.x;\nRSQ.SAT R0.xy, -|R1.w|;\nPOW R0.z, R1.x, 2.5;\nSIN R0.x, R1.y;\nSCS R0.xy, R1.x;\nLIT R0, R1;\n"
    "DP2A.SSAT R0, R1, R2, R0;\nXPD R0.xyz, R1, -R2;\nNRM R0.xyz, R1;\nRFL R0.xyz, R1, R2;\nX2D R0, R1, R2, A[1];\nLRP.CC R0, R1, R2, {1,2,3,4};\nDST R0, R1, R2;\n"
    "SWZ R0.xyw, R1, 0, -x, 1, -w;\nSTR R0, R0, R0;\nSFL.U R0, R0, R1;\nSSG R0, R1;\nRCC R0, R1.x;\nBFE.S R0, {5,3}, R1;\nBFI.U R0, R2, R1, R0;\nBFR R0, R1;\nBTC R0, R1;\n"
    "BTFL.S R0, R1;\nBTFM.U.CC1 R0.y, R1;\nSAD.S R0, R1, R2, 1;\nPK2H R0.x, R1;\nPK4UB.U R0, R1;\nPK2US R0.y, -R1;\nPK4B R0, R1.wzyx;\nUP2H.SAT R0, R1.x;\nUP4UB R0, R1.y;\n"
    "UP2US R0.xy, R1.x;\nUP4B R0, R1.z;\nPK64 D0, R0;\nUP64.U R0, D0;\nADD.U64.CC D0.xy, D1, 18446744073709551615;\nSHR.S64 D0, D1, R0.x;\nSLT.U64 R0.x(NE1), D0.x, D1.y;\n"
    "CVT.S64.F32.FLR D0, R0;\nCVT.F32.U64 R0, D0;\nI2F.S64 R0, D1;\nNOT.U64 D0, -D1;\nXOR.S64 D0, D1, -5;\nTGALL.U R0, R1;\nTGEQ R0, R1;\nTGBALLOT R0.x, R1;\n"
    "SHFIDX.U R0.xy, R1.x, R2, {31};\nSHFXOR.F R0, R1, 1, 31;\nMOV.U H0.x, R0;\nMOV R0, A[R0.x+1];\nMUL.HI.S R0, R1, R2;\nEND",
};

}  // namespace maskwork::test
