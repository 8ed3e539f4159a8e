// SPDX-License-Identifier: MIT
#pragma once
/// \file The checksum of model files.
#include <cstdint>
#include <string_view>

namespace linea::io {

/// Returns the 64-bit FNV-1a sum: for each byte, sum ← (sum xor byte)·p modulo 2⁶⁴ with the prime p
/// = 2⁴⁰ + 435. A reader in any language needs three lines for this. Both steps are invertible, so
/// a change of one byte always changes the sum; other damage goes unnoticed with probability about
/// 2⁻⁶⁴. The sum does not protect against forgery. Fowler, Noll, Vo and Eastlake, The FNV
/// Non-Cryptographic Hash Algorithm (IETF, draft-eastlake-fnv).
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char byte : bytes)
    sum = (sum ^ static_cast<unsigned char>(byte)) * std::uint64_t{0x100000001b3};
  return sum;
}

}  // namespace linea::io
