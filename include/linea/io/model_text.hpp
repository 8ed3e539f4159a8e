// SPDX-License-Identifier: MIT
#pragma once
/// \file The text format of models. docs/model_files.md describes it line by line.
#include <array>
#include <charconv>
#include <cmath>  // isnan
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>  // errc
#include <vector>

namespace linea::io {

/// The version of the format that this linea writes, and the only one that it reads.
inline constexpr int model_version = 1;
inline constexpr std::string_view model_text_begins = "linea-model ";

/// Writes a text part by part. For each function except `take`, ModelTextReader has a function of
/// the same name that reads the part.
class ModelTextWriter {
 public:
  std::string take() { return std::move(text_); }

  void fixed(std::string_view word) { text_ += word; }

  void version() {
    text_ += model_text_begins;
    detail::append_number(text_, model_version);
  }

  /// Writes a line with the key and an integer. Returns the integer. (Only the reader's function
  /// uses the last parameter, the least valid integer.)
  Index count(std::string_view key, Index value, Index = 0) {
    text_.append(key).append(" ");
    detail::append_number(text_, value);
    text_ += '\n';
    return value;
  }

  /// Writes name(value); the value must be in the array.
  template <class T, std::size_t N, class Name>
  void one_of(const std::array<T, N>&, const T& value, const Name& name) {
    text_ += name(value);
  }

  /// Writes a finite number, as the shortest text that reads back as the same double or float.
  void number(double value, bool is_float) {
    if (is_float)
      detail::append_number(text_, static_cast<float>(value));
    else
      detail::append_number(text_, value);
  }

  /// Writes a number, "inf", "-inf" or "nan".
  void real(double value) { text_ += std::isnan(value) ? "nan" : detail::number_text(value); }

  /// Writes the word if `holds`. Returns `holds`.
  bool fixed_if(bool holds, std::string_view word) {
    if (holds) text_ += word;
    return holds;
  }

  /// Writes the text in quotes on one line. A backslash escapes quotes and backslashes; control
  /// characters become a backslash, x and two hexadecimal digits. Other bytes are unchanged.
  void quoted(std::string_view text) {
    std::string inner;
    for (const char c : text) {
      if (c == '"' || c == '\\') inner += '\\';
      inner += c;
    }
    text_.append("\"").append(escaped(inner)).append("\"");
  }

 private:
  std::string text_{};
};

/// Reads a text part by part. A function that ModelTextWriter also has reads what the writer's
/// function writes, with the same spaces and line ends. All of these functions except fixed_if
/// throw if the text differs, with line and column in the message.
class ModelTextReader {
 public:
  ModelTextReader(std::string_view text, std::string_view name)
      : source_(text, name, 0), rest_(source_.text()) {}

  std::size_t left() const { return rest_.size(); }

  void fixed(std::string_view word) {
    if (!accept(word)) refuse_rest("expected ", shown(word));
  }

  void version() {
    fixed(model_text_begins);
    const std::string_view before = rest_;
    const Index version = whole();
    if (version != model_version)
      refuse_word(before, "a model file of version ", version, ", but this linea reads ",
                  version > model_version ? "no newer one than " : "", "version ", model_version);
  }

  Index count(std::string_view key, Index, Index least = 0) {
    fixed(key);
    fixed(" ");
    const std::string_view before = rest_;
    const Index value = whole();
    if (value < least) refuse_word(before, "expected a whole number >= ", least);
    fixed("\n");
    return value;
  }

  template <class T, std::size_t N, class Name>
  void one_of(const std::array<T, N>& values, T& value, const Name& name) {
    const std::string_view word = word_of(rest_);
    std::string names;
    for (const T one : values) {
      value = one;
      if (word == name(one)) return rest_.remove_prefix(word.size());
      names.append(names.empty() ? "" : ", ").append(name(one));
    }
    refuse_word(rest_, "expected one of ", names);
  }

  void number(double& value, bool is_float) {
    float narrow{};
    const auto [end, fault] = is_float ? scan_number(rest_, narrow) : scan_number(rest_, value);
    if (fault) refuse_word(rest_, "the number ", fault);
    if (is_float) value = static_cast<double>(narrow);
    rest_ = {end, source_.end()};
  }

  void real(double& value) {
    using Limits = std::numeric_limits<double>;
    if (accept("nan"))
      value = Limits::quiet_NaN();
    else if (accept("inf"))
      value = Limits::infinity();
    else if (accept("-inf"))
      value = -Limits::infinity();
    else
      number(value, false);
  }

  bool fixed_if(bool, std::string_view word) { return accept(word); }

  void quoted(std::string& text) {
    const std::string_view before = rest_;
    fixed("\"");
    for (text.clear(); !accept("\"");) {
      if (rest_.empty() || rest_.front() == '\n')
        refuse_word(before, "the text in quotes does not end in this line");
      text += character();
    }
  }

  /// Returns whether the text continues with the word, and reads the word if so.
  bool accept(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  /// Throws with the rest of the line in the message.
  template <class... What>
  [[noreturn]] void refuse_rest(const What&... what) const {
    source_.refuse_at(rest_.substr(0, rest_.find('\n')), what...);
  }

 private:
  /// Reads an integer ≥ 0.
  Index whole() {
    Index value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), source_.end(), value);
    if (error == std::errc::result_out_of_range) refuse_word(rest_, "the number is too large");
    if (error != std::errc{} || rest_.front() == '-') refuse_word(rest_, "expected a whole number");
    rest_ = {end, source_.end()};
    return value;
  }

  /// Reads a character or an escape of ModelTextWriter::quoted.
  char character() {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    if (before.front() != '\\') return before.front();
    if (accept("\"")) return '"';
    if (accept("\\")) return '\\';
    unsigned char byte = 0;
    if (accept("x") && left() >= 2 &&
        std::from_chars(rest_.data(), rest_.data() + 2, byte, 16).ptr == rest_.data() + 2) {
      rest_.remove_prefix(2);
      return static_cast<char>(byte);
    }
    refuse_word(before, "expected \\\", \\\\ or \\x and two hexadecimal digits");
  }

  static std::string_view word_of(std::string_view rest) {
    return rest.substr(0, rest.find_first_of(" \n"));
  }

  /// Throws with the first word of `rest` in the message.
  template <class... What>
  [[noreturn]] void refuse_word(std::string_view rest, const What&... what) const {
    source_.refuse_at(word_of(rest), what...);
  }

  static std::string shown(std::string_view word) {
    if (word == "\n") return "the end of the line";
    if (word.ends_with('\n')) word.remove_suffix(1);
    return "'" + std::string(word) + "'";
  }

  SourceText source_;
  std::string_view rest_;
};

/// The lines of a model for both directions: a ModelTextWriter writes the members of the model, and
/// a ModelTextReader sets them. Memory grows with the lines that are read, not with the counts that
/// the text states.
template <class Lines>
class ModelLines {
 public:
  explicit ModelLines(Lines& at) : at_(at) {}

  /// Writes or reads all lines but the checksum. With `with_weights` = false there are no lines of
  /// weights: a binary file stores the weights in other sections.
  void pass(StoredModel& model, bool with_weights) {
    at_.version();
    at_.fixed("\nkind ");
    kind(model.kind);
    if (model.kind == ModelKind::one_vs_rest) {
      at_.fixed(" ");
      kind(model.part_kind);
    } else {
      model.part_kind = model.kind;
    }
    at_.fixed("\nscalar ");
    at_.one_of(std::array{true, false}, model.is_float, scalar_name);
    at_.fixed("\n");
    model.columns = at_.count("columns", model.columns);
    functions_ = model.parts.empty() ? 0 : size_of(model.parts[0].offset);
    functions_ = at_.count("functions", functions_, 1);
    labels(model.labels);
    list("features", model.features, [&](std::string& name) { at_.quoted(name); });
    list("notes", model.notes, [&](auto& note) {
      at_.quoted(note.first);
      at_.fixed(" ");
      at_.quoted(note.second);
    });
    const Index parts = at_.count("parts", size_of(model.parts));
    for (Index k = 0; k < parts; ++k) {
      at_.fixed("part " + detail::number_text(k) + "\n");
      StoredPart& part = item(model.parts, k);
      pass_part(part, model.is_float);
      at_.fixed(with_weights ? "weights\n" : "weights binary\n");
      for (Index j = 0; with_weights && j < model.columns; ++j)
        numbers(part.weights, j * functions_, model.is_float);
    }
  }

 private:
  template <class Items>
  static Index size_of(const Items& items) {
    return static_cast<Index>(items.size());
  }

  /// Returns items[k]. If k is the number of items, appends the item first.
  template <class Items>
  static auto& item(Items& items, Index k) {
    if (k == size_of(items)) items.emplace_back();
    return items[static_cast<std::size_t>(k)];
  }

  void kind(ModelKind& kind) {
    using enum ModelKind;
    at_.one_of(std::array{linear, regressor, activated, classifier, probabilistic_classifier,
                          one_vs_rest, softmax, multi_target},
               kind, [](ModelKind one) { return name_of(one); });
  }

  /// Writes or reads the number of items, then a line for each item.
  template <class Items, class F>
  void list(std::string_view key, Items& items, const F& pass_item) {
    const Index size = at_.count(key, size_of(items));
    for (Index k = 0; k < size; ++k) {
      pass_item(item(items, k));
      at_.fixed("\n");
    }
  }

  void labels(std::vector<double>& labels) {
    list("labels", labels, [&](double& label) { at_.number(label, false); });
  }

  /// Writes or reads a line with one number for each function: the items from `first` on.
  void numbers(std::vector<double>& items, Index first, bool is_float) {
    for (Index k = 0; k < functions_; ++k) {
      if (k > 0) at_.fixed(" ");
      at_.number(item(items, first + k), is_float);
    }
    at_.fixed("\n");
  }

  void pass_part(StoredPart& part, bool is_float) {
    const auto line = [&](std::string_view key, std::string& text) {
      at_.fixed(key);
      at_.quoted(text);
      at_.fixed("\n");
    };
    line("loss ", part.loss);
    line("penalty ", part.penalty);
    line("activation ", part.activation);
    line("optimizer ", part.optimizer);
    line("reason ", part.reason);
    using enum Status;
    at_.fixed("status ");
    at_.one_of(std::array{converged, settled, epoch_limit, precision_limit, stopped, diverged},
               part.status, [](Status one) { return name_of(one); });
    at_.fixed("\niterate ");
    at_.one_of(std::array{Iterate::best, Iterate::last, Iterate::average}, part.iterate,
               [](Iterate one) { return name_of(one); });
    at_.fixed("\n");
    part.epochs = at_.count("epochs", part.epochs);
    part.updates = at_.count("updates", part.updates);
    part.iterations = at_.count("iterations", part.iterations);
    at_.fixed("objective ");
    at_.real(part.objective);
    at_.fixed("\ngap ");
    if (at_.fixed_if(!part.gap, "none"))
      part.gap.reset();
    else
      at_.real(part.gap ? *part.gap : part.gap.emplace());
    at_.fixed("\nnamed ");
    at_.one_of(std::array{true, false}, part.has_features,
               [](bool one) { return std::string_view(one ? "yes" : "no"); });
    at_.fixed("\n");
    labels(part.labels);
    at_.fixed("offset ");
    numbers(part.offset, 0, is_float);
  }

  Lines& at_;
  Index functions_{0};
};

/// Returns the last line for a model whose other lines are `text`: "checksum fnv1a-64 " and 16
/// hexadecimal digits.
inline std::string checksum_line(std::string_view text) {
  char line[40];
  std::snprintf(line, sizeof line, "checksum fnv1a-64 %016llx\n",
                static_cast<unsigned long long>(checksum(text)));
  return line;
}

/// Reads a model from a text. Throws with the source, line and column in the message.
inline StoredModel read_model_text(std::string_view text, const std::string& name) {
  ModelTextReader reader(text, name);
  StoredModel model;
  ModelLines(reader).pass(model, true);
  const std::string line = checksum_line(text.substr(0, text.size() - reader.left()));
  if (!reader.accept(line))
    reader.refuse_rest("the file is damaged: its lines have the ", line.substr(0, line.size() - 1));
  if (reader.left() > 0) reader.refuse_rest("expected the end of the model");
  return model;
}

}  // namespace linea::io
