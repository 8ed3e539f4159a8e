// SPDX-License-Identifier: MIT
/// \file An optimizer of one's own, as docs/extend.md has it.
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>

#include "extend/works.hpp"

/// Gradient descent with momentum (Polyak, 1964), and the penalty's proximal step.
struct HeavyBall {
  double step{0.5};
  double momentum{0.8};
  linea::Index epochs{200};

  template <linea::DifferentiableLoss L, linea::Penalty P, linea::Samples X, linea::VectorLike Y,
            linea::ExtrasFor<linea::scalar_t<X>> E = linea::Extras<linea::scalar_t<X>>>
  auto minimize(const linea::Objective<L, P>& objective, const X& x, const Y& y,
                const E& given = {}) const {
    using T = linea::scalar_t<X>;
    const auto& extras = linea::extras_of<T>(given);
    constexpr std::string_view function = "HeavyBall::minimize";
    linea::core::require_valid(function, objective);
    const auto set = linea::samples::admit(function, objective.loss, x, y, extras.sample_weights);
    linea::Vector<T> w = linea::samples::start_weights(function, extras, x.cols(), false);
    const linea::Index n = set.rows.rows();
    const T eta = static_cast<T>(step), share = static_cast<T>((1 - momentum) / double(n));
    linea::Vector<T> velocity = 0 * w, scores(n), slopes(n);
    for (linea::Index epoch = 0; epoch < epochs; ++epoch) {
      set.rows.scores(0, n, w, scores.data());  // pᵢ = ⟨w, xᵢ⟩
      for (linea::Index i = 0; i < n; ++i)
        slopes[i] = share * objective.loss.derivative(scores[i], set.y[i]) *
                    (set.weights.size() > 0 ? set.weights[i] : T(1));
      velocity *= static_cast<T>(momentum);
      set.rows.add_up(0, n, slopes.data(), velocity);  // velocity + Σᵢ slopeᵢ·xᵢ
      w -= eta * velocity;
      for (T& weight : w) weight = static_cast<T>(objective.penalty.proximal(weight, eta));
    }
    linea::Solution<T> solution;
    solution.weights = w;
    solution.epochs = epochs;
    solution.objective =
        objective.penalty.value(w) +
        linea::samples::risk_of_rows(objective.loss, set.rows, set.y, set.weights, w, T(0));
    solution.optimizer = "HeavyBall";
    linea::report_once(extras, solution);
    return solution;
  }
};

TEST_CASE("Your own optimizer: weighted, on sparse rows, with the λ that folds choose",
          "[extend]") {
  linea::test::works(HeavyBall{}, linea::Objective{linea::Log{}, linea::L2{0.1}});
}

TEST_CASE("Your own optimizer: reaches the minimum that Newton's method reaches", "[extend]") {
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const linea::Vector<double> y = synthetic::signs(x, 2);
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  const linea::Newton newton{.offset = false};
  CHECK_THAT(HeavyBall{}.minimize(objective, x, y).objective,
             WithinRel(newton.minimize(objective, x, y).objective, 1e-3));
}
