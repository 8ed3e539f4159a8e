// SPDX-License-Identifier: MIT
#pragma once
/// \file Simple reference readers of LIBSVM text and CSV that use strtod of the C library. For text
/// that linea accepts, the results must be equal.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plain {

/// Returns the number that the word represents, or nothing if the whole word is not a number.
inline std::optional<double> number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || end != word.c_str() + word.size()) return std::nullopt;
  return value;
}

inline std::string trimmed(const std::string& text, std::string_view blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

inline std::string_view without_mark(std::string_view text) {
  return text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
}

/// Returns the text with carriage returns converted to newlines, if it has no newlines.
inline std::string with_newlines(std::string_view all) {
  std::string text(all);
  if (text.find('\n') == text.npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

struct Sample {
  double label{};
  std::map<long long, double> entries{};
};

/// Returns the samples, or nothing if a line is not a label with pairs of index and number.
inline std::optional<std::vector<Sample>> libsvm(std::string_view all) {
  const std::string text = with_newlines(without_mark(all));
  std::vector<Sample> samples;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    line = trimmed(line.substr(0, line.find('#')), " \t\r");
    if (line.empty()) continue;
    std::vector<std::string> words;
    for (std::size_t k = 0; k < line.size();) {
      const auto stop = std::min(line.find_first_of(" \t", k), line.size());
      if (stop > k) words.push_back(line.substr(k, stop - k));
      k = stop + 1;
    }
    const auto label = number(words[0]);
    if (!label) return std::nullopt;
    Sample sample{*label, {}};
    for (std::size_t k = 1; k < words.size(); ++k) {
      const auto colon = words[k].find(':');
      if (colon == std::string::npos) return std::nullopt;
      const auto value = number(words[k].substr(colon + 1));
      if (!value) return std::nullopt;
      sample.entries[std::strtoll(words[k].c_str(), nullptr, 10)] = *value;
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Returns the cells of each line that is not blank, or nothing if a quote is misplaced.
inline std::optional<std::vector<std::vector<std::string>>> csv(std::string_view all,
                                                                char separator) {
  const std::string text = with_newlines(without_mark(all));
  const std::string_view blanks = separator == ' ' ? "\t\r" : separator == '\t' ? " \r" : " \t\r";
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && blanks.find(text[at]) != blanks.npos) ++at;
    std::string cell;
    bool quoted = false;
    if (at < text.size() && text[at] == '"') {
      quoted = true;
      for (++at;; ++at) {
        if (at >= text.size()) return std::nullopt;
        if (text[at] == '"') {
          if (at + 1 >= text.size() || text[at + 1] != '"') break;
          ++at;
        }
        cell += text[at];
      }
      ++at;
      while (at < text.size() && blanks.find(text[at]) != blanks.npos) ++at;
      if (at < text.size() && text[at] != separator && text[at] != '\n') return std::nullopt;
    } else {
      const char ends[] = {separator, '\n', '\0'};
      const auto stop = std::min(text.find_first_of(ends, at), text.size());
      cell = trimmed(text.substr(at, stop - at), blanks);
      at = stop;
    }
    const bool is_blank_line = record.empty() && cell.empty() && !quoted;
    record.push_back(std::move(cell));
    const bool more = at < text.size() && text[at] == separator;
    if (!more) {
      if (!is_blank_line) records.push_back(record);
      record.clear();
    }
    ++at;
    if (more && at >= text.size()) {
      record.emplace_back();
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace plain
