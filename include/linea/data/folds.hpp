// SPDX-License-Identifier: MIT
#pragma once
/// \file Folds for cross-validation. A seed gives the same folds on every platform.
#include <algorithm>  // max
#include <concepts>
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <numeric>  // iota
#include <span>
#include <string_view>
#include <vector>

namespace linea {

struct FoldOptions {
  Index folds{5};  ///< from 2 to n
  std::uint64_t seed{0};
  /// Divide each class evenly: in two folds, the numbers of its samples differ by at most one.
  bool stratify{false};
};

/// The rows that each fold holds out.
struct [[nodiscard]] Folds {
  Index samples{0};  ///< n
  /// Row indices in [0, n), ascending in each fold. A row in no fold is never held out.
  std::vector<std::vector<Index>> rows{};

  Index size() const { return static_cast<Index>(rows.size()); }

  /// Returns the rows of fold k. Throws std::invalid_argument unless 0 ≤ k < size().
  std::vector<Index> held_out(Index k) const { return fold("Folds::held_out", k); }

  /// Returns all rows that are not in fold k, ascending. Throws std::invalid_argument as held_out
  /// does, and unless the rows of fold k ascend and are in [0, n).
  std::vector<Index> rest(Index k) const {
    const std::vector<Index>& left_out = fold("Folds::rest", k);
    require_rows("Folds::rest", k);
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

  /// Throws std::invalid_argument, with `function` in the message, unless there are two folds or
  /// more, the rows of each fold ascend and are in [0, n), and no row is in two folds.
  void validate(std::string_view function) const {
    require(size() >= 2, function, ": ", size(), " folds, but at least two are needed");
    std::vector<Index> fold_of(static_cast<std::size_t>(std::max<Index>(samples, 0)), -1);
    for (Index k = 0; k < size(); ++k) {
      require_rows(function, k);
      for (const Index i : rows[static_cast<std::size_t>(k)]) {
        Index& other = fold_of[static_cast<std::size_t>(i)];
        require(other < 0, function, ": row ", i, " is in folds ", other, " and ", k);
        other = k;
      }
    }
  }

 private:
  const std::vector<Index>& fold(std::string_view function, Index k) const {
    require(0 <= k && k < size(), function, ": fold ", k, " of ", size());
    return rows[static_cast<std::size_t>(k)];
  }

  void require_rows(std::string_view function, Index k) const {
    Index before = -1;
    for (const Index i : rows[static_cast<std::size_t>(k)]) {
      require(0 <= i && i < samples, function, ": fold ", k, " holds out row ", i,
              ", but there are ", samples, " samples");
      require(before < i, function, ": the rows of a fold must ascend, but in fold ", k, " row ", i,
              " comes after ", before);
      before = i;
    }
  }
};

namespace detail {

/// Returns folds: orders the samples by class if there are `classes` (n), at random within each
/// class, and deals them to the folds in turn.
template <std::same_as<FoldOptions> O>
Folds deal_to_folds(Index n, const O& options, const Vector<Index>& classes = {}) {
  require(options.folds >= 2, "fold_indices: ", options.folds,
          " folds, but at least two are needed");
  require(options.folds <= n, "fold_indices: ", options.folds, " folds of ", n, " samples");
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Random(options.seed).shuffle(std::span<Index>(order));
  if (classes.size() > 0)
    detail::stable_sort(order, [&](Index a, Index b) { return classes[a] < classes[b]; });
  const auto count = static_cast<std::size_t>(options.folds);
  std::vector<std::size_t> fold_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    fold_of[static_cast<std::size_t>(order[k])] = k % count;
  Folds folds{n, std::vector<std::vector<Index>>(count)};
  for (Index i = 0; i < n; ++i) folds.rows[fold_of[static_cast<std::size_t>(i)]].push_back(i);
  return folds;
}

}  // namespace detail

/// Deals n samples at random to folds whose sizes differ by at most one. Throws
/// std::invalid_argument for fewer than two folds, more folds than samples, and `stratify`.
template <std::integral N>
Folds fold_indices(N n, const FoldOptions& options = {}) {
  require(!options.stratify, "fold_indices: stratify needs the targets rather than their number");
  return detail::deal_to_folds(static_cast<Index>(n), options);
}

/// Deals the samples with targets y (n) to folds. With `stratify`, y are class labels. Throws
/// std::invalid_argument for fewer than two folds, more folds than samples, and invalid labels.
template <VectorLike Y>
Folds fold_indices(const Y& y, const FoldOptions& options = {}) {
  if (!options.stratify || y.size() == 0) return detail::deal_to_folds(y.size(), options);
  return detail::deal_to_folds(y.size(), options, ClassLabels(y).indices_of(y));
}

/// Returns the folds of which fold numbers[i] holds out sample i; `numbers` (n) are integers from
/// 0. Throws std::invalid_argument for other numbers, fewer than two folds, and an empty fold.
template <Numbers V>
Folds folds_of(const V& numbers) {
  const Vector<double> fold = detail::vector_of(numbers).template cast<double>();
  Folds folds{fold.size(), {}};
  for (Index i = 0; i < fold.size(); ++i) {
    require(fold[i] >= 0 && fold[i] < static_cast<double>(fold.size()) &&
                fold[i] == static_cast<double>(static_cast<Index>(fold[i])),
            "folds_of: number ", i, " is ", fold[i], ", but folds are numbered from 0");
    const auto k = static_cast<std::size_t>(fold[i]);
    if (k >= folds.rows.size()) folds.rows.resize(k + 1);
    folds.rows[k].push_back(i);
  }
  require(folds.size() >= 2, "folds_of: ", folds.size(), " folds, but at least two are needed");
  for (Index k = 0; k < folds.size(); ++k)
    require(!folds.held_out(k).empty(), "folds_of: fold ", k, " holds out no sample");
  return folds;
}

/// Returns folds that hold out the samples of a group together; groups[i], any finite number,
/// identifies the group of sample i. Assigns the groups in descending order of size, each to the
/// fold with the fewest samples so far. Throws std::invalid_argument for fewer than two folds and
/// for more folds than groups.
template <Numbers V>
Folds folds_by_group(const V& groups, Index folds = 5) {
  const auto& numbers = detail::vector_of(groups);
  const ClassLabels labels(numbers);
  require(folds >= 2 && folds <= labels.size(), "folds_by_group: ", folds, " folds of ",
          labels.size(), " groups");
  const Vector<Index> group = labels.indices_of(numbers);
  std::vector<Index> sizes(static_cast<std::size_t>(labels.size())), order = sizes;
  for (const Index g : group) ++sizes[static_cast<std::size_t>(g)];
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index g) { return sizes[static_cast<std::size_t>(g)]; };
  detail::stable_sort(order, [&](Index a, Index b) { return size(a) > size(b); });
  std::vector<Index> filled(static_cast<std::size_t>(folds)), fold_of(order.size());
  for (const Index g : order) {
    std::size_t least = 0;
    for (std::size_t k = 1; k < filled.size(); ++k)
      if (filled[k] < filled[least]) least = k;
    filled[least] += size(g);
    fold_of[static_cast<std::size_t>(g)] = static_cast<Index>(least);
  }
  Vector<Index> fold(group.size());
  for (Index i = 0; i < fold.size(); ++i) fold[i] = fold_of[static_cast<std::size_t>(group[i])];
  return folds_of(fold);
}

}  // namespace linea
