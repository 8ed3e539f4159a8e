// SPDX-License-Identifier: MIT
#pragma once
/// \file The normal equations of least squares: products of a centred design with itself and with
/// targets.
#include <algorithm>  // copy, max, min
#include <cmath>      // sqrt
#include <linea/core/workers.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/optimizers/least_squares/centred_moments.hpp>
#include <linea/optimizers/least_squares/sparse_products.hpp>
#include <span>
#include <utility>  // move
#include <vector>

namespace linea::least_squares {

/// A design Z of targets y (n × k), with ZᵀZ (d × d) and Zᵀ·diag(r)(y − ȳ) (d × k); for d > n ZZᵀ
/// (n × n) and diag(r)(y − ȳ) (n × k).
template <class Rows>
struct NormalEquations {
  using Columns = typename CentredDesign<Rows>::Columns;
  using Reals = typename CentredDesign<Rows>::Reals;

  CentredDesign<Rows> design;
  Columns product;  ///< its lower triangle
  Columns right;
  Reals target_mean;  ///< ȳ (k)
  Reals target_rest;  ///< what rounding took from ȳ (k)
  /// How many samples of positive weight the rows stand for; −1: one each, where it has one.
  Index present{-1};

  bool is_dual() const { return design.cols() > design.rows(); }

  /// diag(r)(y − ȳ): (n × k).
  Columns centred(Columns y) const {
    for (Index k = 0; k < y.cols(); ++k)
      for (Index i = 0; i < y.rows(); ++i)
        y(i, k) = design.root()[i] * (y(i, k) - target_mean[k] - target_rest[k]);
    return y;
  }

  /// The samples of positive weight, less one where Z is centred: the rank of Z is no higher.
  Index freedom(bool centre) const {
    Index count = std::max<Index>(present, 0) - (centre ? 1 : 0);
    for (Index i = 0; present < 0 && i < design.rows(); ++i) count += design.root()[i] > 0 ? 1 : 0;
    return count;
  }
};

/// Where the rows [first, last) of x lie, if they lie in one piece; else nothing.
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

/// The moments of `length` rows: take_in(moments, first, count) for each block of them. Each thread
/// has moments and a copy of `take_in` of its own, for blocks that follow one another, so their
/// number decides the bits.
template <class TakeIn>
CentredMoments moments_of_blocks(Index length, Index columns, bool centre, Index threads,
                                 const TakeIn& take_in) {
  constexpr Index block = CentredMoments::block_rows;
  const Index blocks = (length + block - 1) / block;
  Workers workers(std::max<Index>(std::min(threads, blocks), 1));
  std::vector<CentredMoments> parts;
  for (Index k = 0; k < workers.count(); ++k) parts.emplace_back(length, columns, centre);
  workers.run([&](Index k) {
    const auto [from, to] = share_of(blocks, k, workers.count());
    TakeIn own = take_in;
    for (Index b = from; b < to; ++b)
      own(parts[static_cast<std::size_t>(k)], b * block, std::min(block, length - b * block));
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts[0].join(parts[k]);
  return std::move(parts[0]);
}

/// ZᵀZ, or ZZᵀ when `transposed`: (size × size). Rows are centred before they are multiplied, but
/// for sparse ones where that loses no digits: these are multiplied by one thread.
template <class Rows>
auto self_product(const CentredDesign<Rows>& design, bool transposed, Index threads) {
  if constexpr (Rows::is_sparse)
    if (design.means().largest_shift < 1e2 && design.means().constant.empty())
      return transposed ? sparse_kernel(design.samples(), design.root(), design.mean())
                        : sparse_moments(design.samples(), design.root(), design.mean());
  const Index size = transposed ? design.rows() : design.cols();
  const Index length = transposed ? design.cols() : design.rows();
  const Vector<double> ones = numerics::constant(CentredMoments::block_rows, 1);
  const auto take_in = [&, block = typename CentredDesign<Rows>::Block{}](
                           CentredMoments& moments, Index first, Index count) mutable {
    design.fill(first, count, transposed, block);
    for (Index k = 0; k < count; ++k)
      std::copy(block.data() + k * size, block.data() + (k + 1) * size, moments.row(k));
    moments.add(ones.data(), count);
  };
  return moments_of_blocks(length, size, false, threads, take_in).scatter();
}

/// From the moments of the rows (xᵢ yᵢ): one pass over x for means and products.
template <class Rows>
NormalEquations<Rows> equations_of_moments(const samples::TrainingSet<Rows>& set, bool centre,
                                           const typename CentredDesign<Rows>::Columns& y,
                                           Index threads) {
  const Rows& rows = set.rows;
  const Index n = rows.rows();
  const Index d = rows.cols();
  Vector<double> root = root_weights(set);
  const auto take_in = [&](CentredMoments& moments, Index first, Index count) {
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
  const Vector<double> all = moments.mean();
  const Vector<double> rest = moments.rest_of_mean();
  const auto& scatter = moments.scatter();
  ColumnMeans means;
  means.mean = numerics::part_of(all, 0, d);
  means.rest = numerics::part_of(rest, 0, d);
  for (Index j = 0; centre && j < d; ++j) means.judge(j, std::sqrt(std::max(scatter(j, j), 0.0)));
  NormalEquations<Rows> equations{CentredDesign<Rows>(rows, std::move(root), means),
                                  {},
                                  {},
                                  numerics::part_of(all, d, y.cols()),
                                  numerics::part_of(rest, d, y.cols())};
  equations.product.resize(d, d);
  equations.right.resize(d, y.cols());
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < d; ++i)
      equations.product(i, j) = means.is_constant(i) || means.is_constant(j) ? 0 : scatter(i, j);
    for (Index k = 0; k < y.cols(); ++k)
      equations.right(j, k) = means.is_constant(j) ? 0 : scatter(d + k, j);
  }
  return equations;
}

/// One pass over dense rows if d ≤ n. With `centre` off, x̄ and ȳ are 0. Memory of each thread but
/// the first: a product.
template <class Rows>
NormalEquations<Rows> normal_equations(const samples::TrainingSet<Rows>& set, bool centre,
                                       const typename CentredDesign<Rows>::Columns& y,
                                       Index threads = 1) {
  if constexpr (!Rows::is_sparse)
    if (set.rows.cols() <= set.rows.rows()) return equations_of_moments(set, centre, y, threads);
  NormalEquations<Rows> equations{CentredDesign<Rows>(set, centre),
                                  {},
                                  {},
                                  numerics::constant(y.cols(), 0),
                                  numerics::constant(y.cols(), 0)};
  const auto& design = equations.design;
  for (Index k = 0; centre && k < y.cols(); ++k)
    for (int round = 0; round < 3; ++round) {  // the second takes away the first one's rounding
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
