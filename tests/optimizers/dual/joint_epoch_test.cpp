// SPDX-License-Identifier: MIT
/// \file The parts of an epoch by two processes of which one is imagined. Real ones are tested in tests/mpi.
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual/joint_epoch.hpp>
#include <linea/optimizers/loop/scaled_weights.hpp>
#include <numeric>
#include <vector>

#include "support/catch.hpp"
#include "support/echo.hpp"
#include "support/synthetic.hpp"

namespace joint_epoch_test {

using namespace linea;

namespace {

/// How many samples are visited before each joint step of an epoch that visits `due` of those of this process. The visits
/// here move nothing.
std::vector<Index> parts_of(Index due, const Matrix<double>& x, const Vector<double>& weights) {
  test::Echo echo;
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto set = samples::admit("test", Hinge{}, x, y, weights, Processes(echo));
  dual::JointEpoch epoch(Hinge{}, set);
  std::vector<dual::SampleState> states(static_cast<std::size_t>(x.rows()));
  const Vector<double> mean = Vector<double>::Zero(x.cols());
  loop::ScaledWeights<double> at(mean, 0);
  double shift = 0, excess = 0;
  std::vector<Index> parts;
  const auto visit = [&](Index count, std::vector<dual::Move>*) {
    parts.push_back(count);
    excess += static_cast<double>(count);
    return count;
  };
  const Index moved = epoch.run(due, {mean, 1e-2, 0}, states, at, shift, excess, visit);
  CHECK(moved == 2 * due);  // of both processes
  CHECK(excess == static_cast<double>(2 * due));
  return parts;
}

}  // namespace

TEST_CASE("JointEpoch: a joint step for every eight entries of a column, one to four",
          "[optimizers]") {
  CHECK(dual::joint_steps(28, 1) == 4);
  CHECK(dual::joint_steps(27.9, 1) == 3);
  CHECK(dual::joint_steps(12, 1) == 2);
  CHECK(dual::joint_steps(11.9, 1) == 1);
  CHECK(dual::joint_steps(0, 1) == 1);
  CHECK(dual::joint_steps(1000, 0.5) == 4);
}

TEST_CASE("JointEpoch: has fewer of them where few samples are due", "[optimizers]") {
  const auto x = synthetic::features(28, 3, 1);
  using Parts = std::vector<Index>;
  CHECK(parts_of(28, x, {}) == Parts{7, 7, 7, 7});
  CHECK(parts_of(14, x, {}) == Parts{7, 7});
  CHECK(parts_of(3, x, {}) == Parts{3});
  CHECK(parts_of(0, x, {}) == Parts{0});  // the other process may have some
  CHECK(parts_of(7, x.topRows(7), {}) == Parts{7});
  Vector<double> weights = Vector<double>::Ones(28);
  weights.head(14).setZero();  // what has no weight is never due
  CHECK(parts_of(14, x, weights) == Parts{3, 4, 3, 4});
}

}  // namespace joint_epoch_test
