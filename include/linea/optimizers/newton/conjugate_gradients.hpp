// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's system by preconditioned conjugate gradients.
#include <algorithm>  // max
#include <cmath>      // isfinite, sqrt
#include <limits>
#include <linea/linear_algebra/vectors.hpp>

namespace linea::detail::newton {

/// Solves ∇²F·s = −∇F, for vectors V, or for tables with a column for each class. Norms are in the
/// metric of the preconditioner.
template <class V>
struct ConjugateGradients {
  struct Limits {
    double residual;  ///< bound on the residual, relative to ∇F
    double noise;     ///< approximate rounding error of ∇F: a residual this small also suffices
    double flatness;  ///< a curvature below this fraction of the preconditioner's is rounding error
    Index rounds;     ///< limit of iterations
    double length{std::numeric_limits<double>::infinity()};  ///< bound on ‖s‖
  };

  double first_norm{0};      ///< ‖∇F‖²
  double square{0};          ///< ‖s‖²
  bool is_cut_short{false};  ///< does s end at the bound on its length, or without curvature?
  bool is_flat{false};       ///< does F fall in a direction without curvature?

  /// Computes s. multiply(p, image) sets image ← ∇²F·p. precondition(r, image) sets `image` to the
  /// preconditioned r and returns ⟨r, image⟩. follow(t) learns that s ← s + t·p for the p of the
  /// last product.
  template <class Multiply, class Precondition, class Follow>
  void solve(const V& gradient, const Limits& limits, const Multiply& multiply,
             const Precondition& precondition, const Follow& follow, V& s) {
    const auto dot = [](const V& a, const V& b) {
      return linear_algebra::dot(a.data(), b.data(), a.size());
    };
    search_ = image_ = residual_ = s = V::Zero(gradient.rows(), gradient.cols());
    linear_algebra::add(-1, gradient, residual_);
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
      const double curvature = dot(search_, image_);
      double length = norm / curvature;
      if (!(curvature > limits.flatness * search_square) ||
          !std::isfinite(length)) {  // true for negative curvature, too
        is_flat = norm > noise;
        if (round > 0) break;
        length = 1;
        is_cut_short = true;
      }
      if (square + length * (2 * product + length * search_square) > bound) {
        const double rest = bound - square;
        length = rest / (product + std::sqrt(product * product + search_square * rest));
        is_cut_short = true;
      }
      linear_algebra::add(length, search_, s);
      follow(length);
      square += length * (2 * product + length * search_square);
      if (is_cut_short) break;
      linear_algebra::add(-length, image_, residual_);
      const double next = precondition(residual_, image_);
      if (!(next > enough)) break;
      const double ratio = next / norm;
      for (Index j = 0; j < search_.size(); ++j)
        search_.data()[j] = image_.data()[j] + ratio * search_.data()[j];
      product = ratio * (product + length * search_square);
      search_square = next + ratio * ratio * search_square;
      norm = next;
    }
  }

 private:
  V search_{}, image_{}, residual_{};  // p, ∇²F·p, −∇F − ∇²F·s
};

}  // namespace linea::detail::newton
