// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/losses.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace interior_point_test {

using namespace linea;
using synthetic::Problem;
using synthetic::problem_for;

namespace {

using Exact = long double;

/// Returns F, computed from the definition in long double.
template <class L, class P>
double objective_at(const L& loss, const P& penalty, const Problem& p, const Vector<double>& w,
                    double b) {
  const Vector<double> parts = p.parts();
  const Vector<Exact> scores = (p.x.cast<Exact>() * w.cast<Exact>()).array() + Exact{b};
  Exact value = penalty.value(w);
  for (Index i = 0; i < p.y.size(); ++i)
    if (parts[i] > 0) value += parts[i] * loss.value(scores[i], Exact{p.y[i]});
  return static_cast<double>(value);
}

/// Checks that the objective is F at the weights, that the dual variables are in their domain and
/// give the bound, and that the run converged, with a gap within the tolerance. `scale` is the size
/// of the terms of F.
template <class L, class P>
void check_claims(const DualSolution<double>& s, const L& loss, const P& penalty, const Problem& p,
                  bool offset, double tolerance, double scale) {
  const double value = objective_at(loss, penalty, p, s.weights, s.offset);
  CHECK_THAT(s.objective, WithinAbs(value, 1e-13 * scale));
  CHECK(s.status == Status::converged);
  CHECK(*s.gap <= std::max(tolerance * s.objective, 1e-15 * scale));
  CHECK(*s.gap >= 0);
  const Vector<double> parts = p.parts();
  const Vector<Exact> pulls = parts.cast<Exact>().cwiseProduct(s.multipliers.cast<Exact>());
  if (offset) CHECK(std::abs(static_cast<double>(pulls.sum())) < 1e-13);
  // Compute the dual objective. An infinite conjugate of the penalty counts as |sum·wⱼ|.
  Exact dual = 0;
  for (Index i = 0; i < p.y.size(); ++i) {
    if (parts[i] == 0) continue;
    const double conjugate = loss.conjugate(-s.multipliers[i], p.y[i]);
    CHECK(std::isfinite(conjugate));
    dual -= Exact{parts[i]} * conjugate;
  }
  const Vector<Exact> sums = p.x.cast<Exact>().transpose() * pulls;
  for (Index j = 0; j < p.x.cols(); ++j) {
    const double conjugate = penalty.conjugate(static_cast<double>(sums[j]) * (1 - 1e-12));
    dual -= std::isfinite(conjugate) ? Exact{conjugate} : std::abs(sums[j] * Exact{s.weights[j]});
  }
  CHECK_THAT(s.dual, WithinAbs(static_cast<double>(dual), 1e-9 * scale));
}

}  // namespace

TEST_CASE("InteriorPoint: the gap is correct for losses, penalties and shapes", "[optimizers]") {
  const auto try_out = [](const auto& loss, const auto& penalty, Index n, Index d) {
    for (const bool offset : {true, false})
      for (const bool weighted : {true, false}) {
        CAPTURE(loss.name, penalty.name, n, d, offset, weighted);
        const Problem p = problem_for(loss, n, d, static_cast<std::uint64_t>(n + d), weighted);
        const InteriorPoint optimizer{.offset = offset};
        const auto s = optimizer.minimize(Objective{loss, penalty}, p.x, p.y, p.weights);
        check_claims(s, loss, penalty, p, offset, 1e-8, 3);
        if constexpr (requires { penalty.l1; })
          if (penalty.l1 == 5) CHECK(s.weights.isZero(0));
      }
  };
  const auto each_shape = [&](const auto& loss, const auto&... penalties) {
    for (const auto& [n, d] :
         {std::pair<Index, Index>{90, 7}, {25, 1}, {14, 2}, {12, 11}, {11, 12}, {9, 30}})
      (try_out(loss, penalties, n, d), ...);
  };
  const auto nets = [&](const auto& loss) {
    each_shape(loss, ElasticNet{0, 0}, ElasticNet{0, 0.3}, ElasticNet{0, 1e-6}, ElasticNet{0.02, 0},
               ElasticNet{5, 0}, ElasticNet{0.01, 0.01});
  };
  nets(Hinge{});
  nets(Absolute{});
  nets(Quantile{0.8});
  nets(EpsilonInsensitive{0.3});
  nets(SmoothHinge{0.5});
  nets(Huber{0.4});
  for (const double delta : {1e-3, 100.0})
    for (const double l1 : {0.0, 0.05}) try_out(Huber{delta}, ElasticNet{l1, 0.01}, 25, 1);
  each_shape(Hinge{}, NoPenalty{}, L2{1e-3}, L1{1e-2});
  each_shape(Absolute{}, NoPenalty{}, L2{1e-3}, L1{1e-2});
}

TEST_CASE("InteriorPoint: columns far off, scaled, duplicate and constant", "[optimizers]") {
  const auto try_out = [](const auto& loss, const auto& penalty, bool rescales) {
    CAPTURE(loss.name, penalty.name, rescales);
    Problem p = problem_for(loss, 80, 3, 15);
    for (Index i = 0; i < 80; ++i) p.x(i, 1) = std::round(p.x(i, 1) * 1048576) / 1048576;
    const auto expected = InteriorPoint{}.minimize(Objective{loss, penalty}, p.x, p.y);
    REQUIRE(expected.status == Status::converged);
    Problem q{Matrix<double>::Zero(80, rescales ? 7 : 5), p.y};
    q.x.leftCols(3) = p.x;
    q.x.col(3).setConstant(1e5);
    if (rescales) {  // without a penalty, scales and copies of columns have no effect
      q.x.col(0) *= 1048576.0 * 1048576.0;
      q.x.col(2) /= 1048576.0 * 1048576.0;
      q.x.col(5) = p.x.col(1);
      q.x.col(6) = 3 * p.x.col(1) - 2 * p.x.col(0);
    }
    q.x.col(1).array() += 1e6;
    const auto s = InteriorPoint{}.minimize(Objective{loss, penalty}, q.x, q.y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(expected.objective, 3e-8 * expected.objective));
    CHECK_THAT(s.objective, WithinAbs(objective_at(loss, penalty, q, s.weights, s.offset), 1e-12));
    CHECK(s.weights[3] == 0);
    CHECK(s.weights[4] == 0);
  };
  const auto each_penalty = [&](const auto& loss) {
    try_out(loss, ElasticNet{0, 0}, true);
    try_out(loss, ElasticNet{0, 1e-2}, false);
    try_out(loss, ElasticNet{1e-2, 0}, false);
  };
  each_penalty(Hinge{});
  each_penalty(Absolute{});
  each_penalty(Quantile{0.9});
  each_penalty(Huber{0.5});
}

TEST_CASE("InteriorPoint: targets far off, large and small", "[optimizers]") {
  const Problem p = problem_for(Absolute{}, 80, 3, 25);
  const Objective objective{Absolute{}, ElasticNet{1e-3, 0}};
  const auto expected = InteriorPoint{}.minimize(objective, p.x, p.y);
  for (const double mean : {1e8, 1.6e9}) {
    Vector<double> y = p.y.array() + mean;
    const Vector<double> moved = y.array() - mean;
    const auto near = InteriorPoint{}.minimize(objective, p.x, moved);
    const auto s = InteriorPoint{}.minimize(objective, p.x, y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(near.objective, 2e-8 * near.objective + 1e-15 * mean));
  }
  // F scales like x, y and λ. Without a penalty, the scale of x has no effect.
  const Objective none{Absolute{}, NoPenalty{}};
  const auto unscaled = InteriorPoint{}.minimize(none, p.x, p.y);
  for (const double scale : {1e-100, 1e-8, 1e8, 1e100}) {
    CAPTURE(scale);
    const Matrix<double> x = scale * p.x;
    const auto s = InteriorPoint{}.minimize(Objective{Absolute{}, ElasticNet{1e-3 * scale, 0}}, x,
                                            Vector<double>(scale * p.y));
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(scale * expected.objective, 2e-8));
    const auto free = InteriorPoint{}.minimize(none, x, p.y);
    CHECK(free.status == Status::converged);
    CHECK_THAT(free.objective, WithinRel(unscaled.objective, 2e-8));
  }
}

TEST_CASE("InteriorPoint: the unit of the columns does not matter", "[optimizers]") {
  const Objective objective{Hinge{}, NoPenalty{}};
  const Problem p = problem_for(Hinge{}, 40, 2, 5);
  const auto expected = InteriorPoint{}.minimize(objective, p.x, p.y);
  for (const double scale : {1.0, 1e-100, 1e-149}) {
    CAPTURE(scale);
    const auto s = InteriorPoint{}.minimize(objective, Matrix<double>(scale * p.x), p.y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(expected.objective, 1e-8));
  }
}

TEST_CASE("InteriorPoint: columns that depend on others up to rounding", "[optimizers]") {
  const Objective objective{Absolute{}, NoPenalty{}};
  // The third column is 0.7 times the second minus 0.3 times the first, up to an error of 1e-12.
  // Only weights of 1e10 and more on this error change F. Such weights make F lower, and the bound
  // must not exceed this lower F.
  int lower = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem p{synthetic::features(8, 4, seed), synthetic::features(8, 1, seed + 100).col(0)};
    p.x.col(0) = 0.07 * p.x.col(0).array() - 54170;
    p.x.col(1) = 0.7 * p.x.col(1).array() - 502;
    p.x.col(2) = -0.3 * p.x.col(0) + 0.7 * p.x.col(1);
    const auto s = InteriorPoint{}.minimize(objective, p.x, p.y);
    CHECK(s.weights.cwiseAbs().maxCoeff() < 1e4);
    const Matrix<double> rest = p.x(Eigen::indexing::all, {0, 1, 3});
    const auto less = InteriorPoint{}.minimize(objective, rest, p.y);
    CHECK(less.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(less.objective, 1e-8 * less.objective + 1e-9));
    double least = s.objective;
    for (double size = 1e9; size < 1e13; size *= 1.5)
      for (const double t : {-size, size}) {
        const Vector<double> w = s.weights + t * Vector<double>{{0.3, -0.7, 1, 0}};
        least = std::min(least, objective_at(Absolute{}, NoPenalty{}, p, w, s.offset));
      }
    CHECK(s.dual <= least);
    lower += least < 0.999 * s.objective;
  }
  CHECK(lower > 2);
  // The second and third columns are the first column plus 1e-14 and 1 times the same unit vector.
  const Matrix<double> x{{1, 1, 1}, {0, 1e-14, 1}, {2, 2, 2}};
  const auto s = InteriorPoint{.offset = false}.minimize(objective, x, Vector<double>{{0, 5, 0}});
  CHECK(s.status == Status::converged);
  CHECK(s.objective < 1e-13);
}

TEST_CASE("InteriorPoint and DualCoordinateAscent: targets of any unit", "[optimizers]") {
  const Matrix<double> x{{1}, {2}, {3}, {4}, {5}, {7}};
  const Vector<double> y{{1, 2, 3, 5, 4, 9}};
  const auto same = [&](const auto& optimizer, double power, const auto& objective_of) {
    const auto fit = [&](double unit) {
      const auto found = optimizer.minimize(objective_of(unit), x, Vector<double>(unit * y));
      CHECK(found.status == Status::converged);
      CHECK(found.gap.value() <= optimizer.tolerance * found.objective);
      return found;
    };
    const auto expected = fit(1);
    for (const double unit : {1e-13, 1e-27, 1e-40}) {
      INFO(expected.optimizer << ", " << unit);
      const auto found = fit(unit);
      CHECK_THAT(found.objective / std::pow(unit, power), WithinRel(expected.objective, 1e-5));
      CHECK(std::abs(found.epochs - expected.epochs) <= 2 + expected.epochs / 10);
    }
  };
  const DualCoordinateAscent ascent{.tolerance = 1e-6};
  const InteriorPoint interior{.tolerance = 1e-6};
  same(ascent, 2, [](double) { return Objective{Squared{}, L2{1e-3}}; });
  same(ascent, 1, [](double unit) { return Objective{Absolute{}, L2{0.1 / unit}}; });
  same(interior, 1, [](double) { return Objective{Quantile{0.3}, L2{0}}; });
}

TEST_CASE("InteriorPoint: if all losses can be 0 they are", "[optimizers]") {
  Problem p = problem_for(Hinge{}, 30, 3, 4);
  const Vector<double> ones = Vector<double>::Ones(30);
  const Vector<double> numbers = (2 * p.x.col(0) - p.x.col(2)).array() + 3;
  p.y = (p.x.col(0).array() > 0.1).select(ones, -ones);
  const auto least = [&](const auto& objective, const Vector<double>& y) {
    const auto s = InteriorPoint{}.minimize(objective, p.x, y);
    CHECK(s.status == Status::converged);
    return s.objective;
  };
  CHECK(least(Objective{Hinge{}, L2{0}}, p.y) == 0);
  CHECK(least(Objective{Absolute{}, ElasticNet{0, 0}}, numbers) < 1e-14);
  CHECK(least(Objective{EpsilonInsensitive{1e-3}, ElasticNet{0, 0}}, numbers) == 0);
  CHECK(least(Objective{Hinge{}, L1{0.1}}, ones) <= 1e-14);
  CHECK(least(Objective{PerceptronLoss{}, L2{1}}, ones) == 0);
}

TEST_CASE("InteriorPoint: medians and quantiles of targets alone", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Zero(5, 1);
  const Vector<double> y{{3, -1, 10, 4, 7}};
  const auto median = InteriorPoint{}.minimize(Objective{Absolute{}, NoPenalty{}}, x, y);
  CHECK_THAT(median.offset, WithinAbs(4, 1e-12));
  CHECK_THAT(median.objective, WithinAbs(15 / 5.0, 1e-12));
  const auto upper = InteriorPoint{}.minimize(Objective{Quantile{0.7}, L1{1}}, x, y);
  CHECK_THAT(upper.offset, WithinAbs(7, 1e-6));
}

TEST_CASE("InteriorPoint: ends once rounding keeps the gap", "[optimizers]") {
  const auto x = synthetic::features(200, 4, 31);
  const auto y = synthetic::numbers(x, 32, 1.0);
  const auto check = [&](const auto& loss, const auto& penalty) {
    const Objective objective{loss, penalty};
    const auto proven = InteriorPoint{}.minimize(objective, x, y);
    CHECK(proven.status == Status::converged);
    for (const double tolerance : {1e-15, 0.0}) {
      CAPTURE(loss.name, tolerance);
      const auto found = InteriorPoint{.tolerance = tolerance}.minimize(objective, x, y);
      CHECK(found.status == Status::precision_limit);
      CHECK(found.iterations < 100);
      CHECK(*found.gap <= 1e-10 * found.objective);
      CHECK(found.objective <= proven.objective * (1 + 1e-14));
    }
  };
  check(Quantile{0.5}, NoPenalty{});
  check(Absolute{}, NoPenalty{});
  check(Quantile{0.2}, L1{1e-3});
}

TEST_CASE("InteriorPoint: refuses invalid input, and reports the iterations before its limit",
          "[optimizers]") {
  const Problem p = problem_for(Absolute{}, 20, 2, 6);
  const Objective objective{Absolute{}, ElasticNet{1e-2, 0}};
  CHECK_THROWS_WITH(InteriorPoint{.tolerance = -1}.minimize(objective, p.x, p.y),
                    ContainsSubstring("a tolerance of -1"));
  CHECK_THROWS_WITH(InteriorPoint{.iterations = 0}.minimize(objective, p.x, p.y),
                    ContainsSubstring("0 iterations"));
  const auto early = InteriorPoint{.iterations = 2}.minimize(objective, p.x, p.y);
  CHECK(early.iterations == 2);
  CHECK(early.updates == 2);
  CHECK(early.status != Status::stopped);
  CHECK(*early.gap >= 0);
}

}  // namespace interior_point_test
