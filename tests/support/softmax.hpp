// SPDX-License-Identifier: MIT
#pragma once
/// \file Classes for tests of softmax regression, and its mean loss in long double.
#include <cmath>
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

/// The mean loss, and its derivatives with respect to the weights (d × k) and, in the last row, the
/// offset. Empty sample weights s are all 1.
struct ExactSoftmax {
  long double value{0};
  Matrix<long double> slopes;

  ExactSoftmax(const Matrix<double>& x, const Vector<Index>& y, const Vector<double>& s,
               const Matrix<double>& w, const Vector<double>& b)
      : slopes(Matrix<long double>::Zero(x.cols() + 1, w.cols())) {
    Vector<long double> part = Vector<long double>::Ones(x.rows());
    if (s.size() > 0) part = s.cast<long double>();
    part /= part.sum();
    for (Index i = 0; i < x.rows(); ++i) {
      Vector<long double> row(x.cols() + 1);
      row << x.row(i).transpose().cast<long double>(), 1.0L;
      Vector<long double> p =
          w.transpose().cast<long double>() * row.head(x.cols()) + b.cast<long double>();
      p.array() -= p.maxCoeff();
      const long double sum = p.array().exp().sum();
      value += part[i] * (std::log(sum) - p[y[i]]);
      slopes += part[i] * row * (p.array().exp() / sum).matrix().transpose();
      slopes.col(y[i]) -= part[i] * row;
    }
  }
};

}  // namespace linea::test
