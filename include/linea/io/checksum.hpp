// SPDX-License-Identifier: MIT
#pragma once
/// \file The checksum of files of models, and whole numbers as bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linea::io {

/// FNV-1a of 64 bits: for each byte, xor it in, then multiply by the prime 2⁴⁰ + 435. A reader in
/// any language needs three lines for it. Both steps can be undone, so a change of one byte always
/// changes the sum; other damage goes unseen once in 2⁶⁴. It is no signature: who wants to forge a
/// file can. Fowler, Noll, Vo and Eastlake, The FNV Non-Cryptographic Hash Algorithm (IETF,
/// draft-eastlake-fnv).
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char byte : bytes)
    sum = (sum ^ static_cast<unsigned char>(byte)) * std::uint64_t{0x100000001b3};
  return sum;
}

/// Appends a whole number as `bytes` bytes, 8 at most, the lowest first, whatever the machine's own
/// order is.
inline void append_little_endian(std::string& text, std::uint64_t value, std::size_t bytes) {
  char all[8];
  for (std::size_t k = 0; k < 8; ++k) all[k] = static_cast<char>(value >> (8 * k) & 0xff);
  text.append(all, bytes);
}

/// The whole number of the first `bytes` bytes, 8 at most, the lowest first.
inline std::uint64_t little_endian(const char* first, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes; k-- > 0;) value = value << 8 | static_cast<unsigned char>(first[k]);
  return value;
}

}  // namespace linea::io
