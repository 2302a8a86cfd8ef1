#include "random_program.hpp"

#include "random_generator.hpp"

namespace maskwork::test {

std::string Generator::run() {
  text_ = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;OPTION NV_shader_atomic_float;OPTION NV_shader_thread_group;\nGROUP_SIZE " + std::to_string(options_.group_x) + ";\nSHARED_MEMORY " +
          std::to_string(options_.group_x * 64) +
          ";\nSHARED sm[] = { program.sharedmem };\nSTORAGE out[] = { program.storage[0] };\n"
          "PARAM l0 = program.local[0];\nPARAM l1 = program.local[1];\nINT PARAM k = { 3, -7, 65536, 0 };\n"
          "PARAM table[] = { program.local[0..1], { 0.5, -2.0, 3.0, 1e10 }, program.local[2] };\n"
          "TEMP R0, R1, R2, R3, R4, A[4], B[3], I, OUT, SH, L0, L1, L2, L3, J, G;\nLONG TEMP D0, D1, DG;\n"
          "STORAGE many[][] = { program.storage[1..2] };\nPARAM base = program.local[3];\n"
          "CBUFFER c[] = { program.buffer[0] };\nCBUFFER part[] = { program.buffer[1][32..95] };\nCBUFFER cc[][] = { program.buffer[0..1] };\n"
          "BUFFER b[] = { program.buffer[0] };\nBUFFER4 v[] = { program.buffer[1] };\nBUFFER bb[][] = { program.buffer[2..3] };\n";
  const bool routines = options_.calls && chance(50);
  if (routines) text_ += "SUBROUTINETYPE T { f, e };\nSUBROUTINE T u[2] = { program.subroutine[0..1] };\n";
  if (routines) text_ += "main:\n";
  line("MUL.U OUT.x, invocation.globalid.x, 256");
  line("MUL.U SH.x, invocation.localindex.x, 64");
  line("ADD.U G.x, OUT.x, base.x");
  line("MOV.U G.y, 0");
  line("PK64.U DG.x, G");
  line("MOV.U J, 0");
  for (int at = 0; at < 64; at += 16) line("STS.U32X4 {0,0,0,0}, sm[SH.x + " + std::to_string(at) + "]");
  line("MOV.U L0, 0");
  line("MOV.U L1, 0");
  line("MOV.U L2, 0");
  line("MOV.U L3, 0");
  line("MOV.U I, 0");
  for (const char* name : {"R0", "R1", "R2", "R3", "R4", "A[0]", "A[1]", "A[2]", "A[3]", "B[0]", "B[1]", "B[2]"}) {
    line(std::string("MUL.U ") + name + ", invocation.globalid.x, {" + number() + "," + number() + "," + number() + "," + number() + "}");
    if (chance(50)) line(std::string("I2F.S ") + name + ", " + name);
  }
  line("PK64.U D0, R0");
  line("PK64.U D1, R3");
  line("ADD.S.CC0 R0, R0, R1");
  line("ADD.F.CC1 R1, R1, R2");
  calls_ = routines;
  block(0, 0, 6 + below(20));
  store_all();
  if (routines) {
    if (chance(50)) line("RET");
    // Routine g may call itself: L2.x counts down.
    calls_ = false;
    for (const char* name : {"f", "g", "e"}) {
      text_ += std::string(name) + (name[0] == 'e' ? " SUBROUTINENUM(5):\n" : ":\n");
      in_routine_ = true;
      block(0, 1, 3 + below(6));
      if (name[0] == 'g') {
        line("SUB.S.CC L2.x, L2.x, 1");
        line("RET (LT.x)");
        if (chance(50)) {
          line("REP.S 2");
          line("SUB.S.CC L2.x, L2.x, 1");
          line("CAL g (GE.x)");
          line("ADD.U R0.x, R0.x, 1");
          line("ENDREP");
        } else if (chance(50)) {
          line("AND.U R3.y, R3.y, 3");
          line("REP.U R3.y");
          line("ADD.U R2.x, R2.x, 5");
          line("SUB.S.CC L2.x, L2.x, 1");
          line("MOV.U R3.y, 7");
          line("CAL g (GE.x)");
          line("ENDREP");
        } else {
          line("CAL g");
        }
      }
      block(0, 1, 1 + below(4));
      if (chance(50)) line("RET");
    }
  }
  return text_ + "END\n";
}

void Generator::store_all() {
  int at = 0;
  for (const char* name : {"R0", "R1", "R2", "R3", "R4", "A[0]", "A[1]", "A[2]", "A[3]", "B[0]"}) {
    if (chance(60)) line(std::string("STB.U32X4 ") + name + ", out[OUT.x + " + std::to_string(at) + "]");
    at += 16;
  }
  // The conditions, as values.
  line("MOV.U R0, 0");
  line("MOV.U R0 (GT0), 1");
  line("MOV.U R1, 0");
  line("MOV.U R1 (OF1), 1");
  line("STB.U32X4 R0, out[OUT.x + 160]");
  line("STB.U32X4 R1, out[OUT.x + 176]");
}

void Generator::block(int ifs, int loops, uint32_t statements) {
  for (uint32_t i = 0; i < statements; ++i) {
    const uint32_t what = below(100);
    if (what < 55) {
      alu();
    } else if (what < 68) {
      memory();
    } else if (!options_.flow) {
      alu();
    } else if (what < 82 && ifs < 5) {
      line("IF " + condition());
      block(ifs + 1, loops, below(chance(25) ? 9 : 4));
      if (chance(50)) {
        line("ELSE");
        block(ifs + 1, loops, below(chance(25) ? 9 : 4));
      }
      line("ENDIF");
    } else if (what < 90 && loops < 2) {
      loop(ifs, loops);
    } else if (what < 94 && loop_depth_ > 0) {
      line(std::string(pick({"BRK", "CONT"})) + (chance(75) ? " (" + condition() + ")" : ""));
    } else if (what < 96 && (in_routine_ || chance(20))) {
      line("RET (" + condition() + ")");
    } else if (what < 99 && calls_) {
      if (chance(35)) {
        line("AND.U J.w, " + temp() + "." + component() + ", 3");
        line("CALI " + pick({"u[J.w]", "u[J.w + 1]", "u[0]", "u[1]"}) + (chance(50) ? " (" + condition() + ")" : ""));
      } else if (chance(50)) {
        line(std::string("CAL f") + (chance(50) ? " (" + condition() + ")" : ""));
      } else {
        line("AND.U L2.x, " + temp() + "." + component() + ", 3");
        line(std::string("CAL g") + (chance(50) ? " (" + condition() + ")" : ""));
      }
    } else {
      alu();
    }
  }
}

void Generator::loop(int ifs, int loops) {
  // A routine that is called from a loop has a counter of its own.
  const std::string counter = std::string("L") + (in_routine_ ? "3" : loops == 0 ? "0" : "1") + "." + component();
  const bool keep = in_routine_;
  ++loop_depth_;
  switch (below(4)) {
    case 0: line("REP.S " + std::string(pick({"3", "0", "-1", "1", "2"}))); break;
    case 1: line("AND.U I.w, " + temp() + "." + component() + ", 3"); line("SUB.S I.w, I.w, 1"); line("REP.S I.w"); break;
    case 2: line("AND.U I.w, " + temp() + "." + component() + ", 3"); line("I2F.U I.w, I.w"); line("SUB.F I.w, I.w, 0.25"); line("REP.F I.w"); break;
    default: {
      // Endless, with a counter of its own that CONT cannot pass.
      line("MOV.U " + counter + ", " + std::to_string(1 + below(4)));
      line("REP");
      line("SUB.S.CC " + counter + ", " + counter + ", 1");
      line(std::string("BRK (LT") + counter.substr(2) + ")");
      break;
    }
  }
  block(ifs, loops + 1, 1 + below(chance(25) ? 8 : 4));
  line("ENDREP");
  --loop_depth_;
  in_routine_ = keep;
}

std::string random_program(uint64_t seed, const RandomOptions& options) { return Generator(seed, options).run(); }

}  // namespace maskwork::test
