// SPDX-License-Identifier: MIT
#pragma once
/// \file Writer of NumPy's .npy files.
#include <bit>  // endian
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/output_file.hpp>
#include <ostream>
#include <string>

namespace linea {

/// Writes x (n × d) as an array of f4 or f8 in rows, as `numpy.save` does: `numpy.load` and
/// `read_npy` give back the same bits. Throws std::invalid_argument for no number at all and for a
/// stream that fails.
template <DenseSamples X>
void write_npy(std::ostream& out, const X& x) {
  using T = scalar_t<X>;
  require(x.size() > 0, "write_npy: x is empty (", x.rows(), " x ", x.cols(), ")");
  std::string header = "{'descr': '";
  header += std::endian::native == std::endian::little ? '<' : '>';
  header += 'f' + std::to_string(sizeof(T)) + "', 'fortran_order': False, 'shape': (" +
            std::to_string(x.rows()) + ", " + std::to_string(x.cols()) + "), }";
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');  // so that the numbers are aligned
  header += '\n';
  std::string magic("\x93NUMPY\x01\x00", 8);
  magic += static_cast<char>(header.size() & 0xff);
  magic += static_cast<char>(header.size() >> 8);
  out << magic << header;
  for (Index i = 0; i < x.rows(); ++i) {
    const Vector<T> row = x.row(i).transpose();
    out.write(reinterpret_cast<const char*>(row.data()),
              static_cast<std::streamsize>(sizeof(T)) * row.size());
  }
  require(!out.fail(), "write_npy: the stream failed");
}

/// The same into a file, which takes its name when all of it is written, see files/output_file.hpp.
template <DenseSamples X>
void write_npy(const std::filesystem::path& path, const X& x) {
  io::write_file("write_npy", path, [&](std::ostream& out) { write_npy(out, x); });
}

}  // namespace linea
