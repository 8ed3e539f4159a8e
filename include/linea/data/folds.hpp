// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples dealt to folds, for cross-validation: the same on every platform for a given seed.
#include <concepts>
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <numeric>  // iota
#include <span>
#include <vector>

namespace linea {

struct FoldOptions {
  Index folds{5};  ///< from 2 to n
  std::uint64_t seed{0};
  /// Spread each class over the folds: the numbers of its samples in two folds differ by at most
  /// one.
  bool stratify{false};
};

/// Which rows each fold holds out.
struct [[nodiscard]] Folds {
  Index samples{0};                        ///< n
  std::vector<std::vector<Index>> rows{};  ///< each row from 0 is in one fold; ascending

  Index size() const { return static_cast<Index>(rows.size()); }

  std::vector<Index> held_out(Index k) const { return rows[static_cast<std::size_t>(k)]; }

  /// The rows of all other folds, ascending.
  std::vector<Index> rest(Index k) const {
    const std::vector<Index>& left_out = rows[static_cast<std::size_t>(k)];
    std::vector<Index> others;
    others.reserve(static_cast<std::size_t>(samples) - left_out.size());
    auto next = left_out.begin();
    for (Index i = 0; i < samples; ++i)
      if (next != left_out.end() && *next == i)
        ++next;
      else
        others.push_back(i);
    return others;
  }
};

namespace data {

/// Orders the samples by class, at random within each, and deals them to the folds like cards.
/// Sample i is of class class_of(i).
template <class ClassOf>
Folds deal_to_folds(Index n, const FoldOptions& options, const ClassOf& class_of) {
  require(options.folds >= 2, "fold_indices: ", options.folds,
          " folds, but two at least are needed");
  require(options.folds <= n, "fold_indices: ", options.folds, " folds of ", n, " samples");
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Random(options.seed).shuffle(std::span<Index>(order));
  core::stable_sort(order, [&](Index a, Index b) { return class_of(a) < class_of(b); });
  const auto count = static_cast<std::size_t>(options.folds);
  std::vector<std::size_t> fold_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    fold_of[static_cast<std::size_t>(order[k])] = k % count;
  Folds folds{n, std::vector<std::vector<Index>>(count)};
  for (Index i = 0; i < n; ++i) folds.rows[fold_of[static_cast<std::size_t>(i)]].push_back(i);
  return folds;
}

}  // namespace data

/// Deals n samples at random to folds whose sizes differ by at most one. Refuses, by
/// std::invalid_argument, fewer than two folds, more folds than samples, and `stratify`, which
/// needs the targets.
template <std::integral N>
Folds fold_indices(N n, const FoldOptions& options = {}) {
  require(!options.stratify, "fold_indices: stratify needs the targets rather than their number");
  return data::deal_to_folds(static_cast<Index>(n), options, [](Index) { return Index{0}; });
}

/// Deals the samples with targets y (n), which are class labels if `stratify` is set.
template <VectorLike Y>
Folds fold_indices(const Y& y, const FoldOptions& options = {}) {
  if (!options.stratify || y.size() == 0)
    return data::deal_to_folds(y.size(), options, [](Index) { return Index{0}; });
  const Vector<Index> classes = ClassLabels(y).indices_of(y);
  return data::deal_to_folds(y.size(), options, [&](Index i) { return classes[i]; });
}

}  // namespace linea
