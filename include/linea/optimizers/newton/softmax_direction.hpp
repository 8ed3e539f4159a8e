// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method for softmax regression, by conjugate gradients.
#include <algorithm>  // clamp, max, min
#include <cmath>      // isfinite, sqrt
#include <cstdint>
#include <limits>
#include <linea/linear_algebra/product.hpp>
#include <linea/optimizers/newton/softmax_objective.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// The Cholesky factorisation of a symmetric matrix, scaled to a unit diagonal and regularised.
class ScaledCholesky {
 public:
  /// Reads the lower triangle of a (m × m). Zeros on the diagonal count as the largest diagonal
  /// entry. Adds `added` to the unit diagonal.
  ScaledCholesky(detail::ColumnMatrix<double> a, double added) : scale_(a.rows()), added_(added) {
    double largest = 0;
    for (Index i = 0; i < a.rows(); ++i) largest = std::max(largest, a(i, i));
    for (Index i = 0; i < a.rows(); ++i) {
      const double square = a(i, i) > 0 ? a(i, i) : largest;
      scale_[i] = square > 0 ? 1 / std::sqrt(square) : 1;
    }
    for (Index j = 0; j < a.rows(); ++j)
      for (Index i = j; i < a.rows(); ++i)
        a(i, j) = i == j ? 1 + added : a(i, j) * (scale_[i] * scale_[j]);
    factor_.emplace(std::move(a));
  }

  /// Returns the number that the constructor added to the unit diagonal.
  double added() const { return added_; }

  /// Sets x ← A⁻¹x for x (m), where A is the regularised matrix. If A is not positive definite,
  /// divides x by the diagonal of `a` instead.
  void solve(double* x) const {
    for (Index i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
    if (factor_->is_positive()) factor_->solve(x);
    for (Index i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
  }

 private:
  Vector<double> scale_;
  double added_;
  std::optional<linear_algebra::Cholesky<>> factor_{};
};

/// An approximate inverse of ∇²F, class by class.
///
/// If `fits_blocks`, the approximation is the inverse of Σᵢ ωᵢ·xᵢxᵢᵀ + λI for each class, where
/// ωᵢ = sᵢ/S·qᵢ(1 − qᵢ) for the probabilities qᵢ of the class. Each class then costs about 2·cols³
/// multiplications and cols² doubles. Otherwise the approximation is the inverse of the diagonal.
///
/// With many samples, `find` computes each block from about `rows_a_column` drawn rows for each
/// column, which is accurate enough for a preconditioner. It draws row i with a probability
/// proportional to ωᵢ, up to 1, and divides ωᵢ by this probability.
template <class Real = double>
class Preconditioner {
  using Table = Matrix<Real>;
  using Square = detail::ColumnMatrix<Real>;

 public:
  static constexpr Index most_in_blocks = 1200;
  static constexpr Index rows_a_column = 4;

  /// Are blocks useful, and do they fit into memory? With more columns than samples, ∇²F within a
  /// class has a low rank apart from λI, and blocks are not useful.
  static bool fits_blocks(Index samples, Index columns, Index classes) {
    constexpr Index most_numbers = Index{1} << 24;  // numbers in all blocks, 128 MiB
    return columns <= std::min(most_in_blocks, samples) &&
           classes <= most_numbers / (columns * columns);
  }

  /// Computes the approximate inverse from ∇²F at the probabilities q.
  template <class Rows>
  void find(SoftmaxObjective<Rows>& problem, const Table& q) {
    if (!fits_blocks(problem.samples(), problem.cols(), problem.classes())) {
      problem.find_diagonal(q, scale_);
      scale_ = (scale_.array() > 0).select(scale_.cwiseInverse(), 1.0);
      return;
    }
    const auto place = [](Index a) { return static_cast<std::size_t>(a); };
    const Index classes = problem.classes();
    blocks_.clear();
    blocks_.resize(place(classes));
    problem.table().count_pass();
    problem.table().for_each_part(classes, [&](Index a) {
      Square square = curvature_of_class(problem, drawn_weights(problem, q, a));
      for (Index j = 0; j < problem.features(); ++j) square(j, j) += problem.lambda();
      blocks_[place(a)].emplace(std::move(square), is_drawn(problem) ? 1e-3 : 1e-12);
    });
  }

  /// Sets `scaled` to the approximate inverse times the residual, with a sum of 0 over the classes:
  /// ∇²F may be singular along directions that are the same for all classes.
  template <class Rows>
  void apply(SoftmaxObjective<Rows>& problem, const Table& residual, Table& scaled) const {
    if (blocks_.empty()) {
      scaled = scale_.cwiseProduct(residual);
    } else {
      scaled.setZero(residual.rows(), residual.cols());
      problem.table().for_each_part(problem.classes(), [&](Index a) {
        Vector<Real> column = residual.col(a);
        blocks_[static_cast<std::size_t>(a)]->solve(column.data());
        scaled.col(a) = column;
      });
    }
    problem.centre(scaled);
  }

  /// Returns the approximate squared norm of the rounding error of ∇F at the probabilities q, in
  /// the metric of this preconditioner. This error comes from the slopes, and from scores whose
  /// magnitude is assumed to be about 4.
  template <class Rows>
  double noise_of_gradient(const SoftmaxObjective<Rows>& problem, const Table& q) const {
    Matrix<Real> sums = Matrix<Real>::Zero(problem.classes(), 2);  // slopes, curvatures
    for (Index a = 0; a < problem.classes(); ++a)
      for (Index i = 0; i < problem.samples(); ++i) {
        const double chance = q(i, a);
        if (!(problem.share(i) > 0 && chance > 0)) continue;
        const double slope = problem.class_of(i) == a ? 1 - chance : chance;
        sums(a, 0) += problem.share(i) * slope;
        sums(a, 1) += problem.share(i) * chance * (1 - chance);
      }
    double sum = 0;
    for (Index a = 0; a < problem.classes(); ++a) {
      const double curvature = sums(a, 1);
      const double rounding =
          4 * std::numeric_limits<double>::epsilon() * (sums(a, 0) + 4 * curvature);
      if (curvature > 0) sum += rounding * rounding / curvature * trace_of_inverse(problem, a);
    }
    return sum;
  }

 private:
  /// Are the blocks computed from drawn rows? Columns may be dependent in these rows but not in all
  /// rows, so `find` then adds more to the diagonal.
  template <class Rows>
  static bool is_drawn(const SoftmaxObjective<Rows>& problem) {
    return rows_a_column * problem.cols() < problem.samples();
  }

  /// Returns a bound on the trace of the inverse of the scaled block of a class.
  template <class Rows>
  double trace_of_inverse(const SoftmaxObjective<Rows>& problem, Index a) const {
    const double added = blocks_.empty() ? 1 : blocks_[static_cast<std::size_t>(a)]->added();
    return static_cast<double>(problem.cols()) / added;
  }

  template <class Rows>
  static Square curvature_of_class(const SoftmaxObjective<Rows>& problem,
                                   const Vector<Real>& weights) {
    const Index cols = problem.cols();
    Square sum = Square::Zero(cols, cols);
    std::vector<Index> drawn;
    for (Index i = 0; i < problem.samples(); ++i)
      if (weights[i] > 0) drawn.push_back(i);
    linear_algebra::add_full_gram(sum, static_cast<Index>(drawn.size()), [&](Index k, auto&& put) {
      const Index i = drawn[static_cast<std::size_t>(k)];
      const double root = std::sqrt(weights[i]);
      problem.table().set().rows.for_each(i, [&](Index j, double x) { put(j, root * x); });
      if (problem.has_offset()) put(cols - 1, root);
    });
    return sum;
  }

  /// Returns ωᵢ (n) for class a.
  template <class Rows>
  static Vector<Real> curvatures_of_class(const SoftmaxObjective<Rows>& problem, const Table& q,
                                          Index a) {
    Vector<Real> weights(problem.samples());
    for (Index i = 0; i < weights.size(); ++i)
      weights[i] = problem.share(i) * q(i, a) * (1 - q(i, a));
    return weights;
  }

  /// Returns ωᵢ divided by the probability of drawing row i for the drawn rows, and 0 for the
  /// others. Returns ωᵢ for all rows if is_drawn is false.
  template <class Rows>
  static Vector<Real> drawn_weights(const SoftmaxObjective<Rows>& problem, const Table& q,
                                    Index a) {
    Vector<Real> weights = curvatures_of_class(problem, q, a);
    const double sum = weights.sum();
    const double wanted = static_cast<double>(rows_a_column * problem.cols());
    if (!(sum > 0) || !is_drawn(problem)) return weights;
    for (Index i = 0; i < weights.size(); ++i) {
      // Multiples of 2³² over the golden ratio, modulo 2³², spread the drawn rows evenly, whatever
      // the period of the samples.
      const auto hash = static_cast<std::uint32_t>(i + a) * 2654435769U;
      const double chance = std::min(wanted * weights[i] / sum, 1.0);
      weights[i] = static_cast<double>(hash) < chance * 4294967296.0 ? weights[i] / chance : 0;
    }
    return weights;
  }

  Table scale_{};
  std::vector<std::optional<ScaledCholesky>> blocks_{};
};

/// Finds s with ∇²F·s ≈ −∇F. An iteration costs one pass over x.
///
/// For λ = 0, F has no curvature along combinations of dependent columns. Along these, ∇F is only
/// rounding error, which the preconditioner amplifies. So the iterations end when the residual is
/// rounding error.
template <class Real = double>
class IterativeDirection {
  using Table = Matrix<Real>;

 public:
  Table direction{};
  /// Has ∇F a component along which F has no curvature? If so, F may be unbounded below.
  bool is_flat{false};

  /// Iterates until the norm of the residual is `enough` times that of ∇F in the metric of the
  /// preconditioner, until the residual is rounding error, or for `most_rounds` iterations.
  template <class Rows>
  void find(SoftmaxObjective<Rows>& problem, const Table& q, const Table& gradient, double enough,
            Index most_rounds) {
    preconditioner_.find(problem, q);
    solve(problem, q, gradient, enough, most_rounds);
  }

 private:
  static double dot(const Table& a, const Table& b) { return a.cwiseProduct(b).sum(); }

  template <class Rows>
  void solve(SoftmaxObjective<Rows>& problem, const Table& q, const Table& gradient, double enough,
             Index most_rounds) {
    direction.setZero(gradient.rows(), gradient.cols());
    residual_ = -gradient;
    preconditioner_.apply(problem, residual_, search_);
    double norm = dot(residual_, search_);
    const double noise = preconditioner_.noise_of_gradient(problem, q);
    const double end = std::max(enough * enough * norm, noise);
    double square = norm;  // squared norm of the search direction, in the same metric
    is_flat = false;
    for (Index round = 0; round < most_rounds && (norm > end || round == 0); ++round) {
      problem.find_curvature(search_, q, image_);
      const double bend = dot(search_, image_);
      const double length = norm / bend;
      if (!(bend > flatness * square) || !std::isfinite(length)) {
        is_flat = norm > noise;
        if (round == 0) direction = search_;
        return;
      }
      direction += length * search_;
      residual_ -= length * image_;
      preconditioner_.apply(problem, residual_, image_);
      const double next = dot(residual_, image_);
      search_ = image_ + (next / norm) * search_;
      square = next + (next / norm) * (next / norm) * square;
      norm = next;
    }
  }

  // A curvature below this fraction of the preconditioner's curvature is rounding error.
  static constexpr double flatness = 1e-16;

  Preconditioner<Real> preconditioner_{};
  Table residual_{}, search_{}, image_{};
};

}  // namespace linea::detail::newton
