// SPDX-License-Identifier: MIT
#pragma once
/// \file The linear system that every Newton step for a BoxProgram solves.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/optimizers/interior_point/box_program.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::interior_point {

/// How BoxNewton computes its triangular factor.
enum class BoxFactor {
  /// By the Cholesky factorisation of E + GᵀDG.
  cholesky,
  /// By the QR decomposition of [√D·G; √E], with larger rows first. This costs several times as
  /// much and gives twice as many correct digits.
  qr,
};

/// Solves Δα = D(e − GΔq) and GᵀΔα − EΔq = −f for a diagonal D > 0 and for E, the diagonal matrix
/// of the program's strengths. Uses an upper triangular R with RᵀR = E + GᵀDG, at a cost of
/// O(n·k²). See Fine and Scheinberg, Journal of Machine Learning Research 2 (2001) and, for rows of
/// very different size, Cox and Higham, BIT 38 (1998).
template <class Real = double>
class BoxNewton {
  using Reals = Vector<Real>;

 public:
  struct Step {
    Reals primal;          ///< Δq
    Reals multipliers;     ///< Δα
    bool accurate{false};  ///< does the second equation hold to at least eight digits?
  };

  /// Factorises E + GᵀDG, where `d` (n) is the diagonal of D. The program must outlive this object.
  BoxNewton(const BoxProgram<Real>& program, Reals d, BoxFactor factor)
      : program_(program), d_(std::move(d)), r_(Matrix<Real>::Zero(cols(), cols())) {
    factor == BoxFactor::cholesky ? factor_by_cholesky() : factor_by_qr();
  }

  /// Solves both equations, the second one with up to two rounds of iterative refinement. Updates
  /// Δα instead of recomputing D(e − GΔq), because D may have entries as large as 1e16, which would
  /// multiply the rounding errors of GΔq.
  Step solve(const Reals& e, const Reals& f) const {
    Step step{linear_algebra::constant(cols(), 0), d_};
    for (Index i = 0; i < e.size(); ++i) step.multipliers[i] *= e[i];
    if (!usable_) return step;
    double first = 0;
    for (int round = 0;; ++round) {
      Reals missing = linear_algebra::transposed_times(program_.rows, step.multipliers);
      for (Index j = 0; j < cols(); ++j)
        missing[j] += f[j] - program_.strengths[j] * step.primal[j];
      const double size = std::sqrt(linear_algebra::squares_of(missing));
      if (round == 0) first = size;
      if (!(size > 1e-14 * first) || round == 3) {
        step.accurate = size <= 1e-8 * first;
        return step;
      }
      linear_algebra::triangle_of(r_).solve_transposed(missing.data());
      linear_algebra::triangle_of(r_).solve(missing.data());
      linear_algebra::add(1, missing, step.primal);
      const Reals change = linear_algebra::times(program_.rows, missing);
      for (Index i = 0; i < change.size(); ++i) step.multipliers[i] -= d_[i] * change[i];
    }
  }

 private:
  static constexpr Index block_rows = 128;

  Index cols() const { return program_.rows.cols(); }

  void factor_by_cholesky() {
    const auto& g = program_.rows;
    detail::ColumnMatrix<Real> a(cols(), cols());
    for (Index j = 0; j < cols(); ++j)
      for (Index i = 0; i < cols(); ++i) a(i, j) = i == j ? program_.strengths[j] : 0;
    linear_algebra::add_full_gram(a, g.rows(), [&](Index i, auto&& put) {
      const double root = std::sqrt(d_[i]);
      const double* const row = program_.row(i);
      for (Index j = 0; j < cols(); ++j) put(j, root * row[j]);
    });
    const linear_algebra::Cholesky<Real> cholesky(std::move(a));
    usable_ = cholesky.is_positive();
    for (Index i = 0; i < cols(); ++i)
      for (Index j = i; j < cols(); ++j) r_(i, j) = cholesky.triangle().row(i)[j];
  }

  /// Factorises the rows of √D·G and of √E. If all rows have 0 in column j, R has 1 at (j, j), so
  /// that qⱼ does not change.
  void factor_by_qr() {
    const auto& g = program_.rows;
    const Index n = g.rows();
    std::vector<double> sizes;
    std::vector<Index> order;
    for (Index i = 0; i < n; ++i) sizes.push_back(d_[i] * program_.squares(i));
    for (const double strength : program_.strengths) sizes.push_back(strength);
    for (Index i = 0; i < n + cols(); ++i) order.push_back(i);
    detail::stable_sort(order, [&](Index i, Index j) {
      return sizes[static_cast<std::size_t>(i)] > sizes[static_cast<std::size_t>(j)];
    });
    for (Index first = 0; first < n + cols(); first += block_rows) {
      Matrix<Real> block(std::min(block_rows, n + cols() - first), cols());
      for (Index i = 0; i < block.rows(); ++i) {
        const Index source = order[static_cast<std::size_t>(first + i)];
        const double unit = std::sqrt(sizes[static_cast<std::size_t>(source)]);
        for (Index j = 0; j < cols(); ++j)
          block(i, j) = source < n        ? std::sqrt(d_[source]) * g(source, j)
                        : source - n == j ? unit
                                          : 0;
      }
      linear_algebra::append_rows(r_, block);
    }
    usable_ = true;
    for (Index j = 0; j < cols(); ++j) {
      double largest = 0;
      for (Index i = 0; i <= j; ++i) largest = std::max(largest, std::abs(r_(i, j)));
      if (largest == 0) r_(j, j) = 1;
      usable_ = usable_ && r_(j, j) != 0 && std::isfinite(largest);
    }
  }

  const BoxProgram<Real>& program_;
  Reals d_;
  Matrix<Real> r_;
  bool usable_{false};
};

}  // namespace linea::detail::interior_point
