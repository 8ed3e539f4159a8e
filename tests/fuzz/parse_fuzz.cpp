// SPDX-License-Identifier: MIT
/// \file Fuzz target: the text readers, of every scalar and index type.
///
/// They never crash and throw std::invalid_argument only; what they accept is finite, and
/// survives being written and read again bit for bit. The first byte chooses reader and options.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/write_libsvm.hpp>
#include <sstream>
#include <string_view>

#include "fuzz/target.hpp"
#include "support/same_bits.hpp"

namespace {

/// x, y of which the writer takes all and the reader gives all back.
template <class I, class X>
void survives(const X& x, const linea::Vector<double>& y) {
  using T = typename X::Scalar;
  std::ostringstream out;
  linea::write_libsvm(out, x, y);
  const auto back = linea::parse_libsvm<T, I>(
      out.str(), "written", {.features = x.cols(), .final_newline_required = true});
  demand(same_bits(X(back.x), x));
  demand(same_bits(back.y, y));
}

template <class T, class I>
void libsvm(std::string_view text, unsigned flags) {
  const linea::LibsvmOptions options{.features = flags & 1 ? 20 : 0,
                                     .zero_based = (flags & 2) != 0,
                                     .final_newline_required = (flags & 4) != 0};
  const auto data = linea::parse_libsvm<T, I>(text, "fuzz", options);
  demand(data.x.rows() > 0 && data.x.rows() == data.y.size());
  survives<I>(data.x, data.y);
}

template <class T>
void csv(std::string_view text, unsigned flags) {
  linea::CsvOptions options{.separator = flags & 1 ? ';' : ',',
                            .text_targets = (flags & 2) != 0,
                            .final_newline_required = (flags & 4) != 0};
  if (flags & 8) options.target_column = 0;
  const auto data = linea::parse_csv<T>(text, "fuzz", options);
  demand(data.x.rows() > 0 && data.x.cols() > 0 && data.x.rows() == data.y.size());
  demand(data.feature_names.empty() ||
         static_cast<linea::Index>(data.feature_names.size()) == data.x.cols());
  survives<int>(data.x, data.y);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const unsigned flags = bytes[0] >> 3;
  is_accepted([&] {
    const unsigned reader = bytes[0] % 8;
    if (reader == 0) libsvm<double, int>(text, flags);
    if (reader == 1) libsvm<float, int>(text, flags);
    if (reader == 2) libsvm<double, linea::Index>(text, flags);
    if (reader == 3) libsvm<float, std::int8_t>(text, flags);
    if (reader == 4) csv<double>(text, flags);
    if (reader > 4) csv<float>(text, flags);
  });
  return 0;
}
