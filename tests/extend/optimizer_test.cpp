// SPDX-License-Identifier: MIT
/// \file An optimizer of a user, as in docs/extend.md.
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <utility>

#include "extend/works.hpp"

/// Gradient descent with momentum (Polyak, 1964) and the penalty's proximal step, without offset.
template <class L, class P, class Rows>
class HeavyBallMethod : public linea::solver::MethodBase {
 public:
  using Point = linea::Point<double>;

  HeavyBallMethod(const linea::Objective<L, P>& objective, linea::solver::TrainingSet<Rows> set,
                  const Point& start, double step, double momentum)
      : objective_(objective), set_(std::move(set)), step_(step), momentum_(momentum) {
    constant_ = linea::solver::constant_point(objective.loss, set_, false);
    point_ = start.weights.size() > 0 ? start : constant_;
    point_.objective = value_at(point_);
    velocity_ = 0 * point_.weights;
  }

  bool iterate(double) {
    const linea::Index n = set_.rows.rows();
    linea::Vector<double> scores(n), slopes(n);
    set_.rows.scores(0, n, point_.weights, scores.data());  // pᵢ = ⟨w, xᵢ⟩
    for (linea::Index i = 0; i < n; ++i)
      slopes[i] = (1 - momentum_) / double(n) * set_.weight(i) *
                  objective_.loss.derivative(scores[i], set_.y[i]);
    velocity_ *= momentum_;
    set_.rows.add_up(0, n, slopes.data(), velocity_);  // velocity + Σᵢ slopeᵢ·xᵢ
    point_.weights -= step_ * velocity_;
    for (double& w : point_.weights) w = objective_.penalty.proximal(w, step_);
    const double before = point_.objective;
    point_.objective = value_at(point_);
    fall_ = std::max(passes_ > 0 ? fall_ / 2 : 0, std::abs(before - point_.objective));
    passes_ += 3;
    return true;
  }
  double value() const { return point_.objective; }
  const Point& point() const { return point_; }
  const Point& constant() const { return constant_; }
  double value_at(const Point& at) const {
    return objective_.penalty.value(at.weights) +
           linea::solver::risk_of_rows(objective_.loss, set_.rows, set_.y, set_.weights, at.weights,
                                       at.offset);
  }
  linea::Index passes() const { return passes_; }
  /// Estimates how far F can still fall. There is no bound; without the estimate a run would take
  /// all epochs.
  double decrement() const { return 100 * fall_; }

 private:
  const linea::Objective<L, P>& objective_;
  linea::solver::TrainingSet<Rows> set_;
  double step_, momentum_, fall_{std::numeric_limits<double>::infinity()};
  Point constant_{}, point_{};
  linea::Vector<double> velocity_{};
  linea::Index passes_{0};
};

struct HeavyBall {
  double step{0.5};
  double momentum{0.8};
  double tolerance{1e-6};
  linea::Index epochs{500};

  template <linea::DifferentiableLoss L, linea::Penalty P, linea::Samples X, linea::VectorLike Y,
            linea::ExtrasFor<linea::scalar_t<X>> E = linea::Extras<linea::scalar_t<X>>>
  auto minimize(const linea::Objective<L, P>& objective, const X& x, const Y& y,
                const E& given = {}) const {
    constexpr std::string_view function = "HeavyBall::minimize";
    const auto& extras = linea::extras_of<linea::scalar_t<X>>(given);
    const linea::solver::Limits limits{tolerance, epochs};
    auto set = linea::solver::validate(function, objective, limits, x, y, extras);
    const auto start = linea::solver::start_of(function, extras, x.cols(), false);
    HeavyBallMethod method(objective, std::move(set), start, step, momentum);
    return linea::solver::solve("HeavyBall", method, limits, extras);
  }
};

TEST_CASE(
    "Your own optimizer: reaches Newton's minimum, weighted, on sparse rows, in cross-validation",
    "[extend]") {
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  linea::test::works(HeavyBall{}, objective);
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const linea::Vector<double> y = synthetic::signs(x, 2);
  CHECK_THAT(HeavyBall{}.minimize(objective, x, y).objective,
             WithinRel(linea::Newton{.offset = false}.minimize(objective, x, y).objective, 1e-3));
}
