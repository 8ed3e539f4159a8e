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

/// A place in an array, for loads and stores of the entries from `first` on: of a vector register
/// (PackAt), or of one entry (EntryAt).
struct PackAt {
  using Pack = rows::Pack<double>;
  Index first;
  Pack::Type load(const double* entries) const { return Pack::load(entries + first); }
  void store(double* entries, const Pack::Type& pack) const { Pack::store(entries + first, pack); }
};
struct EntryAt {
  Index first;
  double load(const double* entries) const { return entries[first]; }
  void store(double* entries, double entry) const { entries[first] = entry; }
};

/// Returns the largest absolute value of n numbers.
inline double largest_of(const double* numbers, Index n) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(numbers[i]));
  return largest;
}

/// Returns an exponent e with |x|·2⁻ᵉ < 2 for all |x| ≤ `largest`, so that sums of squares of
/// scaled numbers do not overflow. Returns 0 if `largest` is 0 or not finite.
inline int exponent_of(double largest) {
  return largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

/// Calls visit(at) for `count` entries, with a PackAt for each full register and an EntryAt for
/// each entry that is left over.
template <class Visit>
[[gnu::always_inline]] inline void for_packs(Index count, const Visit& visit) {
  constexpr Index lanes = PackAt::Pack::lanes;
  Index i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    visit(PackAt{i});
    visit(PackAt{i + lanes});
  }
  if (i + lanes <= count) {
    visit(PackAt{i});
    i += lanes;
  }
  for (; i < count; ++i) visit(EntryAt{i});
}

/// The decomposition A = Q·T·Qᵀ of a symmetric A (n × n) with a tridiagonal T. Q is the product of
/// the reflections I − τₖvₖvₖᵀ for k from 0 to n − 2 (Golub and Van Loan, Matrix Computations,
/// section 8.3.1). Cost: 4/3·n³ operations.
struct Tridiagonal {
  Vector<double> diagonal;     ///< diagonal of T, (n)
  Vector<double> below;        ///< subdiagonal of T, (n − 1)
  Vector<double> reflections;  ///< τ, (n − 1)
  /// Column k holds vₖ from row k + 1 on; its entry in row k + 1 is 1.
  detail::ColumnMatrix<double> vectors;

  /// Decomposes a. Reads only the lower triangle, whose entries must be finite.
  explicit Tridiagonal(detail::ColumnMatrix<double> a);

  /// Returns Q (n × n).
  detail::ColumnMatrix<double> basis() const;

 private:
  static double make_reflection(double* x, Index count, double& below);
  static void update(double* column, const double* v, const double* w, Index count);
  void reflect_all();
};

/// Replaces x (count) by the vector v whose reflection I − τvvᵀ maps the old x to (below, 0, …, 0).
/// Returns τ.
inline double Tridiagonal::make_reflection(double* x, Index count, double& below) {
  const double first = x[0];
  const double rest = std::sqrt(dot(x + 1, x + 1, count - 1));
  below = first;
  x[0] = 1;
  if (rest == 0) return 0;
  below = -std::copysign(std::hypot(first, rest), first);
  for (Index i = 1; i < count; ++i) x[i] /= first - below;
  return (below - first) / below;
}

/// Subtracts vwᵀ + wvᵀ from one column of A, from the diagonal on. `column`, v and w (count) begin
/// at the row of the diagonal.
inline void Tridiagonal::update(double* column, const double* v, const double* w, Index count) {
  for_packs(count, [=, a = w[0], b = v[0]](const auto& at) {
    at.store(column, at.load(column) - (a * at.load(v) + b * at.load(w)));
  });
}

/// Applies all reflections, A ← A − vwᵀ − wvᵀ, and reads the lower triangle of A once for each. To
/// this end, it updates a column by the previous reflection just before it multiplies the column by
/// the next v.
inline void Tridiagonal::reflect_all() {
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

inline Tridiagonal::Tridiagonal(detail::ColumnMatrix<double> a)
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

inline detail::ColumnMatrix<double> Tridiagonal::basis() const {
  const Index n = vectors.rows();
  detail::ColumnMatrix<double> q(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) q(i, j) = i == j ? 1 : 0;
  for (Index k = below.size() - 1; k >= 0; --k) {
    const double* const v = &vectors(k + 1, k);
    for (Index j = k + 1; j < n; ++j) {
      double* const column = &q(k + 1, j);
      rows::add(v, -reflections[k] * dot(v, column, n - k - 1), column, n - k - 1);
    }
  }
  return q;
}

/// Replaces two columns (count) by cosine·left − sine·right and sine·left + cosine·right.
[[gnu::always_inline]] inline void rotate_columns(double* left, double* right, Index count,
                                                  double cosine, double sine) {
  for_packs(count, [=](const auto& at) {
    const auto one = at.load(left);
    const auto other = at.load(right);
    at.store(left, cosine * one - sine * other);
    at.store(right, sine * one + cosine * other);
  });
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
