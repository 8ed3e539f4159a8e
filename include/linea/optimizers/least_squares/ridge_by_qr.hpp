// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression by orthogonal transformations of the samples themselves.
#include <algorithm>  // copy, fill, max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/ridge_fit.hpp>
#include <linea/optimizers/numerics/graded_least_squares.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <optional>
#include <utility>  // move

namespace linea::least_squares {

template <class Real>
Matrix<Real> zeros(Index rows, Index cols) {
  Matrix<Real> zeros(rows, cols);
  std::fill(zeros.data(), zeros.data() + zeros.size(), Real(0));
  return zeros;
}

/// [block, values] for values (count × k), given as rows `first` and on of y; in place.
template <class Real>
void put_beside(Matrix<Real>& block, const Columns<Real>& y, Index first) {
  Matrix<Real> both(block.rows(), block.cols() + y.cols());
  for (Index i = 0; i < block.rows(); ++i) {
    for (Index j = 0; j < block.cols(); ++j) both(i, j) = block(i, j);
    for (Index k = 0; k < y.cols(); ++k) both(i, block.cols() + k) = y(first + i, k);
  }
  block.swap(both);
}

/// Ridge regression for any λ of one design Z and targets t (n × k), both centred. What is kept of
/// them: for d < n R (d × d) of the QR decomposition of Z and Qᵀt, else a copy of Z.
///
/// A direction of Z counts as 0 where it is no more than rounding of the samples, that is of the
/// columns before they were centred: scores of doubles could not tell it from 0. Should the weights
/// then be too large for the numbers that the caller stores, more directions are left out, as long
/// as F falls. If F could be less in the directions that were left out, the status says so.
template <class Rows>
class RidgeByQr {
  using Design = CentredDesign<Rows>;
  using Columns = typename Design::Columns;

 public:
  RidgeByQr(const NormalEquations<Rows>& equations, const RidgeAnswers<Rows>& answers,
            const Columns& t, bool centred)
      : design_(equations.design),
        answers_(answers),
        t_(t),
        free_(equations.freedom(centred)),
        dual_(equations.is_dual()) {
    if (design_.cols() < design_.rows())
      keep_triangle();
    else
      keep_copy();
  }

  /// Is a copy of Z, should it be wanted, no more than x itself, or a gigabyte?
  static bool can_copy(const Design& design) {
    constexpr double most = 1.4e8;
    const double entries = static_cast<double>(design.rows()) * static_cast<double>(design.cols());
    return !Rows::is_sparse || design.cols() <= design.rows() || entries < most;
  }

  /// `condition` is that of the normal equations, which were not to be trusted.
  RidgeFit<double> solve(double lambda, double condition) const {
    RidgeFit<double> best;
    for (const double factor : {1.0, 1e2, 1e4, 1e6, 1e9}) {
      std::optional<Solver> coarser;
      if (factor > 1) coarser.emplace(solver(factor, true));
      const Solver& chosen = coarser ? *coarser : of_samples();
      auto [weights, squares] = chosen.minimum(lambda);
      RidgeFit<double> fit{.weights = std::move(weights), .offset = {}};
      design_.clear_constant(fit.weights);
      answers_.round(fit.weights);
      fit.minimum = 0.5 * (squares + beyond_);
      fit.rank = chosen.rank();
      answers_.finish_exactly(lambda, fit);
      const bool is_exact = fit.status == Status::converged;
      if (!coarser || fit.objective < best.objective || !best.is_finite()) best = std::move(fit);
      if (is_exact || chosen.rank() == 0) break;
    }
    best.minimum = least(lambda);
    best.status = answers_.status_of(best);
    best.factorization = Factorization::qr;
    best.reciprocal_condition = condition;
    best.dual = dual_;
    return best;
  }

 private:
  using Solver = numerics::GradedLeastSquares<double>;

  /// R of Z, beside it Qᵀt, and the squares of what of t lies beyond Q.
  void keep_triangle() {
    const Index d = design_.cols();
    Matrix<double> r = zeros<double>(d, d + t_.cols());
    Matrix<double> block;
    for (Index first = 0; first < design_.rows(); first += Design::block_rows) {
      design_.fill(first, std::min(Design::block_rows, design_.rows() - first), false, block);
      put_beside(block, t_, first);
      numerics::append_rows(r, block);
      for (Index i = 0; i < block.rows(); ++i)
        for (Index k = 0; k < t_.cols(); ++k) beyond_ += block(i, d + k) * block(i, d + k);
    }
    kept_.resize(d, d);
    right_.resize(d, t_.cols());
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) kept_(i, j) = j >= i ? r(i, j) : 0;
      for (Index k = 0; k < t_.cols(); ++k) right_(i, k) = r(i, d + k);
    }
  }

  void keep_copy() {
    const Index n = design_.rows();
    kept_.resize(n, design_.cols());
    right_ = t_;
    Matrix<double> block;
    for (Index first = 0; first < design_.cols(); first += Design::block_rows) {
      design_.fill(first, std::min(Design::block_rows, design_.cols() - first), true, block);
      std::copy(block.data(), block.data() + block.size(), kept_.data() + first * n);
    }
  }

  /// A column is known to `factor` times rounding: of its numbers as they were given, or of what
  /// centring has left of them, which is exact but for the sums that follow.
  Solver solver(double factor, bool as_given) const {
    const auto longest = static_cast<double>(std::max(design_.rows(), design_.cols()));
    const double unit =
        factor * (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
    Vector<double> noise(design_.cols());
    for (Index j = 0; j < noise.size(); ++j) {
      const double* column = kept_.data() + j * kept_.rows();
      const double length = std::sqrt(numerics::dot(column, column, kept_.rows()));
      noise[j] = unit * (as_given ? std::hypot(design_.mean()[j], length) : length);
    }
    return Solver(kept_, right_, std::move(noise), free_);
  }

  const Solver& of_samples() const {
    if (!of_samples_) of_samples_.emplace(solver(1, true));
    return *of_samples_;
  }

  /// What F is nowhere below: the minimum where all is counted that sums can tell from 0. With a λ
  /// there is no need to tell.
  double least(double lambda) const {
    if (!of_samples().has_cleared()) return 0.5 * (of_samples().minimum(lambda).value + beyond_);
    auto& finest = lambda > 0 ? of_all_ : of_sums_;
    if (!finest) finest.emplace(solver(lambda > 0 ? 0 : 1, false));
    return 0.5 * (finest->minimum(lambda).value + beyond_);
  }

  const Design& design_;
  const RidgeAnswers<Rows>& answers_;
  const Columns& t_;
  Index free_;
  bool dual_;
  Columns kept_{};
  Columns right_{};
  double beyond_{0};
  mutable std::optional<Solver> of_samples_{};
  mutable std::optional<Solver> of_sums_{};
  mutable std::optional<Solver> of_all_{};
};

}  // namespace linea::least_squares
