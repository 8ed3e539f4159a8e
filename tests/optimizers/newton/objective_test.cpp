// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/newton/risk_of_scores.hpp>
#include <linea/penalties/l2.hpp>
#include <type_traits>

#include "support/catch.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("SmoothObjective: value, gradient and curvature are those of the formula",
          "[optimizers]") {
  const auto x = synthetic::features(700, 7, 1, 0.6);
  Vector<double> s = Vector<double>::LinSpaced(700, 0, 3);
  for (const bool offset : {true, false})
    for (const bool weighted : {true, false})
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        using L = std::remove_cvref_t<decltype(loss)>;
        const Objective<L, L2> objective{loss, L2{0.1}};
        using Problem = newton::SmoothObjective<L, rows::DenseRows<double, true>>;
        const Extras<double> extras{.sample_weights = weighted ? s : Vector<double>{}};
        Problem problem(loss, 0.1, samples::admit("test", loss, x, y, extras.sample_weights),
                        offset, 1);
        const Vector<double> weights = weighted ? s : Vector<double>::Ones(700);
        Vector<double> theta = Vector<double>::LinSpaced(problem.size(), -0.3, 0.5);
        typename Problem::State at;
        at.slopes.resize(700);
        at.curvatures.resize(700);
        Vector<double> scores(700), gradient, image, products = Vector<double>::Zero(700);
        const double value = problem.evaluate_with_gradient(theta, scores, at, gradient);
        const double b = offset ? theta[7] : 0;
        INFO(name_of(loss) << " offset " << offset << " weighted " << weighted);
        CHECK_THAT(value, WithinRel(objective_value(objective, x, y, Vector<double>(theta.head(7)),
                                                    b, weighted ? s : Vector<double>{}),
                                    1e-13));
        CHECK((gradient - gradient_of(objective, x, y, weights, theta, offset)).norm() <
              1e-13 * (1 + gradient.norm()));

        const Vector<double> direction = Vector<double>::LinSpaced(problem.size(), 1, -0.7);
        const double h = 1e-6;
        const Vector<double> ahead =
            gradient_of(objective, x, y, weights, theta + h * direction, offset);
        const Vector<double> behind =
            gradient_of(objective, x, y, weights, theta - h * direction, offset);
        const typename Problem::Line line{scores, scores, theta.head(7).squaredNorm(),
                                          theta.head(7).squaredNorm(), theta.head(7).squaredNorm()};
        problem.template evaluate<true>(line, 0, at);
        problem.find_curvature(direction, at.curvatures, 700, products, image);
        // A joint of the loss between ahead and behind may cost one sample's share.
        CHECK((image - (ahead - behind) / (2 * h)).norm() < 1e-2 * image.norm());
        if (!std::is_same_v<L, SquaredHinge> && !std::is_same_v<L, SmoothHinge> &&
            !std::is_same_v<L, Huber>)
          CHECK((image - (ahead - behind) / (2 * h)).norm() < 1e-7 * image.norm());

        // Along θ·(1 + t), for which no pass is needed.
        const auto there = problem.template evaluate<true>(line, 0.5, at);
        const auto further = problem.template evaluate<true>(line, 0.5 + h, at);
        const auto nearer = problem.template evaluate<true>(line, 0.5 - h, at);
        CHECK_THAT(there.value,
                   WithinRel(objective_value(objective, x, y, Vector<double>(1.5 * theta.head(7)),
                                             1.5 * b, weighted ? s : Vector<double>{}),
                             1e-13));
        CHECK_THAT(there.slope, WithinAbs((further.value - nearer.value) / (2 * h), 1e-7));
      });
}

TEST_CASE("SmoothObjective: log loss at many scores keeps the digits of one by one",
          "[optimizers]") {
  for (const double scale : {1e-3, 1.0, 30.0, 800.0})
    for (const double sign : {1.0, -1.0})
      for (const bool weighted : {true, false}) {
        newton::ScoreBlock p(5), y(5), parts(5);
        p << 0.1, -0.7, 0.9, 0.35, 1;
        p *= scale;
        y = sign * p.sign();
        parts << 1, 2, 0, 0.5, 3;
        newton::LossBlock at;
        double expected = 0;
        for (Index k = 0; k < 5; ++k)
          expected += (weighted ? parts[k] : 1) * Log{}.value(p[k], y[k]);
        const double total = newton::total_loss<true>(Log{}, p, y, weighted ? &parts : nullptr, at);
        CHECK_THAT(total, WithinRel(expected, 1e-14));
        const newton::ScoreBlock share = (1 + y) / 2;
        newton::LossBlock other;
        CHECK_THAT(newton::total_loss<true>(SigmoidCrossEntropy{}, p, share,
                                            weighted ? &parts : nullptr, other),
                   WithinRel(expected, 1e-14));
        for (Index k = 0; k < 5; ++k) {
          CHECK_THAT(at.slopes[k], WithinRel(Log{}.derivative(p[k], y[k]), 1e-14) ||
                                       WithinAbs(Log{}.derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(at.curvatures[k], WithinRel(Log{}.second_derivative(p[k], y[k]), 1e-14) ||
                                           WithinAbs(Log{}.second_derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(other.slopes[k], WithinRel(at.slopes[k], 1e-14));
          CHECK(other.curvatures[k] == at.curvatures[k]);
        }
      }
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  newton::LossBlock at;
  const newton::ScoreBlock p = newton::ScoreBlock::Constant(3, nan_value);
  const newton::ScoreBlock y = newton::ScoreBlock::Ones(3);
  CHECK(std::isnan(newton::total_loss<true>(Log{}, p, y, nullptr, at)));
  CHECK(std::isnan(newton::total_loss<true>(SigmoidCrossEntropy{}, p, y, &y, at)));
}
