// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/non_negative.hpp>
#include <linea/penalties/none.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace lambda_path_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;

namespace elsewhere {

/// A penalty whose strength is not named lambda.
struct Halved {
  double twice{0};

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return L2{twice / 2}.value(w);
  }
  template <class T>
  T proximal(T v, T step) const {
    return L2{twice / 2}.proximal(v, step);
  }
};

Halved with_lambda(const Halved&, double lambda) { return {2 * lambda}; }

}  // namespace elsewhere

static_assert(PenaltyWithLambda<L1> && PenaltyWithLambda<L2> && PenaltyWithLambda<ElasticNet> &&
              PenaltyWithLambda<elsewhere::Halved> && !PenaltyWithLambda<NoPenalty>);

namespace {

const std::vector<double> falling{1e-1, 1e-2, 1e-3};

/// The arguments of a call of the optimizer.
struct Call {
  double lambda;
  Extras<double> extras;
};

/// An optimizer that returns weights λ, offset −λ and dual variables 2λ, and records its arguments.
template <class S>
struct Recorder {
  std::vector<Call>* calls;

  template <class X, class Y>
  S minimize(const Objective<Squared, L2>& objective, const X& x, const Y&,
             const Extras<double>& extras) const {
    const double lambda = objective.penalty.lambda;
    calls->push_back({lambda, extras});
    S solution;
    solution.weights.setConstant(x.cols(), lambda);
    solution.offset = -lambda;
    if constexpr (requires { solution.multipliers; })
      solution.multipliers.setConstant(x.rows(), 2 * lambda);
    return solution;
  }
};

/// Checks that F of each solution on the path differs by at most `tolerance`·F from the F of a fit
/// without a start.
template <class O, class Obj>
void check_against_cold(const O& optimizer, const Obj& objective, const shipped::Set& set,
                        double tolerance) {
  const auto path = lambda_path(optimizer, objective, falling, set.x, set.y);
  REQUIRE(path.size() == falling.size());
  for (std::size_t k = 0; k < falling.size(); ++k) {
    CAPTURE(falling[k]);
    const Objective at{objective.loss, with_lambda(objective.penalty, falling[k])};
    const auto cold = optimizer.minimize(at, set.x, set.y);
    CHECK(path[k].status <= Status::settled);
    CHECK(cold.status <= Status::settled);
    CHECK(std::abs(path[k].objective - cold.objective) <= tolerance * cold.objective);
  }
}

}  // namespace

TEST_CASE("with_lambda: sets the strength, of an elastic net the sum of both", "[models]") {
  CHECK(with_lambda(L1{3}, 0.5).lambda == 0.5);
  CHECK(with_lambda(L2{3}, 0).lambda == 0);
  const ElasticNet net = with_lambda(ElasticNet{.l1 = 3, .l2 = 1}, 0.2);
  CHECK_THAT(net.l1, WithinRel(0.15, 1e-15));
  CHECK_THAT(net.l2, WithinRel(0.05, 1e-15));
  CHECK_THROWS_WITH(with_lambda(ElasticNet{}, 0.2),
                    "with_lambda: l1 = 0 and l2 = 0 of the elastic net have no ratio to keep");
}

TEST_CASE("lambda_path: starts each run at the previous weights or dual variables", "[models]") {
  const Matrix<double> x = synthetic::features(6, 3, 1);
  const V y = V::Ones(6);
  const Extras<double> extras{.sample_weights = V::LinSpaced(6, 1, 6),
                              .start_weights = V::Constant(3, 7),
                              .start_offset = 8};
  const double lambdas[] = {0.5, 0.25, 1};
  std::vector<Call> calls;
  const auto path = lambda_path(Recorder<Solution<double>>{&calls}, Objective{Squared{}, L2{9}},
                                {0.5, 0.25, 1}, x, y, extras);
  REQUIRE(calls.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(calls[k].lambda == lambdas[k]);
    CHECK(path[k].weights[2] == lambdas[k]);
    const auto& given = calls[k].extras;
    CHECK(given.start_weights == (k == 0 ? extras.start_weights : path[k - 1].weights));
    CHECK(given.start_offset == (k == 0 ? 8 : -lambdas[k - 1]));
    CHECK(given.sample_weights == extras.sample_weights);
    CHECK(given.start_multipliers.size() == 0);
  }
  calls.clear();
  (void)lambda_path(Recorder<DualSolution<double>>{&calls}, Objective{Squared{}, L2{}}, {0.5, 0.25},
                    x, y);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].extras.start_multipliers.size() == 0);
  CHECK(calls[1].extras.start_multipliers == V::Ones(6));
  CHECK(calls[1].extras.start_weights.size() == 0);
  CHECK(calls[1].extras.start_offset == 0);
}

TEST_CASE("lambda_path: reaches the minima of fits without a start", "[models]") {
  const auto& cancer = shipped::breast_cancer();
  check_against_cold(Newton{.tolerance = 1e-8}, Objective{Log{}, L2{}}, cancer, 2e-8);
  check_against_cold(Newton{.tolerance = 1e-8, .offset = false}, Objective{Log{}, L2{}}, cancer,
                     2e-8);
  check_against_cold(DualCoordinateAscent{.tolerance = 1e-4}, Objective{Hinge{}, L2{}}, cancer,
                     1e-4);
  check_against_cold(Ridge{}, Objective{Squared{}, L2{}}, shipped::diabetes(), 0);
}

TEST_CASE("lambda_path: takes fewer epochs of dual coordinate ascent than fits without a start",
          "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const DualCoordinateAscent ascent;
  const std::vector<double> lambdas{1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4};
  Index warm = 0, cold = 0;
  for (const auto& one : lambda_path(ascent, Objective{Log{}, L2{}}, lambdas, x, y))
    warm += one.epochs;
  for (const double lambda : lambdas)
    cold += ascent.minimize(Objective{Log{}, L2{lambda}}, x, y).epochs;
  CHECK(warm < cold);
}

TEST_CASE("lambda_path: works with Auto, and passes on its solutions", "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const auto kinked = lambda_path(Auto{}, Objective{Hinge{}, L2{}}, falling, x, y);
  CHECK(kinked.front().optimizer == "DualCoordinateAscent");
  CHECK(kinked.back().optimizer == "DualCoordinateAscent");
  CHECK(kinked.back().status == Status::converged);
  const auto smooth = lambda_path(Auto{}, Objective{Log{}, L2{}}, falling, x, y);
  CHECK(smooth.front().optimizer == "Newton");
  CHECK(smooth.back().optimizer == "Newton");
  // With Auto, coordinate descent gets the same start weights as without Auto.
  const Objective lasso{Log{}, L1{}};
  const auto sparse = lambda_path(Auto{}, lasso, falling, x, y);
  const auto alone = lambda_path(CoordinateDescent{.tolerance = 1e-4}, lasso, falling, x, y);
  for (std::size_t k = 0; k < falling.size(); ++k) {
    CHECK(sparse[k].optimizer == "CoordinateDescent");
    CHECK(sparse[k].weights == alone[k].weights);
  }
}

namespace {

/// Checks that w = 0 minimises the objective at λ_max, up to rounding, and not at 0.99·λ_max. Also
/// checks that the automatic list does not begin above λ_max.
template <class L, class P>
void check_lambda_max(const L& loss, const P& penalty, const Matrix<double>& x, const V& y,
                      const Extras<double>& extras, bool offset) {
  const Objective objective{loss, penalty};
  const double largest = lambda_max(objective, x, y, extras, offset);
  const CoordinateDescent descent{.tolerance = 1e-12, .offset = offset};
  const auto at = [&](double share) {
    return detail::minimize_at(share * largest, descent, objective, x, y, extras).weights;
  };
  REQUIRE(largest > 0);
  CHECK((at(1 + 1e-9).array() == 0).all());
  CHECK((at(0.99).array() != 0).any());
  const auto lambdas = automatic_lambdas(objective, x, y, extras, offset);
  REQUIRE(lambdas.size() == 13);
  if (strong_convexity_of(penalty) == 0) CHECK(lambdas[0] == largest);
  CHECK(lambdas[0] <= largest);
}

}  // namespace

TEST_CASE("lambda_max: is the smallest lambda at which w = 0 is the minimum", "[models]") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(1, 31)));
  const bool offset = GENERATE(true, false);
  CAPTURE(seed, offset);
  Random random(seed);
  const Index n = 5 + static_cast<Index>(random.below(60));
  const Index d = 1 + static_cast<Index>(random.below(12));
  Matrix<double> x = synthetic::features(n, d, seed);
  x.array() += 10 * random.uniform();
  const V numbers = synthetic::numbers(x, seed, 1.0);
  V labels = V::Ones(n);
  Extras<double> extras;
  if (seed % 2 == 0) extras.sample_weights = V::Ones(n);
  for (Index i = 0; i < n; ++i) {
    if (i == 0 || (i > 1 && random.uniform() < 0.5)) labels[i] = -1;
    if (seed % 2 == 0) extras.sample_weights[i] = random.below(4) == 0 ? 0 : random.uniform();
  }
  if (seed % 2 == 0) extras.sample_weights.head(2).setOnes();
  const ElasticNet net{.l1 = 0.3, .l2 = 0.7};
  check_lambda_max(Squared{}, L1{1}, x, numbers, extras, offset);
  check_lambda_max(Huber{1}, L1{1}, x, numbers, extras, offset);
  check_lambda_max(Log{}, L1{1}, x, labels, extras, offset);
  check_lambda_max(Log{}, net, x, labels, extras, offset);
  V factors(d);
  for (double& factor : factors) factor = 0.1 + random.uniform();
  check_lambda_max(Squared{}, PenaltyFactors{L1{1}, factors}, x, numbers, extras, offset);
  const Eigen::SparseMatrix<float> by_columns = x.cast<float>().sparseView();
  CHECK_THAT(lambda_max(Objective{Squared{}, L1{}}, by_columns, numbers, extras.sample_weights),
             WithinRel(lambda_max(Objective{Squared{}, L1{}}, x, numbers, extras), 1e-5));
  // If only a negative weight would reduce the loss, w = 0 is the minimum for every λ.
  const V falling_along = -x.col(0);
  const double positive = lambda_max(Objective{Squared{}, NonNegative{L1{1}}}, x.col(0).eval(),
                                     falling_along, extras, offset);
  CHECK(positive == 0);
  check_lambda_max(Squared{}, NonNegative{L1{1}}, x, V(x.col(0)), extras, offset);
}

TEST_CASE("automatic_lambdas: a squared penalty starts at the decade of the mean square",
          "[models]") {
  const auto& [x, y] = shipped::diabetes();
  const auto lambdas = automatic_lambdas(Objective{Squared{}, L2{}}, x, y);
  CHECK(lambdas.size() == 13);
  CHECK(x.squaredNorm() / static_cast<double>(x.rows()) < 20);
  CHECK(lambdas.front() == 10);
  CHECK(lambdas[1] == 3);
  CHECK(lambdas.back() == 1e-5);
  CHECK(automatic_lambdas(Objective{Squared{}, NonNegative{L2{}}}, x, y) == lambdas);
  CHECK(automatic_lambdas(Objective{Squared{}, elsewhere::Halved{}}, x, y) == lambdas);
  CHECK(lambda_max(Objective{Squared{}, L2{}}, x, y) == 0);
  // The list for an elastic net that is nearly L2 is that for L2.
  CHECK(automatic_lambdas(Objective{Squared{}, ElasticNet{1e-9, 1}}, x, y) == lambdas);
  const auto path = lambda_path(Ridge{}, Objective{Squared{}, L2{}}, {}, x, y);
  REQUIRE(path.size() == 13);
  CHECK(path[12].weights == Ridge{}.minimize(Objective{Squared{}, L2{1e-5}}, x, y).weights);
}

TEST_CASE("lambda_max: fits offset and unpenalised columns first", "[models]") {
  const V three{{0, 1, 2, 3}}, of_pairs{{0, 0, 1, 1}}, tens{{10, 0, 0, 10}};
  Matrix<double> x(4, 2);
  x.col(0) = three;
  const PenaltyFactors<L1> held{.penalty = {}, .offset_column = 1};
  // Without column 1 the targets are 0, 2, 4 and 6, less their mean -3, -1, 1 and 3: their products
  // with column 0 have the mean 10/4.
  x.col(1) = tens;
  const V y{{10, 2, 4, 16}};
  CHECK_THAT(lambda_max(Objective{Squared{}, held}, x, y), WithinRel(2.5, 1e-12));
  // Without offset, the products of 0, 2, 4 and 6 have the mean (2 + 8 + 18)/4.
  CHECK_THAT(lambda_max(Objective{Squared{}, held}, x, y, {}, false), WithinRel(7.0, 1e-12));
  const PenaltyFactors<L1> twice{.penalty = {}, .factors = V{{2, 5}}, .offset_column = 1};
  CHECK_THAT(lambda_max(Objective{Squared{}, twice}, x, y), WithinRel(1.25, 1e-12));
  // The best unpenalised weight of column 1 leaves -1, 1, -1 and 1: (0 + 1 - 2 + 3)/4.
  x.col(1) = of_pairs;
  const PenaltyFactors free{L1{}, V{{1, 0}}};
  CHECK_THAT(lambda_max(Objective{Squared{}, free}, x, V(2 * three)), WithinRel(0.5, 1e-12));
  CHECK_THAT(lambda_max(Objective{Squared{}, PenaltyFactors{ElasticNet{1, 1}, V{{1, 0}}}}, x,
                        V(2 * three)),
             WithinRel(1.0, 1e-12));
  // A weight that may not be negative stays 0, and leaves the targets as they are.
  CHECK_THAT(lambda_max(Objective{Squared{}, PenaltyFactors{NonNegative{L1{}}, V{{1, 0}}}}, x,
                        V{{3, 6, 2, 5}}),
             WithinRel(lambda_max(Objective{Squared{}, L1{}}, V(three), V{{3, 6, 2, 5}}), 1e-12));
  CHECK(lambda_max(Objective{Squared{}, PenaltyFactors{L1{}, V{{0, 0}}}}, x, y) == 0);
  CHECK_THROWS_WITH(lambda_max(Objective{Poisson{}, free}, x, y),
                    "lambda_max: column 1 has no absolute penalty, and CoordinateDescent, which "
                    "finds the weights of such columns, does not take the loss poisson: pass a "
                    "list of lambdas");
  CHECK(lambda_max(Objective{Poisson{}, PenaltyFactors{L1{}, V{{1, 1}}}}, x, y) > 0);
}

TEST_CASE("lambda_max: with unpenalised columns, is where the first weight leaves 0", "[models]") {
  const Matrix<double> x = synthetic::features(60, 4, 5);
  const V scores = x * V{{0.2, 2, 0.1, 1}};
  V labels(60), weights(60);
  for (Index i = 0; i < 60; ++i) {
    labels[i] = scores[i] + 1.5 * std::sin(7.0 * static_cast<double>(i)) > 0 ? 1 : -1;
    weights[i] = static_cast<double>(i % 3);
  }
  const auto check = [&](const auto& loss, const auto& penalty, const V& y, bool offset) {
    const Extras<double> extras{.sample_weights = weights};
    const double largest = lambda_max(Objective{loss, penalty}, x, y, extras, offset);
    const auto leaves_0 = [&](double factor) {
      const Objective at{loss, with_lambda(penalty, factor * largest)};
      const auto w = CoordinateDescent{.tolerance = 1e-10, .offset = offset}
                         .minimize(at, x, y, extras)
                         .weights;
      return w[0] != 0 || w[2] != 0;
    };
    CHECK(leaves_0(0.99));
    CHECK(!leaves_0(1.001));
    const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
    CHECK_THAT(lambda_max(Objective{loss, penalty}, sparse, y, extras, offset),
               WithinRel(largest, 1e-6));
    const Matrix<float> single = x.cast<float>();
    CHECK_THAT(lambda_max(Objective{loss, penalty}, single, V(y),
                          Extras<float>{.sample_weights = weights.cast<float>()}, offset),
               WithinRel(largest, 1e-4));
  };
  const V factors{{1, 0, 3, 0}};
  for (const bool offset : {true, false}) {
    check(Log{}, PenaltyFactors{L1{}, factors}, labels, offset);
    check(Log{}, PenaltyFactors<L1>{{}, V{{1, 0, 3, 5}}, 3}, labels, offset);
    check(Huber{1}, PenaltyFactors{ElasticNet{1, 0.1}, factors}, scores, offset);
  }
}

TEST_CASE("automatic_lambdas: sample weights count like repeated rows", "[models]") {
  // The mean of x² is (10⁴ + 100·(0.01 + 0.04 + 0.01))/301 = 33, next to the decade 100.
  const Matrix<double> x{{100}, {0.1}, {0.2}, {-0.1}};
  const V y{{1, -1, 1, -1}}, weights{{1, 100, 100, 100}};
  const auto first = [&](const auto& objective, const V& s) {
    return automatic_lambdas(objective, x, y, Extras<double>{.sample_weights = s}).front();
  };
  CHECK(first(Objective{Log{}, L2{}}, weights) == 100);
  CHECK(first(Objective{Hinge{}, L2{}}, V(1e140 * weights)) == 100);
  CHECK(first(Objective{Log{}, L2{}}, V{}) == 1000);              // 2500
  CHECK(first(Objective{Log{}, L2{}}, V{{0, 1, 1, 1}}) == 0.01);  // 0.02
  CHECK(first(Objective{Hinge{}, L2{}}, V{{0, 1, 1, 1}}) == 0.01);
  CHECK_THROWS_WITH(first(Objective{Hinge{}, L2{}}, V{{0, 1, -1, 1}}),
                    "lambda_max: sample weight 2 is -1");
  // Columns without penalty do not count: 0.0225 is left.
  const Matrix<double> wide{{0.1, 1e6, 1e5}, {0.2, 2e6, 0}, {0.1, 0, 1e5}, {0.2, 1, 1}};
  const PenaltyFactors<L2> few{.penalty = {}, .factors = V{{1, 0, 1}}, .offset_column = 2};
  CHECK(automatic_lambdas(Objective{Log{}, few}, wide, y).front() == 0.01);
}

TEST_CASE("lambda_path: refuses invalid lambdas", "[models]") {
  const Matrix<double> x = synthetic::features(6, 3, 1);
  const V y = V::Ones(6);
  const auto follow = [&](const std::vector<double>& lambdas) {
    return lambda_path(Ridge{}, Objective{Squared{}, L2{}}, lambdas, x, y);
  };
  const std::string tail = ", but must be finite and >= 0";
  CHECK_THROWS_WITH(follow({1, -2}), "lambda_path: lambda 1 is -2" + tail);
  CHECK_THROWS_WITH(follow({infinity}), "lambda_path: lambda 0 is inf" + tail);
  CHECK_THROWS_WITH(follow({1, 1, not_a_number}), "lambda_path: lambda 2 is nan" + tail);
  CHECK_THROWS_WITH(lambda_path(DualCoordinateAscent{}, Objective{Hinge{}, L2{}}, {1, 0}, x, y),
                    ContainsSubstring("DualCoordinateAscent::minimize: lambda = 0"));
}

}  // namespace lambda_path_test
