// SPDX-License-Identifier: MIT
#pragma once
/// \file The best offsets for weights that stay as they are, with no pass over x.
#include <algorithm>  // max, min
#include <linea/optimizers/numerics/cholesky.hpp>
#include <linea/optimizers/softmax/objective.hpp>
#include <utility>  // move
#include <vector>

namespace linea::softmax {

/// Σᵢ sᵢ/S·(diag qᵢ − qᵢqᵢᵀ), (k × k): ∇²F for b. A row sums to 0, so that the diagonal is found
/// from the rest and nothing cancels.
template <class Rows>
core::ColumnMatrix<core::DoubleFor<Rows>> offset_curvature(SoftmaxObjective<Rows>& problem,
                                                           const Matrix<core::DoubleFor<Rows>>& q) {
  using Square = core::ColumnMatrix<core::DoubleFor<Rows>>;
  const Index k = problem.classes();
  std::vector<Square> parts(static_cast<std::size_t>(problem.passes().shares()));
  problem.passes().for_each_share([&](Index share, Index first, Index last) {
    Square part = Square::Zero(k, k);
    for (Index i = first; i < last; ++i) {
      const double* const chances = q.data() + i * problem.stride();
      for (Index a = 0; a + 1 < k; ++a) {
        const double weight = problem.share(i) * chances[a];
        if (weight != 0)
          rows::add(chances + a + 1, -weight, part.data() + a * k + a + 1, k - a - 1);
      }
    }
    parts[static_cast<std::size_t>(share)] = std::move(part);
  });
  Square all = std::move(parts[0]);
  for (std::size_t share = 1; share < parts.size(); ++share) all += parts[share];
  for (Index a = 0; a < k; ++a)
    for (Index b = a + 1; b < k; ++b) {
      all(a, a) -= all(b, a);
      all(b, b) -= all(b, a);
    }
  return all;
}

/// The step of Newton's method for b, (stride), with sum 0. Found as that of the differences to one
/// class, for F is blind to what all offsets have in common. All 0 where there is none.
template <class Rows>
Vector<core::DoubleFor<Rows>> offset_direction(SoftmaxObjective<Rows>& problem,
                                               const Matrix<core::DoubleFor<Rows>>& q,
                                               const Vector<core::DoubleFor<Rows>>& balance) {
  const Index k = problem.classes();
  const Index reference = reference_of(problem, q);
  const auto class_at = [&](Index place) {
    return place == reference ? k - 1 : place;  // the reference is in the last place
  };
  const auto all = offset_curvature(problem, q);
  core::ColumnMatrix<core::DoubleFor<Rows>> reduced(k - 1, k - 1);
  Vector<core::DoubleFor<Rows>> unknowns(k - 1);
  for (Index b = 0; b + 1 < k; ++b) {
    unknowns[b] = -balance[class_at(b)];
    for (Index a = b; a + 1 < k; ++a)
      reduced(a, b) = all(std::max(class_at(a), class_at(b)), std::min(class_at(a), class_at(b)));
  }
  Vector<core::DoubleFor<Rows>> direction = Vector<core::DoubleFor<Rows>>::Zero(problem.stride());
  const numerics::Cholesky<> factor(std::move(reduced));
  if (!factor.is_positive()) return direction;
  factor.solve(unknowns.data());
  for (Index b = 0; b + 1 < k; ++b) direction[class_at(b)] = unknowns[b];
  direction.head(k).array() -= direction.head(k).mean();
  return direction;
}

/// Moves b in θ to about its best, by Newton's method on b alone. The scores, probabilities, sums
/// and F of θ follow. O(n·k²) a round, and some rounds. ∇F for b is then next to 0, as the dual
/// asks for.
template <class Rows>
void improve_offset(SoftmaxObjective<Rows>& problem, Matrix<core::DoubleFor<Rows>>& theta,
                    Matrix<core::DoubleFor<Rows>>& scores, Matrix<core::DoubleFor<Rows>>& q,
                    Sums& sums, double& value) {
  const Index k = problem.classes();
  for (int round = 0; round < 20; ++round) {
    const double missed = sums.imbalance();
    if (!(missed > 1e-14)) return;  // rounding
    Vector<core::DoubleFor<Rows>> direction = offset_direction(problem, q, sums.balance);
    const double slope = sums.balance.dot(direction);
    if (!(slope < 0)) return;
    const typename SoftmaxObjective<Rows>::Line line{
        scores, direction.data(), 0, problem.product(theta, theta), 0, 0};
    Sums next = sums;
    auto point = numerics::search_line(
        {0, value, slope}, 1, {}, [&](double t) { return problem.evaluate(line, t, q, next); });
    if (!(point.step > 0) || !(next.imbalance() < missed)) {
      value = problem.evaluate(line, 0, q, sums).value;
      return;
    }
    sums = next;
    value = point.value;
    direction *= point.step;
    theta.row(problem.features()) += direction.transpose();
    for (Index i = 0; i < problem.samples(); ++i)
      for (Index a = 0; a < k; ++a) scores(i, a) += direction[a];
  }
}

}  // namespace linea::softmax
