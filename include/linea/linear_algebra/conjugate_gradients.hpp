// SPDX-License-Identifier: MIT
#pragma once
/// \file Preconditioned conjugate gradients.
#include <algorithm>  // max
#include <cmath>      // isfinite, sqrt
#include <limits>
#include <linea/linear_algebra/vectors.hpp>

namespace linea::detail::linear_algebra {

/// Solves A·s = −g for a symmetric A, such as ∇²F·s = −∇F. V is a vector or a matrix. Norms are in
/// the metric of the preconditioner.
template <class V>
struct ConjugateGradients {
  struct Limits {
    double residual;  ///< bound on the residual, relative to g
    double noise;     ///< approximate rounding error of g: a residual this small also suffices
    double flatness;  ///< a curvature below this fraction of the preconditioner's is rounding error
    Index rounds;     ///< limit of iterations
    double length{std::numeric_limits<double>::infinity()};  ///< bound on ‖s‖
  };

  double first_norm{0};      ///< ‖g‖²
  double square{0};          ///< ‖s‖²
  bool is_cut_short{false};  ///< does s end at the bound on its length, or without curvature?
  bool is_flat{false};       ///< is there a direction without curvature?

  /// Computes s. multiply(p, image) sets image ← A·p. precondition(r, image) sets `image` to the
  /// preconditioned r and returns ⟨r, image⟩. follow(t) learns that s ← s + t·p for the p of the
  /// last product. Returns false if the limit of iterations ended the method.
  template <class Multiply, class Precondition, class Follow>
  bool solve(const V& g, const Limits& limits, const Multiply& multiply,
             const Precondition& precondition, const Follow& follow, V& s) {
    s = residual_ = g;
    for (Index j = 0; j < g.size(); ++j) {
      s.data()[j] = 0;
      residual_.data()[j] = -g.data()[j];
    }
    search_ = image_ = s;
    is_cut_short = is_flat = false;
    square = 0;
    double norm = first_norm = precondition(residual_, search_);
    const double bound = limits.length * limits.length;
    const double noise = limits.noise * limits.noise;
    const double enough = std::max(limits.residual * limits.residual * norm, noise);
    double product = 0;  // ⟨s, p⟩ for the search direction p
    double search_square = norm;
    for (Index round = 0; round < limits.rounds; ++round) {
      multiply(search_, image_);
      const double curvature = dot(search_.data(), image_.data(), s.size());
      double length = norm / curvature;
      if (!(curvature > limits.flatness * search_square) ||
          !std::isfinite(length)) {  // true for negative curvature, too
        is_flat = norm > noise;
        if (round > 0) return true;
        length = 1;
        is_cut_short = true;
      }
      if (square + length * (2 * product + length * search_square) > bound) {
        const double rest = bound - square;
        length = rest / (product + std::sqrt(product * product + search_square * rest));
        is_cut_short = true;
      }
      add(length, search_, s);
      follow(length);
      square += length * (2 * product + length * search_square);
      if (is_cut_short) return true;
      add(-length, image_, residual_);
      const double next = precondition(residual_, image_);
      if (!(next > enough)) return true;
      const double ratio = next / norm;
      for (Index j = 0; j < search_.size(); ++j)
        search_.data()[j] = image_.data()[j] + ratio * search_.data()[j];
      product = ratio * (product + length * search_square);
      search_square = next + ratio * ratio * search_square;
      norm = next;
    }
    return false;
  }

 private:
  V search_{}, image_{}, residual_{};  // p, A·p, −g − A·s
};

}  // namespace linea::detail::linear_algebra
