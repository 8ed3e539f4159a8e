// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads LIBSVM text in blocks of lines.
#include <algorithm>  // max, replace
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>  // memmove
#include <istream>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/split.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::io {

/// Reads a stream block by block. Each block ends behind a newline, except perhaps the last one.
/// Takes the memory of one block, or of up to twice the longest line if that is more.
class TextBlocks {
 public:
  /// `in` must outlive this object. `name` is the name of the stream in messages.
  TextBlocks(std::istream& in, std::string name, std::size_t block_bytes)
      : in_(in), name_(std::move(name)), bytes_(block_bytes) {
    require(block_bytes > 0, name_, ": a block of 0 bytes holds no line");
  }

  /// Moves to the next block. Returns false at the end of the text. Throws for bytes that are not
  /// text (see require_text), a byte 0, a line longer than `longest_line_of_pipe`, and a stream
  /// that cannot be read to its end.
  bool next() {
    lines_before_ += count_characters(text(), std::array{'\n'})[0];
    const std::size_t kept = filled_ - used_;
    std::memmove(bytes_.data(), bytes_.data() + used_, kept);
    filled_ = kept;
    used_ = 0;
    while (!has_ended_ && used_ == 0) {
      if (filled_ == bytes_.size()) bytes_.resize(2 * bytes_.size());
      fill();
      const std::string_view all(bytes_.data(), filled_);
      if (filled_ > kept) used_ = all.rfind('\n') + 1;  // 0 without a complete line
      if (used_ == 0 && filled_ > longest_line_of_pipe)
        source().refuse_at(all, "a line is longer than ", longest_line_of_pipe, " bytes");
    }
    if (has_ended_) used_ = filled_;
    return used_ > 0;
  }

  /// Returns the block, which is valid until the next call of `next`.
  std::string_view text() const { return {bytes_.data(), used_}; }

  /// Returns the block with its place in the text, for messages.
  SourceText source() const { return {text(), name_, lines_before_}; }

 private:
  void fill() {
    const std::size_t before = filled_;
    filled_ += read_bytes(in_, bytes_.data() + before, bytes_.size() - before, name_);
    has_ended_ = filled_ < bytes_.size();
    if (lines_before_ == 0 && before < 8) require_text({bytes_.data(), filled_}, name_);
    take_lone_returns(before);
    const std::string_view all(bytes_.data(), filled_);
    if (const auto zero = all.find('\0', before); zero != all.npos) {
      used_ = filled_;
      source().refuse_at(all.substr(zero, 1), "a text cannot have a byte 0");
    }
  }

  /// Replaces carriage returns by newlines if the text has had no newline so far. Leaves a carriage
  /// return at the end of the bytes unchanged until the next byte is known.
  void take_lone_returns(std::size_t before) {
    const std::string_view all(bytes_.data(), filled_);
    has_newline_ = has_newline_ || all.find('\n', before) != all.npos;
    if (has_newline_ || all.empty()) return;
    const std::size_t from = before - (before > 0 && all[before - 1] == '\r');
    const std::size_t to = filled_ - (!has_ended_ && all.back() == '\r');
    std::replace(bytes_.data() + from, bytes_.data() + to, '\r', '\n');
  }

  std::istream& in_;
  std::string name_;
  std::vector<char> bytes_;
  std::size_t filled_{0};  ///< bytes in the buffer: this block, and bytes behind it
  std::size_t used_{0};    ///< bytes of this block
  Index lines_before_{0};
  bool has_ended_{false};
  bool has_newline_{false};  ///< does the text so far have a newline?
};

}  // namespace linea::io

namespace linea {

/// Reads samples from a stream of LIBSVM text, a block of complete lines at a time:
///
///     std::ifstream in("train.svm", std::ios::binary);
///     LibsvmBlocks<float> blocks(in, "train.svm", {.features = 74851});
///     while (const auto block = blocks.next()) learn(block->x, block->y);
///
/// All blocks together are the result of `parse_libsvm` for the whole text. `next` throws the same
/// errors, with the line number in the whole text, when it reads the block. Without `features`, x
/// of a block has as many columns as the largest index so far. Without `most_features`, the limit
/// on indices is 16 times the number of entries so far, and at least 4,194,304. Takes memory for
/// the text and the samples of one block.
template <Scalar T, std::signed_integral J = int>
class LibsvmBlocks {
 public:
  /// `in` must outlive this object. `source_name` is the name of the stream in messages. A block
  /// has about `block_bytes` of text, and at least one line.
  LibsvmBlocks(std::istream& in, std::string source_name, const LibsvmOptions& options = {},
               std::size_t block_bytes = std::size_t{1} << 24)
      : name_(std::move(source_name)), blocks_(in, name_, block_bytes), options_(options) {
    io::require_libsvm_options("LibsvmBlocks", options);
  }

  /// Returns the next samples, or nothing at the end. At the end, throws if the text has no sample.
  std::optional<LabelledData<T, J>> next() {
    while (blocks_.next()) {
      const auto source = blocks_.source();
      if (!io::has_libsvm_sample(source.text())) continue;
      const auto most =
          io::trusted_size(entries_ + io::count_characters(source.text(), std::array{':'})[0]);
      auto options = options_;
      if (options.most_features == 0) options.most_features = most;
      auto block = io::libsvm_samples<T, J>(source, options);
      samples_ += block.x.rows();
      entries_ += block.x.nonZeros();
      features_ = std::max(features_, block.x.cols());
      block.x.conservativeResize(block.x.rows(), features_);
      return block;
    }
    if (samples_ == 0) io::SourceText(std::string_view{}, name_).refuse_without_sample();
    return std::nullopt;
  }

  Index samples() const { return samples_; }    ///< samples of all blocks so far
  Index entries() const { return entries_; }    ///< entries of all blocks so far
  Index features() const { return features_; }  ///< columns of the last block

 private:
  std::string name_;
  io::TextBlocks blocks_;
  LibsvmOptions options_;
  Index samples_{0};
  Index entries_{0};
  Index features_{0};
};

}  // namespace linea
