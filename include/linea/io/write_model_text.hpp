// SPDX-License-Identifier: MIT
#pragma once
/// \file The text format of models: its writer and its checksum.
#include <cmath>  // isnan
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <linea/core/compiler.hpp>
#include <linea/core/require.hpp>
#include <linea/io/stored_model.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// FNV-1a of 64 bits: for each byte, xor it in, then multiply by the prime 2⁴⁰ + 435. A reader in
/// any language needs three lines for it. Both steps can be undone, so a change of one byte always
/// changes the sum; other damage goes unseen once in 2⁶⁴. It is no signature: who wants to forge a
/// file can. Fowler, Noll, Vo and Eastlake, The FNV Non-Cryptographic Hash Algorithm (IETF,
/// draft-eastlake-fnv).
class Checksum {
 public:
  Checksum() = default;
  explicit Checksum(std::string_view bytes) { add(bytes); }

  void add(std::string_view bytes) {
    std::uint64_t sum = sum_;
    for (const char byte : bytes)
      sum = (sum ^ static_cast<unsigned char>(byte)) * std::uint64_t{0x100000001b3};
    sum_ = sum;
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_{0xcbf29ce484222325};
};

/// Appends a whole number as `bytes` bytes, 8 at most, the lowest first, whatever the machine's own
/// order is.
inline void append_little_endian(std::string& text, std::uint64_t value, std::size_t bytes) {
  char all[8];
  for (std::size_t k = 0; k < 8; ++k) all[k] = static_cast<char>(value >> (8 * k) & 0xff);
  text.append(all, bytes);
}

/// The whole number of the first `bytes` bytes, 8 at most, the lowest first.
inline std::uint64_t little_endian(const char* first, std::size_t bytes) {
  std::uint64_t value = 0;
  if (bytes == 8) {  // compilers make a plain load of this
    for (std::size_t k = 0; k < 8; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(first[k])} << (8 * k);
    return value;
  }
  for (std::size_t k = bytes; k-- > 0;) value = value << 8 | static_cast<unsigned char>(first[k]);
  return value;
}

/// Text on its way into a stream, a buffer at a time.
class ModelWriter {
 public:
  explicit ModelWriter(std::ostream& out) : out_(out) {}

  /// Append here, and then call `pass_on`.
  std::string& text() { return text_; }

  /// Writes what has come together, if it is much.
  void pass_on() {
    if (text_.size() >= std::size_t{1} << 16) write();
  }

  /// The checksum of all that was appended.
  std::uint64_t checksum() {
    write();
    return sum_.value();
  }

  /// Bytes that were appended.
  std::uint64_t size() const { return written_ + text_.size(); }

  /// All is written. Refuses a stream that failed, in the name of `function`.
  void end(std::string_view function) {
    write();
    require(!out_.fail(), function, ": the stream failed");
  }

 private:
  void write() {
    sum_.add(text_);
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    written_ += text_.size();
    text_.clear();
  }

  std::ostream& out_;
  std::string text_{};
  std::uint64_t written_{0};
  io::Checksum sum_{};
};

/// The version that this linea writes. It reads this one and those before it.
inline constexpr int model_version = 1;
inline constexpr std::string_view model_text_begins = "linea-model ";

/// Appends "text" in quotes, on one line: \" and \\ and, for control characters, \x and two digits.
/// All other bytes stay as they are.
inline void append_quoted(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byte));
      line += escaped;
    } else {
      if (c == '"' || c == '\\') line += '\\';
      line += c;
    }
  }
  line += '"';
}

/// Appends the shortest text that reads back as the same float or double.
inline void append_scalar(std::string& line, double value, bool is_float) {
  if (is_float)
    core::append_number(line, static_cast<float>(value));
  else
    core::append_number(line, value);
}

/// Writes the lines of a model into a ModelWriter.
template <class Stored>
class ModelTextWriter {
 public:
  ModelTextWriter(ModelWriter& out, const Stored& model) : out_(out), model_(model) {}

  /// All but the checksum. `with_weights`: else they are elsewhere.
  void write(bool with_weights) {
    number_line("linea-model", model_version);
    out_.text().append("kind ").append(name_of(model_.kind));
    if (model_.kind == ModelKind::one_vs_rest)
      out_.text().append(" ").append(name_of(model_.part_kind));
    word_line("\nscalar", scalar_name(model_.is_float));
    number_line("columns", model_.columns);
    number_line("functions", model_.parts[0].offset.size());
    write_labels(model_.labels);
    number_line("features", model_.features.size());
    for (const auto& name : model_.features) text_line("", name);
    number_line("notes", model_.notes.size());
    for (const auto& [name, text] : model_.notes) {
      append_quoted(out_.text(), name);
      text_line(" ", text);
    }
    number_line("parts", model_.parts.size());
    for (std::size_t part = 0; part < model_.parts.size(); ++part) {
      number_line("part", part);
      write_part(model_.parts[part]);
      out_.text() += with_weights ? "weights\n" : "weights binary\n";
      if (with_weights) write_weights(model_.parts[part]);
    }
  }

 private:
  template <class Number>
  void number_line(std::string_view key, Number number) {
    out_.text().append(key).append(" ");
    core::append_number(out_.text(), number);
    end_line();
  }

  void word_line(std::string_view key, std::string_view word) {
    out_.text().append(key).append(" ").append(word);
    end_line();
  }

  void text_line(std::string_view key, std::string_view text) {
    out_.text() += key;
    append_quoted(out_.text(), text);
    end_line();
  }

  /// A number that need not be finite: "nan" and "inf" too.
  static std::string real_text(double value) {
    return std::isnan(value) ? "nan" : core::number_text(value);
  }

  void end_line() {
    out_.text() += '\n';
    out_.pass_on();
  }

  void write_labels(const std::vector<double>& labels) {
    number_line("labels", labels.size());
    for (const double label : labels) {
      core::append_number(out_.text(), label);
      end_line();
    }
  }

  void write_part(const StoredPart& part) {
    text_line("loss ", part.loss);
    text_line("penalty ", part.penalty);
    text_line("activation ", part.activation);
    text_line("optimizer ", part.optimizer);
    text_line("reason ", part.reason);
    word_line("status", name_of(part.status));
    word_line("iterate", name_of(part.iterate));
    number_line("epochs", part.epochs);
    number_line("updates", part.updates);
    number_line("iterations", part.iterations);
    word_line("objective", real_text(part.objective));
    word_line("gap", part.gap ? real_text(*part.gap) : "none");
    word_line("named", part.has_features ? "yes" : "no");
    write_labels(part.labels);
    out_.text() += "offset";
    for (const double offset : part.offset) {
      out_.text() += ' ';
      append_scalar(out_.text(), offset, model_.is_float);
    }
    end_line();
  }

  /// A line for each column, with a number for each function.
  void write_weights(const StoredPart& part) {
    const std::size_t functions = part.offset.size();
    for (std::size_t i = 0; i < part.weights.size(); ++i) {
      append_scalar(out_.text(), part.weights[i], model_.is_float);
      if ((i + 1) % functions == 0)
        end_line();
      else
        out_.text() += ' ';
    }
  }

  ModelWriter& out_;
  const Stored& model_;
};

/// "checksum fnv1a-64 " and 16 hexadecimal digits: the last line of a text.
inline std::string checksum_line(std::uint64_t sum) {
  char line[40];
  std::snprintf(line, sizeof line, "checksum fnv1a-64 %016llx\n",
                static_cast<unsigned long long>(sum));
  return line;
}

template <class Stored>
void write_model_text(std::ostream& out, const Stored& model) {
  ModelWriter writer(out);
  ModelTextWriter(writer, model).write(true);
  const std::uint64_t sum = writer.checksum();
  writer.text() += checksum_line(sum);
  writer.end("write_model");
}

}  // namespace linea::io
