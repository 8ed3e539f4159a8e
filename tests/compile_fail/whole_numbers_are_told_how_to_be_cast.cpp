// must fail with: x.cast<double>..[.]eval..[^:]*(cc1plus: note: set[^:]*)?$
// SPDX-License-Identifier: MIT
#include <linea/models/classifiers.hpp>

auto fit(const Eigen::MatrixXi& whole, const Eigen::MatrixXd& x, const Eigen::VectorXi& y) {
  const linea::LogisticRegression recipe;
#ifdef LINEA_MUST_FAIL
  static_cast<void>(x);
  return recipe.fit(whole, y);
#else
  static_cast<void>(whole);
  return recipe.fit(x, y);
#endif
}
