// Job files: what is accepted, what is refused and with which words, and how outputs are compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "maskwork/job/job.hpp"

namespace maskwork {
namespace {

const char* minimal = R"({"program": "a.nvcp", "dispatch": [1, 2, 3]})";

/// All complaints about a job text, joined.
std::string complaints(const std::string& text) {
  try {
    parse_job(text, "dir/job.json");
  } catch (const InputError& e) {
    std::string all;
    for (const auto& line : e.lines) all += line + "\n";
    return all;
  }
  return "";
}

/// A minimal job with one more key.
std::string with(const std::string& more) { return R"({"program": "a.nvcp", "dispatch": [1, 1, 1], )" + more + "}"; }

template <class T>
std::vector<uint8_t> bytes(std::initializer_list<T> values) {
  std::vector<uint8_t> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

TEST(Job, Minimal) {
  const Job job = parse_job(minimal, "dir/job.json");
  EXPECT_EQ(job.program, "dir/a.nvcp");
  EXPECT_EQ(job.dispatch, (std::array<uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(job.fill, FillMode::Pattern);
}

TEST(Job, Everything) {
  const Job job = parse_job(with(R"("comment": "x", "params": {"local": [{"index": 3, "type": "f32", "value": [1.5, "nan", "0x80000000", -2]}],
      "env": [{"index": 0, "type": "u32", "value": [{"addr_lo": "g"}, {"addr_hi": "g"}, 4294967295, 0]}]},
      "storage": [{"binding": 2, "type": "s32", "init": [-1, 2147483647], "output": true}, {"binding": 0, "type": "f64", "zeros": 3}],
      "global": [{"name": "g", "type": "u64", "init": ["18446744073709551615", 7]}],
      "cbuffers": [{"binding": 2, "type": "f32", "init": [0.5]}, {"binding": 15, "type": "u32", "zeros": 16384}],
      "subroutines": [{"index": 1023, "number": 255}, {"index": 0, "number": 1}],
      "expect": {"storage": [{"binding": 2, "data": [5]}]}, "fill": "zero", "seed": 9, "budget": 0)"),
                            "job.json");
  ASSERT_EQ(job.local.size(), 1u);
  EXPECT_EQ(job.local[0].index, 3u);
  EXPECT_EQ(job.local[0].words[0].bits, 0x3fc00000u);
  EXPECT_EQ(job.local[0].words[1].bits, 0x7fc00000u);
  EXPECT_EQ(job.local[0].words[2].bits, 0x80000000u);
  EXPECT_EQ(job.local[0].words[3].bits, 0xc0000000u);
  EXPECT_EQ(job.env[0].words[0].address_of, "g");
  EXPECT_TRUE(job.env[0].words[1].high);
  const auto buffer = [&job](const std::string& title) {
    for (const JobBuffer& b : job.buffers)
      if (b.title() == title) return b;
    ADD_FAILURE() << "no " << title;
    return JobBuffer{};
  };
  ASSERT_EQ(job.buffers.size(), 5u);
  EXPECT_EQ(buffer("storage 2").initial, bytes<int32_t>({-1, 2147483647}));
  EXPECT_EQ(buffer("storage 2").expect, bytes<int32_t>({5}));
  EXPECT_TRUE(buffer("storage 2").output);
  EXPECT_EQ(buffer("storage 0").initial.size(), 24u);
  EXPECT_EQ(buffer("global g").initial, bytes<uint64_t>({UINT64_MAX, 7}));
  EXPECT_EQ(buffer("constant buffer 2").initial, bytes<float>({0.5f}));
  EXPECT_EQ(buffer("constant buffer 15").initial.size(), 65536u);
  EXPECT_FALSE(buffer("constant buffer 15").output);
  ASSERT_EQ(job.subroutines.size(), 2u);
  EXPECT_EQ(job.subroutines[0].index, 1023u);
  EXPECT_EQ(job.subroutines[0].number, 255u);
  EXPECT_EQ(job.fill, FillMode::Zero);
  EXPECT_EQ(job.fill_seed, 9u);
  EXPECT_EQ(job.word_budget, 0u);
}

struct Refusal {
  const char* text;   // whole job
  const char* place;  // in the complaint
  const char* words;
};

TEST(Job, Refusals) {
  const Refusal refusals[] = {
      {"[]", ": /: ", "an object is expected, not an array"},
      {"{}", ": /: ", "key 'program' is missing"},
      {R"({"program": "a", "dispatch": [1, 1]})", "/dispatch: ", "three numbers are expected, not 2"},
      {R"({"program": "a", "dispatch": [1, 65536, 1]})", "/dispatch/1: ", "from 0 to 65535 is expected, not the number 65536"},
      {R"({"program": "a", "dispatch": [1, -1, 1]})", "/dispatch/1: ", "from 0 to 65535"},
      {R"({"program": "", "dispatch": [1, 1, 1]})", "/program: ", "not an empty one"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storag": []})", "/storag: ", "unknown key"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "fill": "garbage"})", "/fill: ", "\"pattern\", \"zero\" or \"off\""},
      {R"({"program": "a", "dispatch": [1, 1, 1], "cbuffers": [{}]})", "/cbuffers/0: ", "key 'binding' is missing"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "cbuffers": [{"binding": 16, "type": "u32", "zeros": 1}]})", "/cbuffers/0/binding: ", "from 0 to 15"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "cbuffers": [{"binding": 0, "type": "u32", "zeros": 16385}]})", "/cbuffers/0: ", "65540 bytes: a constant buffer has at most 65536"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "cbuffers": [{"binding": 0, "type": "u32", "zeros": 1, "output": true}]})", "/cbuffers/0/output: ", "unknown key"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "cbuffers": [{"binding": 3, "type": "u32", "zeros": 1}, {"binding": 3, "type": "u32", "zeros": 1}]})",
       "/cbuffers/1/binding: ", "the constant buffer 3 is there twice"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "expect": {"cbuffers": []}})", "/expect/cbuffers: ", "unknown key"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "subroutines": {}})", "/subroutines: ", "an array is expected"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "subroutines": [{"index": 0}]})", "/subroutines/0: ", "key 'number' is missing"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "subroutines": [{"index": 1024, "number": 0}]})", "/subroutines/0/index: ", "from 0 to 1023"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "subroutines": [{"index": 0, "number": 256}]})", "/subroutines/0/number: ", "from 0 to 255"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "subroutines": [{"index": 7, "number": 0}, {"index": 7, "number": 1}]})", "/subroutines/1/index: ",
       "program.subroutine[7] is set twice"},
      {R"({"program": "a\u0000b", "dispatch": [1, 1, 1]})", "/program: ", "without NUL"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "file": "x\u0000"}]})", "/storage/0/file: ", "without NUL"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 16, "type": "u32", "zeros": 1}]})", "/storage/0/binding: ", "from 0 to 15"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "int", "zeros": 1}]})", "/storage/0/type: ", "one of u32, s32, f32"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "zeros": 1}]})", "/storage/0: ", "key 'type' is missing"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32"}]})", "/storage/0: ", "exactly one of 'init', 'zeros' and 'file'"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "init": [1, -1]}]})", "/storage/0/init/1: ", "type u32"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "s32", "init": [2147483648]}]})", "/storage/0/init/0: ", "type s32"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "init": [1.5]}]})", "/storage/0/init/0: ", "not the number 1.5"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "f32", "init": [1e39]}]})", "/storage/0/init/0: ", "too large for f32"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "init": ["0x1ffffffff"]}]})", "/storage/0/init/0: ", "32 bits"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "zeros": 1, "ulp": 2}]})", "/storage/0/ulp: ", "only float buffers"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "zeros": 1}, {"binding": 0, "type": "u32", "zeros": 1}]})",
       "/storage/1/binding: ", "is there twice"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 0, "type": "u32", "file": "no such file"}]})", "/storage/0/file: ", "cannot open"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "params": {"local": [{"index": 0, "type": "u32", "value": [1, 2, 3]}]}})", "/params/local/0/value: ",
       "four items are expected, not 3"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "params": {"local": [{"index": 256, "type": "u32", "value": [1, 2, 3, 4]}]}})", "/params/local/0/index: ", "255"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "params": {"local": [{"index": 0, "type": "f64", "value": [1, 2, 3, 4]}]}})", "/params/local/0/type: ",
       "one of u32, s32, f32 is expected"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "params": {"env": [{"index": 0, "type": "u32", "value": [{"addr_lo": "g"}, 0, 0, 0]}]}})",
       "/params/env/0/value/0: ", "no global buffer \"g\""},
      {R"({"program": "a", "dispatch": [1, 1, 1], "params": {"locals": []}})", "/params/locals: ", "unknown key"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "expect": {"storage": [{"binding": 1, "data": [1]}]}})", "/expect/storage/0/binding: ", "no storage buffer 1"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 1, "type": "u32", "zeros": 1}], "expect": {"storage": [{"binding": 1, "data": [1]}]}})",
       "/expect/storage/0: ", "is no output"},
      {R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 1, "type": "u32", "zeros": 1, "output": true}],
          "expect": {"storage": [{"binding": 1, "data": [1, 2]}]}})",
       "/expect/storage/0/data: ", "8 bytes are expected of a buffer of 4"},
      {"{\"program\": \"a\",\n \"dispatch\": [1, 1 1]}", "dir/job.json:2:20: ", "syntax error"},
      {"", "dir/job.json:1:1: ", "syntax error"},
      {R"({"program": "a", "program": "b", "dispatch": [1, 1, 1]})", "dir/job.json:1:18: ", "'program' is there twice"},
  };
  for (const Refusal& r : refusals) {
    const std::string all = complaints(r.text);
    EXPECT_NE(all.find(r.place), std::string::npos) << r.text << "\n" << all;
    EXPECT_NE(all.find(r.words), std::string::npos) << r.text << "\n" << all;
    EXPECT_EQ(all.find("dir/job.json:"), 0u) << all;
  }
  EXPECT_EQ(complaints(minimal), "");
}

TEST(Job, SeveralComplaintsAtOnce) {
  const std::string all = complaints(R"({"dispatch": [1], "storage": [{"binding": 99, "type": "x", "zeros": -1}]})");
  for (const char* place : {"/dispatch", "'program'", "/storage/0/binding", "/storage/0/type", "/storage/0/zeros"}) EXPECT_NE(all.find(place), std::string::npos) << all;
}

TEST(Job, OneComplaintAboutABadBinding) {
  const auto lines = [](const std::string& text) {
    const std::string all = complaints(text);
    return std::count(all.begin(), all.end(), '\n');
  };
  EXPECT_EQ(lines(R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 16, "type": "u32", "zeros": 1, "output": true}],
                      "expect": {"storage": [{"binding": 16, "data": [1]}]}})"),
            1);
  EXPECT_EQ(lines(R"({"program": "a", "dispatch": [1, 1, 1], "global": [{"name": 7, "type": "u32", "zeros": 1, "output": true}],
                      "expect": {"global": [{"name": 7, "data": [1]}]}})"),
            1);
  // Another binding is another mistake.
  EXPECT_EQ(lines(R"({"program": "a", "dispatch": [1, 1, 1], "storage": [{"binding": 16, "type": "u32", "zeros": 1, "output": true}],
                      "expect": {"storage": [{"binding": 1, "data": [1]}]}})"),
            2);
}

TEST(Job, ConstantBuffersAndSubroutinesReachTheDevice) {
  Job job;
  JobBuffer b;
  b.space = JobSpace::Constant;
  b.binding = 4;
  b.initial = bytes<uint32_t>({11, 22});
  job.buffers = {b};
  job.subroutines = {{6, 2}};
  const auto device = make_model(*isa::find_config("tiny"));
  const auto addresses = bind_job(job, *device);
  EXPECT_EQ(device->memory().load32(addresses[0] + 4), 22u);
  Program p;
  p.words = {isa::Word{}};
  p.slots = {{SlotSource::Kind::Constant, 4, 0, 0xffffffffu}};
  p.subroutines = {{6, {1, 2}}};
  device->load(p);
  EXPECT_NO_THROW(choose_subroutines(job, *device));
  EXPECT_EQ(device->dispatch(1, 1, 1).fault.code, isa::Fault::BAD_WORD) << "the binding is there: the word is reached";
  job.subroutines = {{6, 3}};
  EXPECT_THROW(choose_subroutines(job, *device), DeviceError);
}

TEST(Compare, Integers) {
  const auto got = bytes<uint32_t>({1, 2, 3});
  EXPECT_EQ(first_difference(ElementType::U32, 0, got, got.data()), "");
  const std::string d = first_difference(ElementType::S32, 0, bytes<int32_t>({1, -2, 4}), got.data());
  EXPECT_EQ(d, "element 1: 2 (0x00000002), expected -2 (0xfffffffe)");
}

std::string floats(float want, float got, uint64_t ulp) {
  return first_difference(ElementType::F32, ulp, bytes<float>({want}), bytes<float>({got}).data());
}

TEST(Compare, Floats) {
  const float inf = HUGE_VALF, nan = NAN;
  EXPECT_EQ(floats(0.0f, -0.0f, 0), "");
  EXPECT_EQ(floats(nan, -nan, 0), "");
  EXPECT_EQ(floats(inf, inf, 0), "");
  EXPECT_NE(floats(inf, -inf, 100), "");
  EXPECT_NE(floats(nan, 1.0f, 1000000), "");
  EXPECT_NE(floats(1.0f, nan, 1000000), "");
  EXPECT_NE(floats(inf, std::nextafter(inf, 0.0f), 1), "");  // infinity is no neighbour
  const float next = std::nextafter(1.0f, 2.0f);
  EXPECT_NE(floats(1.0f, next, 0), "");
  EXPECT_EQ(floats(1.0f, next, 1), "");
  EXPECT_NE(floats(1.0f, std::nextafter(next, 2.0f), 1), "");
  // Across zero: the smallest numbers of both signs are two steps apart.
  const float tiny = std::bit_cast<float>(1u);
  EXPECT_EQ(floats(tiny, -tiny, 2), "");
  EXPECT_NE(floats(tiny, -tiny, 1), "");
  EXPECT_NE(first_difference(ElementType::F64, 0, bytes<double>({1.0}), bytes<double>({std::nextafter(1.0, 2.0)}).data()), "");
}

}  // namespace
}  // namespace maskwork
