// SPDX-License-Identifier: MIT
#include <linea/optimizers/interior_point/active_set.hpp>
#include <linea/optimizers/interior_point/box_program.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Active set: repaired from a wrong start it is that of the solution", "[optimizers]") {
  // ½α² − hα over 0 ≤ α ≤ 1, each by itself: α = clamp(h, 0, 1).
  const Index n = 5;
  Eigen::VectorXd h(n);
  h << -1, 0.25, 0.5, 2, 3;
  interior_point::BoxProgram<> program(n, n, true);
  program.rows.setIdentity();
  program.levels = h;
  program.bounds.setOnes();
  program.strengths.setOnes();
  interior_point::BoxPoint<> point{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Constant(n, 0.5),
                                   Eigen::VectorXd::Constant(n, 0.5), Eigen::VectorXd::Zero(n),
                                   Eigen::VectorXd::Zero(n)};
  point.slacks << 9, 9, 0, 0, 0;  // as if the first two were at their bounds
  interior_point::ActiveSet active(program, point);
  REQUIRE(active[0] == interior_point::ActiveSet<>::Place::upper);
  int repairs = 0;
  interior_point::BoxPoint<> solved = active.solve(point);
  while (active.repair(solved)) {
    ++repairs;
    REQUIRE(repairs < 10);
    solved = active.solve(point);
  }
  CHECK(repairs > 0);
  CHECK((solved.multipliers - h.cwiseMax(0).cwiseMin(1)).norm() < 1e-14);
  CHECK(active[0] == interior_point::ActiveSet<>::Place::lower);
  CHECK(active[1] == interior_point::ActiveSet<>::Place::between);
  CHECK(active[3] == interior_point::ActiveSet<>::Place::upper);
}
