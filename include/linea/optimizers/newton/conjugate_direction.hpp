// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's direction for the weights of a support, by conjugate gradients over columns.
#include <linea/core/types.hpp>
#include <vector>

namespace linea::detail::newton {

/// C = Σᵢ hᵢ(xᵢ − m)(xᵢ − m)ᵀ + diag(l2) (k × k) for the columns of a support, with their means m
/// under h, or m = 0 without an offset. C is never formed: a product with C costs two passes over
/// the columns.
template <class Columns, class Real = detail::DoubleFor<Columns>>
struct SupportCurvature {
  const Columns& columns;
  const std::vector<Index>& support;
  const Vector<Real>& means;     ///< m (k)
  const Vector<Real>& diagonal;  ///< diagonal of C (k)
  const Vector<Real>& h;         ///< curvatures h (n)
  const Vector<Real>& l2;        ///< strengths of the L2 penalty (k)

  /// Computes product ← C·d. Uses `moved` as workspace.
  void multiply(const Vector<Real>& d, Vector<Real>& moved, Vector<Real>& product) const {
    moved = Vector<Real>::Zero(h.size());
    double shift = 0, sum = 0;
    for (Index k = 0; k < d.size(); ++k) {
      columns.add(support[static_cast<std::size_t>(k)], d[k], moved);
      shift += d[k] * means[k];
    }
    for (Index i = 0; i < h.size(); ++i) sum += moved[i] = h[i] * (moved[i] - shift);
    product.resize(d.size());
    for (Index k = 0; k < d.size(); ++k)
      product[k] =
          columns.dot(support[static_cast<std::size_t>(k)], moved) - means[k] * sum + l2[k] * d[k];
  }
};

/// A direction d (k) that decreases ½⟨d, C·d⟩ − ⟨residual, d⟩, its `change` C·d, and the number of
/// products with C that the constructor computed.
template <class Columns>
struct ConjugateDirection {
  using Real = detail::DoubleFor<Columns>;

  Vector<Real> direction{}, change{};
  Index products{0};

  /// Runs conjugate gradients. Ends when the residual has fallen to about a thirtieth, in the norm
  /// with the weights 1/Cⱼⱼ, or after 50 iterations. Where C has no curvature along the search
  /// direction, ends with a long step.
  ConjugateDirection(const SupportCurvature<Columns>& c, Vector<Real> residual) {
    const Index size = residual.size();
    direction = change = Vector<Real>::Zero(size);
    Vector<Real> step(size), product, moved;
    double square = 0;  // ‖residual‖² in the norm with the weights 1/Cⱼⱼ
    for (Index k = 0; k < size; ++k) {
      step[k] = residual[k] / c.diagonal[k];
      square += residual[k] * step[k];
    }
    const double enough = 1e-3 * square;
    while (square > enough && products < 50) {
      ++products;
      c.multiply(step, moved, product);
      double curvature = 0, flat = 0;
      for (Index k = 0; k < size; ++k) {
        curvature += step[k] * product[k];
        flat += 1e-12 * step[k] * step[k] * c.diagonal[k];
      }
      const double length = square / (curvature > flat ? curvature : flat);
      double next = 0;
      for (Index k = 0; k < size; ++k) {
        direction[k] += length * step[k];
        change[k] += length * product[k];
        residual[k] -= length * product[k];
        next += residual[k] * residual[k] / c.diagonal[k];
      }
      if (!(curvature > flat)) return;
      for (Index k = 0; k < size; ++k)
        step[k] = residual[k] / c.diagonal[k] + next / square * step[k];
      square = next;
    }
  }
};

}  // namespace linea::detail::newton
