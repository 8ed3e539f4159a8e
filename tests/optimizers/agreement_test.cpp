// SPDX-License-Identifier: MIT
// One problem, every way of holding it and of feeding it: the answers must agree.
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/constant.hpp>
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

TEST_CASE("Learner: k calls of one epoch equal minimize with k epochs, bit for bit",
          "[optimizers]") {
  const auto x = synthetic::features(120, 6, 3);
  const auto y = synthetic::signs(x, 4);
  const auto compare = [&](const auto& optimizer, const auto& objective) {
    const auto all = optimizer.minimize(objective, x, y);
    auto learner = optimizer.template start<double>(objective, 6);
    for (int epoch = 0; epoch < 5; ++epoch) learner.epoch(x, y);
    const auto solution = learner.solution();
    REQUIRE(solution.weights == all.weights);
    REQUIRE(solution.offset == all.offset);
    REQUIRE(solution.updates == all.updates);
    REQUIRE(solution.epochs == 5);
  };
  for (const Iterate iterate : {Iterate::last, Iterate::average})
    for (const Index batch : {1, 8}) {
      compare(Sgd{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1, .retries = 0},
              Objective{Log{}, L2{0.01}});
      compare(Sgd{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1, .retries = 0},
              Objective{Hinge{}, ElasticNet{0.02, 0.01}});
      compare(Pegasos{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1},
              Objective{Hinge{}, L2{0.01}});
    }
}

TEST_CASE("Learner: samples fed one by one equal an epoch in order", "[optimizers]") {
  const auto x = synthetic::features(90, 5, 5, 0.4);
  const SparseMatrix<double> sparse = x.sparseView();
  const Eigen::MatrixXd columns = x;
  const auto y = synthetic::signs(x, 6);
  const Objective objective{SquaredHinge{}, L2{0.02}};
  const BasicSgd<InverseScaling, Cyclic> sgd{.step = {0.1, 0.5}, .iterate = Iterate::last};
  auto whole = sgd.start<double>(objective, 5);
  whole.epoch(x, y);
  auto by_row = sgd.start<double>(objective, 5);
  auto by_column = sgd.start<double>(objective, 5);
  auto by_sparse_row = sgd.start<double>(objective, 5);
  auto by_sparse_vector = sgd.start<double>(objective, 5);
  auto by_vector = sgd.start<double>(objective, 5);
  auto by_batch = sgd.start<double>(objective, 5);
  for (Index i = 0; i < x.rows(); ++i) {
    by_row.update(x.row(i), y[i]);
    by_column.update(columns.row(i), y[i]);
    by_sparse_row.update(sparse.row(i), y[i]);
    by_sparse_vector.update(Eigen::SparseVector<double>(sparse.row(i).transpose()), y[i]);
    by_vector.update(Vector<double>(x.row(i)), y[i]);
    by_batch.update_batch(x.middleRows(i, 1), y.segment(i, 1));
  }
  const auto expected = whole.solution().weights;
  REQUIRE(by_row.solution().weights == expected);
  REQUIRE(by_vector.solution().weights == expected);
  REQUIRE(by_batch.solution().weights == expected);
  REQUIRE((by_column.solution().weights - expected).norm() < 1e-13);
  REQUIRE((by_sparse_row.solution().weights - expected).norm() < 1e-13);
  REQUIRE(by_sparse_vector.solution().weights == by_sparse_row.solution().weights);
}

TEST_CASE("Learner: the default step learns online without a tuned parameter", "[optimizers]") {
  Matrix<double> x = synthetic::features(5000, 4, 7);
  x.col(2) *= 300;
  const auto y = synthetic::signs(x, 8, 0.1);
  auto learner = Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, 4);
  Index right = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    if (i >= 2500) right += learner.score(x.row(i)) * y[i] > 0;
    learner.update(x.row(i), y[i]);
  }
  REQUIRE(learner.solution().status != Status::diverged);
  REQUIRE(right > 2400);
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

TEST_CASE("Perceptron: equals SGD with step 1 on the perceptron loss", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 16);
  const auto y = synthetic::signs(x, 17, 2.0);
  const auto perceptron = Perceptron{.epochs = 6}.fit(x, y);
  const auto sgd =
      BasicSgd<ConstantStep, Cyclic>{
          .epochs = 6, .tolerance = 0, .step = {1}, .iterate = Iterate::last, .retries = 0}
          .minimize(Objective{PerceptronLoss{}, NoPenalty{}}, x, y);
  REQUIRE(perceptron.weights == sgd.weights);
  REQUIRE(perceptron.offset == sgd.offset);
}
