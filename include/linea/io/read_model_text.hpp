// SPDX-License-Identifier: MIT
#pragma once
/// \file The text format of models: its reader.
#include <algorithm>  // min
#include <array>
#include <charconv>
#include <cmath>  // isfinite
#include <cstddef>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <linea/io/write_model_text.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc
#include <utility>       // move
#include <vector>

namespace linea::io {

/// A place in a text. Every function reads what must stand there, in one way only: single spaces,
/// no blanks at the ends of lines. What does not is refused by line and column.
template <class Source = SourceText>
class ModelTextCursor {
 public:
  ModelTextCursor(std::string_view text, std::string_view name)
      : source_(text, name), at_(source_.begin()) {}

  std::size_t left() const { return static_cast<std::size_t>(source_.end() - at_); }
  const char* at() const { return at_; }

  /// Does this stand here? If so, it is read.
  bool accept(std::string_view word) {
    if (std::string_view(at_, left()).substr(0, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word) {
    if (!accept(word)) refuse_rest("expected ", shown(word));
  }

  /// What stands before the next blank, or before the end of the line.
  std::string_view word() {
    const char* const first = at_;
    while (at_ != source_.end() && *at_ != ' ' && *at_ != '\n') ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  /// "key" and a whole number ≥ 0, in a line of their own.
  Index count(std::string_view key) {
    expect(key);
    expect(" ");
    const Index value = whole();
    expect("\n");
    return value;
  }

  /// A whole number ≥ 0.
  Index whole() {
    Index value = 0;
    const char* const first = at_;
    const auto [end, error] = std::from_chars(first, source_.end(), value);
    if (error == std::errc::result_out_of_range) refuse_word(first, "the number is too large");
    if (error != std::errc{} || *first == '-') refuse_word(first, "expected a whole number");
    at_ = end;
    return value;
  }

  /// A finite number, correctly rounded to T.
  template <class T>
  T finite() {
    T value{};
    const auto [end, fault] = scan_number(at_, source_.end(), value);
    if (fault) refuse_word(at_, "the number ", fault);
    at_ = end;
    return value;
  }

  /// A number, "inf", "-inf" or "nan".
  double real() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (accept("nan")) return std::numeric_limits<double>::quiet_NaN();
    if (accept("inf")) return inf;
    if (accept("-inf")) return -inf;
    return finite<double>();
  }

  /// A text in quotes.
  std::string quoted() {
    const char* const first = at_;
    expect("\"");
    std::string text;
    for (;;) {
      const char* const run = at_;
      while (at_ != source_.end() && *at_ != '"' && *at_ != '\\' && *at_ != '\n') ++at_;
      text.append(run, at_);
      if (accept("\"")) return text;
      if (at_ == source_.end() || *at_ == '\n')
        refuse_word(first, "the text in quotes does not end in this line");
      text += escaped();
    }
  }

  /// Refuses what stands from here to the end of the line.
  template <class... What>
  [[noreturn]] void refuse_rest(const What&... what) const {
    const char* last = at_;
    while (last != source_.end() && *last != '\n') ++last;
    source_.refuse_at(at_, last, what...);
  }

  /// Refuses the word that begins at `first`.
  template <class... What>
  [[noreturn]] void refuse_word(const char* first, const What&... what) const {
    const char* last = first;
    while (last != source_.end() && *last != ' ' && *last != '\n') ++last;
    source_.refuse_at(first, last, what...);
  }

 private:
  /// One of \" \\ \xHH.
  char escaped() {
    const char* const first = at_;
    if (accept("\\\"")) return '"';
    if (accept("\\\\")) return '\\';
    unsigned char byte = 0;
    if (accept("\\x") && left() >= 2) {
      const auto [end, error] = std::from_chars(at_, at_ + 2, byte, 16);
      if (error == std::errc{} && end == at_ + 2) {
        at_ = end;
        return static_cast<char>(byte);
      }
    }
    refuse_word(first, "expected \\\", \\\\ or \\x and two hexadecimal digits");
  }

  static std::string shown(std::string_view word) {
    if (word == "\n") return "the end of the line";
    if (word.ends_with('\n')) word.remove_suffix(1);
    return "'" + std::string(word) + "'";
  }

  Source source_;
  const char* at_;
};

/// Reads the lines that ModelTextWriter writes. Memory grows with what has been read: no count in
/// the text is believed before the lines that it announces are there.
template <class Stored = StoredModel>
class ModelTextReader {
 public:
  ModelTextReader(std::string_view text, std::string_view name) : cursor_(text, name) {}

  /// All but the checksum. `with_weights`: else they are elsewhere, and the parts have none.
  Stored read(bool with_weights) {
    Stored model;
    read_version();
    read_kind(model);
    cursor_.expect("scalar ");
    model.is_float = one_of(std::array{true, false}, scalar_name);
    cursor_.expect("\n");
    model.columns = cursor_.count("columns");
    functions_ = cursor_.count("functions");
    if (functions_ == 0) cursor_.refuse_rest("there must be a function at least");
    model.labels = read_labels();
    for (Index left = cursor_.count("features"); left > 0; --left) {
      model.features.push_back(cursor_.quoted());
      cursor_.expect("\n");
    }
    for (Index left = cursor_.count("notes"); left > 0; --left) {
      std::string name = cursor_.quoted();
      cursor_.expect(" ");
      model.notes.emplace_back(std::move(name), cursor_.quoted());
      cursor_.expect("\n");
    }
    const Index parts = cursor_.count("parts");
    for (Index part = 0; part < parts; ++part) {
      cursor_.expect("part " + core::number_text(part) + "\n");
      model.parts.push_back(read_part(model.is_float));
      cursor_.expect(with_weights ? "weights\n" : "weights binary\n");
      if (with_weights) read_weights(model, model.parts.back());
    }
    return model;
  }

  /// Where the lines ended.
  ModelTextCursor<>& cursor() { return cursor_; }

 private:
  void read_version() {
    cursor_.expect(model_text_begins);
    const char* const first = cursor_.at();
    const Index version = cursor_.whole();
    if (version != model_version)
      cursor_.refuse_word(first, "a model file of version ", version, ", but this linea reads ",
                          version > model_version ? "no newer one than " : "", "version ",
                          model_version);
    cursor_.expect("\n");
  }

  /// The value whose name stands here.
  template <class T, std::size_t N, class Name>
  T one_of(const std::array<T, N>& values, Name&& name) {
    const char* const first = cursor_.at();
    const auto word = cursor_.word();
    std::string names;
    for (const T value : values) {
      if (word == name(value)) return value;
      names.append(names.empty() ? "" : ", ").append(name(value));
    }
    cursor_.refuse_word(first, "expected one of ", names);
  }

  ModelKind kind() {
    using enum ModelKind;
    return one_of(std::array{linear, regressor, activated, classifier, probabilistic_classifier,
                             one_vs_rest, softmax, multi_target},
                  [](ModelKind one) { return name_of(one); });
  }

  void read_kind(Stored& model) {
    cursor_.expect("kind ");
    model.kind = model.part_kind = kind();
    if (model.kind == ModelKind::one_vs_rest) {
      cursor_.expect(" ");
      model.part_kind = kind();
    }
    cursor_.expect("\n");
  }

  std::vector<double> read_labels() {
    std::vector<double> labels;
    for (Index left = cursor_.count("labels"); left > 0; --left) {
      labels.push_back(cursor_.finite<double>());
      cursor_.expect("\n");
    }
    return labels;
  }

  std::string text_line(std::string_view key) {
    cursor_.expect(key);
    std::string text = cursor_.quoted();
    cursor_.expect("\n");
    return text;
  }

  StoredPart read_part(bool is_float) {
    StoredPart part;
    part.loss = text_line("loss ");
    part.penalty = text_line("penalty ");
    part.activation = text_line("activation ");
    part.optimizer = text_line("optimizer ");
    part.reason = text_line("reason ");
    cursor_.expect("status ");
    using enum Status;
    part.status =
        one_of(std::array{converged, settled, epoch_limit, precision_limit, stopped, diverged},
               [](Status one) { return name_of(one); });
    cursor_.expect("\niterate ");
    part.iterate = one_of(std::array{Iterate::best, Iterate::last, Iterate::average},
                          [](Iterate one) { return name_of(one); });
    cursor_.expect("\n");
    part.epochs = cursor_.count("epochs");
    part.updates = cursor_.count("updates");
    part.iterations = cursor_.count("iterations");
    cursor_.expect("objective ");
    part.objective = cursor_.real();
    cursor_.expect("\ngap ");
    if (!cursor_.accept("none")) part.gap = cursor_.real();
    cursor_.expect("\nnamed ");
    part.has_features = one_of(std::array{true, false},
                               [](bool one) { return std::string_view(one ? "yes" : "no"); });
    cursor_.expect("\n");
    part.labels = read_labels();
    cursor_.expect("offset");
    for (Index left = functions_; left > 0; --left) {
      cursor_.expect(" ");
      part.offset.push_back(scalar(is_float));
    }
    cursor_.expect("\n");
    return part;
  }

  double scalar(bool is_float) {
    return is_float ? static_cast<double>(cursor_.finite<float>()) : cursor_.finite<double>();
  }

  void read_weights(const Stored& model, StoredPart& part) {
    // A number and what is behind it are two bytes at least.
    part.weights.reserve(std::min(cursor_.left() / 2, static_cast<std::size_t>(model.columns)));
    for (Index column = 0; column < model.columns; ++column)
      for (Index k = 1; k <= functions_; ++k) {
        part.weights.push_back(scalar(model.is_float));
        cursor_.expect(k < functions_ ? " " : "\n");
      }
  }

  ModelTextCursor<> cursor_;
  Index functions_{0};
};

/// A model of a text of its own. Refuses in the name of its source, with line and column.
template <class Stored = StoredModel>
Stored read_model_text(std::string_view text, const std::string& name) {
  ModelTextReader<Stored> reader(text, name);
  Stored model = reader.read(true);
  auto& cursor = reader.cursor();
  io::Checksum sum;
  sum.add(text.substr(0, text.size() - cursor.left()));
  if (!cursor.accept(checksum_line(sum.value()))) {
    const std::string expected = checksum_line(sum.value());
    cursor.refuse_rest("the file is damaged: its lines have the ",
                       expected.substr(0, expected.size() - 1));
  }
  if (cursor.left() > 0) cursor.refuse_rest("expected the end of the model");
  require_sound(name, model);
  model.source = name;
  return model;
}

}  // namespace linea::io
