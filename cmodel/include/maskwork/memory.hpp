#pragma once
// The 32-bit byte-addressed memory behind the AXI port, as both engines see it: allocated from address 0x1000 upwards,
// so that the same sequence of allocations gives the same addresses on every engine.
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

namespace maskwork {

class Memory {
 public:
  static constexpr uint32_t first_address = 0x1000;
  static constexpr uint32_t alignment = 256;

  /// Reserves `bytes` (zeroed) and returns their address, a multiple of 256. Throws std::length_error above 2 GiB in all.
  uint32_t allocate(uint64_t bytes) {
    const uint64_t at = first_address + data_.size();
    const uint64_t padded = (bytes + alignment - 1) / alignment * alignment;
    if (at + padded > 0x80000000u) throw std::length_error("device memory exhausted: 2 GiB");
    data_.resize(data_.size() + padded);
    return static_cast<uint32_t>(at);
  }
  /// Whether [address, address + bytes) is allocated.
  bool contains(uint32_t address, uint64_t bytes) const {
    return address >= first_address && address - uint64_t{first_address} + bytes <= data_.size();
  }
  uint8_t* at(uint32_t address) { return data_.data() + (address - first_address); }
  const uint8_t* at(uint32_t address) const { return data_.data() + (address - first_address); }
  uint32_t load32(uint32_t address) const {
    uint32_t v;
    std::memcpy(&v, at(address), 4);
    return v;
  }
  void store32(uint32_t address, uint32_t value) { std::memcpy(at(address), &value, 4); }
  /// Copies into and out of [address, address + bytes); throws std::out_of_range if not all of it is allocated.
  void write(uint32_t address, const void* data, size_t bytes) {
    if (bytes == 0) return;
    if (!contains(address, bytes)) throw std::out_of_range("device memory: write outside what is allocated");
    std::memcpy(at(address), data, bytes);
  }
  void read(uint32_t address, void* data, size_t bytes) const {
    if (bytes == 0) return;
    if (!contains(address, bytes)) throw std::out_of_range("device memory: read outside what is allocated");
    std::memcpy(data, at(address), bytes);
  }
  /// All allocated bytes; byte 0 is address first_address.
  std::span<const uint8_t> bytes() const { return data_; }

 private:
  std::vector<uint8_t> data_;
};

}  // namespace maskwork
