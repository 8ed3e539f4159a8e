// SPDX-License-Identifier: MIT
#pragma once
/// \file Classes for tests of softmax regression.
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>

#include "support/synthetic.hpp"

namespace linea::test {

/// Returns classes: the index of the largest of k random linear functions of x plus noise. Each
/// class has at least one sample.
inline Vector<Index> classes_of(const Matrix<double>& x, Index k, std::uint64_t seed,
                                double noise = 1) {
  Random random(seed);
  Matrix<double> w(x.cols(), k);
  for (double& value : w.reshaped()) value = synthetic::normal(random);
  Vector<Index> y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    Eigen::RowVectorXd scores = x.row(i) * w;
    for (double& score : scores) score += noise * synthetic::normal(random);
    scores.maxCoeff(&y[i]);
  }
  for (Index a = 0; a < k; ++a) y[a] = a;
  return y;
}

}  // namespace linea::test
