// SPDX-License-Identifier: MIT
#pragma once
/// \file The optimizer that suits the objective and the data, chosen and named.
#include <algorithm>  // max, min
#include <linea/core/solution.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>  // forward, move

namespace linea {

/// A solution, and who found it.
template <class T>
struct AutoSolution : Solution<T> {
  std::string_view optimizer{};  ///< its name: "Ridge", "Newton", …
  std::string reason{};          ///< the facts that decided, for people
  /// Do the weights serve as the start of a run for another λ? The dual starts from none, and closed forms from nothing.
  bool is_start{false};
};

/// Minimises any objective with a loss that has a derivative:
///
/// | objective                                     | facts                                        | optimizer            |
/// |-----------------------------------------------|----------------------------------------------|----------------------|
/// | squared loss, L2                              | r = min(n, d) ≤ 2048                         | Ridge                |
/// | hinge, L2 with λ > 0                          | mean ‖x‖²/(λn) > 10, r²·max(n, d) ≤ 5·10⁸    | SvmQuadraticProgram  |
/// | smooth loss with ℓ″, L2 with λ > 0 and a dual | sup ℓ″·mean ‖x‖²/(λn) ≤ 10                   | DualCoordinateAscent |
/// | smooth loss with ℓ″, L2 or none               | else                                         | Newton               |
/// | such a loss with a dual, other penalty with Ω*|                                              | CoordinateDescent    |
/// | other losses with a dual, L2                  | λ > 0                                        | DualCoordinateAscent |
/// | all others                                    |                                              | Sgd                  |
///
/// Dual coordinate ascent needs more epochs the larger that quotient is, Newton's method hardly more.
struct Auto {
  double tolerance{
      1e-4};  ///< of F above its minimum, relative to F; Sgd, which cannot know, takes it for a fall of F
  bool offset{true};
  std::uint64_t seed{0};
  Index threads{1};  ///< for Newton and Sgd

  /// x (n × d), y (n). The gap is known but for Ridge, Sgd, penalties without strength and losses without a conjugate.
  /// Of the extras Ridge takes the sample weights alone, for it is not observed and needs no start; so does
  /// SvmQuadraticProgram, which is passed over where there are others. Throws std::invalid_argument on input that is
  /// not well-formed.
  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y>
  AutoSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const Extras<scalar_t<X>>& extras = {}) const {
    constexpr bool is_ridge = std::same_as<L, Squared> && std::same_as<P, L2>;
    constexpr bool is_curved = SmoothLoss<L> && CurvedLoss<L> && smooth::SquaredPenalty<P>;
    constexpr bool is_svm = std::same_as<L, Hinge> && std::same_as<P, L2>;
    constexpr bool has_dual = ProximalLoss<L> && ConjugateLoss<L> && std::same_as<P, L2>;
    constexpr bool has_coordinates =
        SmoothLoss<L> && CurvedLoss<L> && ConjugateLoss<L> && ConjugatePenalty<P>;
    std::ostringstream reason;
    if constexpr (is_ridge)
      if (const Index rank = std::min(x.rows(), x.cols()); rank <= largest_closed_form) {
        reason << "a closed form, min(n, d) = " << rank;
        const Ridge ridge{.offset = offset};
        return answer("Ridge", reason, ridge.minimize(objective, x, y, extras.sample_weights));
      }
    if constexpr (has_dual) {
      bool climbs = objective.penalty.lambda > 0;
      if constexpr (is_curved) {
        const double quotient = objective.loss.curvature_bound() * hardness(objective, x);
        climbs = climbs && quotient <= most_hardness;
        reason << "sup l'' * mean |x|^2 / (lambda * n) = " << quotient;
      } else if (climbs) {
        reason << "a loss with kinks and an L2 penalty";
      }
      if constexpr (is_svm) {
        const auto rank = static_cast<double>(std::min(x.rows(), x.cols()));
        const auto longer = static_cast<double>(std::max(x.rows(), x.cols()));
        const bool is_plain = extras.start_weights.size() == 0 && extras.start_offset == 0 &&
                              extras.start_multipliers.size() == 0 && !extras.observer;
        if (climbs && is_plain && rank * rank * longer <= most_quadratic)
          if (const double quotient = hardness(objective, x); quotient > most_hardness) {
            reason << ", mean |x|^2 / (lambda * n) = " << quotient << ", min(n, d) = " << rank;
            const SvmQuadraticProgram program{.offset = offset, .tolerance = tolerance};
            return answer("SvmQuadraticProgram", reason,
                          program.minimize(objective, x, y, extras.sample_weights));
          }
      }
      if (climbs && extras.start_weights.size() == 0) {
        const DualCoordinateAscent ascent{.tolerance = tolerance, .offset = offset, .seed = seed};
        return answer("DualCoordinateAscent", reason, ascent.minimize(objective, x, y, extras));
      }
    }
    if constexpr (is_curved) {
      if (reason.str().empty()) reason << "a smooth objective";
      const Newton newton{.offset = offset, .tolerance = tolerance, .threads = threads};
      return answer("Newton", reason, newton.minimize(objective, x, y, extras), true);
    } else if constexpr (has_coordinates) {
      reason << "a smooth loss and a penalty with kinks";
      const CoordinateDescent descent{.offset = offset, .tolerance = tolerance};
      return answer("CoordinateDescent", reason, descent.minimize(objective, x, y, extras), true);
    } else {
      reason.str("no other takes this loss with this penalty");
      const Sgd sgd{.tolerance = tolerance, .offset = offset, .seed = seed, .threads = threads};
      return answer("Sgd", reason, sgd.minimize(objective, x, y, extras), true);
    }
  }

  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y, Observer F>
  AutoSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     F&& observer) const {
    return minimize(objective, x, y, observed_by<scalar_t<X>>(std::forward<F>(observer)));
  }

 private:
  static constexpr Index largest_closed_form = 2048;
  static constexpr double most_hardness = 10;
  static constexpr double most_quadratic = 5e8;

  /// Mean ‖x‖²/(λn).
  template <class L, class X>
  static double hardness(const Objective<L, L2>& objective, const X& x) {
    const auto rows = rows_of(x);
    double sum = 0;
    for (Index i = 0; i < rows.rows(); ++i) sum += static_cast<double>(rows.squared_norm(i));
    const auto n = static_cast<double>(rows.rows());
    return sum / n / (objective.penalty.lambda * n);
  }

  template <class T>
  static AutoSolution<T> answer(std::string_view optimizer, const std::ostringstream& reason,
                                Solution<T> solution, bool is_start = false) {
    return {std::move(solution), optimizer, reason.str(), is_start};
  }
};

}  // namespace linea
