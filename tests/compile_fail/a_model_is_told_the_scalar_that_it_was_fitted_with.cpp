// must fail with: has_scalar
// SPDX-License-Identifier: MIT
#include <linea/models/classifiers.hpp>

auto fit(const Eigen::MatrixXi& whole, const Eigen::MatrixXd& x, const Eigen::VectorXi& y) {
  const linea::LogisticRegression recipe;
#ifdef LINEA_MUST_FAIL
  static_cast<void>(whole);
  return recipe.fit(x, y).predict(x.cast<float>().eval());
#else
  static_cast<void>(whole);
  return recipe.fit(x, y).predict(x);
#endif
}
