// SPDX-License-Identifier: MIT
#pragma once
/// \file Eigenvalues and eigenvectors of symmetric matrices, and singular values.
#include <algorithm>  // fill, max, swap_ranges
#include <cmath>      // abs, copysign, hypot, ilogb, isfinite, ldexp, sqrt
#include <limits>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <utility>  // move, swap

namespace linea::detail::linear_algebra {

/// Returns an exponent e with |x|·2⁻ᵉ < 2 for all |x| ≤ `largest`, or 0 if `largest` is 0 or not
/// finite. Decompositions of XᵀX square its entries, which may be 1e300: scaled by 2⁻ᵉ, the squares
/// do not overflow.
inline int exponent_of(double largest) {
  return largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

/// The decomposition A = Q·T·Qᵀ of a symmetric A (n × n) with a tridiagonal T. Q is the product of
/// the reflections I − τₖvₖvₖᵀ for k from 0 to n − 2 (Golub and Van Loan, Matrix Computations,
/// section 8.3.1). Cost: 4/3·n³ operations.
struct Tridiagonal {
  Vector<double> diagonal{};     ///< diagonal of T, (n)
  Vector<double> below{};        ///< subdiagonal of T, (n − 1)
  Vector<double> reflections{};  ///< τ, (n − 1)
  /// Column k holds vₖ from row k + 1 on; its entry in row k + 1 is 1.
  detail::ColumnMatrix<double> vectors{};

  Tridiagonal() = default;
  /// Decomposes a. Reads only the lower triangle, whose entries must be finite.
  explicit Tridiagonal(detail::ColumnMatrix<double> a)
      : diagonal(a.rows()),
        below(std::max<Index>(a.rows() - 1, 0)),
        reflections(below.size()),
        vectors(std::move(a)) {
    const Index n = vectors.rows();
    double largest = 0;
    for (Index j = 0; j < n; ++j) largest = std::max(largest, largest_of(&vectors(j, j), n - j));
    const int exponent = exponent_of(largest);
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) vectors(i, j) = std::ldexp(vectors(i, j), -exponent);
    reflect_all();
    for (Index k = 0; k < n; ++k) diagonal[k] = std::ldexp(vectors(k, k), exponent);
    for (double& entry : below) entry = std::ldexp(entry, exponent);
  }

  /// Returns Q (n × n).
  detail::ColumnMatrix<double> basis() const {
    const Index n = vectors.rows();
    auto q = zeros<detail::ColumnMatrix<double>>(n, n);
    for (Index j = 0; j < n; ++j) q(j, j) = 1;
    for (Index k = below.size() - 1; k >= 0; --k)
      for (Index j = k + 1; j < n; ++j) reflect(k, &q(k + 1, j));
    return q;
  }

  /// Applies reflection k to a vector; `entries` points to its row k + 1.
  void reflect(Index k, double* entries) const {
    const double* const v = &vectors(k + 1, k);
    const Index rest = vectors.rows() - k - 1;
    rows::add(v, -reflections[k] * dot(v, entries, rest), entries, rest);
  }

 private:
  /// Replaces x (count) by the vector v whose reflection I − τvvᵀ maps the old x to (below, 0, …,
  /// 0). Returns τ.
  static double make_reflection(double* x, Index count, double& below) {
    const double first = x[0];
    const double rest = std::sqrt(dot(x + 1, x + 1, count - 1));
    below = first;
    x[0] = 1;
    if (rest == 0) return 0;
    below = -std::copysign(std::hypot(first, rest), first);
    for (Index i = 1; i < count; ++i) x[i] /= first - below;
    return (below - first) / below;
  }

  /// Subtracts vwᵀ + wvᵀ from one column of A, from the diagonal on. `column`, v and w (count)
  /// begin at the row of the diagonal.
  static void update(double* column, const double* v, const double* w, Index count) {
    using P = rows::Pack<double>;
    const double a = w[0], b = v[0];
    Index i = 0;
#pragma GCC unroll 2
    for (; i + P::lanes <= count; i += P::lanes)
      P::store(column + i, P::load(column + i) - (a * P::load(v + i) + b * P::load(w + i)));
    for (; i < count; ++i) column[i] -= a * v[i] + b * w[i];
  }

  /// Applies all reflections, A ← A − vwᵀ − wvᵀ. Reads the lower triangle of A once for each, as it
  /// updates a column by the previous reflection just before multiplying it by the next v.
  void reflect_all() {
    const Index n = vectors.rows();
    Vector<double> w(n);
    Vector<double> last_w(n);
    const double* last_v = nullptr;  // v of the reflection not yet applied to columns k + 1 onwards
    for (Index k = 0; k + 1 < n; ++k) {
      const Index m = n - k - 1;
      double* const v = &vectors(k + 1, k);
      const double tau = reflections[k] = make_reflection(v, m, below[k]);
      std::fill(w.data(), w.data() + m, 0.0);
      for (Index j = 0; j < m; ++j) {
        double* const column = &vectors(k + 1 + j, k + 1 + j);
        if (last_v) update(column, last_v + j + 1, last_w.data() + j + 1, m - j);
        if (tau == 0) continue;
        w[j] += column[0] * v[j] + dot(column + 1, v + j + 1, m - j - 1);
        rows::add(column + 1, v[j], w.data() + j + 1, m - j - 1);
      }
      last_v = tau == 0 ? nullptr : v;
      if (tau == 0) continue;
      for (Index j = 0; j < m; ++j) w[j] *= tau;
      rows::add(v, -tau / 2 * dot(w.data(), v, m), w.data(), m);
      update(&vectors(k + 1, k + 1), v, w.data(), m);
      w.swap(last_w);
    }
  }
};

/// Replaces two columns (count) by cosine·left − sine·right and sine·left + cosine·right.
[[gnu::always_inline]] inline void rotate_columns(double* left, double* right, Index count,
                                                  double cosine, double sine) {
  using P = rows::Pack<double>;
  Index i = 0;
#pragma GCC unroll 2
  for (; i + P::lanes <= count; i += P::lanes) {
    const auto one = P::load(left + i), other = P::load(right + i);
    P::store(left + i, cosine * one - sine * other);
    P::store(right + i, sine * one + cosine * other);
  }
  for (; i < count; ++i) {
    const double one = left[i], other = right[i];
    left[i] = cosine * one - sine * other;
    right[i] = sine * one + cosine * other;
  }
}

/// Diagonalises the symmetric tridiagonal T with the given diagonal (n) and subdiagonal `below`
/// (n − 1). Replaces `diagonal` by the eigenvalues, in no order, and rotates the columns of `basis`
/// (m × n), m ≥ 0. If `basis` is Q, its columns become the eigenvectors of QTQᵀ. Uses the QL method
/// with implicit shifts: Dubrulle, Martin and Wilkinson, Numerische Mathematik 12 (1968). Returns
/// false if the method has not converged.
inline bool diagonalise(Vector<double>& diagonal, const Vector<double>& below,
                        detail::ColumnMatrix<double>& basis) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Index n = diagonal.size();
  const int exponent =
      exponent_of(std::max(largest_of(diagonal.data(), n), largest_of(below.data(), below.size())));
  for (double& entry : diagonal) entry = std::ldexp(entry, -exponent);
  Vector<double> e = constant(n, 0);
  for (Index k = 0; k < below.size(); ++k) e[k] = std::ldexp(below[k], -exponent);
  const auto length = [](double a, double b) { return std::sqrt(a * a + b * b); };
  for (Index first = 0; first < n; ++first) {
    for (int turn = 0;; ++turn) {
      Index last = first;  // [first, last] is an unreduced block
      while (last + 1 < n && !(std::abs(e[last]) <=
                               epsilon * (std::abs(diagonal[last]) + std::abs(diagonal[last + 1]))))
        ++last;
      if (last == first) break;
      if (turn == 60) return false;
      const double half = (diagonal[first + 1] - diagonal[first]) / (2 * e[first]);
      double g = diagonal[last] - diagonal[first] +
                 e[first] / (half + std::copysign(std::hypot(half, 1.0), half));
      double sine = 1;
      double cosine = 1;
      double shift = 0;
      Index i = last - 1;
      for (; i >= first; --i) {
        const double f = sine * e[i];
        const double b = cosine * e[i];
        e[i + 1] = length(f, g);
        if (e[i + 1] == 0) break;  // the block splits
        sine = f / e[i + 1];
        cosine = g / e[i + 1];
        g = diagonal[i + 1] - shift;
        const double r = (diagonal[i] - g) * sine + 2 * cosine * b;
        shift = sine * r;
        diagonal[i + 1] = g + shift;
        g = cosine * r - b;
        if (basis.rows() > 0)
          rotate_columns(&basis(0, i), &basis(0, i + 1), basis.rows(), cosine, sine);
      }
      const Index at = i < first ? first : i + 1;
      diagonal[at] -= shift;
      if (i < first) e[first] = g;
      e[last] = 0;
    }
  }
  for (double& entry : diagonal) entry = std::ldexp(entry, exponent);
  return true;
}

/// Rotates pairs of columns of m (d × k) until their first `size` entries are orthogonal, sorts the
/// columns by the norms of these entries, longest first, and returns the norms (k). Does not rotate
/// columns shorter than `threshold` times the longest. For m = [Mᵀ; B] the result is [VΣ; BJ],
/// where M = JΣVᵀ is the singular value decomposition. Small singular values are accurate relative
/// to their own size. Cost: O(d·k²) for each of about ten sweeps (one-sided Jacobi: Demmel and
/// Veselić, SIAM J. Matrix Anal. Appl. 13 (1992)).
inline Vector<double> orthogonalise_columns(detail::ColumnMatrix<double>& m, Index size,
                                            double threshold) {
  const double tolerance =
      std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(size));
  const auto column = [&](Index j) { return m.data() + j * m.rows(); };
  Vector<double> squares(m.cols());
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < 60; ++sweep) {
    rotated = false;
    double least = 0;
    for (Index j = 0; j < m.cols(); ++j) {
      squares[j] = dot(column(j), column(j), size);
      least = std::max(least, threshold * threshold * squares[j]);
    }
    for (Index j = 0; j + 1 < m.cols(); ++j)
      for (Index k = j + 1; k < m.cols(); ++k) {
        if (squares[j] < squares[k]) {
          std::swap_ranges(column(j), column(j) + m.rows(), column(k));
          std::swap(squares[j], squares[k]);
        }
        if (!(squares[k] > least)) continue;
        const double product = dot(column(j), column(k), size);
        if (!(std::abs(product) > tolerance * std::sqrt(squares[j]) * std::sqrt(squares[k])))
          continue;
        rotated = true;
        // The cotangent of twice the angle of the rotation.
        const double ratio = (squares[j] - squares[k]) / (2 * product);
        const double tangent = std::copysign(1 / (std::abs(ratio) + std::hypot(1, ratio)), ratio);
        const double cosine = 1 / std::hypot(1, tangent);
        rotate_columns(column(k), column(j), m.rows(), cosine, cosine * tangent);
        squares[j] += tangent * product;
        squares[k] -= tangent * product;
      }
  }
  for (Index j = 0; j < m.cols(); ++j) squares[j] = std::sqrt(dot(column(j), column(j), size));
  return squares;
}

}  // namespace linea::detail::linear_algebra
