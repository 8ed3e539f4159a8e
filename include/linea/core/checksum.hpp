// SPDX-License-Identifier: MIT
#pragma once
/// \file The checksum of stored models.
#include <cstdint>
#include <linea/core/compiler.hpp>
#include <string_view>

namespace linea::core {

/// FNV-1a of 64 bits: for each byte, xor it in, then multiply by the prime 2⁴⁰ + 435. A reader in
/// any language needs three lines for it. Both steps can be undone, so a change of one byte always
/// changes the sum; other damage goes unseen once in 2⁶⁴. It is no signature: who wants to forge a
/// file can. Fowler, Noll, Vo and Eastlake, The FNV Non-Cryptographic Hash Algorithm (IETF,
/// draft-eastlake-fnv).
class Checksum {
 public:
  Checksum() = default;
  explicit Checksum(std::string_view bytes) { add(bytes); }

  void add(std::string_view bytes) {
    std::uint64_t sum = sum_;
    for (const char byte : bytes)
      sum = (sum ^ static_cast<unsigned char>(byte)) * std::uint64_t{0x100000001b3};
    sum_ = sum;
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_{0xcbf29ce484222325};
};

}  // namespace linea::core
