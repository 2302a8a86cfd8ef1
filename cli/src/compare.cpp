#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "maskwork/job/job.hpp"

namespace maskwork {

namespace {

template <class T>
T element(const uint8_t* bytes, size_t i) {
  T v;
  std::memcpy(&v, bytes + i * sizeof(T), sizeof(T));
  return v;
}

/// Floats as integers in the order of their values; neighbours differ by one, and both zeros are one value.
template <class U>
U ordered(U bits) {
  constexpr U sign = U{1} << (8 * sizeof(U) - 1);
  return bits & sign ? sign - (bits & ~sign) : sign + bits;
}

template <class F, class U>
std::string float_difference(uint64_t ulp, const uint8_t* want, const uint8_t* got, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const F a = element<F>(want, i), b = element<F>(got, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const U x = ordered(element<U>(want, i)), y = ordered(element<U>(got, i));
    const U distance = x > y ? x - y : y - x;
    const bool finite = std::isfinite(a) && std::isfinite(b);
    if (finite && distance <= ulp) continue;
    return fmt::format("element {}: {} (0x{:0{}x}), expected {} (0x{:0{}x}){}", i, b, element<U>(got, i), 2 * sizeof(U), a, element<U>(want, i), 2 * sizeof(U),
                       finite ? fmt::format(", {} ulp apart, {} allowed", distance, ulp) : "");
  }
  return {};
}

template <class T>
std::string integer_difference(const uint8_t* want, const uint8_t* got, size_t n) {
  using U = std::make_unsigned_t<T>;
  for (size_t i = 0; i < n; ++i) {
    const T a = element<T>(want, i), b = element<T>(got, i);
    if (a != b)
      return fmt::format("element {}: {} (0x{:0{}x}), expected {} (0x{:0{}x})", i, b, static_cast<U>(b), 2 * sizeof(T), a, static_cast<U>(a), 2 * sizeof(T));
  }
  return {};
}

}  // namespace

std::string first_difference(ElementType type, uint64_t ulp, const std::vector<uint8_t>& want, const uint8_t* got) {
  const size_t n = want.size() / size_of(type);
  switch (type) {
    case ElementType::U32: return integer_difference<uint32_t>(want.data(), got, n);
    case ElementType::S32: return integer_difference<int32_t>(want.data(), got, n);
    case ElementType::U64: return integer_difference<uint64_t>(want.data(), got, n);
    case ElementType::S64: return integer_difference<int64_t>(want.data(), got, n);
    case ElementType::F32: return float_difference<float, uint32_t>(ulp, want.data(), got, n);
    case ElementType::F64: return float_difference<double, uint64_t>(ulp, want.data(), got, n);
  }
  return {};
}

std::vector<uint32_t> bind_job(const Job& job, Device& device) {
  std::vector<uint32_t> addresses;
  for (const JobBuffer& b : job.buffers) {
    const uint32_t address = device.memory().allocate(std::max<size_t>(b.initial.size(), 1));
    addresses.push_back(address);
    if (!b.initial.empty()) std::memcpy(device.memory().at(address), b.initial.data(), b.initial.size());
    const auto size = static_cast<uint32_t>(b.initial.size());
    if (b.space == JobSpace::Storage) device.bind_storage(b.binding, address, size);
    if (b.space == JobSpace::Constant) device.bind_constant(b.binding, address, size);
  }
  const auto words = [&](const JobParameter& p) {
    std::array<uint32_t, 4> v{};
    for (size_t i = 0; i < 4; ++i) {
      v[i] = p.words[i].bits;
      if (p.words[i].address_of.empty()) continue;
      for (size_t b = 0; b < job.buffers.size(); ++b)
        if (job.buffers[b].space == JobSpace::Global && job.buffers[b].name == p.words[i].address_of) v[i] = p.words[i].high ? 0 : addresses[b];
    }
    return v;
  };
  for (const JobParameter& p : job.local) device.set_local(p.index, words(p));
  for (const JobParameter& p : job.env) device.set_env(p.index, words(p));
  return addresses;
}

void choose_subroutines(const Job& job, Device& device) {
  for (const JobSubroutine& s : job.subroutines) device.set_subroutine(s.index, s.number);
}

JobVerdict check_job(const Job& job, const Device& device, const std::vector<uint32_t>& addresses) {
  JobVerdict verdict;
  for (size_t i = 0; i < job.buffers.size(); ++i) {
    const JobBuffer& b = job.buffers[i];
    const uint8_t* got = b.initial.empty() ? nullptr : device.memory().at(addresses[i]);
    if (b.expect) {
      ++verdict.compared;
      const std::string d = first_difference(b.type, b.ulp, *b.expect, got);
      if (!d.empty()) verdict.differences.push_back(b.title() + ": " + d);
    }
    if (!b.output && got && std::memcmp(got, b.initial.data(), b.initial.size()) != 0) {
      // As integers: a changed NaN or zero is a change too.
      const ElementType raw = size_of(b.type) == 8 ? ElementType::U64 : ElementType::U32;
      verdict.differences.push_back(b.title() + ": is no output, but changed: " + first_difference(raw, 0, b.initial, got));
    }
  }
  return verdict;
}

}  // namespace maskwork
