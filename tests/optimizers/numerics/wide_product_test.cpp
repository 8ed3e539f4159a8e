// SPDX-License-Identifier: MIT
#include <linea/optimizers/numerics/packed_rows.hpp>
#include <linea/optimizers/numerics/vector_level.hpp>
#include <linea/optimizers/numerics/wide_product.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("wide_product: the same product at every vector level and size", "[optimizers]") {
  for (const Index count : {0, 1, 7, 130})
    for (const Index left : {1, 5, 24, 50})
      for (const Index right : {1, 8, 25}) {
        const Eigen::MatrixXd a = synthetic::features(count, left, 28);
        const Eigen::MatrixXd b = synthetic::features(count, right, 29);
        const Eigen::MatrixXd expected = a.transpose() * b;
        for (const numerics::VectorLevel level :
             {numerics::VectorLevel::baseline, numerics::VectorLevel::avx2,
              numerics::VectorLevel::avx512}) {
          if (!numerics::is_offered(level)) continue;
          const numerics::PackedRows packed_a = packed(a);
          const numerics::PackedRows packed_b = packed(Matrix<double>(b));
          Eigen::MatrixXd c(left, right);
          numerics::run_at(level, numerics::WideProduct(packed_a, packed_b, count, c));
          CHECK((c - expected).norm() <= 1e-14 * (1 + expected.norm()));
        }
      }
}
