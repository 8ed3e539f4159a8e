// SPDX-License-Identifier: MIT
#pragma once
/// \file The linear system that every step towards the solution of a BoxProgram comes down to.
#include <algorithm>  // min
#include <cmath>
#include <linea/core/entries.hpp>
#include <linea/optimizers/numerics/cholesky.hpp>
#include <linea/optimizers/programs/box_program.hpp>
#include <numeric>  // iota
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::programs {

/// How BoxNewton comes by its triangular factor.
enum class BoxFactor {
  cholesky,  ///< of E + GᵀDG
  qr,        ///< of [√D·G; E], larger rows first: several times the work, and twice the digits
};

/// Δα = D(e − GΔq) and GᵀΔα − EΔq = f for diagonal D > 0 and E of the program's strengths, by an
/// upper triangular R with RᵀR = E + GᵀDG: O(n·(r + m)²). Fine and Scheinberg, Journal of
/// Machine Learning Research 2 (2001); on rows of very different size Cox and Higham, BIT 38
/// (1998).
template <class Real = double>
class BoxNewton {
 public:
  struct Step {
    Vector<Real> primal;       ///< Δq
    Vector<Real> multipliers;  ///< Δα
    bool accurate{false};      ///< the second equation holds to eight digits or more
  };

  /// The program must outlive this object.
  BoxNewton(const BoxProgram<Real>& program, Vector<Real> d, BoxFactor factor)
      : program_(program), d_(std::move(d)) {
    factor == BoxFactor::cholesky ? factor_by_cholesky() : factor_by_qr();
  }

  /// In up to three rounds. Each adds to Δα what the second equation misses; the first holds up to
  /// rounding, while D(e − GΔq) anew would be the rounding of GΔq times entries of D as large as
  /// 1e16.
  Step solve(const Vector<Real>& e, const Vector<Real>& f) const {
    const auto& g = program_.rows;
    Step step{numerics::constant(g.cols(), 0), d_};
    for (Index i = 0; i < e.size(); ++i) step.multipliers[i] *= e[i];
    if (!usable_) return step;
    double first = 0;
    for (int round = 0;; ++round) {
      Vector<Real> missing = program_.transposed_times(step.multipliers);
      for (Index j = 0; j < g.cols(); ++j)
        missing[j] -= f[j] + program_.strength(j) * step.primal[j];
      const double size = std::sqrt(numerics::squares_of(missing));
      if (round == 0) first = size;
      if (!(size > 1e-14 * first) || round == 3) {
        step.accurate = size <= 1e-8 * first;
        return step;
      }
      triangle().solve_transposed(missing.data());
      triangle().solve(missing.data());
      numerics::add(1, missing, step.primal);
      const Vector<Real> change = numerics::times(g, missing);
      for (Index i = 0; i < change.size(); ++i) step.multipliers[i] -= d_[i] * change[i];
    }
  }

 private:
  static constexpr Index block_rows = 128;

  /// R.
  numerics::Triangle triangle() const {
    return cholesky_ ? cholesky_->triangle() : numerics::triangle_of(r_);
  }

  void factor_by_cholesky() {
    const auto& g = program_.rows;
    core::ColumnMatrix<Real> a(g.cols(), g.cols());
    for (Index j = 0; j < g.cols(); ++j)
      for (Index i = 0; i < g.cols(); ++i) a(i, j) = i == j ? program_.strength(j) : 0;
    numerics::PackedRows packed(std::min(block_rows, g.rows()), g.cols());
    for (Index first = 0; first < g.rows(); first += block_rows) {
      const Index count = std::min(block_rows, g.rows() - first);
      for (Index k = 0; k < count; ++k) {
        const double root = std::sqrt(d_[first + k]);
        const double* const row = g.data() + (first + k) * g.cols();
        for (Index p = 0; p < packed.panels(); ++p) {
          double* const place = packed.panel(p) + k * packed.width;
          const Index left = p * packed.width;
          const Index width = std::min(packed.width, g.cols() - left);
          for (Index j = 0; j < width; ++j) place[j] = root * row[left + j];
        }
      }
      numerics::run_at(numerics::best_vector_level(),
                       numerics::symmetric_product(packed, count, a));
    }
    cholesky_.emplace(std::move(a));
    usable_ = cholesky_->is_positive();
  }

  /// The rows of √D·G and those of √E; of the latter also one for a qⱼ of which no other row
  /// speaks: it stays where it is.
  void factor_by_qr() {
    const auto& g = program_.rows;
    const Index n = g.rows();
    const Index k = g.cols();
    std::vector<double> sizes(static_cast<std::size_t>(n + k), 0.0);
    Vector<Real> spoken_of = numerics::constant(k, 0);
    for (Index i = 0; i < n; ++i) {
      const double* row = g.data() + i * k;
      sizes[static_cast<std::size_t>(i)] = d_[i] * numerics::dot(row, row, k);
      for (Index j = 0; j < k; ++j)
        if (std::sqrt(d_[i]) * row[j] != 0) spoken_of[j] = 1;
    }
    for (Index j = 0; j < k; ++j) {
      const double strength = program_.strength(j);
      sizes[static_cast<std::size_t>(n + j)] = strength == 0 && spoken_of[j] == 0 ? 1 : strength;
    }
    std::vector<Index> order(sizes.size());
    std::iota(order.begin(), order.end(), Index{0});
    core::stable_sort(order, [&](Index i, Index j) {
      return sizes[static_cast<std::size_t>(i)] > sizes[static_cast<std::size_t>(j)];
    });

    r_ = Matrix<Real>::Zero(k, k);
    Matrix<Real> block;
    for (Index first = 0; first < n + k; first += block_rows) {
      block = Matrix<Real>::Zero(std::min(block_rows, n + k - first), k);
      for (Index i = 0; i < block.rows(); ++i) {
        const Index source = order[static_cast<std::size_t>(first + i)];
        if (source < n)
          for (Index j = 0; j < k; ++j) block(i, j) = std::sqrt(d_[source]) * g(source, j);
        else
          block(i, source - n) = std::sqrt(sizes[static_cast<std::size_t>(source)]);
      }
      numerics::append_rows(r_, block);
    }
    usable_ = true;
    for (Index i = 0; i < k; ++i) {
      usable_ = usable_ && r_(i, i) != 0;
      for (Index j = i; j < k; ++j) usable_ = usable_ && std::isfinite(r_(i, j));
    }
  }

  const BoxProgram<Real>& program_;
  Vector<Real> d_;
  std::optional<numerics::Cholesky<Real>> cholesky_{};
  Matrix<Real> r_{};
  bool usable_{false};
};

}  // namespace linea::programs
