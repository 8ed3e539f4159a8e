// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <cmath>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/huber.hpp>
#include <linea/optimizers/interior_point/loss_program.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using interior_point::BoxProgram;
using interior_point::IndependentColumns;

namespace {

BoxProgram<> program_of(const Matrix<double>& x) {
  BoxProgram<> program(x.rows(), x.cols(), true);
  program.rows = x;
  return program;
}

}  // namespace

TEST_CASE("Loss program: its value is that of the losses and the penalty", "[optimizers]") {
  Random random(2);
  const Index n = 30;
  const Matrix<double> x = synthetic::features(n, 3, 6);
  const Vector<double> y = synthetic::features(n, 1, 7).col(0);
  Vector<double> weights(n);
  for (double& weight : weights) weight = random.uniform();
  weights[4] = 0;
  const auto holds = [&](const auto& loss) {
    for (const double l1 : {0.0, 0.1})
      for (const double l2 : {0.0, 0.3}) {
        const interior_point::LossProgram<> program(x, interior_point::boxes_of(loss, y), weights,
                                                    l1, l2, true, 0.5, false,
                                                    Vector<double>::Zero(3));
        Vector<double> q(4);
        for (double& entry : q) entry = synthetic::normal(random);
        const Vector<double> v = program.unscaled(q);
        double value = n * (l1 * v.lpNorm<1>() + l2 / 2 * v.squaredNorm());
        for (Index i = 0; i < n; ++i)
          value += weights[i] * loss.value(x.row(i).dot(v) + q[3], y[i]);
        CHECK_THAT(program.value(q), WithinRel(value, 1e-12));
      }
  };
  holds(EpsilonInsensitive{0.2});
  holds(Huber{0.5});
}

TEST_CASE("Independent columns: no weights make more of sums than their scores allow",
          "[optimizers]") {
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 150;  // more than one block of the decomposition
    Matrix<double> x = synthetic::features(n, 4, 40 + static_cast<std::uint64_t>(trial));
    x.col(2) = x.col(0) + 1e-3 * x.col(2);
    BoxProgram<> program = program_of(x);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
    const IndependentColumns<> columns(program, ones, Eigen::VectorXd::Constant(4, 1e-13), n);
    CHECK(columns.is_certain());
    CHECK(program.rows == x);
    const Eigen::VectorXd slopes = synthetic::features(n, 1, 90).col(0);
    const Eigen::VectorXd q = synthetic::features(4, 1, 91).col(0);
    const double missed = columns.missed(program, slopes, q);
    // The weights that make most of the sums, at twice the length of the scores at q.
    const Eigen::VectorXd sums = x.transpose() * slopes;
    const Eigen::VectorXd best = (x.transpose() * x).ldlt().solve(sums);
    const double most = sums.dot(best) / (x * best).norm() * 2 * (x * q).norm();
    CHECK(missed >= most * (1 - 1e-7));
    CHECK(missed <= most * (1 + 1e-5));
  }
}

TEST_CASE("Independent columns: what rounding could have made of others is dropped, nothing else",
          "[optimizers]") {
  for (int trial = 0; trial < 50; ++trial) {
    Matrix<double> x = synthetic::features(6, 5, 140 + static_cast<std::uint64_t>(trial));
    // The first 0, the third the second but for 1e-14 of a direction that only the last has.
    const Eigen::VectorXd apart = x.col(4);
    x.col(0).setZero();
    x.col(2) = x.col(1) + 1e-14 * apart;
    x.col(4) = 0.5 * x.col(1) + 2 * x.col(3) + apart;
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(6);
    const auto dropped = [&](double rounding, bool is_certain) {
      BoxProgram<> program = program_of(x);
      const IndependentColumns<> columns(program, ones, Eigen::VectorXd::Constant(5, rounding), 6);
      CHECK(columns.is_certain() == is_certain);
      std::vector<Index> found;
      for (Index j = 0; j < 5; ++j)
        if (program.strengths[j] == 1) {
          found.push_back(j);
          CHECK(program.rows.col(j).isZero(0));
        }
      return found;
    };
    CHECK(dropped(1e-13, true) == std::vector<Index>{0, 2});
    // Numbers known to 1e-2 do not tell a column from another that is nearer, but sums do.
    x.col(2) = x.col(1) + 1e-4 * apart;
    CHECK(dropped(1e-2, false) == std::vector<Index>{0, 2});
    CHECK(dropped(1e-8, true) == std::vector<Index>{0, 4});  // the second and third make up both
  }
}
