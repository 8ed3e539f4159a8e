// SPDX-License-Identifier: MIT
#pragma once
/// \file What a solver of ridge regression answers.
#include <linea/optimizers/numerics/vectors.hpp>
#include <string_view>

namespace linea {

/// How the normal equations A·w = b, A = λI + XᵀX/n, were solved.
enum class Factorization {
  cholesky,  ///< of A, with two rounds of refinement: A is well conditioned
  qr,        ///< orthogonal, of the samples with √λ·I below them; A was never trusted
};

constexpr std::string_view name_of(Factorization factorization) {
  return factorization == Factorization::cholesky ? "cholesky" : "qr";
}

}  // namespace linea

namespace linea::least_squares {

template <class Real>
using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// The minimum of ½‖Zw − y‖² + λ/2·‖w‖² for each of k targets, and what is known of the equations
/// behind it.
template <class Real>
struct RidgeFit {
  Columns<Real> weights;  ///< (d × k)
  Vector<Real> offset;    ///< (k)
  double objective{0};    ///< the sum over the targets
  Factorization factorization{Factorization::cholesky};
  double reciprocal_condition{0};
  Index rank{0};
  bool dual{false};
};

/// Half of ‖Zw − y‖² + λ‖w‖².
template <class Design, class Real>
double objective_of(const Design& design, const Columns<Real>& y, double lambda,
                    const Columns<Real>& weights) {
  Columns<Real> left = design.apply(weights);
  for (Index k = 0; k < left.size(); ++k) left.data()[k] -= y.data()[k];
  return 0.5 * numerics::squares_of(left) + 0.5 * lambda * numerics::squares_of(weights);
}

}  // namespace linea::least_squares
