// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge for divided rows: 2(d + k) condensed samples with the same squared error replace the
/// rows of each part, for d columns and k targets.
#include <algorithm>  // min
#include <cmath>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/solve_ridge.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>

namespace linea::mpi {

/// Samples x with targets y and weights. Their mean squared error is that of all rows, for every w
/// and b.
template <class Real = double>
struct Condensed {
  Matrix<Real> x;
  detail::ColumnMatrix<Real> y;
  Vector<Real> weights;
};

/// The largest number of columns; with more, the condensed samples would need too much memory.
inline constexpr Index most_condensed_columns = 4096;

/// Returns R, square of size 1 + d + k, of the QR decomposition of diag(√s)·(1 X Y) for the rows of
/// this process, with sample weights s and k columns of targets Y. The first row of R is √W times
/// the mean of the rows, with W = Σᵢ sᵢ; the other rows of R have the scatter. No products of
/// columns are computed, because these would lose digits.
template <class Rows>
Matrix<double> triangle_of_rows(const detail::samples::TrainingSet<Rows>& set,
                                const detail::ColumnMatrix<double>& y) {
  constexpr Index block_rows = 128;
  const Index n = set.rows.rows();
  const Index d = set.rows.cols();
  using Block = Matrix<detail::DoubleFor<Rows>>;
  Block r = Block::Zero(1 + d + y.cols(), 1 + d + y.cols());
  for (Index first = 0; first < n; first += block_rows) {
    const Index count = std::min(block_rows, n - first);
    Block block = Block::Zero(count, r.cols());
    for (Index i = 0; i < count; ++i) {
      const double root = std::sqrt(static_cast<double>(set.weight(first + i)));
      if (root == 0) continue;
      block(i, 0) = root;
      set.rows.for_each(first + i, [&](Index j, double value) { block(i, 1 + j) = root * value; });
      for (Index k = 0; k < y.cols(); ++k) block(i, 1 + d + k) = root * y(first + i, k);
    }
    detail::linear_algebra::append_rows(r, block);
  }
  return r;
}

/// Returns condensed samples. Rows (x, y), of q = d + k entries, with mean m, weight W and scatter
/// RᵀR are equivalent to the 2q samples m ± √(q/W)·rⱼ of weight W/(2q), where rⱼ are the rows of R
/// (q × q). Every rank gets the condensed samples of all parts. For each part every rank sends
/// about 16·(1 + q)² bytes and stores about 24·(1 + q)².
template <class Rows>
auto condense(const detail::samples::TrainingSet<Rows>& set,
              const detail::ColumnMatrix<double>& y) {
  const Index d = set.rows.cols();
  const Index q = d + y.cols();
  using Real = detail::DoubleFor<Rows>;
  const Matrix<Real> own = triangle_of_rows(set, y);
  const Vector<Real> all = set.all().joined(Vector<Real>::Map(own.data(), own.size()));
  const Index parts = all.size() / own.size();
  Condensed<Real> condensed{Matrix<Real>::Zero(parts * 2 * q, d),
                            detail::ColumnMatrix<Real>::Zero(parts * 2 * q, y.cols()),
                            detail::filled<Real>(parts * 2 * q, 0)};
  for (Index part = 0; part < parts; ++part) {
    const auto r = [&](Index i, Index j) {
      return i > j ? 0.0 : all[part * own.size() + i * own.cols() + j];
    };
    const double root = r(0, 0);
    if (root == 0) continue;  // no rows of positive weight
    const double stretch = std::sqrt(static_cast<double>(q)) / root;
    for (Index i = 0; i < 2 * q; ++i) {
      const Index row = part * 2 * q + i;
      const double way = (i % 2 == 0 ? 1 : -1) * stretch;
      condensed.weights[row] = root * root / static_cast<double>(2 * q);
      for (Index j = 0; j < q; ++j) {
        const double entry = r(0, 1 + j) / root + way * r(1 + i / 2, 1 + j);
        (j < d ? condensed.x(row, j) : condensed.y(row, j - d)) = entry;
      }
    }
  }
  return condensed;
}

/// Fits Ridge to divided rows: condenses each part, solves the same small problem on all ranks, and
/// computes F from the rows themselves.
template <class Rows>
detail::least_squares::RidgeFit solve_together(std::string_view function,
                                               const detail::samples::TrainingSet<Rows>& set,
                                               bool offset,
                                               const detail::ColumnMatrix<double>& targets,
                                               double lambda, bool single) {
  require(set.rows.cols() <= most_condensed_columns, function, ": x has ", set.rows.cols(),
          " columns, but divided rows can have at most ", most_condensed_columns, ": use Newton");
  const auto all = detail::samples::all_of(set.rows);
  require(all.largest(lambda) == lambda && all.largest(offset ? 1 : 0) == (offset ? 1 : 0),
          function, ": lambda and offset must be the same on all ranks");
  // Condensed samples of centred rows keep more digits.
  detail::samples::TrainingSet<Rows> moved = set;
  const detail::samples::Frame<> frame(moved, offset);
  const auto condensed = condense(moved, targets);
  const auto few =
      detail::samples::admit_samples(function, condensed.x, condensed.y.rows(), condensed.weights);
  auto fit = detail::least_squares::solve_ridge(few, offset, condensed.y, lambda, single);
  const double promised = fit.objective;
  double at_zero = 0;
  fit.objective = 0.5 * lambda * fit.weights.squaredNorm();
  for (Index k = 0; k < targets.cols(); ++k) {
    const Vector<double> y = targets.col(k);
    const Vector<double> w = fit.weights.col(k);
    fit.offset[k] = frame.leave(w, fit.offset[k]);
    if (single) fit.offset[k] = static_cast<float>(fit.offset[k]);
    fit.objective +=
        detail::samples::risk_of_rows(Squared{}, set.rows, y, set.weights, w, fit.offset[k]);
    at_zero += detail::samples::risk_of_rows(Squared{}, detail::samples::RowsAtZero<Rows>{set.rows},
                                             y, set.weights, Vector<double>(), 0.0);
  }
  // If the objective differs from that of the condensed samples, condensing has lost digits.
  const double rounding = (single ? 1e-6 : 1e-15) * at_zero;
  if (fit.status == Status::converged &&
      !(std::abs(fit.objective - promised) <= 1e-6 * fit.objective + rounding))
    fit.status = Status::precision_limit;
  return fit;
}

}  // namespace linea::mpi
