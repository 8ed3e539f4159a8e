// SPDX-License-Identifier: MIT
#pragma once
/// \file The normal equations of least squares: products of a centred design with itself and with
/// the targets.
#include <algorithm>   // copy, fill, max, min
#include <cmath>       // sqrt
#include <functional>  // function
#include <linea/core/workers.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/optimizers/least_squares/centred_moments.hpp>
#include <span>
#include <utility>  // move
#include <vector>

namespace linea::least_squares {

/// A design Z and targets y (n × k) with ZᵀZ (d × d) and Zᵀ·diag(r)(y − ȳ) (d × k). For d > n it
/// has ZZᵀ (n × n) and diag(r)(y − ȳ) (n × k) instead.
template <class Rows>
struct NormalEquations {
  CentredDesign<Rows> design;
  Columns product{};  ///< the lower triangle of ZᵀZ or ZZᵀ
  Columns right{};
  Reals target_mean{};  ///< ȳ (k)
  Reals target_rest{};  ///< rounding error of ȳ (k)

  bool is_dual() const { return design.cols() > design.rows(); }

  /// Returns diag(r)(y − ȳ), (n × k).
  Columns centred(Columns y) const {
    for (Index k = 0; k < y.cols(); ++k)
      for (Index i = 0; i < y.rows(); ++i)
        y(i, k) = design.root()[i] * (y(i, k) - target_mean[k] - target_rest[k]);
    return y;
  }

  /// Returns the number of samples of positive weight, minus one if Z is centred: a bound on the
  /// rank of Z.
  Index freedom(bool centre) const {
    Index count = centre ? -1 : 0;
    for (Index i = 0; i < design.rows(); ++i) count += design.root()[i] > 0 ? 1 : 0;
    return count;
  }
};

/// Returns the moments of `length` rows. Calls take_in(moments, block, first, count) for each
/// block, with memory for a copy of its rows. Each thread has its own moments of consecutive
/// blocks, so that the bits depend on the number of threads.
inline CentredMoments moments_of_blocks(
    Index length, Index columns, bool centre, Index threads,
    const std::function<void(CentredMoments&, Matrix<double>&, Index, Index)>& take_in) {
  constexpr Index block = CentredMoments::block_rows;
  const Index blocks = (length + block - 1) / block;
  Workers workers(std::max<Index>(std::min(threads, blocks), 1));
  std::vector<CentredMoments> parts;
  for (Index k = 0; k < workers.count(); ++k) parts.emplace_back(length, columns, centre);
  workers.run([&](Index k) {
    const auto [from, to] = share_of(blocks, k, workers.count());
    Matrix<double> copy;
    for (Index b = from; b < to; ++b)
      take_in(parts[static_cast<std::size_t>(k)], copy, b * block,
              std::min(block, length - b * block));
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts[0].join(parts[k]);
  return std::move(parts[0]);
}

/// Returns the self_product of a sparse design, on one thread, without filling it. Corrects each
/// sum for the means at the end, which loses digits where means are far larger than deviations.
template <class Rows>
Columns sparse_product(const CentredDesign<Rows>& design, bool transposed) {
  const Rows& rows = design.samples();
  const Reals& root = design.root();
  const Reals& mean = design.mean();
  const Index size = transposed ? rows.rows() : rows.cols();
  Columns product(size, size);
  std::fill(product.data(), product.data() + product.size(), 0.0);
  Reals row = linear_algebra::constant(rows.cols(), 0);
  Reals shifts = linear_algebra::constant(rows.rows(), 0);
  const double square = linear_algebra::squares_of(mean);
  for (Index i = 0; i < rows.rows(); ++i) {
    if (transposed) {  // rᵢrₖ(⟨xᵢ, xₖ⟩ − ⟨xᵢ, x̄⟩ − ⟨xₖ, x̄⟩ + ⟨x̄, x̄⟩)
      rows.for_each(i, [&](Index j, double value) {
        row[j] += value;
        shifts[i] += value * mean[j];
      });
      for (Index k = 0; k <= i; ++k) {
        if (root[i] * root[k] == 0) continue;  // ignored, even if not finite
        double sum = square - shifts[i] - shifts[k];
        rows.for_each(k, [&](Index j, double value) { sum += value * row[j]; });
        product(i, k) = root[i] * root[k] * sum;
      }
      rows.for_each(i, [&](Index j, double) { row[j] = 0; });
    } else {
      const double share = root[i] * root[i];
      rows.for_each(i, [&](Index j, double a) {
        rows.for_each(i, [&](Index k, double b) {
          if (k >= j) product(k, j) += share * a * b;
        });
      });
    }
  }
  for (Index j = 0; j < size && !transposed; ++j)  // Σᵢ rᵢ²xᵢxᵢᵀ − x̄x̄ᵀ
    for (Index k = j; k < size; ++k) product(k, j) -= mean[j] * mean[k];
  return product;
}

/// Returns ZᵀZ, or ZZᵀ if `transposed`: (size × size). Centres rows before multiplying, except for
/// sparse rows where the correction afterwards loses no digits.
template <class Rows>
Columns self_product(const CentredDesign<Rows>& design, bool transposed, Index threads) {
  if constexpr (Rows::is_sparse)
    if (design.means().largest_shift < 1e2 && design.means().constant.size() == 0)
      return sparse_product(design, transposed);
  const Index size = transposed ? design.rows() : design.cols();
  const Index length = transposed ? design.cols() : design.rows();
  const Reals ones = linear_algebra::constant(CentredMoments::block_rows, 1);
  const auto take_in = [&](CentredMoments& moments, Matrix<double>& block, Index first,
                           Index count) {
    design.fill(first, count, transposed, block);
    for (Index k = 0; k < count; ++k)
      std::copy(block.data() + k * size, block.data() + (k + 1) * size, moments.row(k));
    moments.add(ones.data(), count);
  };
  return moments_of_blocks(length, size, false, threads, take_in).scatter();
}

/// Returns the bytes of rows [first, last) of x if they are contiguous, else an empty span.
template <class Rows>
std::span<const char> bytes_of(const Rows& rows, Index first, Index last) {
  if constexpr (!Rows::is_sparse && Rows::is_packed)
    if (first < last) {
      const auto* start = reinterpret_cast<const char*>(rows.start(first));
      const auto* end = reinterpret_cast<const char*>(rows.start(last - 1)) + rows.row_bytes();
      if (end - start == (last - first) * rows.row_bytes()) return {start, end};
    }
  return {};
}

/// Returns the normal equations from the moments of the rows (xᵢ yᵢ): one pass over x gives means
/// and products.
template <class Rows>
NormalEquations<Rows> equations_of_moments(const samples::TrainingSet<Rows>& set, bool centre,
                                           const Columns& y, Index threads) {
  const Rows& rows = set.rows;
  const Index n = rows.rows();
  const Index d = rows.cols();
  Reals root = root_weights(set);
  const auto take_in = [&](CentredMoments& moments, Matrix<double>&, Index first, Index count) {
    for (Index k = 0; k < count; ++k) {
      double* const out = moments.row(k);
      rows.for_each(first + k, [out](Index j, double value) { out[j] = value; });
      for (Index t = 0; t < y.cols(); ++t) out[d + t] = y(first + k, t);
    }
    const Index next = first + count;
    moments.add(root.data() + first, count,
                bytes_of(rows, next, std::min(next + CentredMoments::block_rows, n)));
  };
  const auto moments = moments_of_blocks(n, d + y.cols(), centre, threads, take_in);
  const Reals all = moments.mean();
  const Reals rest = moments.rest_of_mean();
  const auto& scatter = moments.scatter();
  ColumnMeans means{linear_algebra::part_of(all, 0, d), linear_algebra::part_of(rest, 0, d)};
  for (Index j = 0; centre && j < d; ++j) means.judge(j, std::sqrt(std::max(scatter(j, j), 0.0)));
  Columns product(d, d);
  Columns right(d, y.cols());
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < d; ++i)
      product(i, j) = means.is_constant(i) || means.is_constant(j) ? 0 : scatter(i, j);
    for (Index k = 0; k < y.cols(); ++k) right(j, k) = means.is_constant(j) ? 0 : scatter(d + k, j);
  }
  return {CentredDesign<Rows>(rows, std::move(root), std::move(means)), std::move(product),
          std::move(right), linear_algebra::part_of(all, d, y.cols()),
          linear_algebra::part_of(rest, d, y.cols())};
}

/// Returns the normal equations. Makes one pass over dense rows if d ≤ n. Without `centre`, x̄ and
/// ȳ are 0. Memory: one product for each thread after the first.
template <class Rows>
NormalEquations<Rows> normal_equations(const samples::TrainingSet<Rows>& set, bool centre,
                                       const Columns& y, Index threads = 1) {
  if constexpr (!Rows::is_sparse)
    if (set.rows.cols() <= set.rows.rows()) return equations_of_moments(set, centre, y, threads);
  NormalEquations<Rows> equations{CentredDesign<Rows>(set, centre)};
  const auto& design = equations.design;
  equations.target_mean = equations.target_rest = linear_algebra::constant(y.cols(), 0);
  // Rounds 1 and 2 sum up ȳ: round 2 corrects the rounding of round 1. Round 3 finds its rest.
  for (Index k = 0; centre && k < y.cols(); ++k)
    for (int round = 0; round < 3; ++round) {
      double missing = 0;
      for (Index i = 0; i < y.rows(); ++i)
        missing += design.root()[i] * design.root()[i] * (y(i, k) - equations.target_mean[k]);
      (round < 2 ? equations.target_mean : equations.target_rest)[k] += missing;
    }
  equations.right = equations.centred(y);
  equations.product = self_product(design, equations.is_dual(), threads);
  if (!equations.is_dual()) equations.right = design.apply_transposed(equations.right);
  return equations;
}

}  // namespace linea::least_squares
