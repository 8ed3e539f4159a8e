// SPDX-License-Identifier: MIT
/// \file Losses and optimizers that are selected at run time give the same bits as the static
/// types.
#include <linea/losses/any_loss.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <string>
#include <string_view>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace any_optimizer_test {

using namespace linea;
using linea::test::refusal_of;

namespace {

using Any = AnyOptimizer<ProvenAuto, DualCoordinateAscent, Newton, Sgd>;

struct Problem {
  Matrix<double> x = synthetic::features(60, 5, 3);
  Vector<double> signs = synthetic::signs(x, 4);
  // These targets are far from 0, which tests the centring of targets.
  Vector<double> numbers = synthetic::numbers(x, 5).array() + 1000;
};

template <class A, class B>
void check_same(const A& a, const B& b) {
  CHECK(a.optimizer == b.optimizer);
  CHECK(a.status == b.status);
  CHECK(a.updates == b.updates);
  CHECK(same_bits(a.weights, b.weights));
  CHECK(same_bits(a.offset, b.offset));
  CHECK(a.objective == b.objective);
  CHECK(a.gap == b.gap);
}

/// Compares a fit by `optimizer` with a fit by AnyOptimizer, which selects the optimizer by its
/// name. `AnyOne` is the type that holds the loss.
template <class AnyOne, class O, class L, class P>
void check_any(const O& optimizer, const L& loss, const P& penalty) {
  CAPTURE(O::name, L::name);
  const Problem problem;
  const auto& y = is_residual_loss<L> ? problem.numbers : problem.signs;
  const auto by_type = optimizer.minimize(Objective{loss, penalty}, problem.x, y);
  const Any any{.choice = std::string(O::name), .tolerance = optimizer.tolerance};
  check_same(any.minimize(Objective{AnyOne(loss), penalty}, problem.x, y), by_type);
}

}  // namespace

TEST_CASE("AnySmoothLoss: Auto selects the same optimizer as for the loss, with the same bits",
          "[optimizers]") {
  const ProvenAuto by{.tolerance = 1e-8};
  check_any<AnySmoothLoss>(by, Squared{}, L2{1e-3});
  check_any<AnySmoothLoss>(by, SquaredHinge{}, L2{1e-6});
  check_any<AnySmoothLoss>(by, Huber{1.5}, L2{1e-3});
  check_any<AnySmoothLoss>(by, Log{}, L2{1e-3});
  check_any<AnySmoothLoss>(by, SmoothHinge{0.5}, ElasticNet{1e-2, 1e-3});
}

TEST_CASE("AnyKinkedLoss: Auto selects the same optimizer as for the loss, with the same bits",
          "[optimizers]") {
  const ProvenAuto by{.tolerance = 1e-8};
  check_any<AnyKinkedLoss>(by, Hinge{}, L2{1e-6});
  check_any<AnyKinkedLoss>(by, EpsilonInsensitive{0.2}, L2{1e-6});
  check_any<AnyKinkedLoss>(by, Quantile{0.3}, ElasticNet{1e-2, 1e-3});
  check_any<AnyKinkedLoss>(by, PerceptronLoss{}, ElasticNet{0, 0});
}

TEST_CASE("AnyOptimizer: gives the same bits as the optimizer of that name", "[optimizers]") {
  check_any<AnySmoothLoss>(Newton{.tolerance = 1e-7}, SmoothHinge{0.5}, L2{1e-3});
  check_any<AnySmoothLoss>(Newton{}, Squared{}, L2{1e-3});
  check_any<AnySmoothLoss>(DualCoordinateAscent{}, Log{}, L2{1e-2});
  check_any<AnyKinkedLoss>(DualCoordinateAscent{}, Absolute{}, L2{1e-2});
  check_any<AnyKinkedLoss>(Sgd{.tolerance = 1e-4}, Hinge{}, L2{1e-2});
  const Problem problem;
  const Objective objective{AnyKinkedLoss{}, L2{1e-2}};
  const auto one =
      Any{.choice = "Sgd", .epochs = 1, .offset = false, .seed = 2, .threads = 2}.minimize(
          objective, problem.x, problem.signs);
  const auto other =
      Sgd{.epochs = 1, .tolerance = 1e-4, .offset = false, .seed = 2, .threads = 2}.minimize(
          objective, problem.x, problem.signs);
  check_same(one, other);
}

TEST_CASE("Auto: selects Newton for AnySmoothLoss without a penalty, squared hinge too",
          "[optimizers]") {
  const Problem problem;
  const auto found = ProvenAuto{}.minimize(Objective{AnySmoothLoss(SquaredHinge{}), L2{0}},
                                           problem.x, problem.signs);
  CHECK(found.optimizer == "Newton");
}

TEST_CASE("AnyOptimizer: refuses unsupported objectives and names an optimizer that supports them",
          "[optimizers]") {
  const Problem problem;
  const auto refusal = [&](const auto& by, const auto& loss, const auto& penalty) {
    return refusal_of([&] {
      (void)by.minimize(Objective{loss, penalty}, problem.x, problem.signs);
    });
  };
  const L2 l2{1e-2};
  CHECK(refusal(Any{.choice = "Newton"}, AnyKinkedLoss{}, l2) ==
        "AnyOptimizer::minimize: Newton does not take the loss hinge with this penalty; Auto does");
  CHECK(refusal(Any{.choice = "Adam"}, AnyKinkedLoss{}, l2) ==
        "AnyOptimizer::minimize: no optimizer is called 'Adam'; there are Auto, "
        "DualCoordinateAscent, Newton, Sgd");
  CHECK(refusal(AnyOptimizer<Ridge>{.choice = "Ridge", .epochs = 3}, AnySmoothLoss{}, l2) ==
        "AnyOptimizer::minimize: Ridge has no limit of epochs");
  // Ridge supports an AnySmoothLoss that holds the squared loss.
  CHECK(refusal(AnyOptimizer<Ridge>{.choice = "Ridge"}, AnySmoothLoss{}, l2).empty());
  CHECK(refusal(AnyOptimizer<Ridge>{.choice = "Ridge"}, AnySmoothLoss(Log{}), l2) ==
        "AnyOptimizer::minimize: Ridge does not take the loss log with this penalty; another "
        "penalty does");
  CHECK(refusal(InteriorPoint{}, AnySmoothLoss(Log{}), l2) ==
        "InteriorPoint::minimize: the loss log is not made of lines and parabolas of bounded "
        "slope; Newton takes it");
}

}  // namespace any_optimizer_test
