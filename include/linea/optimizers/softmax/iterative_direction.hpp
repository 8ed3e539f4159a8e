// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method by conjugate gradients, for many features times classes.
#include <algorithm>  // max
#include <cmath>      // isfinite
#include <linea/optimizers/softmax/objective.hpp>
#include <linea/optimizers/softmax/preconditioner.hpp>

namespace linea::softmax {

/// s with ∇²F·s = −∇F but for a residual. A round costs one pass.
///
/// Columns that depend on others leave directions in which F does not bend. ∇F has none of them but
/// by rounding, which the preconditioner enlarges: s ends once its residual is rounding.
template <class Real = double>
class IterativeDirection {
  using Table = Matrix<Real>;

 public:
  Table direction{};
  /// The first direction of the conjugate gradients. It tells of each class by itself, and so of
  /// one whose part of ∇F is lost in the residual of s.
  Table first{};

  /// Has ∇F a part along which F does not bend? Then nothing tells how far F can fall.
  bool is_flat{false};

  /// Until the residual is `enough` of ∇F in the metric of the preconditioner, or rounding, or no
  /// more rounds are allowed.
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
    first = search_;
    double norm = dot(residual_, search_);
    const double noise = preconditioner_.noise_of_gradient(problem, q);
    const double end = std::max(enough * enough * norm, noise);
    double square = norm;  // of the search, in the metric of the preconditioner
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

  static constexpr double flatness = 1e-16;  // curvature over the preconditioner's: rounding

  Preconditioner<Real> preconditioner_{};
  Table residual_{}, search_{}, image_{};
};

}  // namespace linea::softmax
