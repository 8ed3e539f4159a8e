// SPDX-License-Identifier: MIT
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace adaptive_sgd_test {

using namespace linea;
using V = Vector<double>;

namespace {

/// The steps of AdaptiveSgd as its documentation states them, without a penalty, for the squared
/// loss ½(y − p)²: an implicit step of length r ends at the slope slope/(1 + r).
struct Plain {
  V w, s, squares;
  double b{0}, squares_of_offset{0}, n{0}, scaled{0}, residuals{0}, rate;

  Plain(Index d, double of) : w(V::Zero(d)), s(V::Zero(d)), squares(V::Zero(d)), rate(of) {}

  void update(const V& x, double y, double weight) {
    for (Index j = 0; j < x.size(); ++j)
      if (const double size = std::abs(x[j]); size > s[j]) {
        w[j] *= s[j] > 0 ? s[j] / size : 1;
        squares[j] *= std::pow(s[j] / size, 2);
        s[j] = size;
      }
    const V z = (s.array() > 0).select(x.array() / s.array(), 0.0);
    n += 1;
    scaled += 1 + z.squaredNorm();
    const double slope = w.dot(x) + b - y;
    squares.array() += weight * slope * slope * z.array().square();
    squares_of_offset += weight * slope * slope;
    const V steps = (squares.array() > 0).select(squares.array().rsqrt(), 0.0);
    residuals += slope * slope;
    const double factor = rate * std::sqrt(n / scaled) * std::sqrt(residuals / n);
    const double reach =
        factor * ((z.array().square() * steps.array()).sum() + 1 / std::sqrt(squares_of_offset));
    const double implicit = weight * slope / (1 + weight * reach);
    for (Index j = 0; j < x.size(); ++j)
      if (s[j] > 0) w[j] -= implicit * factor * z[j] * steps[j] / s[j];
    b -= implicit * factor / std::sqrt(squares_of_offset);
  }
};

/// Returns samples whose columns have scales 10⁻³ to 10³, with some zeros.
Matrix<double> scaled_features(Index n, Index d, std::uint64_t seed) {
  Matrix<double> x = synthetic::features<double>(n, d, seed, 0.5);
  for (Index j = 0; j < d; ++j) x.col(j) *= std::pow(10, static_cast<double>(j % 7) - 3);
  return x;
}

const Objective squared{Squared{}, NoPenalty{}};

}  // namespace

TEST_CASE("AdaptiveSgd: makes the documented steps", "[optimizers]") {
  const double rate = GENERATE(0.5, 1.5);
  const auto x = scaled_features(200, 7, 3);
  const V y = x.col(1) + x.col(4) + V::LinSpaced(200, -1, 3);
  auto learner = AdaptiveSgd{.rate = rate}.start<double>(squared, 7);
  Plain plain(7, rate);
  for (Index i = 0; i < 200; ++i) {
    const double weight = i % 5 == 0 ? 20.0 : 0.5 + static_cast<double>(i % 3);
    learner.update(x.row(i), y[i], weight);
    plain.update(x.row(i).transpose(), y[i], weight);
    const auto found = learner.solution();
    // AdaptiveSgd finds the part of an explicit step to a millionth.
    REQUIRE((found.weights - plain.w).norm() <= 1e-6 * plain.w.norm());
    REQUIRE(std::abs(found.offset - plain.b) <= 1e-6 * (1 + std::abs(plain.b)));
  }
}

TEMPLATE_TEST_CASE("AdaptiveSgd: the units of columns do not matter, to the bit", "[optimizers]",
                   Hinge, Log, SquaredHinge) {
  const auto x = scaled_features(100, 6, 4);
  const auto y = synthetic::signs(x, 5);
  V units(6);
  for (Index j = 0; j < 6; ++j) units[j] = std::ldexp(1.0, static_cast<int>(j * 37 % 80) - 40);
  const Matrix<double> other = x * units.asDiagonal();
  const Objective objective{TestType{}, NoPenalty{}};
  auto one = AdaptiveSgd{}.start<double>(objective, 6), two = one;
  one.epoch(x, y);
  two.epoch(other, y);
  CHECK(one.solution().weights.norm() > 0);
  CHECK(same_bits(one.solution().weights, V(two.solution().weights.cwiseProduct(units))));
}

TEMPLATE_TEST_CASE("AdaptiveSgd: epochs of blocks equal updates, and scores learn nothing",
                   "[optimizers]", double, float) {
  using T = TestType;
  const Matrix<T> x = scaled_features(120, 8, 6).cast<T>();
  const Vector<T> y = synthetic::signs(scaled_features(120, 8, 6), 7).template cast<T>();
  const auto sparse = synthetic::sparse(x);
  const Objective objective{Log{}, ElasticNet{1e-3, 1e-3}};
  auto single = AdaptiveSgd{}.start<T>(objective, 8), by_block = single, of_sparse = single;
  Vector<T> weights = Vector<T>::Ones(120);
  for (Index i = 0; i < 120; i += 4) weights[i] = 30;
  for (Index i = 0; i < 120; ++i) {
    CHECK(std::isfinite(by_block.score((T(1e6) * x.row(i)).eval())));
    single.update(x.row(i), y[i], weights[i]);
    of_sparse.update(sparse.row(i), y[i], weights[i]);
    if (i % 8 == 7)
      by_block.epoch(x.middleRows(i - 7, 8), y.segment(i - 7, 8).eval(),
                     weights.segment(i - 7, 8).eval());
  }
  CHECK(same_bits(single.solution().weights, by_block.solution().weights));
  CHECK(same_bits(single.solution().weights, of_sparse.solution().weights));
  CHECK(single.solution().offset == by_block.solution().offset);
}

TEST_CASE("AdaptiveSgd: an L1 penalty makes exact zeros, also of columns that do not occur again",
          "[optimizers]") {
  const Objective objective{Log{}, L1{0.02}};
  auto learner = AdaptiveSgd{}.start<double>(objective, 12);
  const auto x = synthetic::features<double>(4000, 10, 8);
  const V y = (x.col(0) - x.col(1)).array().sign();
  V sample = V::Zero(12);
  sample[11] = 1;
  learner.update(sample, 1);
  CHECK(learner.solution().weights[11] > 0);
  for (Index i = 0; i < x.rows(); ++i) {
    sample << x.row(i).transpose(), 0, 0;
    learner.update(sample, y[i]);
  }
  const V w = learner.solution().weights;
  CHECK(w[0] > 0.5);
  CHECK(w[1] < -0.5);
  CHECK(w[11] == 0);
  CHECK((w.segment(2, 8).array() == 0).count() >= 6);
}

TEST_CASE("AdaptiveSgd: comes below the minimum with a penalty, for columns of any scale",
          "[optimizers]") {
  const auto& [x, numbers] = shipped::breast_cancer();
  const Matrix<double> far = x * V::LinSpaced(x.cols(), -3, 3).array().exp().matrix().asDiagonal();
  const V y = numbers;
  const double minimum = Newton{}.minimize(Objective{Log{}, L2{1e-3}}, x, y).objective;
  const auto risk_after = [&](auto learner, const Matrix<double>& samples) {
    for (int epoch = 0; epoch < 10; ++epoch) learner.epoch(samples, y);
    const auto found = learner.solution();
    return empirical_risk(Log{}, V((samples * found.weights).array() + found.offset), y);
  };
  const Objective plain{Log{}, NoPenalty{}};
  CHECK(risk_after(AdaptiveSgd{}.start<double>(plain, x.cols()), x) < minimum);
  CHECK_THAT(risk_after(AdaptiveSgd{}.start<double>(plain, x.cols()), far),
             WithinRel(risk_after(AdaptiveSgd{}.start<double>(plain, x.cols()), x), 1e-9));
}

TEST_CASE("AdaptiveSgd: the unit of targets does not matter, and one far target little",
          "[optimizers]") {
  const auto x = scaled_features(2000, 3, 12);
  const V y = x.col(1) / x.col(1).cwiseAbs().maxCoeff() + V::Constant(2000, 5);
  const auto learned = [&](const auto& loss, double unit, double far) {
    auto learner = AdaptiveSgd{}.start<double>(Objective{loss, NoPenalty{}}, 3);
    learner.update(x.row(0), unit * far);
    for (int k = 0; k < 5; ++k) learner.epoch(x, V(unit * y));
    const auto found = learner.solution();
    return V((x * found.weights).array() + found.offset);
  };
  const auto error = [&](const V& scores) { return (scores - y).norm() / std::sqrt(2000); };
  CHECK(same_bits(V(1024 * learned(Squared{}, 1, 5)), learned(Squared{}, 1024, 5)));
  CHECK(error(learned(Squared{}, 1, 5)) < 0.05);
  CHECK(error(learned(Squared{}, 1, 1e6)) < 0.5);
  CHECK(error(V(learned(Absolute{}, 1e6, 5) / 1e6)) < 0.1);
}

TEST_CASE(
    "AdaptiveSgd: tiny entries count as 0, batches make a step on each sample, and a slope "
    "that overflows none",
    "[optimizers]") {
  const auto x = scaled_features(60, 4, 13);
  const auto y = synthetic::signs(x, 14);
  const Objective objective{Log{}, L1{1e-3}};
  auto batch = AdaptiveSgd{}.start<double>(objective, 4), epoch = batch, tiny = batch;
  batch.update_batch(x, y);
  epoch.epoch(x, y);
  CHECK(same_bits(batch.solution().weights, epoch.solution().weights));
  tiny.update(V{{1e-310, 1, 0, 1e-200}}, 1);
  CHECK(tiny.is_finite());
  CHECK(tiny.solution().weights[0] == 0);
  CHECK(tiny.solution().weights[1] > 0);

  const Objective counts{Composed<Poisson, Exponential>{}, L2{1e-4}};
  auto learner = AdaptiveSgd{}.start<double>(counts, 1, Extras<double>{.start_weights = V{{1}}});
  learner.update(V{{1000}}, 1);
  CHECK(learner.solution().weights[0] == 1);
  for (int k = 0; k < 100; ++k) learner.update(V{{0.5}}, 1);
  CHECK(learner.solution().weights[0] < 1);

  const PenaltyFactors<L2> held{.penalty = {0.1}, .offset_column = 1};
  CHECK(AdaptiveSgd{}.start<double>(Objective{Log{}, held}, 2).score(V{{0, 5}}) == 5);
}

TEST_CASE("AdaptiveSgd: starts at weights, visits in other orders, and refuses invalid options",
          "[optimizers]") {
  const auto x = scaled_features(50, 3, 9);
  const auto y = synthetic::signs(x, 10);
  const Objective objective{Log{}, L2{0.01}};
  const Extras<double> start{.start_weights = V{{1, 2, 3}}, .start_offset = -1};
  auto learner = AdaptiveSgd{}.start<double>(objective, 3, start);
  CHECK(learner.solution().weights == V{{1, 2, 3}});
  CHECK(learner.solution().offset == -1);
  CHECK(learner.score(V{{1, 1, 1}}) == 5);
  learner.update(x.row(0), y[0]);
  CHECK(learner.solution().weights != V{{1, 2, 3}});

  auto without = AdaptiveSgd{.offset = false}.start<double>(objective, 3);
  without.epoch(x, y);
  CHECK(without.solution().offset == 0);
  const BasicAdaptiveSgd<Shuffled> shuffled{.seed = 3};
  auto one = shuffled.start<double>(objective, 3), two = one;
  one.epoch(x, y);
  two.epoch(x, y);
  CHECK(same_bits(one.solution().weights, two.solution().weights));
  CHECK(one.solution().weights != without.solution().weights);

  CHECK_THROWS_WITH(AdaptiveSgd{.rate = 0}.start<double>(objective, 3),
                    "AdaptiveSgd::start: rate = 0 is not > 0");
  CHECK_THROWS_WITH(AdaptiveSgd{}.start<double>(objective, 0), "AdaptiveSgd::start: 0 features");
}

}  // namespace adaptive_sgd_test
