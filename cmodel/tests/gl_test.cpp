// docs/gl.md, row by row: what each GL call on compute assembly programs is on the Device API. The tests' names stand in its tables.
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include "maskwork/asm/assembler.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

/// Output k of thread t is word 4 t + k of storage buffer 0.
const std::string head =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 4;\nSTORAGE out[] = { program.storage[0] };\nTEMP R, O;\n";
const std::string tail = "MUL.U O.x, invocation.localindex, 16;\nSTB.U32X4 R, out[O.x];\nEND\n";

struct Loaded {
  std::optional<Program> program;
  std::string error_string;                    ///< PROGRAM_ERROR_STRING_ARB
  std::optional<size_t> error_position;        ///< PROGRAM_ERROR_POSITION_ARB, empty = -1
};

/// glProgramStringARB: the assembler, then Device::load.
Loaded program_string(const std::string& text) {
  Loaded out;
  Diagnostics diagnostics;
  out.program = assemble(text, "program", {}, diagnostics);
  out.error_string = render(diagnostics, text);
  out.error_position = error_position(diagnostics, text);
  return out;
}

/// A device with storage buffer 0 of four uvec4.
class Context {
 public:
  explicit Context(const char* config = "base") : device(make_model(*isa::find_config(config))) {
    out = device->memory().allocate(64);
    device->bind_storage(0, out, 64);
  }
  void load(const std::string& declarations, const std::string& body) {
    const Loaded l = program_string(head + declarations + body + tail);
    ASSERT_TRUE(l.program) << l.error_string;
    device->load(*l.program);
  }
  uint32_t word(uint32_t n) const { return device->memory().load32(out + 4 * n); }
  void run() { ASSERT_TRUE(device->dispatch(1, 1, 1).ok()); }

  std::unique_ptr<Device> device;
  uint32_t out = 0;
};

template <class Error = DeviceError>
bool refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error&) {
    return true;
  }
  return false;
}

// ----------------------------------------------------------------------------------------------------------- programs
TEST(Gl, ProgramString) {
  Context c;
  const Loaded good = program_string(head + "MOV.U R, {1, 2, 3, 4};\n" + tail);
  ASSERT_TRUE(good.program) << good.error_string;
  EXPECT_FALSE(good.error_position) << "-1 in GL";
  c.device->load(*good.program);
  c.run();
  for (uint32_t n = 0; n < 16; ++n) EXPECT_EQ(c.word(n), n % 4 + 1);
}

TEST(Gl, ProgramErrorPosition) {
  const std::string text = head + "MOV.U R, Q;\n" + tail;
  const Loaded bad = program_string(text);
  EXPECT_FALSE(bad.program) << "INVALID_OPERATION";
  ASSERT_TRUE(bad.error_position);
  EXPECT_EQ(*bad.error_position, text.find('Q'));
  EXPECT_NE(bad.error_string.find("program:6:10: error: "), std::string::npos) << bad.error_string;
  // Of two errors the first; lines may end with CR LF.
  const std::string two = "!!NVcp5.0\r\nGROUP_SIZE 4;\r\nTEMP R;\r\nMOV.U R, Q;\r\nMOV.U R, P;\r\nEND\r\n";
  EXPECT_EQ(program_string(two).error_position, two.find('Q'));
  // Missing END: the last token.
  const std::string open = "!!NVcp5.0\nGROUP_SIZE 4;\nTEMP R;\n";
  EXPECT_EQ(program_string(open).error_position, open.rfind(';'));
}

TEST(Gl, ProgramThatDoesNotFit) {
  // A legal program may be too large for a configuration: load() refuses it, and what was loaded stays.
  Context c("tiny");
  c.load("", "MOV.U R, 7;\n");
  const Loaded large = program_string("!!NVcp5.0\nGROUP_SIZE 1024;\nEND\n");
  ASSERT_TRUE(large.program);
  EXPECT_TRUE(refused([&] { c.device->load(*large.program); }));
  c.run();
  EXPECT_EQ(c.word(0), 7u);
}

TEST(Gl, GetProgram) {
  Context c;
  c.load("", "MOV.U R, 7;\n");
  const Program& p = c.device->program();
  EXPECT_EQ(p.group_size, (std::array<uint32_t, 3>{4, 1, 1}));
  EXPECT_GT(p.words.size(), 4u);
  EXPECT_GT(p.registers, 0u);
  EXPECT_GT(c.device->residency().resident_groups, 0u);
}

// --------------------------------------------------------------------------------------------------------- parameters
TEST(Gl, EnvAndLocalParameters) {
  Context c;
  c.load("PARAM e = program.env[255];\nPARAM l[] = { program.local[1..2] };\n", "MOV.U R, e;\nMOV.U R.yz, l[1];\n");
  c.device->set_env(255, {1, 2, 3, std::bit_cast<uint32_t>(4.0f)});
  c.device->set_local(2, {10, 20, 30, 40});
  c.run();
  EXPECT_EQ(c.word(0), 1u);
  EXPECT_EQ(c.word(1), 20u);
  EXPECT_EQ(c.word(2), 30u);
  EXPECT_EQ(c.word(3), 0x40800000u) << "floats are passed as their bits";
  EXPECT_EQ(c.device->env(255)[1], 2u);
  EXPECT_EQ(c.device->local(2)[3], 40u);
  EXPECT_TRUE(refused([&] { c.device->set_env(256, {}); })) << "INVALID_VALUE";
  EXPECT_TRUE(refused([&] { c.device->local(256); }));
  // Both kinds outlive a load: a host that keeps locals per program sets them again.
  c.load("PARAM l = program.local[2];\n", "MOV.U R, l;\n");
  c.run();
  EXPECT_EQ(c.word(3), 40u);
}

TEST(Gl, SubroutineParameters) {
  Context c;
  c.load("SUBROUTINETYPE T { one, two };\nSUBROUTINE T s = program.subroutine[3];\n",
         "MOV.U R, 1;\nCALI s;\nMUL.U O.x, invocation.localindex, 16;\nSTB.U32X4 R, out[O.x];\nRET;\n"
         "one SUBROUTINENUM(4):\nADD.U R, R, 100;\nRET;\ntwo SUBROUTINENUM(9):\nADD.U R, R, 200;\nRET;\nlast:\n");
  c.run();
  EXPECT_EQ(c.word(0), 101u) << "the first subroutine by default";
  EXPECT_EQ(c.device->subroutine(3), 4u);
  c.device->set_subroutine(3, 9);
  EXPECT_EQ(c.device->subroutine(3), 9u);
  c.run();
  EXPECT_EQ(c.word(0), 201u);
  EXPECT_TRUE(refused([&] { c.device->set_subroutine(3, 5); })) << "INVALID_VALUE";
  EXPECT_TRUE(refused([&] { c.device->set_subroutine(4, 4); })) << "INVALID_VALUE";
}

// ------------------------------------------------------------------------------------------------------------ buffers
TEST(Gl, BufferData) {
  auto d = make_model(*isa::find_config("tiny"));
  const std::array<uint32_t, 4> data{1, 2, 3, 4};
  const uint32_t buffer = d->memory().allocate(sizeof data);  // glBufferData: zeroed storage, then its contents
  EXPECT_EQ(d->memory().load32(buffer), 0u);
  d->memory().write(buffer, data.data(), sizeof data);
  const uint32_t replaced = 33;
  d->memory().write(buffer + 8, &replaced, 4);  // glBufferSubData
  std::array<uint32_t, 2> got{};
  d->memory().read(buffer + 4, got.data(), 8);  // glGetBufferSubData
  EXPECT_EQ(got, (std::array<uint32_t, 2>{2, 33}));
  *d->memory().at(buffer) = 200;  // glMapBuffer
  EXPECT_EQ(d->memory().load32(buffer), 200u);
  EXPECT_TRUE(refused<std::out_of_range>([&] { d->memory().write(0, data.data(), 4); })) << "INVALID_VALUE";
  EXPECT_TRUE(refused<std::out_of_range>([&] { d->memory().read(buffer + (1u << 20), got.data(), 4); }));
}

TEST(Gl, StorageBufferRangeAndBase) {
  Context c;
  c.load("STORAGE in[] = { program.storage[5] };\n", "MUL.U O.x, invocation.localindex, 4;\nMOV.U R, 0;\nLDB.U32 R.x, in[O.x];\n");
  const uint32_t buffer = c.device->memory().allocate(64);
  for (uint32_t n = 0; n < 16; ++n) c.device->memory().store32(buffer + 4 * n, 100 + n);
  c.device->bind_storage(5, buffer, 64);  // glBindBufferBase: the whole buffer
  c.run();
  EXPECT_EQ(c.word(12), 103u);
  c.device->bind_storage(5, buffer + 16, 8);  // glBindBufferRange: two words from byte 16 on; beyond them loads give 0
  EXPECT_EQ(c.device->storage_binding(5), (BufferRange{buffer + 16, 8}));
  c.run();
  EXPECT_EQ(c.word(0), 104u);
  EXPECT_EQ(c.word(4), 105u);
  EXPECT_EQ(c.word(8), 0u);
  EXPECT_TRUE(refused([&] { c.device->bind_storage(16, buffer, 4); })) << "INVALID_VALUE: binding";
  EXPECT_TRUE(refused([&] { c.device->bind_storage(5, buffer + 4, 4); })) << "INVALID_VALUE: alignment";
  EXPECT_TRUE(refused([&] { c.device->bind_storage(5, buffer, 1u << 20); })) << "beyond the memory";
  c.device->unbind_storage(5);  // buffer 0
  EXPECT_FALSE(c.device->storage_binding(5));
  EXPECT_TRUE(refused([&] { c.device->dispatch(1, 1, 1); })) << "INVALID_OPERATION";
}

TEST(Gl, StorageBufferUpdates) {
  Context c;
  c.load("", "MUL.U O.x, invocation.localindex, 16;\nLDB.U32X4 R, out[O.x];\nADD.U R, R, R;\n");
  const std::array<uint32_t, 4> words{1, 2, 3, 4};
  c.device->memory().write(c.out + 16, words.data(), sizeof words);  // glBufferSubData between two dispatches
  c.run();
  c.run();
  EXPECT_EQ(c.word(7), 16u);
}

TEST(Gl, ParameterBufferRangeOffsetAndBase) {
  Context c;
  c.load("BUFFER b[] = { program.buffer[2] };\nCBUFFER raw[] = { program.buffer[2] };\n", "MOV.U R, b[1];\nMOV.U R.y, b[3];\nLDC.U32 O.x, raw[8];\nMOV.U R.z, O.x;\n");
  const uint32_t buffer = c.device->memory().allocate(64);
  for (uint32_t n = 0; n < 16; ++n) c.device->memory().store32(buffer + 4 * n, 50 + n);
  EXPECT_TRUE(refused([&] { c.device->dispatch(1, 1, 1); })) << "nothing is bound";
  c.device->bind_constant(2, buffer, 64);  // glBindBufferBaseNV
  c.run();
  EXPECT_EQ(c.word(0), 51u);
  EXPECT_EQ(c.word(1), 53u);
  EXPECT_EQ(c.word(2), 52u);
  c.device->bind_constant(2, buffer + 16, 64 - 16);  // glBindBufferOffsetNV with offset 16, which this device allows
  c.run();
  EXPECT_EQ(c.word(0), 55u);
  c.device->bind_constant(2, buffer, 12);  // glBindBufferRangeNV: words 0 to 2
  c.run();
  EXPECT_EQ(c.word(0), 51u);
  EXPECT_EQ(c.word(1), 0u);
  EXPECT_EQ(c.device->constant_binding(2), (BufferRange{buffer, 12}));
  EXPECT_TRUE(refused([&] { c.device->bind_constant(16, buffer, 4); })) << "INVALID_VALUE: index";
  EXPECT_TRUE(refused([&] { c.device->bind_constant(2, buffer + 2, 4); })) << "INVALID_VALUE: alignment";
  c.device->unbind_constant(2);
  EXPECT_FALSE(c.device->constant_binding(2));
}

/// glProgramBufferParameters{f,Ii,Iui}vNV: words wordIndex .. wordIndex + count - 1 of what is bound.
void program_buffer_parameters(Device& device, uint32_t binding, uint32_t word_index, const std::vector<uint32_t>& params) {
  const auto range = device.constant_binding(binding);
  if (!range) throw DeviceError("INVALID_OPERATION");
  if (uint64_t{word_index} + params.size() > range->size / 4) throw DeviceError("INVALID_VALUE");
  device.memory().write(range->address + 4 * word_index, params.data(), 4 * params.size());
}

TEST(Gl, ProgramBufferParameters) {
  Context c;
  c.load("BUFFER4 b[] = { program.buffer[0] };\n", "MOV.U R, b[1];\n");
  EXPECT_TRUE(refused([&] { program_buffer_parameters(*c.device, 0, 0, {1}); })) << "INVALID_OPERATION: nothing bound";
  const uint32_t buffer = c.device->memory().allocate(48);
  c.device->bind_constant(0, buffer, 48);
  program_buffer_parameters(*c.device, 0, 5, {11, 12, 13});
  c.run();
  EXPECT_EQ(c.word(0), 0u);
  EXPECT_EQ(c.word(1), 11u);
  EXPECT_EQ(c.word(3), 13u);
  EXPECT_TRUE(refused([&] { program_buffer_parameters(*c.device, 0, 10, {1, 2, 3}); })) << "INVALID_VALUE: beyond the buffer";
}

TEST(Gl, BufferGpuAddress) {
  Context c;
  c.load("PARAM pointer = program.local[0];\n",
         "MUL.U O.x, invocation.localindex, 4;\nADD.U O.x, O.x, pointer.x;\nMOV.U R, 0;\nLOAD.U32 R.x, O.x;\nADD.U O.y, O.x, 16;\nSTORE.U32 R.x, O.y;\n");
  // glGetBufferParameterui64vNV(BUFFER_GPU_ADDRESS_NV): an address below 4 GiB; all device memory is resident.
  const uint32_t buffer = c.device->memory().allocate(32);
  for (uint32_t n = 0; n < 4; ++n) c.device->memory().store32(buffer + 4 * n, 60 + n);
  c.device->set_local(0, {buffer, 0, 0, 0});
  c.run();
  EXPECT_EQ(c.word(8), 62u);
  EXPECT_EQ(c.device->memory().load32(buffer + 28), 63u);
  c.device->set_local(0, {0x7ff00000u, 0, 0, 0});
  EXPECT_EQ(c.device->dispatch(1, 1, 1).fault.code, isa::Fault::BUS_ERROR) << "not allocated; GL: undefined, may fault";
}

// ----------------------------------------------------------------------------------------------------------- dispatch
TEST(Gl, DispatchCompute) {
  Context c;
  EXPECT_TRUE(refused([&] { c.device->dispatch(1, 1, 1); })) << "INVALID_OPERATION: no program";
  c.load("", "MOV.U R, invocation.groupcount;\n");
  EXPECT_EQ(c.device->dispatch(2, 3, 4).counter(isa::Counter::Groups), 24u);
  EXPECT_EQ(c.word(0), 2u);
  EXPECT_EQ(c.word(2), 4u);
  EXPECT_TRUE(c.device->dispatch(2, 0, 4).ok()) << "no work, no error";
  EXPECT_TRUE(refused([&] { c.device->dispatch(1, 65536, 1); })) << "INVALID_VALUE";
  EXPECT_TRUE(c.device->dispatch(65535, 0, 1).ok());
}

TEST(Gl, DispatchComputeIndirect) {
  Context c;
  c.load("", "MOV.U R, invocation.groupcount;\n");
  const uint32_t buffer = c.device->memory().allocate(32);
  const std::array<uint32_t, 3> counts{3, 2, 5};
  c.device->memory().write(buffer + 4, counts.data(), sizeof counts);
  EXPECT_EQ(c.device->dispatch_indirect(buffer + 4).counter(isa::Counter::Groups), 30u);
  EXPECT_EQ(c.word(2), 5u);
  EXPECT_TRUE(refused([&] { c.device->dispatch_indirect(buffer + 2); })) << "INVALID_VALUE: not a multiple of 4";
  EXPECT_TRUE(refused([&] { c.device->dispatch_indirect(buffer + 256); })) << "INVALID_OPERATION: beyond the buffer";
}

TEST(Gl, IndirectCountsWrittenByAProgram) {
  // The counts of the second dispatch are the results of the first: no call is needed in between (GL: COMMAND_BARRIER_BIT).
  Context c;
  c.load("", "MOV.U R, {2, 3, 4, 0};\n");
  c.run();
  EXPECT_EQ(c.device->dispatch_indirect(c.out).counter(isa::Counter::Groups), 24u);
}

TEST(Gl, FaultsEndADispatch) {
  // What GL leaves undefined is a fault with its place; the device goes on afterwards.
  Context c;
  c.load("", "MOV.U R, 0;\nMUL.U O.x, invocation.localindex, 2;\nLDB.U32 R.x, out[O.x];\n");
  const DispatchResult r = c.device->dispatch(1, 1, 1);
  EXPECT_EQ(r.fault.code, isa::Fault::MISALIGNED);
  EXPECT_EQ(r.fault.lanes, 0xau);
  EXPECT_EQ(c.device->program().lines[r.fault.pc].line, 8u);
  c.load("", "MOV.U R, 9;\n");
  c.run();
  EXPECT_EQ(c.word(0), 9u);
}

// ------------------------------------------------------------------------------------------------------------- limits
TEST(Gl, LimitsOfTheDefaultConfigurationMeetTheSpecifications) {
  const Limits l = limits(*isa::find_config("base"));
  for (uint32_t n = 0; n < 3; ++n) {
    EXPECT_GE(l.group_count[n], 65535u);
    EXPECT_GE(l.group_size[n], n == 2 ? 64u : 1024u);
  }
  EXPECT_GE(l.group_threads, 1024u);
  EXPECT_GE(l.shared_bytes, 32768u);
  EXPECT_GE(l.storage_bindings, 8u);
  EXPECT_GE(l.storage_bytes, uint64_t{1} << 24);
  EXPECT_LE(l.storage_alignment, 256u);
  EXPECT_GE(l.constant_bindings, 8u);
  EXPECT_GE(l.constant_bytes, 4u * 4096);
  EXPECT_GE(l.local_parameters, 96u);
  EXPECT_GE(l.env_parameters, 96u);
  EXPECT_GE(l.program_words, 128u);
  EXPECT_GE(l.temporaries, 12u);
  EXPECT_GE(l.if_depth, 48u);
  EXPECT_GE(l.loop_depth, 4u);
  EXPECT_GE(l.call_depth, 4u);
  EXPECT_GE(l.subroutine_uniforms, 1024u);
  EXPECT_GE(l.subroutines, 256u);
  EXPECT_LE(l.warp_threads, 32u);
}

TEST(Gl, LimitsAreWhatTheDeviceAccepts) {
  for (const isa::Config& config : isa::configs) {
    const Limits l = limits(config);
    const auto fits = [&](std::array<uint32_t, 3> size, uint32_t shared, uint32_t registers) {
      Program p;
      p.words = {isa::Word{}};
      p.group_size = size;
      p.shared_bytes = shared;
      p.registers = registers;
      return !refused([&] { fit(config, p); });
    };
    EXPECT_TRUE(fits({l.group_threads, 1, 1}, l.shared_bytes, 1)) << config.name;
    EXPECT_FALSE(fits({l.group_threads + 1, 1, 1}, 0, 1)) << config.name;
    EXPECT_FALSE(fits({1, 1, 1}, l.shared_bytes + 1, 1)) << config.name;
    EXPECT_TRUE(fits({1, 1, 1}, 0, l.registers)) << config.name;
    EXPECT_FALSE(fits({1, 1, 1}, 0, l.registers + 1)) << config.name;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      std::array<uint32_t, 3> size{1, 1, 1};
      size[axis] = l.group_size[axis];
      EXPECT_TRUE(fits(size, 0, 1)) << config.name << " axis " << axis;
      size[axis] += 1;
      EXPECT_FALSE(fits(size, 0, 1)) << config.name << " axis " << axis;
    }
    auto d = make_model(config);
    EXPECT_FALSE(refused([&] { d->set_local(l.local_parameters - 1, {}); }));
    EXPECT_TRUE(refused([&] { d->set_local(l.local_parameters, {}); }));
    EXPECT_FALSE(refused([&] { d->bind_storage(l.storage_bindings - 1, 0x1000, 0); }));
    EXPECT_TRUE(refused([&] { d->bind_storage(l.storage_bindings, 0x1000, 0); }));
    const uint32_t at = d->memory().allocate(l.constant_bytes + 16);
    EXPECT_FALSE(refused([&] { d->bind_constant(l.constant_bindings - 1, at, l.constant_bytes); }));
    EXPECT_TRUE(refused([&] { d->bind_constant(0, at, l.constant_bytes + 4); }));
    EXPECT_EQ(l.warps, config.waves(false));
  }
}

TEST(Gl, DocumentNamesTheseTests) {
  std::set<std::string> tests, named;
  const auto* suite = ::testing::UnitTest::GetInstance()->current_test_suite();
  for (int n = 0; n < suite->total_test_count(); ++n) tests.insert(suite->GetTestInfo(n)->name());
  std::ifstream document(MASKWORK_GL_DOCUMENT);
  ASSERT_TRUE(document);
  // The last column of the tables with calls, and the two names in the text about limits.
  const std::regex last_column("\\| ([A-Z][A-Za-z]+) \\|$"), in_text("\\b(Limits[A-Z][A-Za-z]+)\\b");
  for (std::string line; std::getline(document, line);) {
    std::smatch m;
    if (std::regex_search(line, m, last_column)) named.insert(m[1]);
    for (std::string rest = line; std::regex_search(rest, m, in_text); rest = m.suffix()) named.insert(m[1]);
  }
  tests.erase("DocumentNamesTheseTests");
  EXPECT_EQ(named, tests);
}

}  // namespace
}  // namespace maskwork::test
