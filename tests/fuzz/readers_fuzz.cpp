// SPDX-License-Identifier: MIT
/// \file Fuzz target: the readers of LIBSVM text and CSV, for several scalar and index types.
///
/// A reader never crashes, and throws nothing but std::invalid_argument. Accepted samples have the
/// same bits after they are written and read as LIBSVM text. In double, they equal those of
/// plain_readers.hpp if the text has no byte 0. LIBSVM text of a plain form is accepted. The first
/// byte of the input selects the reader and the options.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/write_libsvm.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/plain_readers.hpp"
#include "fuzz/target.hpp"
#include "support/same_bits.hpp"

namespace {

using linea::Index;

/// Checks that the writer accepts x and y, and that the reader returns them unchanged.
template <class I, class X>
void survives(const X& x, const linea::Vector<double>& y) {
  using T = typename X::Scalar;
  std::ostringstream out;
  linea::write_libsvm(out, x, y);
  const auto back = linea::parse_libsvm<T, I>(out.str(), "written", {.features = x.cols()});
  demand(same_bits(X(back.x), x));
  demand(same_bits(back.y, y));
}

/// Must linea accept the text? It must if the text has whole numbers from −99 to 99, indices from 1
/// to 20 in ascending order, and single blanks.
bool is_plainest_libsvm(std::string_view text) {
  if (text.empty() || text.back() != '\n' ||
      text.find_first_not_of("0123456789.: \n-") != text.npos)
    return false;
  const auto samples = plain::libsvm(text);
  if (!samples || samples->empty()) return false;
  std::string again;  // the text as the writer would write it
  for (const auto& sample : *samples) {
    if (sample.label != std::round(sample.label) || std::abs(sample.label) > 99) return false;
    again += std::to_string(static_cast<int>(sample.label));
    for (const auto& [index, value] : sample.entries) {
      if (index < 1 || index > 20 || value != std::round(value) || std::abs(value) > 99)
        return false;
      again += ' ' + std::to_string(index) + ':' + std::to_string(static_cast<int>(value));
    }
    again += '\n';
  }
  return again == text;
}

void demand_plain(const linea::LabelledData<double>& data, std::string_view text, bool zero_based) {
  const auto samples = plain::libsvm(text);
  demand(samples.has_value() && static_cast<Index>(samples->size()) == data.y.size());
  for (Index i = 0; i < data.y.size(); ++i) {
    const auto& sample = (*samples)[static_cast<std::size_t>(i)];
    demand(data.y[i] == sample.label);
    auto at = sample.entries.begin();
    for (linea::SparseMatrix<double>::InnerIterator entry(data.x, i); entry; ++entry, ++at)
      demand(at != sample.entries.end() && entry.col() + !zero_based == at->first &&
             entry.value() == at->second);
    demand(at == sample.entries.end());
  }
}

void demand_plain(const linea::CsvData<double>& data, std::string_view text,
                  const linea::CsvOptions& options) {
  const auto records = plain::csv(text, options.separator);
  const bool has_names = !data.feature_names.empty();
  demand(records.has_value() &&
         static_cast<Index>(records->size()) == data.y.size() + static_cast<Index>(has_names));
  const std::size_t target = options.target_column == 0 ? 0 : records->front().size() - 1;
  for (std::size_t k = 0; k < records->size(); ++k) {
    auto record = (*records)[k];
    demand(static_cast<Index>(record.size()) == data.x.cols() + 1);
    const std::string label = record[target];
    record.erase(record.begin() + static_cast<std::ptrdiff_t>(target));
    const Index i = static_cast<Index>(k) - has_names;
    for (std::size_t j = 0; j < record.size(); ++j)
      if (i < 0)
        demand(data.feature_names[j] == record[j]);
      else
        demand(plain::number(plain::trimmed(record[j], " \t\r")) ==
               data.x(i, static_cast<Index>(j)));
    if (i < 0) continue;
    if (options.text_targets)
      demand(data.class_names.at(static_cast<std::size_t>(data.y[i])) == label);
    else
      demand(plain::number(plain::trimmed(label, " \t\r")) == data.y[i]);
  }
}

template <class T, class I>
void libsvm(std::string_view text, unsigned flags) {
  const linea::LibsvmOptions options{.features = flags & 1 ? 20 : 0,
                                     .zero_based = (flags & 2) != 0};
  linea::Labelled<linea::SparseMatrix<T, I>> data;
  if (!is_accepted([&] { data = linea::parse_libsvm<T, I>(text, "fuzz", options); })) {
    // An 8-bit index type limits the number of entries.
    demand(options.zero_based || sizeof(I) == 1 || !is_plainest_libsvm(text));
    return;
  }
  demand(data.x.rows() > 0 && data.x.rows() == data.y.size());
  survives<I>(data.x, data.y);
  if constexpr (sizeof(T) == 8 && sizeof(I) == 4)  // strtod stops at a byte 0
    if (text.find('\0') == text.npos) demand_plain(data, text, options.zero_based);
}

template <class T>
void csv(std::string_view text, unsigned flags) {
  linea::CsvOptions options{.separator = flags & 1 ? ';' : ',', .text_targets = (flags & 2) != 0};
  if (flags & 8) options.target_column = 0;
  const auto data = linea::parse_csv<T>(text, "fuzz", options);
  demand(data.x.rows() > 0 && data.x.cols() > 0 && data.x.rows() == data.y.size());
  demand(data.feature_names.empty() ||
         static_cast<Index>(data.feature_names.size()) == data.x.cols());
  survives<int>(data.x, data.y);
  if constexpr (sizeof(T) == 8)
    if (text.find('\0') == text.npos) demand_plain(data, text, options);
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
    if (reader == 2) libsvm<double, Index>(text, flags);
    if (reader == 3) libsvm<float, std::int8_t>(text, flags);
    if (reader == 4) csv<double>(text, flags);
    if (reader > 4) csv<float>(text, flags);
  });
  return 0;
}
