// SPDX-License-Identifier: MIT
/// \file Fuzz target: Matrix Market, .npy, model files, and LIBLINEAR's model files. The readers refuse a file with std::invalid_argument, and with no other exception.
/// Accepted Matrix Market entries are in order, and accepted arrays and models are the same after
/// writing and reading. The first byte of the input selects the format. For models it also selects
/// whether the checksum is corrected, to reach the code behind the check.
#include <cstdint>
#include <linea/io/liblinear.hpp>
#include <linea/io/matrix_market.hpp>
#include <linea/io/model_file.hpp>
#include <linea/io/npy.hpp>
#include <sstream>
#include <string>

#include "fuzz/target.hpp"
#include "support/model_checksum.hpp"
#include "support/same_bits.hpp"

namespace {

void matrix_market(const std::string& text) {
  const auto matrix = linea::parse_matrix_market<double>(text, "fuzz");
  demand(matrix.x.isCompressed());
  for (linea::Index i = 0; i < matrix.x.rows(); ++i) {
    linea::Index last = -1;
    for (linea::SparseMatrix<double>::InnerIterator entry(matrix.x, i); entry; ++entry) {
      demand(last < entry.col() && entry.col() < matrix.x.cols());
      last = entry.col();
    }
  }
  if (matrix.is_dense) demand(matrix.x.nonZeros() == matrix.x.rows() * matrix.x.cols());
}

void npy(const std::string& bytes) {
  const auto x = linea::parse_npy<double>(bytes, "fuzz");
  demand(x.size() > 0);
  std::ostringstream out;
  linea::write_npy(out, x);
  demand(same_bits(linea::parse_npy<double>(out.str(), "written"), x));
}

std::string written(const linea::StoredModel& model) {
  std::ostringstream out;
  linea::write_model(out, model);
  return out.str();
}

void survives(const linea::StoredModel& model) {
  const std::string text = written(model);
  demand(written(linea::io::parse_model(text, "t")) == text);
}

void liblinear(const std::string& text) {
  std::istringstream in(text);
  const auto model = linea::read_liblinear(in);
  survives(model);
  std::ostringstream out;
  if (!is_accepted([&] { linea::write_liblinear(out, model); }))
    return;  // LIBLINEAR does not support these labels
  std::istringstream again(out.str());
  demand(linea::read_liblinear(again).columns == model.columns);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  is_accepted([&] {
    const unsigned format = bytes[0] % 5;
    if (format == 0) matrix_market(text);
    if (format == 1) npy(text);
    if (format == 2) survives(linea::io::parse_model(text, "fuzz"));
    if (format == 3) survives(linea::io::parse_model(linea::test::with_checksum(text), "fuzz"));
    if (format == 4) liblinear(text);
  });
  return 0;
}
