// SPDX-License-Identifier: MIT
#pragma once
/// \file Writer of LIBSVM text.
#include <cmath>  // isfinite, signbit
#include <filesystem>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/text.hpp>
#include <ostream>
#include <string>

namespace linea {

namespace io {

/// Calls f(j, xᵢⱼ) for the entries of row i that a file must hold: those stored, or other than +0.
template <SparseSamples X, class F>
void for_each_entry(const X& x, Index i, F&& f) {
  for (typename X::InnerIterator entry(x, i); entry; ++entry)
    f(static_cast<Index>(entry.col()), entry.value());
}

template <DenseSamples X, class F>
void for_each_entry(const X& x, Index i, F&& f) {
  for (Index j = 0; j < x.cols(); ++j)
    if (const auto value = x.coeff(i, j); value != 0 || std::signbit(value)) f(j, value);
}

}  // namespace io

/// Writes x (n × d) and y (n), each number as the shortest text that reads back to the same bits in
/// its own type. `parse_libsvm` with `.features = x.cols()` gives back x and y; without it, empty
/// columns at the right end are lost.
///
/// Refuses, by std::invalid_argument, what the reader would refuse: no rows, sizes that differ,
/// numbers that are not finite, sparse rows whose columns do not ascend; and a stream that fails.
template <SampleMatrix X, VectorLike Y>
void write_libsvm(std::ostream& out, const X& given, const Y& y) {
  const auto& x = core::by_rows(given);
  require(x.rows() == y.size(), "write_libsvm: x has ", x.rows(), " rows but y has ", y.size());
  require(x.rows() > 0, "write_libsvm: x has no rows");
  std::string line;
  for (Index i = 0; i < x.rows(); ++i) {
    const auto label = y.coeff(i);
    require(std::isfinite(label), "write_libsvm: y(", i, ") is not finite");
    line.clear();
    core::append_number(line, label);
    Index previous = -1;
    io::for_each_entry(x, i, [&](Index j, auto value) {
      require(std::isfinite(value), "write_libsvm: x(", i, ", ", j, ") is not finite");
      require(j > previous, "write_libsvm: columns must ascend, but in row ", i, " column ", j,
              " comes after ", previous);
      previous = j;
      line += ' ';
      core::append_number(line, j + 1);
      line += ':';
      core::append_number(line, value);
    });
    line += '\n';
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
  require(!out.fail(), "write_libsvm: the stream failed");
}

/// The same into a file, which takes its name when all of it is written, see io/output_file.hpp.
/// Refuses also a file that cannot be opened, replaced or written in full, and then leaves what was
/// there.
template <SampleMatrix X, VectorLike Y>
void write_libsvm(const std::filesystem::path& path, const X& x, const Y& y) {
  io::write_file("write_libsvm", path, [&](std::ostream& out) { write_libsvm(out, x, y); });
}

}  // namespace linea
