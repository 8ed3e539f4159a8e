// SPDX-License-Identifier: MIT
#pragma once
/// \file One decomposition of the normal equations that solves them for every λ.
#include <algorithm>  // copy, max, min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/spectral.hpp>
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea {

/// The decomposition that yields the solutions for all λ. Z are the weighted, centred samples.
enum class Decomposition {
  eigenvalues,      ///< of ZᵀZ, or of ZZᵀ if d > n: for well-conditioned equations
  singular_values,  ///< of Z, by orthogonal transformations: for all other equations
};

constexpr std::string_view name_of(Decomposition decomposition) {
  return decomposition == Decomposition::eigenvalues ? "eigenvalues" : "singular-values";
}

}  // namespace linea

namespace linea::detail::least_squares {

/// The decomposition A = B·T·Bᵀ of A = ZᵀZ, or of A = ZZᵀ in the dual form. B has orthonormal
/// columns. T (m × m) is diagonal with m = rank, or tridiagonal with as many rows as A.
///
/// In the dual form with an offset, ZZᵀ·r = 0 for the root weights r (n). The eigenvalues exclude
/// this direction: adding a multiple of rrᵀ makes its eigenvalue the largest, which is dropped.
class Spectrum {
 public:
  /// `equations` holds A; t (n) are the targets of Zw ≈ t. Computes the eigenvalues of A if their
  /// rounding causes a relative error of at most about 5·10⁻¹⁰ for every λ ≥ `least`, else the
  /// singular values of Z. If `relative`, `least` is a multiple of the largest eigenvalue.
  ///
  /// T is diagonal for singular values, with `diagonal`, and if A has fewer than three rows.
  /// Otherwise it is tridiagonal, at about a fifth of the cost. Singular values count as 0 if they
  /// are within rounding of 0, or come after the first equations.freedom(offset).
  template <class Rows>
  Spectrum(const NormalEquations<Rows>& equations, const Columns& t, bool offset, bool diagonal,
           bool relative, double least)
      : dual_(equations.is_dual()), free_(equations.freedom(offset)) {
    const auto& design = equations.design;
    const Reals right = linear_algebra::column_of(dual_ ? t : equations.right, 0);
    const Index cut = dual_ && offset ? 1 : 0;
    if (by_eigenvalues(cut > 0 ? filled(equations.product, design.root()) : equations.product,
                       right, cut, diagonal, relative, least))
      return;
    double beyond = 0;
    const double threshold = std::numeric_limits<double>::epsilon() *
                             static_cast<double>(std::max(design.rows(), design.cols()));
    by_singular_values(design.triangle(dual_, t, beyond), right, threshold);
    find_condition(right.size() - cut, relative, least);
  }

  Decomposition decomposition() const { return decomposition_; }
  bool is_dual() const { return dual_; }

  /// Returns the ratio of the smallest eigenvalue of A + λI to the largest, for the smallest λ.
  double reciprocal_condition() const { return reciprocal_condition_; }

  /// Returns the eigenvalues σ² of A, (rank). With singular values, leaves out those that count as
  /// 0.
  const Reals& squares() const { return squares_; }
  Index rank() const { return squares_.size(); }
  /// Is the rank so large that, for any targets, some w and offset interpolate all samples?
  bool interpolates() const { return rank() == free_; }
  /// Returns the condition number of [Z; √λ·I] on the row space of Z, or 1 for rank 0.
  double condition(double lambda) const {
    return rank() == 0 ? 1 : std::sqrt((largest() + lambda) / (smallest() + lambda));
  }
  double largest() const { return linear_algebra::largest_of(squares_.data(), rank()); }
  double smallest() const {
    double least = std::numeric_limits<double>::infinity();
    for (const double square : squares_) least = std::min(least, square);
    return least;
  }

  /// Is each σ² accurate relative to its own size, not only relative to the largest σ²?
  bool is_resolved() const { return is_resolved_; }

  bool is_diagonal() const { return form_.below.size() == 0; }

  /// Returns B (d × rank), or in the dual form (n × rank). Call it only if T is diagonal.
  const Columns& basis() const { return basis_; }

  /// Returns Bᵀ·Zᵀt, or in the dual form Bᵀt, (m).
  const Reals& right() const { return right_; }

  /// Returns (T + λI)⁻¹·right (m × number of λ), one column for each λ.
  Columns solve(const std::vector<double>& lambdas) const {
    const Reals& below = form_.below;
    Columns x(form_.diagonal.size(), static_cast<Index>(lambdas.size()));
    for (Index k = 0; k < x.cols(); ++k) {
      const double lambda = lambdas[static_cast<std::size_t>(k)];
      Reals pivot(x.rows());
      for (Index i = 0; i < x.rows(); ++i) {
        const double ratio = i > 0 && !is_diagonal() ? below[i - 1] / pivot[i - 1] : 0;
        pivot[i] = form_.diagonal[i] + lambda - (ratio == 0 ? 0 : ratio * below[i - 1]);
        x(i, k) = right_[i] - (ratio == 0 ? 0 : ratio * x(i - 1, k));
      }
      for (Index i = x.rows() - 1; i >= 0; --i)
        x(i, k) = (x(i, k) - (i < below.size() ? below[i] * x(i + 1, k) : 0.0)) / pivot[i];
    }
    return x;
  }

  /// Returns ⟨x, T·x⟩ for x (m).
  double square_of(const Reals& x) const {
    double sum = 0;
    for (Index i = 0; i < x.size(); ++i) {
      sum += x[i] * form_.diagonal[i] * x[i];
      if (i < form_.below.size()) sum += 2 * x[i] * form_.below[i] * x[i + 1];
    }
    return sum;
  }

  /// Returns ‖t − Zw‖²/λ² for column k of x = (T + λI)⁻¹·right, without the part of t orthogonal to
  /// the range of Z. In the primal form T must be diagonal.
  double scaled_square(const Columns& x, Index k) const {
    double sum = 0;
    for (Index i = 0; i < x.rows(); ++i)
      sum += dual_ ? x(i, k) * x(i, k) : x(i, k) * x(i, k) / squares_[i];
    return sum;
  }

  /// Returns B·x for x with m rows.
  Columns outwards(Columns x) const {
    if (is_diagonal()) {
      Columns product;
      linear_algebra::multiply(linear_algebra::packed(basis_.transpose()),
                               linear_algebra::packed(x), rank(), product);
      return product;
    }
    for (Index k = 0; k < x.cols(); ++k)
      for (Index j = form_.below.size() - 1; j >= 0; --j) form_.reflect(j, &x(0, k) + j + 1);
    return x;
  }

 private:
  /// Returns the lower triangle of A + s·r·rᵀ, with an s larger than all eigenvalues of A.
  static Columns filled(Columns a, const Reals& root) {
    double trace = 0;
    for (Index j = 0; j < a.cols(); ++j) trace += a(j, j);
    const double size = trace > 0 ? 2 * trace : 1;
    for (Index j = 0; j < a.cols(); ++j)
      for (Index i = j; i < a.rows(); ++i) a(i, j) += size * root[i] * root[j];
    return a;
  }

  /// Decomposes A = a, and drops the `cut` largest eigenvalues (0 or 1). Returns false if the
  /// eigenvalues are too inaccurate, or could not be computed.
  bool by_eigenvalues(const Columns& a, const Reals& right, Index cut, bool diagonal, bool relative,
                      double least) {
    constexpr double worst = 5e-7;
    form_ = linear_algebra::Tridiagonal(a);
    const bool is_full = diagonal || a.rows() < 3;
    if (is_full) basis_ = form_.basis();
    Reals eigenvalues = form_.diagonal;
    if (!linear_algebra::diagonalise(eigenvalues, form_.below, basis_)) return false;
    Index dropped = cut > 0 ? 0 : a.rows();
    for (Index k = 1; k < a.rows() && cut > 0; ++k)
      if (eigenvalues[k] > eigenvalues[dropped]) dropped = k;
    squares_.resize(a.rows() - cut);
    for (Index k = 0; k < squares_.size(); ++k)
      squares_[k] = std::max(eigenvalues[k < dropped ? k : k + 1], 0.0);
    if (is_full) {
      set_diagonal();
      Columns kept(a.rows(), squares_.size());
      right_.resize(kept.cols());
      for (Index k = 0; k < kept.cols(); ++k) {
        const double* from = basis_.data() + (k < dropped ? k : k + 1) * a.rows();
        std::copy(from, from + a.rows(), kept.data() + k * a.rows());
        right_[k] = linear_algebra::dot(from, right.data(), a.rows());
      }
      basis_ = std::move(kept);
    } else {
      right_ = right;
      for (Index j = 0; j < form_.below.size(); ++j) form_.reflect(j, right_.data() + j + 1);
    }
    find_condition(squares_.size(), relative, least);
    is_resolved_ = smallest() > worst * largest();
    decomposition_ = Decomposition::eigenvalues;
    return reciprocal_condition_ > worst;
  }

  /// Makes T the diagonal matrix of the squares.
  void set_diagonal() {
    form_ = {};
    form_.diagonal = squares_;
  }

  void find_condition(Index size, bool relative, double least) {
    const double most = largest();
    const double lambda = relative ? least * most : least;
    const double small = rank() > 0 && rank() == size ? smallest() : 0;
    reciprocal_condition_ = most + lambda > 0 ? (small + lambda) / (most + lambda) : 0;
  }

  /// Decomposes A by the singular values of `r`. In the primal form `r` holds R of Z = QR, and Qᵀt
  /// in one more column. In the dual form `r` is R of Zᵀ = QR.
  void by_singular_values(const Matrix<double>& r, const Reals& right, double threshold) {
    const Index size = right.size();
    Columns columns(size + (dual_ ? 0 : 1), r.rows());
    for (Index k = 0; k < r.rows(); ++k)
      for (Index j = 0; j < columns.rows(); ++j) columns(j, k) = j >= k ? r(k, j) : 0;
    const Reals lengths = linear_algebra::orthogonalise_columns(columns, size, threshold);
    Index rank = 0;
    while (rank < std::min(size, free_) && !(lengths[rank] <= threshold * lengths[0])) ++rank;

    decomposition_ = Decomposition::singular_values;
    is_resolved_ = true;
    squares_.resize(rank);
    right_.resize(rank);
    basis_.resize(size, rank);
    for (Index k = 0; k < rank; ++k) {
      squares_[k] = lengths[k] * lengths[k];
      for (Index i = 0; i < size; ++i) basis_(i, k) = columns(i, k) / lengths[k];
      right_[k] = dual_ ? linear_algebra::dot(basis_.data() + k * size, right.data(), size)
                        : columns(size, k) * lengths[k];
    }
    set_diagonal();
  }

  bool dual_;
  Index free_;
  bool is_resolved_{false};
  Decomposition decomposition_{Decomposition::eigenvalues};
  double reciprocal_condition_{0};
  Reals squares_{};
  linear_algebra::Tridiagonal form_{};  // T; without subdiagonal and reflections if T is diagonal
  Columns basis_{};                     // B, if T is diagonal
  Reals right_{};
};

}  // namespace linea::detail::least_squares
