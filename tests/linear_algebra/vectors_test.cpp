// SPDX-License-Identifier: MIT
#include <algorithm>  // min
#include <linea/linear_algebra/vectors.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("times and transposed_times: as Eigen's products, whatever is left over of four rows",
          "[optimizers]") {
  for (Index n = 1; n <= 9; ++n)
    for (Index d = 1; d <= 19; ++d) {
      CAPTURE(n, d);
      const Matrix<double> a = synthetic::features(n, d, 1);
      const Vector<double> w = synthetic::features(d, 1, 2);
      Vector<double> v = synthetic::features(n, 1, 3);
      CHECK((linear_algebra::times(a, w) - a * w).norm() <= 1e-14 * (1 + w.norm()) * a.norm());
      CHECK((linear_algebra::transposed_times(a, v) - a.transpose() * v).norm() <=
            1e-14 * (1 + v.norm()) * a.norm());
      v.head(std::min<Index>(n, 4)).setZero();  // rows that are left out
      CHECK((linear_algebra::transposed_times(a, v) - a.transpose() * v).norm() <=
            1e-14 * (1 + v.norm()) * a.norm());
    }
}
