// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <utility>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace auto_test {

using namespace linea;

TEST_CASE("Auto: selects by the types of loss and penalty, and gives the reason", "[optimizers]") {
  const auto x = synthetic::features(200, 6, 7);
  const auto y = synthetic::signs(x, 8);
  const auto takes = [&](const auto& loss, const auto& penalty, const std::string& optimizer,
                         const std::string& reason) {
    const auto solution = Auto{.tolerance = 1e-6}.minimize(Objective{loss, penalty}, x, y);
    CHECK(solution.status <= Status::settled);
    CHECK(solution.optimizer == optimizer);
    CHECK(solution.reason == reason);
  };
  takes(Squared{}, L2{1e-3}, "Ridge", "a closed form, min(n, d) = 6");
  takes(Squared{}, NoPenalty{}, "Ridge", "a closed form, min(n, d) = 6");
  for (const double lambda : {1e-2, 1e-6}) {
    const L2 l2{lambda};
    takes(Hinge{}, l2, "DualCoordinateAscent", "a loss with kinks and an L2 penalty");
    takes(Quantile{0.3}, l2, "DualCoordinateAscent", "a loss with kinks and an L2 penalty");
    takes(SquaredHinge{}, l2, "DualCoordinateAscent", "a loss with a parabola and an L2 penalty");
    takes(Log{}, l2, "Newton", "a smooth loss and a squared penalty");
    takes(Huber{}, l2, "Newton", "a smooth loss and a squared penalty");
  }
  takes(Log{}, NoPenalty{}, "Newton", "a smooth loss and no penalty");
  takes(Huber{}, L2{0}, "Newton", "a smooth loss and no penalty");
  takes(Log{}, L1{1e-2}, "CoordinateDescent",
        "a smooth loss and a penalty that is a sum over the weights");
  takes(SquaredHinge{}, ElasticNet{1e-2, 1e-3}, "CoordinateDescent",
        "a smooth loss and a penalty that is a sum over the weights");
  takes(EpsilonInsensitive{}, ElasticNet{1e-2, 1e-2}, "InteriorPoint",
        "a loss of lines and parabolas, d = 6");
  takes(Hinge{}, L1{1e-2}, "InteriorPoint", "a loss of lines and parabolas, d = 6");
  takes(Hinge{}, NoPenalty{}, "InteriorPoint", "a loss of lines and parabolas, min(n, d) = 6");
}

TEST_CASE("Auto: the dual method continues where Newton is slow", "[optimizers]") {
  // The minimum of Huber loss is that of the absolute loss if δ is far below all other residuals:
  // w is the median of y/x, which is 3, and two samples are not on the line.
  const Matrix<double> line{{1}, {2}, {4}, {1}, {1}};
  const Vector<double> on{{3, 6, 12, 7, -1}};
  const auto found = ProvenAuto{.tolerance = 1e-9, .offset = false}.minimize(
      Objective{Huber{1e-6}, L2{1e-12}}, line, on);
  CHECK(found.status == Status::converged);
  CHECK_THAT(found.weights[0], WithinAbs(3, 1e-5));
  CHECK_THAT(found.objective, WithinRel(8e-6 / 5, 1e-5));

  auto x = synthetic::features(60, 30, 7);
  const Vector<double> y = 100 * x.rowwise().sum() + synthetic::numbers(x, 8);
  x.topRows(12) = synthetic::features(12, 30, 9);
  for (const double delta : {1e-3, 1e-2}) {
    CAPTURE(delta);
    const Objective objective{Huber{delta}, L2{1e-3 * delta}};
    const auto by_newton = Newton{}.minimize(objective, x, y);
    const auto solution = Auto{.tolerance = 1e-6}.minimize(objective, x, y);
    const auto exact = InteriorPoint{.tolerance = 1e-10}.minimize(objective, x, y);
    CHECK(by_newton.status == Status::epoch_limit);
    CHECK(solution.status == Status::converged);
    CHECK(solution.optimizer == "DualCoordinateAscent");
    CHECK(solution.reason ==
          "a smooth loss and a squared penalty whose minimum Newton did not reach");
    CHECK(solution.epochs > 100);
    CHECK_THAT(solution.objective, WithinRel(exact.objective, 1e-6));
  }
}

TEST_CASE("Auto: proves the minimum of Huber loss for any delta", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{40, 15}, {15, 40}, {30, 30}}) {
    const auto x = synthetic::features(n, d, 17);
    const Vector<double> y = 50 * x.rowwise().sum() + synthetic::numbers(x, 18);
    const Vector<double> weights = Vector<double>::LinSpaced(n, 0.1, 3);
    for (double delta = 1e-3; delta < 2e3; delta *= 10)
      for (const double lambda : {1e-6 * delta, 1e-3 * delta})
        for (const bool offset : {false, true}) {
          CAPTURE(n, d, delta, lambda, offset);
          const ProvenAuto by{.tolerance = 1e-6, .offset = offset};
          const Objective objective{AnySmoothLoss(Huber{delta}), L2{lambda}};
          const auto plain = by.minimize(objective, x, y);
          const auto sparse =
              by.minimize(objective, synthetic::sparse(x), y, {.sample_weights = weights});
          CHECK(plain.status == Status::converged);
          CHECK(*plain.gap <= 1e-6 * plain.objective);
          CHECK(sparse.status == Status::converged);
        }
  }
}

TEST_CASE("Auto: of sparse samples, columns and λ determine the optimizer", "[optimizers]") {
  const auto sparse = [](Index n, Index d) {
    return SparseMatrix<double>(Matrix<double>(synthetic::features(n, d, 7)).sparseView());
  };
  const auto few = sparse(200, 6);
  const auto many = sparse(200, 40);
  const Vector<double> y = synthetic::signs(synthetic::features(200, 6, 7), 8);
  const auto chosen = [&](const auto& objective, const auto& x, const Extras<double>& extras = {}) {
    const auto solution = Auto{.tolerance = 1e-6}.minimize(objective, x, y, extras);
    CHECK(solution.status <= Status::settled);
    return std::pair(std::string(solution.optimizer), solution.reason);
  };
  const Objective log{Log{}, L2{1e-1}};
  CHECK(chosen(log, many).first == "DualCoordinateAscent");
  CHECK(chosen(log, few).first == "Newton");
  CHECK_THAT(chosen(log, few).second, ContainsSubstring("few columns: d = 6"));
  CHECK(chosen(Objective{Log{}, L2{1e-5}}, many).first == "Newton");
  CHECK_THAT(chosen(Objective{Log{}, L2{1e-5}}, many).second,
             ContainsSubstring("mean |x|^2 / (lambda * n) = "));
  CHECK(chosen(Objective{Squared{}, L2{1e-1}}, many).first == "Ridge");
  CHECK(chosen(Objective{Log{}, L2{0}}, many).first == "Newton");
  // Dual ascent cannot use start weights, and other optimizers cannot use dual variables.
  const auto found = Auto{}.minimize(log, many, y);
  REQUIRE(found.multipliers.size() == 200);
  Extras<double> start{.start_weights = found.weights};
  CHECK(chosen(log, many, start).first == "Newton");
  start.start_multipliers = found.multipliers;
  CHECK(chosen(log, many, start).first == "DualCoordinateAscent");
}

TEST_CASE("Auto: Newton needs no bound on the curvature, and uses a start", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 3);
  const Vector<double> counts = synthetic::signs(x, 4).array() + 2;
  const Extras<double> start{.start_weights = Vector<double>::Zero(4)};
  const auto poisson =
      Auto{}.minimize(Objective{Composed{Poisson{}, Exponential{}}, L2{1e-2}}, x, counts, start);
  CHECK(poisson.optimizer == "Newton");
  CHECK(poisson.status == Status::converged);
}

TEST_CASE("Auto: refuses objectives that no selectable optimizer supports, and names one that does",
          "[optimizers]") {
  const auto x = synthetic::features(60, 4, 3);
  const auto y = synthetic::signs(x, 4);
  const auto refuses = [&](const auto& objective, const auto& samples, const std::string& other) {
    CHECK_THROWS_AS(Auto{}.minimize(objective, samples, y), NoProof);
    CHECK_THROWS_WITH(Auto{}.minimize(objective, samples, y), ContainsSubstring(other));
  };
  refuses(Objective{Hinge{}, L2{0}}, x,
          "lambda = 0, but the dual method needs lambda > 0: call InteriorPoint or, "
          "for a recipe, .with(InteriorPoint{})");
  refuses(Objective{SquaredHinge{}, L2{0}}, x, ".with(Newton{})");
  // A matrix of d × d would be too large.
  const Matrix<double> broad = Matrix<double>::Zero(60, 5000);
  refuses(Objective{Hinge{}, L1{1e-2}}, broad,
          ": no optimizer proves a minimum of this: call Sgd or, for a recipe, "
          ".with(Sgd{})");
  const Objective unproven{Composed{Squared{}, Exponential{}}, L1{1e-2}};
  CHECK(Auto{}.minimize(unproven, x, y).optimizer == "Sgd");
  CHECK_THROWS_AS(ProvenAuto{}.minimize(unproven, x, y), NoProof);
}

TEST_CASE("Auto: refuses an invalid tolerance and an invalid start", "[optimizers]") {
  const auto x = synthetic::features(20, 3, 9);
  const auto y = synthetic::signs(x, 10);
  const auto refuses = [&](const Auto& by, const auto& objective, const Extras<double>& extras,
                           const std::string& message) {
    CHECK_THROWS_WITH(by.minimize(objective, x, y, extras), "Auto::minimize: " + message);
  };
  const Objective ridge{Squared{}, L2{1e-2}};
  refuses({.tolerance = -1}, ridge, {}, "tolerance = -1 is not >= 0");
  refuses({}, ridge, {.start_weights = Vector<double>::Ones(4)},
          "4 start weights, but 3 finite ones are needed");
  refuses({}, ridge, {.start_multipliers = Vector<double>::Ones(4)},
          "4 start multipliers, but 20 finite ones are needed");
  refuses({}, ridge,
          {.start_weights = Vector<double>::Ones(3),
           .start_offset = std::numeric_limits<double>::infinity()},
          "start_offset = inf is not finite");
}

TEST_CASE("Auto: passes on dual variables and bound of the selected optimizer", "[optimizers]") {
  const auto x = synthetic::features(80, 5, 9);
  const auto y = synthetic::signs(x, 10);
  const Vector<double> weights = Vector<double>::LinSpaced(80, 0, 3);
  for (const double lambda : {1e-4, 1e-1}) {
    const Objective objective{Hinge{}, L2{lambda}};
    const auto found = Auto{.tolerance = 1e-6}.minimize(objective, x, y, weights);
    INFO(found.optimizer);
    REQUIRE(found.multipliers.size() == 80);
    REQUIRE(found.bound());
    Extras<double> extras{.sample_weights = weights};
    found.hand_on(extras);
    CHECK(extras.start_weights == found.weights);
    const auto again = Auto{.tolerance = 1e-6}.minimize(objective, x, y, extras);
    CHECK(again.optimizer == found.optimizer);
    extras.start_weights.resize(0);
    extras.start_offset = 0;
    const auto ascent = DualCoordinateAscent{.epochs = 0}.minimize(objective, x, y, extras);
    CHECK(ascent.dual >= *found.bound() - 1e-5 * found.objective);
  }
}

TEST_CASE("Auto: how small λ must be for Newton depends on the shape of sparse x", "[optimizers]") {
  constexpr Index n = 300;
  const auto optimizer_at = [&](Index columns, double quotient) {
    SparseMatrix<double> x(n, columns);
    for (Index i = 0; i < n; ++i) {  // rows of norm 1
      x.insert(i, i % columns) = 0.8;
      x.insert(i, (7 * i + 3) % columns) = 0.6;
    }
    const Vector<double> y =
        Vector<double>::NullaryExpr(n, [](Index i) { return i % 3 == 0 ? 1.0 : -1.0; });
    const double lambda = 0.25 / (quotient * static_cast<double>(n));  // sup ℓ″ = 1/4
    return Auto{}.minimize(Objective{Log{}, L2{lambda}}, x, y).optimizer;
  };
  CHECK(optimizer_at(260, 9) == "DualCoordinateAscent");
  CHECK(optimizer_at(260, 11) == "Newton");
  CHECK(optimizer_at(310, 30) == "DualCoordinateAscent");
  CHECK(optimizer_at(310, 35) == "Newton");
  CHECK(optimizer_at(3000, 99) == "DualCoordinateAscent");
  CHECK(optimizer_at(3000, 101) == "Newton");
}

TEST_CASE("Auto: rows of weight 0 do not affect the choice", "[optimizers]") {
  const auto x = synthetic::features(600, 8, 3);
  const auto y = synthetic::signs(x, 4);
  const Objective objective{Log{}, L2{1e-1}};
  const auto same = [&](Index n, const std::string& optimizer) {
    Matrix<double> many(n + 600, 8);  // the ignored rows would change every mean
    many << x.topRows(n), 1e6 * x.topRows(300), Matrix<double>::Zero(300, 8);
    Vector<double> targets(n + 600), present = Vector<double>::Ones(n + 600);
    targets << y.head(n), y;
    present.tail(600).setZero();
    const SparseMatrix<double> few = synthetic::sparse(Matrix<double>(x.topRows(n)));
    const auto alone = Auto{}.minimize(objective, few, y.head(n));
    const auto among = Auto{}.minimize(objective, synthetic::sparse(many), targets, present);
    CHECK(alone.optimizer == optimizer);
    CHECK(among.optimizer == alone.optimizer);
    CHECK(among.reason == alone.reason);
    CHECK(among.status == alone.status);
  };
  same(600, "Newton");               // few columns: 8 < n/8
  same(60, "DualCoordinateAscent");  // too many columns: 8 > n/8
}

}  // namespace auto_test
