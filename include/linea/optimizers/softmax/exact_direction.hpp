// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method from ∇²F itself, for few features times classes.
#include <algorithm>  // clamp, min
#include <cmath>      // sqrt
#include <linea/optimizers/softmax/objective.hpp>
#include <linea/optimizers/softmax/scaled_cholesky.hpp>
#include <utility>  // move
#include <vector>

namespace linea::softmax {

/// Half of ∇²F, its lower triangle, as a function of the differences uₐ = θₐ − θ_r to one class r:
/// ((k − 1)·cols)², where F is blind to nothing but what the samples leave open. With Σₐ θₐ = 0,
/// which holds at the minimum, ‖w‖² = Σₐ ‖uₐ‖² − ‖Σₐ uₐ‖²/k. Cost: n·(k·cols)²/2 multiplications.
///
/// Block (a, b) of the loss is −Σᵢ sᵢ/S·qᵢₐqᵢ_b·xᵢxᵢᵀ for a ≠ b: all of these are one product UᵀU,
/// with rows √(sᵢ/S)·qᵢ ⊗ xᵢ in U. Over all k classes a row of blocks sums to 0, which gives the
/// blocks of the diagonal without the digits that q − q² loses near 0 and 1.
template <class Rows>
class ReducedCurvature {
 public:
  using Square = core::ColumnMatrix<double>;

  /// r is the class of the most curvature: one with next to none leaves the others undetermined.
  ReducedCurvature(SoftmaxObjective<Rows>& problem, const Table& q)
      : problem_(problem),
        q_(q),
        cols_(problem.cols()),
        size_(cols_ * problem.classes()),
        reference_(reference_of(problem, q)) {}

  /// The class of the unknowns from place·cols on. That of the last place is r.
  Index class_at(Index place) const {
    const Index last = problem_.classes() - 1;
    return place == last ? reference_ : place == reference_ ? last : place;
  }

  Square find() {
    Square all = products();
    const Index last = problem_.classes() - 1;
    const auto block = [&](Index a, Index b) {
      return all.block(a * cols_, b * cols_, cols_, cols_);
    };
    for (Index a = 0; a <= last; ++a) block(a, a).setZero();
    for (Index a = 0; a <= last; ++a)
      for (Index b = 0; b < a; ++b) {
        block(a, a) += block(a, b);
        block(b, b) += block(a, b);
        block(a, b) *= -1;
      }
    const double part = problem_.lambda() / static_cast<double>(problem_.classes());
    for (Index a = 0; a < last; ++a)
      for (Index b = 0; b <= a; ++b)
        for (Index j = 0; j < problem_.features(); ++j)
          all(a * cols_ + j, b * cols_ + j) += (a == b ? problem_.lambda() : 0) - part;
    return all.topLeftCorner(last * cols_, last * cols_);
  }

 private:
  /// UᵀU, lower triangle.
  Square products() {
    const Index shares = std::min<Index>(problem_.passes().shares(), 4);
    std::vector<Square> parts(static_cast<std::size_t>(shares));
    problem_.passes().count_pass();
    problem_.passes().for_each_share(shares, [&](Index share, Index first, Index last) {
      Square part = Square::Zero(size_, size_);
      add_products(first, last, part);
      parts[static_cast<std::size_t>(share)] = std::move(part);
    });
    Square all = std::move(parts[0]);
    for (std::size_t share = 1; share < parts.size(); ++share) all += parts[share];
    return all;
  }

  void add_products(Index first, Index last, Square& part) const {
    const Index most = std::clamp<Index>(32768 / size_, 16, 256);
    RowBlock block(problem_.features(), false);
    numerics::PackedRows rows(most, size_);
    for (; first < last; first += most) {
      const Index count = std::min(most, last - first);
      block.read(problem_.passes().set(), first, count);
      for (Index i = 0; i < count; ++i) spread(block, i, first + i, rows);
      numerics::run_at(numerics::best_vector_level(),
                       numerics::symmetric_product(rows, count, part));
    }
  }

  /// Row i of the block becomes row i of U.
  void spread(const RowBlock& block, Index i, Index sample, numerics::PackedRows& rows) const {
    const double* x = block.row(i);
    const double root = std::sqrt(problem_.share(sample));
    for (Index a = 0; a < problem_.classes(); ++a) {
      const double factor = root * q_(sample, class_at(a));
      for (Index j = 0; j < block.columns(); ++j) rows(i, a * cols_ + j) = factor * x[j];
      if (problem_.has_offset()) rows(i, a * cols_ + cols_ - 1) = factor;
    }
  }

  SoftmaxObjective<Rows>& problem_;
  const Table& q_;
  Index cols_;
  Index size_;
  Index reference_;
};

/// direction ← −(∇²F)⁻¹·∇F, by Cholesky's factorisation. False where ∇²F is not positive definite
/// to rounding.
template <class Rows>
bool find_exact_direction(SoftmaxObjective<Rows>& problem, const Table& q, const Table& gradient,
                          Table& direction) {
  ReducedCurvature<Rows> reduced(problem, q);
  const ScaledCholesky factor(reduced.find());
  const Index cols = problem.cols();
  const Index size = (problem.classes() - 1) * cols;
  Vector<double> unknowns(size);
  for (Index i = 0; i < size; ++i) unknowns[i] = -gradient(i % cols, reduced.class_at(i / cols));
  factor.solve(unknowns.data());
  direction = Table::Zero(cols, problem.stride());
  for (Index i = 0; i < size; ++i) direction(i % cols, reduced.class_at(i / cols)) = unknowns[i];
  problem.centre(direction);
  return factor.added() == 0;
}

}  // namespace linea::softmax
