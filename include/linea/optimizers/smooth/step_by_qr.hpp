// SPDX-License-Identifier: MIT
#pragma once
/// \file The step of Newton's method without a penalty, from the samples and not from ∇²F.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/numerics/tilted_least_squares.hpp>

namespace linea::smooth {

/// s with ∇²F·s = −∇F for λ = 0, (d) or (d + 1), by a QR decomposition of rows √c·(x, 1), with c
/// the curvature of the sample. Nearly equal columns, and columns far from 0 without an offset,
/// leave directions along which F bends 1e-14 times as much as along others, and less: products
/// with ∇²F are rounding there. What rounding of the numbers of x makes of a column that others
/// make up does not count.
template <class Problem, class Real = double>
class StepByQr {
 public:
  /// Is there such a step: for a convex loss without a penalty, all samples at hand, and for the
  /// cost of some passes?
  static bool is_for(const Problem& problem) {
    const auto size = static_cast<double>(problem.size());
    const double longest = std::max(static_cast<double>(problem.samples()), size);
    return problem.is_convex && problem.lambda() == 0 && problem.has_all_samples() &&
           size * size * longest <= 1e8;
  }

  /// `at` has the slopes and curvatures at θ. One pass, n·d² operations.
  StepByQr(const Problem& problem, const typename Problem::Samplewise& at)
      : problem_(problem), at_(at), size_(problem.size()) {
    const Index n = problem.samples();
    const auto longest = static_cast<double>(std::max(n, size_));
    unit_ = (32 + 8 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
    r_ = Matrix<Real>::Zero(size_, size_ + 1);
    straight_ = sizes_ = Vector<Real>::Zero(size_);
    const double least = 1e-20 * at.curvatures.sum() / static_cast<double>(n);
    for (Index first = 0; first < n; first += block_rows) add(first, least);
  }

  numerics::TiltedLeastSquares<Real> solve() const {
    const auto& set = problem_.set();
    const double roots = std::sqrt(at_.curvatures.sum());
    const double slopes = at_.slopes.cwiseAbs().sum();
    Vector<Real> noise(size_), noise_of_tilt(size_);
    for (Index j = 0; j < size_; ++j) {
      const double origin =
          j < problem_.features() && set.origin ? std::abs((*set.origin)[j]) : 0.0;
      noise[j] = unit_ * std::hypot(r_.col(j).head(j + 1).norm(), roots * origin);
      noise_of_tilt[j] = unit_ * (sizes_[j] + slopes * origin);
    }
    return {r_, straight_, noise, noise_of_tilt, unit_};
  }

 private:
  static constexpr Index block_rows = 128;

  /// The rows of a block; those with a curvature up to `least` are straight.
  void add(Index first, double least) {
    const Index count = std::min(block_rows, problem_.samples() - first);
    Matrix<Real> block = Matrix<Real>::Zero(count, size_ + 1);
    for (Index k = 0; k < count; ++k) {
      const double curvature = at_.curvatures[first + k];
      const double slope = at_.slopes[first + k];
      const double root = curvature > least ? std::sqrt(curvature) : 0;
      if (root == 0 && slope == 0) continue;
      const auto put = [&](Index j, double entry) {
        block(k, j) = root * entry;
        if (root == 0) straight_[j] += slope * entry;
        sizes_[j] += std::abs(slope * entry);
      };
      problem_.set().rows.for_each(
          first + k, [&](Index j, auto entry) { put(j, static_cast<double>(entry)); });
      if (size_ > problem_.features()) put(size_ - 1, 1);
      if (root > 0) block(k, size_) = -slope / root;
    }
    numerics::append_rows(r_, block);
  }

  const Problem& problem_;
  const typename Problem::Samplewise& at_;
  Index size_;
  double unit_{0};           // rounding of sums
  Matrix<Real> r_{};         // of the rows that bend, their right-hand sides beside it
  Vector<Real> straight_{};  // ∇ of the samples that do not bend
  Vector<Real> sizes_{};     // of the terms of ∇F
};

/// Is there more to fall than by `fall`, along directions that are flat to products with ∇²F, or
/// less than by infinity? Answers how far F falls to the end of the step that sees them, which
/// `direction` and its moves of the scores become; infinity where F falls along a direction that
/// does not bend.
template <class Problem, class Run, class Real>
double see_flat(Problem& problem, const Run& run, double fall, Vector<Real>& direction,
                Vector<Real>& moves) {
  if (!StepByQr<Problem>::is_for(problem)) return fall;
  problem.count_pass();
  const auto least = StepByQr<Problem>(problem, run.at).solve();
  if (least.is_endless()) return std::numeric_limits<double>::infinity();
  Vector<Real> seen_moves(problem.samples());
  problem.score(least.point(), seen_moves);
  const double seen = run.at.curvatures.dot(seen_moves.cwiseAbs2()) / 2;
  const bool is_told = std::isfinite(fall) || least.has_cleared();  // what is cleared may bend
  const double rounding = std::numeric_limits<double>::epsilon() * run.value;
  const bool is_more = seen > std::max(fall, rounding);  // conjugate gradients may lose a long step
  if (seen <= run.allowed_excess() && is_told && !is_more) return fall;
  if (run.gradient.dot(least.point()) < 0) {  // else rounding hides where F falls
    direction = least.point();
    moves = seen_moves;
  }
  return seen;
}

}  // namespace linea::smooth
