#pragma once
// A small generator with a known sequence on every platform (splitmix64): seeds in test reports must reproduce.
#include <cstdint>

namespace maskwork::verif {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x7f4a7c15u) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 .. n-1.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
  /// True in `p` of 256 cases.
  bool chance(uint32_t p) { return (next() >> 56) < p; }
  /// lo .. hi.
  uint32_t range(uint32_t lo, uint32_t hi) { return lo + below(hi - lo + 1); }

 private:
  uint64_t state_;
};

}  // namespace maskwork::verif
