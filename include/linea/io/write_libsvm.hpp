// SPDX-License-Identifier: MIT
#pragma once
/// \file Writer of LIBSVM text.
#include <cmath>  // signbit
#include <filesystem>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/written_samples.hpp>
#include <ostream>
#include <string>

namespace linea {

/// Writes x (n × d) and y (n), each number as the shortest text that reads back to the same bits in
/// its type. `parse_libsvm` with `.features = x.cols()` returns x and y; without this option, empty
/// columns at the right end are lost.
///
/// Throws std::invalid_argument if the stream fails and for samples that the reader would reject: x
/// without rows, sizes that differ, numbers that are not finite, sparse rows whose columns do not
/// ascend.
template <SampleMatrix X, VectorLike Y>
void write_libsvm(std::ostream& out, const X& given, const Y& y) {
  using T = scalar_t<X>;
  const auto& x = detail::by_rows(given);
  io::require_samples("write_libsvm", x, y);
  std::string line;
  for (Index i = 0; i < x.rows(); ++i) {
    line.clear();
    detail::append_number(line, io::sound_target<scalar_t<Y>>("write_libsvm", y, i, i));
    io::for_each_sound<T>("write_libsvm", x, i, i, [&](Index j, T value) {
      if (!SparseSamples<X> && value == 0 && !std::signbit(value)) return;
      line += ' ';
      detail::append_number(line, j + 1);
      line += ':';
      detail::append_number(line, value);
    });
    line += '\n';
    io::write_all("write_libsvm", out, line);
  }
}

/// Writes samples to a file, which appears under its name when it is complete (see
/// io/output_file.hpp). Throws also if the file cannot be opened, replaced or written completely;
/// an existing file is then unchanged.
template <SampleMatrix X, VectorLike Y>
void write_libsvm(const std::filesystem::path& path, const X& x, const Y& y) {
  io::write_file("write_libsvm", path, [&](std::ostream& out) { write_libsvm(out, x, y); });
}

}  // namespace linea
