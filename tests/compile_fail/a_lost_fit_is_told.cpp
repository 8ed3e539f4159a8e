// must fail with: nodiscard
// SPDX-License-Identifier: MIT
#include <linea/models/recipes.hpp>

void train(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
#if defined(LINEA_MUST_FAIL)
  linea::LinearSvm{}.fit(x, y);
#else
  (void)linea::LinearSvm{}.fit(x, y);
#endif
}
