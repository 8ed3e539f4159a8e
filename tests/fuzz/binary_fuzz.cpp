// SPDX-License-Identifier: MIT
/// \file Fuzz target: files in the binary format.
///
/// The reader refuses a file with std::invalid_argument, or returns an x whose values can all be
/// read. A small sparse x of doubles is also used for training, with y; the optimizer may refuse
/// its numbers. The target corrects the magic number, the byte order, the version, the types and
/// the checksum in the header, to reach the code behind these checks. The first byte of the input
/// selects the type of x.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "fuzz/target.hpp"

namespace {

/// Checks that an optimizer refuses the samples with std::invalid_argument, or returns finite
/// weights. Skips x with more than 64 rows or columns.
template <class X>
void learn(const X& x, const linea::io::BinaryHeader& header, const char* targets) {
  if (x.rows() > 64 || x.cols() > 64) return;
  const Eigen::Map<const linea::Vector<double>> y(reinterpret_cast<const double*>(targets),
                                                  static_cast<linea::Index>(header.rows));
  is_accepted([&] {
    const auto solution =
        linea::Sgd{.epochs = 1}.minimize(linea::Objective{linea::Squared{}, linea::L2{0.1}}, x, y);
    demand(solution.weights.allFinite());
  });
}

template <class X>
void check(const linea::io::FileBytes& bytes) {
  const linea::io::BinaryChecker<X> checker(bytes.text(), "fuzz");
  const auto header = checker.header();
  const linea::io::BinarySections at(header);
  [[maybe_unused]] volatile double sink = 0;
  const auto* values = reinterpret_cast<const typename X::Scalar*>(bytes.data() + at.values);
  for (std::uint64_t k = 0; k < header.entries; ++k) sink = static_cast<double>(values[k]);
  if constexpr (linea::SparseSamples<X>) {
    using I = typename X::StorageIndex;
    checker.require_bounds(header);
    const Eigen::Map<const X> x(static_cast<linea::Index>(header.rows),
                                static_cast<linea::Index>(header.cols),
                                static_cast<linea::Index>(header.entries),
                                reinterpret_cast<const I*>(bytes.data() + at.starts),
                                reinterpret_cast<const I*>(bytes.data() + at.columns), values);
    if constexpr (std::same_as<X, linea::SparseMatrix<double>>)
      learn(x, header, bytes.data() + at.targets);
    for (linea::Index i = 0; i < x.rows(); ++i)
      for (typename Eigen::Map<const X>::InnerIterator entry(x, i); entry; ++entry)
        demand(entry.col() >= 0 && entry.col() < x.cols());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  using linea::io::BinaryHeader;
  if (size == 0) return 0;
  const auto bytes = linea::io::FileBytes::allocate(size - 1);
  std::copy(input + 1, input + size, bytes.data());
  if (bytes.size() >= sizeof(BinaryHeader)) {
    BinaryHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const BinaryHeader own;
    header.magic = own.magic;
    header.byte_order = own.byte_order;
    header.version = own.version;
    header.scalar_bits = input[0] & 1 ? 32 : 64;
    header.index_bits = input[0] & 2 ? (input[0] & 4 ? 32 : 64) : 0;
    header.header_checksum = header.checksum();
    std::memcpy(bytes.data(), &header, sizeof header);
  }
  is_accepted([&] {
    const unsigned kind = input[0] & 7;
    if (kind == 0) check<linea::Matrix<double>>(bytes);
    if (kind == 1) check<linea::Matrix<float>>(bytes);
    if (kind == 2) check<linea::SparseMatrix<double, linea::Index>>(bytes);
    if (kind == 3) check<linea::SparseMatrix<float, linea::Index>>(bytes);
    if (kind == 6) check<linea::SparseMatrix<double>>(bytes);
    if (kind == 7) check<linea::SparseMatrix<float>>(bytes);
  });
  return 0;
}
