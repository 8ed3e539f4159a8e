// SPDX-License-Identifier: MIT
#pragma once
/// \file The normal equations of least squares: products of a centred design with itself and with
/// the targets.
#include <algorithm>  // clamp, max, min
#include <linea/core/workers.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::least_squares {

/// A design Z and targets t = diag(r)(y − ȳ), (n × k), with ZᵀZ (d × d) and Zᵀt (d × k). For d > n,
/// `product` is ZZᵀ (n × n) and `right` is t instead.
template <class Rows>
struct NormalEquations {
  CentredDesign<Rows> design;
  Columns targets{};    ///< t
  Reals target_mean{};  ///< ȳ (k)
  Reals target_rest{};  ///< ȳ − target_mean, its rounding error (k)
  Columns product{};    ///< the lower triangle of ZᵀZ or ZZᵀ
  Columns right{};      ///< Zᵀt or t
  /// A factor for the rounding error that the corrections for the means cause: for ZᵀZ the largest
  /// mean²/variance of a column, for ZZᵀ of sparse rows ‖mean‖² over the trace, else 0.
  double mean_shift{0};

  bool is_dual() const { return design.cols() > design.rows(); }

  /// Returns the number of samples of positive weight, minus one if Z is centred: a bound on the
  /// rank of Z.
  Index freedom(bool centre) const {
    Index count = centre ? -1 : 0;
    for (Index i = 0; i < design.rows(); ++i) count += design.root()[i] > 0 ? 1 : 0;
    return count;
  }
};

/// Returns the lower triangle of a matrix (size × size) that is a sum over `rows` rows.
/// add(sum, first, last) must add rows [first, last) to `sum`. Each thread adds consecutive rows.
template <class Add>
Columns sum_on_threads(Index rows, Index size, Index threads, const Add& add) {
  Workers workers(std::clamp<Index>(rows / 128, 1, threads));
  std::vector<Columns> parts(static_cast<std::size_t>(workers.count()));
  workers.run([&](Index k) {
    auto sum = linear_algebra::zeros<Columns>(size, size);
    const auto [first, last] = share_of(rows, k, workers.count());
    add(sum, first, last);
    parts[static_cast<std::size_t>(k)] = std::move(sum);
  });
  for (std::size_t k = 1; k < parts.size(); ++k) linear_algebra::add(1, parts[k], parts[0]);
  return std::move(parts[0]);
}

/// Returns the lower triangle of ZZᵀ. Centres dense rows before multiplying, and corrects the
/// products of sparse rows for the means, since centring would fill these rows.
template <class Rows>
Columns outer_product(const CentredDesign<Rows>& design, Index threads) {
  const Index n = design.rows();
  if constexpr (!Rows::is_sparse) {
    return sum_on_threads(design.cols(), n, threads, [&](Columns& sum, Index first, Index last) {
      Matrix<double> block;
      for (; first < last; first += block.rows()) {
        design.fill(first, std::min(design.block_rows, last - first), true, block);
        linear_algebra::add_full_gram(sum, block.rows(), [&](Index k, auto&& put) {
          for (Index i = 0; i < n; ++i) put(i, block(k, i));
        });
      }
    });
  } else {
    auto product = linear_algebra::zeros<Columns>(n, n);
    const Rows& rows = design.samples();
    const Reals &root = design.root(), &mean = design.mean_of_samples();
    Reals row = linear_algebra::constant(rows.cols(), 0);
    Reals shifts = linear_algebra::constant(n, 0);
    const double square = linear_algebra::squares_of(mean);
    for (Index i = 0; i < n; ++i) {  // rᵢrₖ(⟨xᵢ, xₖ⟩ − ⟨xᵢ, x̄⟩ − ⟨xₖ, x̄⟩ + ⟨x̄, x̄⟩)
      rows.for_each(i, [&](Index j, double value) {
        row[j] += value;
        shifts[i] += value * mean[j];
      });
      for (Index k = 0; k <= i; ++k) {
        if (root[i] * root[k] == 0) continue;  // ignore samples of weight 0, even if not finite
        double sum = square - shifts[i] - shifts[k];
        rows.for_each(k, [&](Index j, double value) { sum += value * row[j]; });
        product(i, k) = root[i] * root[k] * sum;
      }
      rows.for_each(i, [&](Index j, double) { row[j] = 0; });
    }
    return product;
  }
}

/// Returns approximate column means (d) of dense rows, from at most 128 evenly spaced rows. The
/// means of constant columns are exact. Returns zeros for sparse rows.
template <class Rows>
Reals rough_means(const Rows& rows, const Reals& root) {
  Reals mean = linear_algebra::constant(rows.cols(), 0);
  double total = 0;
  for (Index i = 0; !Rows::is_sparse && i < rows.rows(); i += rows.rows() / 128 + 1) {
    const double share = root[i] * root[i];
    if (share == 0) continue;
    total += share;
    rows.for_each(i, [&](Index j, double x) { mean[j] += share / total * (x - mean[j]); });
  }
  return mean;
}

/// Fetches row i into the cache if the row exists and is contiguous.
template <class Rows>
void fetch_row(const Rows& rows, Index i) {
  if constexpr (!Rows::is_sparse && Rows::is_packed)
    for (Index byte = 0; i < rows.rows() && byte < rows.row_bytes(); byte += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(rows.start(i)) + byte);
}

/// Computes the means, ZᵀZ and Zᵀt in one pass, from Σᵢ gᵢgᵢᵀ for gᵢ = (rᵢ(xᵢ − a), tᵢ, rᵢ) and
/// rough means a. For dense rows the means of xᵢ − a are small, and so are the corrections for
/// these means.
template <class Rows>
void sum_up(NormalEquations<Rows>& equations, bool centre, Index threads) {
  auto& design = equations.design;
  const Rows& rows = design.samples();
  const Columns& t = equations.targets;
  const Index d = rows.cols(), last = d + t.cols();
  Reals mean = centre ? rough_means(rows, design.root()) : linear_algebra::constant(d, 0);
  const double in_row = static_cast<double>(rows.entries()) / static_cast<double>(rows.rows()) + 1 +
                        static_cast<double>(t.cols());
  const Columns sums =
      sum_on_threads(rows.rows(), last + 1, threads, [&](Columns& sum, Index first, Index end) {
        linear_algebra::add_gram(sum, end - first, in_row, [&](Index k, auto&& put) {
          const double root = design.root()[first + k];
          if (root == 0) return;  // ignore samples of weight 0, even if not finite
          fetch_row(rows, first + k + 32);
          rows.for_each(first + k, [&](Index j, double x) { put(j, root * (x - mean[j])); });
          for (Index c = 0; c < t.cols(); ++c) put(d + c, t(first + k, c));
          put(last, root);
        });
      });
  Reals shift = linear_algebra::constant(d, 0);
  for (Index j = 0; centre && j < d; ++j) mean[j] += shift[j] = sums(last, j);
  equations.product = linear_algebra::zeros<Columns>(d, d);
  equations.right.resize(d, t.cols());
  for (Index j = 0; j < d; ++j) {
    for (Index i = j; i < d; ++i) equations.product(i, j) = sums(i, j) - shift[i] * shift[j];
    for (Index c = 0; c < t.cols(); ++c)
      equations.right(j, c) = sums(d + c, j) - shift[j] * sums(last, d + c);
    const double variance = equations.product(j, j);
    if (variance > 0)
      equations.mean_shift = std::max(equations.mean_shift, shift[j] * (shift[j] / variance));
  }
  design.set_mean(std::move(mean));
}

/// Returns the normal equations for targets y (n × k). Makes one pass over the samples if d ≤ n.
/// Without `centre`, x̄ and ȳ are 0. Memory: one more product for each thread after the first.
template <class Rows>
NormalEquations<Rows> normal_equations(const samples::TrainingSet<Rows>& set, bool centre,
                                       Columns y, Index threads = 1) {
  const bool dual = set.rows.cols() > set.rows.rows();
  NormalEquations<Rows> equations{CentredDesign<Rows>(set, centre, !dual)};
  const Reals& root = equations.design.root();
  Reals& mean = equations.target_mean = linear_algebra::constant(y.cols(), 0);
  Reals& rest = equations.target_rest = mean;
  for (Index k = 0; k < y.cols(); ++k) {
    for (int round = 0; centre && round < 2; ++round) {  // round 2 corrects the rounding of round 1
      double missing = 0;
      for (Index i = 0; i < y.rows(); ++i) missing += root[i] * root[i] * (y(i, k) - mean[k]);
      const double before = mean[k];
      mean[k] += missing;
      rest[k] = missing - (mean[k] - before);
    }
    for (Index i = 0; i < y.rows(); ++i) y(i, k) = root[i] * (y(i, k) - mean[k] - rest[k]);
  }
  equations.targets = std::move(y);
  if (!dual) {
    sum_up(equations, centre, threads);
  } else {
    equations.right = equations.targets;
    equations.product = outer_product(equations.design, threads);
    double trace = 0;
    for (Index i = 0; i < equations.product.rows(); ++i) trace += equations.product(i, i);
    if (Rows::is_sparse && trace > 0)
      equations.mean_shift = linear_algebra::squares_of(equations.design.mean_of_samples()) / trace;
  }
  return equations;
}

}  // namespace linea::detail::least_squares
