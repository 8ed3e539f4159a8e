// SPDX-License-Identifier: MIT
/// \file Fuzz target: LIBSVM text and CSV against the simple readers of plain_readers.hpp. What
/// linea accepts has the numbers that these find in it, and text of a plain form is accepted. The
/// first byte chooses reader and options.
#include <cmath>
#include <cstdint>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>

#include "fuzz/plain_readers.hpp"
#include "fuzz/target.hpp"

namespace {

using linea::Index;

/// Labels and indices from 1 that ascend, of digits, points and single blanks alone: to be accepted.
bool is_plainest_libsvm(std::string_view text) {
  if (text.empty() || text.back() != '\n' ||
      text.find_first_not_of("0123456789.: \n-") != text.npos)
    return false;
  const auto samples = plain::libsvm(text);
  if (!samples || samples->empty()) return false;
  std::string again;  // only what is written as it would be written
  for (const auto& sample : *samples) {
    if (sample.label != std::round(sample.label) || std::abs(sample.label) > 99) return false;
    again += std::to_string(static_cast<int>(sample.label));
    for (const auto& [index, value] : sample.entries) {
      if (index < 1 || index > 999 || value != std::round(value) || std::abs(value) > 99)
        return false;
      again += ' ' + std::to_string(index) + ':' + std::to_string(static_cast<int>(value));
    }
    again += '\n';
  }
  return again == text;
}

void libsvm(std::string_view text, bool zero_based) {
  linea::LabelledData<double> data;
  if (!is_accepted(
          [&] { data = linea::parse_libsvm<double>(text, "fuzz", {.zero_based = zero_based}); }))
    return demand(zero_based || !is_plainest_libsvm(text));
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

void csv(std::string_view text, char separator, bool text_targets) {
  linea::CsvData<double> data;
  const linea::CsvOptions options{.separator = separator, .text_targets = text_targets};
  if (!is_accepted([&] { data = linea::parse_csv<double>(text, "fuzz", options); })) return;
  const auto records = plain::csv(text, separator);
  const bool has_names = !data.feature_names.empty();
  demand(records.has_value() &&
         static_cast<Index>(records->size()) == data.y.size() + static_cast<Index>(has_names));
  for (Index i = 0; i < data.y.size(); ++i) {
    const auto& record = (*records)[static_cast<std::size_t>(i) + has_names];
    demand(static_cast<Index>(record.size()) == data.x.cols() + 1);
    for (Index j = 0; j < data.x.cols(); ++j) {
      const auto value =
          plain::number(plain::trimmed(record[static_cast<std::size_t>(j)], " \t\r"));
      demand(value && *value == data.x(i, j));
    }
    if (text_targets) {
      demand(data.class_names.at(static_cast<std::size_t>(data.y[i])) == record.back());
    } else {
      const auto value = plain::number(plain::trimmed(record.back(), " \t\r"));
      demand(value && *value == data.y[i]);
    }
  }
  if (has_names)
    for (Index j = 0; j < data.x.cols(); ++j)
      demand(data.feature_names[static_cast<std::size_t>(j)] ==
             records->front()[static_cast<std::size_t>(j)]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  if (text.find('\0') != text.npos) return 0;  // strtod ends there
  if (bytes[0] & 1)
    libsvm(text, (bytes[0] & 2) != 0);
  else
    csv(text, bytes[0] & 2 ? ';' : ',', (bytes[0] & 4) != 0);
  return 0;
}
