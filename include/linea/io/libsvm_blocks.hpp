// SPDX-License-Identifier: MIT
#pragma once
/// \file LIBSVM text read block by block, for texts larger than memory and streams without end.
#include <concepts>
#include <cstddef>
#include <istream>
#include <linea/core/types.hpp>
#include <linea/data/labelled_data.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/text_blocks.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea {

/// The samples of a stream of LIBSVM text, a block of whole lines at a time:
///
///     std::ifstream in("train.svm", std::ios::binary);
///     LibsvmBlocks<float> blocks(in, "train.svm", {.features = 74851});
///     while (const auto block = blocks.next()) learn(block->x, block->y);
///
/// All blocks together are what `parse_libsvm` makes of the whole text, and what it refuses is
/// refused here, with the line of the text, when its block is read. Without `features`, x of a
/// block has as many columns as the largest index so far needs, and without `most_features` an
/// index is trusted up to 16 for each entry so far, 4,194,304 at least. Memory: the text of a block
/// and its samples.
template <Scalar T, std::signed_integral J = int>
class LibsvmBlocks {
 public:
  /// `in` must outlive this. `source_name` stands for it in messages. A block holds about
  /// `block_bytes` of text, and one line at least.
  LibsvmBlocks(std::istream& in, std::string source_name, const LibsvmOptions& options = {},
               std::size_t block_bytes = std::size_t{1} << 24)
      : name_(std::move(source_name)), blocks_(in, name_, block_bytes), options_(options) {
    io::require_libsvm_options("LibsvmBlocks", options);
  }

  /// The next samples, one at least, or none at the end of the text. Refuses a text without any.
  std::optional<LabelledData<T, J>> next() {
    while (blocks_.next()) {
      const auto source = blocks_.source();
      if (options_.final_newline_required && blocks_.is_last() && source.end()[-1] != '\n')
        source.refuse_at(source.end(), source.end(), "the last line must end in a newline");
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
    if (samples_ == 0) {
      const io::SourceText nothing(std::string_view{}, name_);
      nothing.refuse_at(nothing.end(), nothing.end(), "there is no sample");
    }
    return std::nullopt;
  }

  Index samples() const { return samples_; }    ///< those of all blocks so far
  Index entries() const { return entries_; }    ///< those of all blocks so far
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
