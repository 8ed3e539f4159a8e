// SPDX-License-Identifier: MIT
/// \file One problem, every way of holding it and of feeding it: the answers must agree.
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// fit(x, y) for one data set in every layout; all must give the weights of the row-major one.
template <class T, class Fit>
void same_in_every_layout(const Fit& fit, double tolerance) {
  const Index n = 80;
  const Index d = 9;
  const auto rows = synthetic::features<T>(n, d, 1, 0.5);
  const auto y = synthetic::signs(rows, 2);
  const auto expected = fit(rows, y);
  const auto agrees = [&](const auto& x) {
    const auto solution = fit(x, y);
    CHECK(static_cast<double>((solution.weights - expected.weights).norm()) <=
          tolerance * (1 + static_cast<double>(expected.weights.norm())));
    CHECK_THAT(static_cast<double>(solution.offset),
               WithinAbs(static_cast<double>(expected.offset), 10 * tolerance));
    CHECK(solution.updates == expected.updates);
  };
  using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Columns columns = rows;
  agrees(columns);

  Matrix<T> wide = Matrix<T>::Constant(2 * n, 2 * d, T(99));
  const Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic> every_other(4 * d, 2);
  Eigen::Map<Matrix<T>, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> strided(wide.data(), n, d,
                                                                                  every_other);
  strided = rows;
  agrees(strided);
  Columns framed = Columns::Constant(n + 5, d + 3, T(99));
  framed.block(2, 1, n, d) = rows;
  agrees(framed.block(2, 1, n, d));
  agrees(Eigen::Ref<const Columns>(framed.block(2, 1, n, d)));
  agrees(Eigen::Map<const Matrix<T>>(rows.data(), n, d));

  const SparseMatrix<T> sparse = rows.sparseView();
  agrees(sparse);
  const SparseMatrix<T, std::int64_t> long_index = sparse;
  agrees(long_index);
  agrees(Eigen::Map<const SparseMatrix<T>>(n, d, sparse.nonZeros(), sparse.outerIndexPtr(),
                                           sparse.innerIndexPtr(), sparse.valuePtr()));
  SparseMatrix<T> loose = sparse;
  loose.uncompress();
  loose.reserve(Eigen::VectorXi::Constant(n, 3));  // gaps between the rows
  REQUIRE_FALSE(loose.isCompressed());
  agrees(loose);
  SparseMatrix<T> taller(n + 4, d);
  taller.middleRows(3, n) = sparse;
  agrees(taller.middleRows(3, n));
}

}  // namespace

TEMPLATE_TEST_CASE("Sgd: the same answer in every layout of x", "[optimizers]", float, double) {
  // Sums of 9 products in another order; the runs amplify rounding by a few hundred at most.
  const double tolerance = sizeof(TestType) == 4 ? 2e-4 : 1e-11;
  const auto with = [&](const auto& penalty, Iterate iterate, Index batch) {
    same_in_every_layout<TestType>(
        [&](const auto& x, const auto& y) {
          return BasicSgd<InverseScaling, Shuffled>{
              .epochs = 4, .step = {0.2, 0.5}, .batch = batch, .iterate = iterate}
              .minimize(Objective{Log{}, penalty}, x, y);
        },
        tolerance);
  };
  with(L2{0.01}, Iterate::last, 1);
  with(ElasticNet{0.02, 0.01}, Iterate::average, 7);
}

TEMPLATE_TEST_CASE("Pegasos and Perceptron: the same answer in every layout of x", "[optimizers]",
                   float, double) {
  const double tolerance = sizeof(TestType) == 4 ? 2e-4 : 1e-11;
  same_in_every_layout<TestType>(
      [&](const auto& x, const auto& y) {
        return BasicPegasos<InverseLambda, Shuffled>{
            .epochs = 3, .project = true, .iterate = Iterate::average}
            .minimize(Objective{Hinge{}, L2{0.1}}, x, y);
      },
      tolerance);
  same_in_every_layout<TestType>(
      [&](const auto& x, const auto& y) { return Perceptron{.epochs = 3}.fit(x, y); }, tolerance);
}

TEST_CASE("Sgd: weight k has the minimum of k repeats", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 9);
  const auto y = synthetic::signs(x, 10);
  Random random(11);
  Eigen::VectorXi counts(100);
  for (int& count : counts) count = static_cast<int>(random.below(4));
  const auto xs = synthetic::repeated(x, counts);
  const auto ys = synthetic::repeated(y, counts);
  const Objective objective{Log{}, L2{0.1}};
  const Extras<double> weights{.sample_weights = counts.cast<double>()};
  const auto weighted = Sgd{.epochs = 500, .tolerance = 0}.minimize(objective, x, y, weights);
  const auto repeated = Sgd{.epochs = 500, .tolerance = 0}.minimize(objective, xs, ys);
  // F is the same function, exactly; the two minimisers are as near as 500 epochs bring them.
  REQUIRE_THAT(
      weighted.objective,
      WithinRel(objective_value(objective, xs, ys, weighted.weights, weighted.offset), 1e-13));
  REQUIRE_THAT(weighted.objective, WithinRel(repeated.objective, 2e-4));
  REQUIRE((weighted.weights - repeated.weights).norm() < 0.02);
  // A sample of weight 0 is not there, wherever it lies.
  Matrix<double> more(101, 3);
  more << x, Eigen::RowVector3d(50, -50, 50);
  Vector<double> more_y(101);
  more_y << y, -1;
  Vector<double> more_weights(101);
  more_weights << counts.cast<double>(), 0;
  const auto ignored = Sgd{.epochs = 500, .tolerance = 0}.minimize(
      objective, more, more_y, {.sample_weights = more_weights});
  REQUIRE_THAT(ignored.objective, WithinRel(repeated.objective, 2e-3));
}

TEST_CASE("Optimizers: the same seed gives the same bits, another seed others", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto a = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto b = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto c = Sgd{.epochs = 5, .seed = 2}.minimize(objective, x, y);
  REQUIRE(a.weights == b.weights);
  REQUIRE(a.weights != c.weights);
  const auto p = Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  REQUIRE(p.weights == Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y).weights);
  REQUIRE(p.weights != Pegasos{.epochs = 5, .seed = 2}.minimize(objective, x, y).weights);
}

TEST_CASE("Sgd: flipping every label flips the sign of the solution", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 14);
  const auto y = synthetic::signs(x, 15);
  const Objective objective{Log{}, L2{0.01}};
  const auto solution = Sgd{.epochs = 10}.minimize(objective, x, y);
  const auto flipped = Sgd{.epochs = 10}.minimize(objective, x, -y);
  REQUIRE((solution.weights + flipped.weights).norm() < 1e-9);
  REQUIRE_THAT(flipped.offset, WithinAbs(-solution.offset, 1e-9));
}
