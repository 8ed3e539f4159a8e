// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/softmax.hpp"
#include "support/synthetic.hpp"

namespace softmax_newton_test {

using namespace linea;
using namespace linea::test;

using Classes = Vector<Index>;

// With v = w₁ − w₀ the loss is the log loss of ⟨v, x⟩. At the minimum w₀ = −w₁, so ‖w‖² = ‖v‖²/2,
// and the penalty λ/2·‖w‖² is (λ/2)/2·‖v‖².
TEST_CASE("SoftmaxNewton: for two classes it is the log loss with half the lambda",
          "[optimizers]") {
  const auto x = synthetic::features(120, 6, 1);
  const Vector<double> signs = synthetic::signs(x, 2);
  const Classes y = (signs.array() > 0).cast<Index>().matrix();
  for (const bool offset : {true, false})
    for (const double lambda : {1e-1, 1e-3, 1e-6}) {
      INFO("lambda " << lambda << ", offset " << offset);
      const SoftmaxNewton softmax{.tolerance = 1e-13, .offset = offset};
      const auto two = softmax.minimize(L2{lambda}, x, y);
      const Newton newton{.tolerance = 1e-13, .offset = offset};
      const auto one = newton.minimize(Objective{Log{}, L2{lambda / 2}}, x, signs);
      CHECK(two.status == Status::converged);
      CHECK_THAT(two.objective, WithinRel(one.objective, 1e-12));
      const Vector<double> v = two.weights.col(1) - two.weights.col(0);
      CHECK((v - one.weights).norm() < 1e-4 * one.weights.norm());
      CHECK_THAT(two.offset[1] - two.offset[0], WithinAbs(one.offset, 1e-4));
    }
}

namespace {

struct Problem {
  std::string name;
  Matrix<double> x;
  Classes y;
  Vector<double> weights{};
  double lambda{1e-3};
};

std::vector<Problem> problems() {
  std::vector<Problem> all;
  const auto add = [&](const char* name, Index n, Index d, Index k, double lambda = 1e-3) -> auto& {
    const auto x = synthetic::features(n, d, all.size() + 1);
    return all.emplace_back(Problem{name, x, classes_of(x, k, all.size() + 101), {}, lambda});
  };
  add("n < d", 12, 30, 3);
  add("n << d", 25, 1300, 3);
  add("n = d", 20, 20, 4);
  add("n >> d", 800, 5, 7);
  add("next to no penalty", 200, 4, 3, 1e-9);
  add("strong penalty", 200, 4, 3, 100);
  auto& weighted = add("weights, some of them 0", 100, 6, 4).weights;
  weighted.resize(100);
  for (Index i = 0; i < 100; ++i) weighted[i] = static_cast<double>((i + 1) % 4) * 0.3;
  auto& twice = add("duplicate columns", 90, 8, 3).x;
  twice.rightCols(4) = twice.leftCols(4).eval();
  auto& rare = add("a rare class", 300, 4, 3).y;
  for (Index i = 3; i < 300; ++i) rare[i] = rare[i] == 2 ? 1 : rare[i];
  add("columns far from 0", 150, 4, 3).x.array() += 1e6;
  auto& uneven = add("columns of different size", 200, 4, 3).x;
  for (Index j = 0; j < 4; ++j) uneven.col(j) *= std::pow(100.0, static_cast<double>(j - 2));
  return all;
}

}  // namespace

TEST_CASE("SoftmaxNewton: the gap bounds the distance from the minimum", "[optimizers]") {
  for (const Problem& p : problems())
    for (const bool offset : {true, false}) {
      if (!offset && p.name == "columns far from 0")
        continue;  // without an offset the columns are not centred, but far from 0
      INFO(p.name << ", offset " << offset);
      const auto after = [&](Index iterations, double tolerance) {
        const SoftmaxNewton newton{
            .iterations = iterations, .tolerance = tolerance, .offset = offset};
        return newton.minimize(L2{p.lambda}, p.x, p.y, p.weights);
      };
      const auto best = after(200, 1e-11);
      CHECK(best.status == Status::converged);
      CHECK(best.gap.value() <= 1e-11 * best.objective);
      CHECK(best.iterations <= 30);
      const ExactSoftmax at(p.x, p.y, p.weights, best.weights, best.offset);
      CHECK_THAT(static_cast<double>(at.value) + L2{p.lambda}.value(best.weights.reshaped()),
                 WithinRel(best.objective, p.name == "columns far from 0" ? 1e-7 : 1e-13));
      for (const Index iterations : {0, 1, 2, 3, 5}) {
        const auto early = after(iterations, 0);
        CHECK(early.iterations <= iterations);
        CHECK(early.objective >= best.bound().value() * (1 - 1e-14));
        CHECK(early.bound().value() <= best.objective * (1 + 1e-14));
        CHECK(early.gap.value() >= early.objective - best.objective - 1e-14 * best.objective);
      }
      const auto loose = after(200, 1e-4);
      CHECK(loose.status == Status::converged);
      CHECK(loose.objective <= best.objective * (1 + 1e-4));
    }
}

TEST_CASE("SoftmaxNewton: layouts, scalars and threads agree", "[optimizers]") {
  const auto x = synthetic::features(1500, 10, 11, 0.4);
  for (const Index classes : {2, 5, 11, 17}) {
    CAPTURE(classes);
    const auto y = classes_of(x, classes, 12);
    SoftmaxNewton newton{.tolerance = 1e-12};
    const auto rows = newton.minimize(L2{1e-3}, x, y);
    CHECK(rows.status == Status::converged);
    const auto agrees = [&](const auto& samples, double rounding) {
      const auto other = newton.minimize(L2{1e-3}, samples, y);
      CHECK(other.status == Status::converged);
      CHECK_THAT(other.objective, WithinRel(rows.objective, rounding));
      const Matrix<double> w = other.weights.template cast<double>();
      CHECK((w - rows.weights).norm() < std::sqrt(rounding) * rows.weights.norm());
    };
    agrees(detail::ColumnMatrix<double>(x), 1e-12);
    agrees(synthetic::sparse(x), 1e-12);
    newton.threads = 3;
    const auto threaded = newton.minimize(L2{1e-3}, x, y);
    CHECK(threaded.weights == rows.weights);
    CHECK(threaded.offset == rows.offset);
    CHECK(threaded.gap == rows.gap);
    newton.tolerance = 1e-6;
    const Matrix<float> floats = x.cast<float>();
    agrees(floats, 1e-6);
    agrees(detail::ColumnMatrix<float>(floats), 1e-6);
    agrees(in_double(floats), 1e-6);
    static_assert(std::is_same_v<decltype(newton.minimize(L2{}, in_double(floats), y).weights),
                                 Matrix<double>>);
    const SparseMatrix<float> sparse_floats = synthetic::sparse(floats);
    agrees(in_double(sparse_floats), 1e-6);
  }
}

TEST_CASE("SoftmaxNewton: without penalty", "[optimizers]") {
  const auto x = synthetic::features(400, 5, 15);
  const auto y = classes_of(x, 3, 16, 2.0);
  Matrix<double> separable = x, partly = x;
  for (Index i = 0; i < 400; ++i) {
    separable(i, y[i]) += 20;
    partly(i, 0) += y[i] == 0 ? 50 : 0;
  }
  const SoftmaxNewton newton{.tolerance = 1e-10};
  const auto found = newton.minimize(NoPenalty{}, x, y);
  CHECK(found.status == Status::settled);
  CHECK(!found.gap);
  // The bound on F for λ = 1e-10, minus the penalty of `found`, bounds F of `found` for λ = 0.
  const auto bounded = newton.minimize(L2{1e-10}, x, y);
  const double penalty = 1e-10 / 2 * found.weights.squaredNorm();
  CHECK(found.objective >= bounded.bound().value() - penalty);
  CHECK(found.objective <= bounded.objective * (1 + 1e-10));
  CHECK(newton.minimize(L2{0}, x, y).weights == found.weights);
  // Each class is separable from the others: F has no minimum, only the infimum 0.
  const auto apart = newton.minimize(NoPenalty{}, separable, y);
  CHECK(apart.status != Status::converged);
  CHECK(apart.objective < 1e-12);
  CHECK(apart.weights.allFinite());
  // Only class 0 is separable. The infimum is above 0, and no point attains it.
  const auto one_apart = newton.minimize(NoPenalty{}, partly, y);
  CHECK(one_apart.status != Status::converged);
  CHECK(one_apart.weights.norm() < 1000);
}

TEST_CASE("SoftmaxNewton: an observer sees each iteration, and may stop", "[optimizers]") {
  // The columns are far from 0.
  const Matrix<double> x = synthetic::features(60, 4, 20).array() + 1000;
  const auto y = classes_of(x, 3, 21);
  for (const bool offset : {true, false}) {
    std::vector<Point<double>> seen;
    std::vector<double> objectives;
    double bound = 0;
    const auto run = [&](Index iterations, Index stop) {
      objectives.clear();
      const SoftmaxNewton newton{.iterations = iterations, .offset = offset};
      return newton.minimize(L2{1e-2}, x, y, [&](const Progress& progress) {
        objectives.push_back(progress.objective());
        CHECK(progress.epoch == static_cast<Index>(objectives.size()));
        bound = std::max(bound, progress.objective() - progress.gap());
        seen.clear();
        for (Index k = 0; k < progress.iterates(); ++k) seen.push_back(progress.iterate(k));
        return progress.epoch == stop ? Control::stop : Control::proceed;
      });
    };
    const auto all = run(200, -1);
    CHECK(static_cast<Index>(objectives.size()) == all.iterations);
    CHECK(std::is_sorted(objectives.rbegin(), objectives.rend()));
    CHECK_THAT(all.bound().value(), WithinRel(bound, 1e-12));
    const auto limited = run(2, -1);
    CHECK(limited.status == Status::epoch_limit);
    const auto stopped = run(200, 2);
    CHECK(stopped.status == Status::stopped);
    CHECK(stopped.iterations == 2);
    CHECK(stopped.weights == limited.weights);
    REQUIRE(seen.size() == 3);
    for (Index k = 0; k < 3; ++k) {
      const auto& point = seen[static_cast<std::size_t>(k)];
      CHECK(point.weights == stopped.weights.col(k));
      CHECK_THAT(point.offset, WithinRel(stopped.offset[k], 1e-12) || WithinAbs(0, 1e-300));
      CHECK_THAT(point.objective, WithinRel(stopped.objective, 1e-9));
    }
  }
}

TEST_CASE("SoftmaxNewton: refuses invalid input", "[optimizers]") {
  struct Case {
    const char* message;
    SoftmaxNewton newton{};
    double lambda{1};
    Matrix<double> x = synthetic::features(6, 2, 17);
    Vector<double> y{{0, 1, 2, 0, 1, 2}};
    Extras<double> extras{};
  };
  Matrix<double> broken = synthetic::features(6, 2, 17);
  broken(4, 1) = not_a_number;
  const auto weighted = [](const Vector<double>& weights) {
    return Extras<double>{.sample_weights = weights};
  };
  for (const Case& one : {
           Case{"the penalty's lambda = -1 must be finite and >= 0", {}, -1},
           {"tolerance = -1 is not >= 0", {.tolerance = -1}},
           {"-1 iterations", {.iterations = -1}},
           {"0 threads, but there must be 1 to 1024", {.threads = 0}},
           {"x is empty (0 x 2)", {}, 1, Matrix<double>(0, 2), Vector<double>(0)},
           {.message = "x has 6 rows but y has 3", .y = Vector<double>{{0, 1, 2}}},
           {.message = "x(4, 1) is not finite", .x = broken},
           {.message = "y(3) = 0.5 is not one of the classes 0, 1, 2, ...",
           .y = Vector<double>{{0, 1, 2, 0.5, 1, 2}}},
           {.message = "y(3) = -1 is not one of the classes 0, 1, 2, ...",
           .y = Vector<double>{{0, 1, 2, -1, 1, 2}}},
           {.message = "y(0) = nan is not one of the classes 0, 1, 2, ...",
           .y = Vector<double>{{not_a_number, 1, 2, 0, 1, 2}}},
           {.message = "class 3 of 5 has no sample of weight above 0",
           .y = Vector<double>{{4, 1, 2, 0, 1, 2}}},
           {.message = "two classes are needed, but all samples of weight above 0 are of class 0",
           .y = Vector<double>::Zero(6)},
           {.message = "class 1 of 3 has no sample of weight above 0",
           .extras = weighted(Vector<double>{{1, 0, 1, 1, 0, 1}})},
           {.message = "all sample weights are zero", .extras = weighted(Vector<double>::Zero(6))},
           {.message = "5 sample weights but y has 6", .extras = weighted(Vector<double>::Ones(5))},
           {.message = "2 start weights for 3 classes of 2 features",
           .extras = {.start_weights = Vector<double>::Zero(2)}},
           {.message = "the start is not finite",
           .extras = {.start_weights = Vector<double>::Constant(6, not_a_number)}},
       })
    CHECK_THROWS_WITH(one.newton.minimize(L2{one.lambda}, one.x, one.y, one.extras),
                      std::string("SoftmaxNewton::minimize: ") + one.message);
  const Case two{};  // without samples of the last class two classes remain
  CHECK(SoftmaxNewton{}
            .minimize(L2{1}, two.x, two.y, Vector<double>{{1, 1, 0, 1, 1, 0}})
            .weights.cols() == 2);
}

TEST_CASE("SoftmaxNewton: a start", "[optimizers]") {
  const auto x = synthetic::features(80, 5, 21);
  const auto y = classes_of(x, 3, 22);
  for (const bool offset : {true, false}) {
    CAPTURE(offset);
    const SoftmaxNewton newton{.tolerance = 1e-9, .offset = offset};
    const auto plain = newton.minimize(L2{1e-3}, x, y);
    CHECK(plain.iterations > 2);
    const auto again = newton.minimize(L2{1e-3}, x, y, {.start_weights = plain.weights.reshaped()});
    CHECK(again.iterations <= 1);
    CHECK(again.status == Status::converged);
    CHECK((again.offset - plain.offset).norm() <= 1e-4);
    // For another λ the solution is a better start than zero.
    const auto other = newton.minimize(L2{2e-3}, x, y);
    const auto warm = newton.minimize(L2{2e-3}, x, y, {.start_weights = plain.weights.reshaped()});
    CHECK(warm.iterations < other.iterations);
    CHECK_THAT(warm.objective, WithinRel(other.objective, 2e-9));
    // A large weight that all classes of a start have in common does no harm, and neither does a
    // start that is far from the minimum.
    for (const double size : {1.0, 100.0}) {
      const Matrix<double> far =
          Matrix<double>::Constant(5, 3, size) + size * synthetic::features(5, 3, 23);
      const auto s = newton.minimize(L2{1e-3}, x, y, {.start_weights = far.reshaped()});
      CHECK(s.status == Status::converged);
      CHECK_THAT(s.objective, WithinRel(plain.objective, 2e-9));
    }
    const auto none = SoftmaxNewton{.iterations = 0, .offset = offset}.minimize(
        L2{1e-3}, x, y, {.start_weights = plain.weights.reshaped()});
    CHECK_THAT(none.objective, WithinRel(plain.objective, 1e-6));
  }
}

TEST_CASE("SoftmaxNewton: numbers at the ends of their range", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 18);
  const auto y = classes_of(x, 3, 19);
  const double constant = SoftmaxNewton{.iterations = 0}.minimize(L2{1e-2}, x, y).objective;
  for (const double size : {0.0, 1e-149, 1e-30, 1e30, 1e149}) {
    INFO(size);
    const auto found = SoftmaxNewton{}.minimize(L2{1e-2}, Matrix<double>(size * x), y);
    CHECK(found.weights.allFinite());
    CHECK(found.offset.allFinite());
    if (found.status == Status::converged) CHECK(found.gap.value() <= 1e-6 * found.objective);
    CHECK(found.objective <= constant * (1 + 1e-12));
    if (size == 0) CHECK(found.status == Status::converged);
    if (size == 0) CHECK(found.weights.isZero(0));
  }
}

}  // namespace softmax_newton_test
