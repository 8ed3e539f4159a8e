// SPDX-License-Identifier: MIT
#pragma once
/// \file Singular values by rotations of columns (one-sided Jacobi): small ones keep their digits.
#include <cmath>
#include <limits>
#include <linea/core/types.hpp>
#include <utility>  // swap

namespace linea::numerics {

/// Rotates the columns of m ((size + k) × size) in pairs until their first `size` entries are
/// orthogonal, the longest column first; columns of less than `threshold` of the largest length are
/// left as they are. With m = [Mᵀ; B] that is [VΣ; BJ] for the singular value decomposition M =
/// JΣVᵀ. Cost: O(size³) a sweep, some ten sweeps (Demmel and Veselić, SIAM J. Matrix Anal. Appl. 13
/// (1992)).
template <class M>
void orthogonalise_columns(M& m, Index size, double threshold) {
  const double tolerance =
      std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(size));
  Vector<typename M::Scalar> squares;
  bool rotated = size > 1;
  for (int sweep = 0; rotated && sweep < 60; ++sweep) {
    rotated = false;
    squares = m.topRows(size).colwise().squaredNorm().transpose();
    const double least = threshold * threshold * squares.maxCoeff();
    for (Index j = 0; j + 1 < size; ++j)
      for (Index k = j + 1; k < size; ++k) {
        if (squares[j] < squares[k]) {
          m.col(j).swap(m.col(k));
          std::swap(squares[j], squares[k]);
        }
        if (!(squares[k] > least)) continue;
        const double product = m.col(j).head(size).dot(m.col(k).head(size));
        if (!(std::abs(product) > tolerance * std::sqrt(squares[j]) * std::sqrt(squares[k])))
          continue;
        rotated = true;
        const double ratio =
            (squares[j] - squares[k]) / (2 * product);  // the cotangent of twice the angle
        const double tangent = std::copysign(1 / (std::abs(ratio) + std::hypot(1, ratio)), ratio);
        const double cosine = 1 / std::hypot(1, tangent);
        const double sine = cosine * tangent;
        double* const left = &m(0, j);
        double* const right = &m(0, k);
        for (Index i = 0; i < m.rows(); ++i) {
          const double old = left[i];
          left[i] = cosine * old + sine * right[i];
          right[i] = cosine * right[i] - sine * old;
        }
        squares[j] += tangent * product;
        squares[k] -= tangent * product;
      }
  }
}

}  // namespace linea::numerics
