// SPDX-License-Identifier: MIT
#pragma once
/// \file One decomposition of the normal equations that solves them for every λ.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/optimizers/least_squares/decomposition.hpp>
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <linea/optimizers/numerics/one_sided_jacobi.hpp>
#include <linea/optimizers/numerics/tridiagonal.hpp>
#include <vector>

namespace linea::least_squares {

/// A = ZᵀZ, in the dual form ZZᵀ, as B·T·Bᵀ with orthonormal columns B and T diagonal or
/// tridiagonal. With an offset the dual form leaves out the direction r of the root weights, in
/// which ZZᵀ is 0: Z is reflected so that r becomes the first axis, and loses its first row.
template <class Real>
class Spectrum {
  using Columns = core::ColumnMatrix<Real>;
  using Reals = Vector<Real>;
  using Row = Eigen::Matrix<Real, 1, Eigen::Dynamic>;

 public:
  /// A is given in `equations`, t (n) is the right-hand side of Zw ≈ t. T is tridiagonal, which
  /// costs a fifth, where `diagonal` is not asked for. Eigenvalues are taken if rounding then costs
  /// no more than a relative error of 5·10⁻¹⁰ for any λ ≥ `least`, which is in units of the largest
  /// eigenvalue if `relative`. Else Z is decomposed instead; singular values that are no more than
  /// rounding of the largest count as 0, and so do those beyond the freedom of the samples.
  template <class Rows>
  Spectrum(const NormalEquations<Rows>& equations, const Reals& t, bool offset, bool diagonal,
           bool relative, double least)
      : dual_(equations.is_dual()), free_(equations.freedom(offset)) {
    const auto& design = equations.design;
    if (dual_ && offset) {
      mirror_ = design.root();
      mirror_[0] += std::copysign(mirror_.norm(), mirror_[0]);
      mirror_ *= std::sqrt(2 / mirror_.squaredNorm());
    }
    Columns a = equations.product.template selfadjointView<Eigen::Lower>();
    Reals right = dual_ ? t : Reals(equations.right.col(0));
    if (mirror_.size() > 0) {
      const Reals image = a * mirror_;
      const Reals both = image - 0.5 * mirror_.dot(image) * mirror_;
      a -= mirror_ * both.transpose() + both * mirror_.transpose();
      a = a.bottomRightCorner(a.rows() - 1, a.cols() - 1).eval();
      right = reflected(right);
    }
    if (a.rows() == 0 || !by_eigenvalues(a, right, diagonal, relative, least))
      by_singular_values(design, t, right, relative, least);
  }

  Decomposition decomposition() const { return decomposition_; }
  bool is_dual() const { return dual_; }

  /// Of A + λI for the smallest λ: its least eigenvalue over its largest.
  double reciprocal_condition() const { return reciprocal_condition_; }

  /// The eigenvalues σ² of A, without those that were decided to be 0: (rank).
  const Reals& squares() const { return squares_; }
  Index rank() const { return squares_.size(); }
  /// Does Z leave the samples no freedom, but for that of the offset?
  bool interpolates() const { return rank() == free_; }
  /// ‖[Z; √λ·I]‖ over the least length that it gives a unit vector of the span.
  double condition(double lambda) const {
    if (rank() == 0) return 1;
    return std::sqrt((largest() + lambda) / (squares_.minCoeff() + lambda));
  }
  double largest() const { return squares_.size() > 0 ? squares_.maxCoeff() : 0; }

  /// Are all σ² known to digits of their own? Else some are known to within rounding of the largest
  /// only.
  bool is_resolved() const { return is_resolved_; }

  /// B (d × rank), in the dual form (n × rank), if T is diagonal.
  const Columns& basis() const { return basis_; }

  /// Bᵀ·Zᵀt, in the dual form Bᵀt: (rank).
  const Reals& right() const { return right_; }

  /// (T + λI)⁻¹·right, one column for each λ: (rank × m).
  Columns solve(const std::vector<double>& lambdas) const {
    Columns x(diagonal_.size(), static_cast<Index>(lambdas.size()));
    for (Index k = 0; k < x.cols(); ++k) {
      const double lambda = lambdas[static_cast<std::size_t>(k)];
      if (below_.size() == 0) {
        x.col(k) = right_.array() / (diagonal_.array() + lambda);
        continue;
      }
      Reals pivot = diagonal_.array() + lambda;
      x.col(k) = right_;
      for (Index i = 1; i < x.rows(); ++i) {
        const double ratio = below_[i - 1] / pivot[i - 1];
        pivot[i] -= ratio * below_[i - 1];
        x(i, k) -= ratio * x(i - 1, k);
      }
      for (Index i = x.rows() - 1; i >= 0; --i)
        x(i, k) = (x(i, k) - (i + 1 < x.rows() ? below_[i] * x(i + 1, k) : 0.0)) / pivot[i];
    }
    return x;
  }

  bool is_diagonal() const { return below_.size() == 0; }

  /// ‖t − Zw‖²/λ² for each column of x = (T + λI)⁻¹·right (rank × m), but for what of t lies beyond
  /// the span of Z: (m). In the primal form for a diagonal T.
  Reals scaled_squares(const Columns& x) const {
    if (dual_) return x.colwise().squaredNorm().transpose();
    return x.cwiseAbs2().transpose() * squares_.cwiseInverse();
  }

  /// T·x for x (rank).
  Reals apply(const Reals& x) const {
    Reals y = diagonal_.cwiseProduct(x);
    const Index rest = below_.size();
    if (rest == 0) return y;
    y.head(rest) += below_.cwiseProduct(x.tail(rest));
    y.tail(rest) += below_.cwiseProduct(x.head(rest));
    return y;
  }

  /// B·x for x (rank × m).
  Columns outwards(const Columns& x) const {
    if (below_.size() == 0)
      return numerics::wide_product(numerics::packed(basis_.transpose()), numerics::packed(x),
                                    rank());
    Matrix<Real> out = x;
    Row along(out.cols());
    for (Index k = below_.size() - 1; k >= 0; --k) {
      const Index rest = out.rows() - k - 1;
      const auto tail = basis_.col(k).tail(rest);
      along.noalias() = reflections_[k] * (tail.transpose() * out.bottomRows(rest));
      out.bottomRows(rest).noalias() -= tail * along;
    }
    return lifted(out);
  }

 private:
  bool by_eigenvalues(const Columns& a, const Reals& right, bool diagonal, bool relative,
                      double least) {
    constexpr double worst = 5e-7;
    if (!core::all_finite(a)) return false;
    if (diagonal || a.rows() < 3) {
      const numerics::Tridiagonal<Real> form(a);
      diagonal_ = form.diagonal;
      basis_ = form.basis();
      if (!numerics::diagonalise(diagonal_, form.below, basis_)) return false;
      diagonal_ = diagonal_.cwiseMax(0);
      squares_ = diagonal_;
      right_ = basis_.transpose() * right;
      basis_ = lifted(basis_);
    } else {
      numerics::Tridiagonal<Real> form(a);
      Reals eigenvalues = form.diagonal;
      Columns none;
      if (!numerics::diagonalise(eigenvalues, form.below, none)) return false;
      squares_ = eigenvalues.cwiseMax(0);
      diagonal_ = std::move(form.diagonal);
      below_ = std::move(form.below);
      reflections_ = std::move(form.reflections);
      basis_ = std::move(form.vectors);
      right_ = right;
      for (Index k = 0; k < below_.size(); ++k) {
        const Index rest = a.rows() - k - 1;
        const auto tail = basis_.col(k).tail(rest);
        right_.tail(rest) -= reflections_[k] * tail.dot(right_.tail(rest)) * tail;
      }
    }
    find_condition(a.rows(), relative, least);
    is_resolved_ = squares_.minCoeff() > worst * largest();
    decomposition_ = Decomposition::eigenvalues;
    return reciprocal_condition_ > worst;
  }

  void find_condition(Index size, bool relative, double least) {
    const double most = largest();
    const double lambda = relative ? least * most : least;
    const double smallest = rank() > 0 && rank() == size ? squares_.minCoeff() : 0;
    reciprocal_condition_ = most + lambda > 0 ? (smallest + lambda) / (most + lambda) : 0;
  }

  /// From R of the QR decomposition of Z, or of Zᵀ, built up block by block.
  template <class Design>
  void by_singular_values(const Design& design, const Reals& t, const Reals& right, bool relative,
                          double least) {
    const Index size = right.size();
    const Index length = dual_ ? design.cols() : design.rows();
    const Index beside = dual_ ? 0 : 1;
    Matrix<Real> r = Matrix<Real>::Zero(size, size + beside);
    Matrix<Real> block;
    for (Index first = 0; first < length; first += Design::block_rows) {
      const Index count = std::min(Design::block_rows, length - first);
      design.fill(first, count, dual_, block);
      if (mirror_.size() > 0) block = reflected(block.transpose()).transpose().eval();
      block.conservativeResize(count, size + beside);
      if (!dual_) block.col(size) = t.segment(first, count);
      numerics::append_rows(r, block);
    }
    const double threshold =
        std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(size, length));
    Columns columns = r.transpose();
    numerics::orthogonalise_columns(columns, size, threshold);
    const Reals lengths = columns.topRows(size).colwise().norm().transpose();
    Index rank = 0;
    while (rank < std::min(size, free_) && !(lengths[rank] <= threshold * lengths[0])) ++rank;

    decomposition_ = Decomposition::singular_values;
    is_resolved_ = true;
    below_.resize(0);
    squares_ = diagonal_ = lengths.head(rank).cwiseAbs2();
    find_condition(size, relative, least);
    basis_ = columns.topLeftCorner(size, rank) * lengths.head(rank).cwiseInverse().asDiagonal();
    right_ = dual_
                 ? Reals(basis_.transpose() * right)
                 : Reals(columns.row(size).head(rank).transpose().cwiseProduct(lengths.head(rank)));
    basis_ = lifted(basis_);
  }

  /// The reflection of a (n × m), without its first row, and back.
  Columns reflected(const Columns& a) const {
    const Columns image = a - mirror_ * (mirror_.transpose() * a);
    return image.bottomRows(a.rows() - 1);
  }
  Columns lifted(const Columns& a) const {
    if (mirror_.size() == 0) return a;
    Columns image(a.rows() + 1, a.cols());
    image << Row::Zero(a.cols()), a;
    image -= mirror_ * (mirror_.transpose() * image).eval();
    return image;
  }

  bool dual_;
  Index free_;
  bool is_resolved_{false};
  Decomposition decomposition_{Decomposition::eigenvalues};
  double reciprocal_condition_{0};
  Reals mirror_;  // v of the reflection I − vvᵀ
  Reals squares_;
  Reals diagonal_;  // of T
  Reals below_;     // the diagonal of T below that one; empty if T is diagonal
  Reals reflections_;
  Columns basis_;  // B, or the reflections that B is the product of
  Reals right_;
};

}  // namespace linea::least_squares
