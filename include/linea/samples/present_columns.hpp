// SPDX-License-Identifier: MIT
#pragma once
/// \file Sparse samples without the columns that no row stores.
#include <bit>  // countr_zero, popcount
#include <cstdint>
#include <linea/rows/sparse.hpp>
#include <linea/samples/training_set.hpp>
#include <memory>   // make_shared
#include <utility>  // move
#include <vector>

namespace linea::detail::samples {

/// Leaves out the columns that no row of the set stores, if x has fewer than two entries for each
/// column, as at the nodes of a tree of labels. A fit then costs O(entries) beside its d weights.
/// For fits in which the weights of such columns are 0: the penalty, if there is one, does not
/// depend on the column, and the run has no start weights. Other rows than those of sparse matrices
/// stay.
template <class Rows>
void keep_present_columns(TrainingSet<Rows>&) {}
template <Scalar T, class J, Scalar U>
void keep_present_columns(TrainingSet<rows::SparseRows<T, J, U>>& set) {
  const auto& x = set.rows;
  const Index entries = x.entries();
  if (entries == 0 || entries >= 2 * x.cols()) return;
  struct Word {
    std::uint64_t bits{0};  // of 64 columns
    Index before{0};        // number of present columns before them
  };
  std::vector<Word> words(static_cast<std::size_t>(x.cols()) / 64 + 1);
  const auto word_of = [&](Index j) -> Word& { return words[static_cast<std::size_t>(j) / 64]; };
  const auto bit_of = [](Index j) { return std::uint64_t{1} << (j % 64); };
  for (Index i = 0; i < x.rows(); ++i)
    x.for_each(i, [&](Index j, U) { word_of(j).bits |= bit_of(j); });

  KeptColumns kept{{}, x.cols()};
  for (std::size_t k = 0; k < words.size(); ++k) {
    words[k].before = kept.size();
    for (std::uint64_t left = words[k].bits; left != 0; left &= left - 1)
      kept.columns.push_back(static_cast<Index>(64 * k) + std::countr_zero(left));
  }

  const auto copy = std::make_shared<SparseMatrix<T, J>>(x.rows(), kept.size());
  copy->resizeNonZeros(entries);
  Index at = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each(i, [&](Index j, U value) {
      const Word& word = word_of(j);
      copy->innerIndexPtr()[at] =
          static_cast<J>(word.before + std::popcount(word.bits & (bit_of(j) - 1)));
      copy->valuePtr()[at++] = static_cast<T>(value);
    });
    copy->outerIndexPtr()[i + 1] = static_cast<J>(at);
  }
  set.rows = rows::SparseRows<T, J, U>(std::shared_ptr<const SparseMatrix<T, J>>(copy));
  set.columns = std::make_shared<const KeptColumns>(std::move(kept));
}

}  // namespace linea::detail::samples
