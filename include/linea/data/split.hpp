// SPDX-License-Identifier: MIT
#pragma once
/// \file Random splits into training and test samples.
#include <cmath>  // floor
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <linea/data/labels.hpp>
#include <linea/data/take_rows.hpp>
#include <numeric>  // iota
#include <span>
#include <vector>

namespace linea {

/// Samples x (n × d) and targets y (n), in double because float cannot represent every label.
template <SampleMatrix X>
struct [[nodiscard]] Labelled {
  X x{};
  Vector<double> y{};
};

template <Scalar T, class J = int>
using LabelledData = Labelled<SparseMatrix<T, J>>;

template <Scalar T>
using LabelledRows = Labelled<Matrix<T>>;

struct SplitOptions {
  double test_fraction{0.25};  ///< in (0, 1); the test part has ⌊fraction·n + ½⌋ samples
  std::uint64_t seed{0};
  /// Keep the proportions of the classes. Of the nₖ samples of class k, the test part of t samples
  /// gets ⌊nₖ·t/n⌋. The classes with the largest remainders each add one sample, until the part has
  /// t samples. Among equal remainders the smaller label comes first.
  bool stratify{false};
};

/// Row indices, from 0, in random order. Each row is in one of the two parts.
struct SplitIndices {
  std::vector<Index> train{};
  std::vector<Index> test{};
};

/// The two parts of a split. X is the type of the copies of x: Matrix<T> or SparseMatrix<T, J>.
template <SampleMatrix X>
struct Split {
  Labelled<X> train{};
  Labelled<X> test{};
};

namespace detail {

/// Returns the number of test samples of each class, by the largest remainder method.
template <class Count>
std::vector<Count> test_quotas(const std::vector<Count>& class_sizes, Index n, Index test) {
  std::vector<Count> quotas;
  Index missing = test;
  // The products of more than 46340 samples may not fit an Index of 32 bits.
  const auto product = [&](Count size) { return std::int64_t{size} * test; };
  for (const Count size : class_sizes) {
    quotas.push_back(static_cast<Count>(product(size) / n));
    missing -= quotas.back();
  }
  std::vector<std::size_t> by_remainder(class_sizes.size());
  std::iota(by_remainder.begin(), by_remainder.end(), std::size_t{0});
  const auto remainder = [&](std::size_t k) { return product(class_sizes[k]) % n; };
  detail::stable_sort(by_remainder, [&](auto a, auto b) { return remainder(a) > remainder(b); });
  for (std::size_t k = 0; missing > 0; ++k, --missing) ++quotas[by_remainder[k]];
  return quotas;
}

/// Visits the samples in random order and assigns each to the test part while the quota of its
/// class lasts. `classes` (n) has the class of each sample.
template <std::same_as<Vector<Index>> V>
SplitIndices split_by_quota(const V& classes, std::vector<Index> quotas, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(classes.size()));
  std::iota(order.begin(), order.end(), Index{0});
  Random(seed).shuffle(std::span<Index>(order));
  SplitIndices split;
  for (const Index i : order) {
    Index& quota = quotas[static_cast<std::size_t>(classes[i])];
    (quota > 0 ? split.test : split.train).push_back(i);
    if (quota > 0) --quota;
  }
  return split;
}

inline Index test_size(Index n, double fraction) {
  require(fraction > 0 && fraction < 1, "split: test_fraction is ", fraction,
          ", but must lie between 0 and 1");
  const auto test = static_cast<Index>(std::floor(fraction * static_cast<double>(n) + 0.5));
  require(test > 0 && test<n, "split: of ", n, " samples, a test_fraction of ", fraction,
                           " leaves none to ", test> 0
              ? "train on"
              : "test with");
  return test;
}

}  // namespace detail

/// Returns the indices of a random split of n samples. Throws std::invalid_argument for a fraction
/// outside (0, 1), for a fraction that leaves a part empty, and for `stratify`.
template <std::integral N>
[[nodiscard]] SplitIndices split_indices(N samples, const SplitOptions& options = {}) {
  const auto n = static_cast<Index>(samples);
  require(!options.stratify, "split_indices: stratify needs the targets rather than their number");
  const Index test = detail::test_size(n, options.test_fraction);
  return detail::split_by_quota(detail::filled(n, Index{0}), {test}, options.seed);
}

/// Returns the indices of a random split of the samples with targets y (n). With `stratify`, y are
/// class labels. Throws std::invalid_argument for a fraction outside (0, 1), for a fraction that
/// leaves a part empty, and for invalid labels.
template <Numbers Y>
[[nodiscard]] SplitIndices split_indices(const Y& targets, const SplitOptions& options = {}) {
  const auto& y = detail::vector_of(targets);
  if (!options.stratify) return split_indices(y.size(), options);
  const Index test = detail::test_size(y.size(), options.test_fraction);
  const ClassLabels labels(y);
  const Vector<Index> classes = labels.indices_of(y);
  std::vector<Index> sizes(static_cast<std::size_t>(labels.size()));
  for (const Index k : classes) ++sizes[static_cast<std::size_t>(k)];
  return detail::split_by_quota(classes, detail::test_quotas(sizes, y.size(), test), options.seed);
}

/// Copies x (n × d) and y (n) into a training part and a test part. Throws in the cases of
/// `split_indices`, if the sizes differ, and for a 64-bit integer in y of 2⁵³ or more.
template <SampleMatrix X, Numbers Y>
[[nodiscard]] auto split(const X& x, const Y& given_y, const SplitOptions& options = {}) {
  const auto& y = detail::vector_of(given_y);
  detail::require_targets("split", x.rows(), x.cols(), y.size());
  const SplitIndices indices = split_indices(y, options);
  Vector<double> exact(y.size());
  for (Index i = 0; i < y.size(); ++i) exact[i] = detail::label_of("split", y[i]);
  const auto take = [&](const std::vector<Index>& rows) {
    return Labelled<decltype(take_rows(x, rows))>{take_rows(x, rows), exact(rows)};
  };
  return Split<decltype(take_rows(x, indices.train))>{take(indices.train), take(indices.test)};
}

}  // namespace linea
