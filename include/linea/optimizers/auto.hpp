// SPDX-License-Identifier: MIT
#pragma once
/// \file The optimizer that suits the objective and the data, chosen and named.
#include <algorithm>  // max, min
#include <cmath>      // isfinite
#include <linea/core/auto_solution.hpp>
#include <linea/core/require.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual/suits.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/samples/hardness.hpp>
#include <linea/samples/start_extras.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Minimises any objective with a loss that has a derivative:
///
/// | objective                            | facts                        | optimizer            |
/// |--------------------------------------|------------------------------|----------------------|
/// | squared loss, L2                     | r = min(n, d) ≤ 2048         | Ridge                |
/// | hinge, absolute, …, L2, λ > 0        | d ≤ n/8, n·d² > 10⁶          | DualCoordinateAscent |
/// | squared hinge, L2, λ > 0             | d ≤ n/8                      | DualCoordinateAscent |
/// | BoxLoss, L2 with λ > 0               | m > 10, r²·max(n, d) ≤ 5·10⁸ | InteriorPoint        |
/// | BoxLoss, no penalty or λ = 0         | r²·max(n, d) ≤ 5·10⁸         | InteriorPoint        |
/// | BoxLoss with kinks, L1, elastic net  | d²·max(n, d) ≤ 5·10⁸         | InteriorPoint        |
/// | log and the like, L2, λ > 0          | d ≤ min(n/8, 256)            | Newton               |
/// | smooth loss with ℓ″, dual, L2, λ > 0 | m·sup ℓ″ ≤ 10                | DualCoordinateAscent |
/// | loss with ℓ″, no kinks, L2 or none   | else                         | Newton               |
/// | smooth loss, dual, another Ω with Ω* |                              | CoordinateDescent    |
/// | other losses with a dual, L2         | λ > 0                        | DualCoordinateAscent |
/// | all others                           |                              | Sgd                  |
///
/// A BoxLoss is made of lines and parabolas. m is mean ‖x‖²/(λn), times sup ℓ″ for a smooth loss:
/// dual ascent needs more epochs the larger that is, the others hardly more. Where d is small
/// Newton's few passes win whatever m is; multipliers to start from still go to the dual. Where 200
/// epochs of dual ascent do not converge on many samples of few columns (of a hinge with m > 10),
/// InteriorPoint starts anew, or Newton for the squared hinge.
/// Rows of weight 0 count only in r and max(n, d), since they take memory.
///
/// Without `uses_descent`, what only Sgd would take is refused: all answers then come from
/// optimizers that prove how near they are, and Sgd is not compiled. The refusal is a NoProof.
template <bool uses_descent = true>
struct BasicAuto {
  static constexpr std::string_view name = "Auto";

  /// How far F may be above its minimum, relative to F. Sgd cannot know that: for it this is the
  /// fall of F below which a run ends.
  double tolerance{1e-4};
  bool offset{true};      ///< fit b, or leave it 0
  std::uint64_t seed{0};  ///< for optimizers that visit samples in a drawn order
  Index threads{1};       ///< for Ridge, Newton and Sgd

  /// x (n × d), y (n). The gap is known, except from Ridge and Sgd, for penalties without strength,
  /// and for losses without a conjugate. The extras go to the optimizer that is chosen. Of a start,
  /// DualCoordinateAscent takes the multipliers, Ridge and InteriorPoint take nothing, and all
  /// others take the weights. A start of weights alone makes Newton's method be preferred to the
  /// dual; one of multipliers alone is refused where only weights are of use. Refuses wrong input.
  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  AutoSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const E& given = {}) const {
    return choose(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class L, class P, class X, class Y, class T = scalar_t<X>>
  AutoSolution<T> choose(const Objective<L, P>& objective, const X& x, const Y& y,
                         const Extras<T>& extras) const {
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    core::Message reason;
    if constexpr (std::same_as<L, Squared> && std::same_as<P, L2>)
      if (const Index rank = std::min(x.rows(), x.cols()); rank <= largest_closed_form) {
        samples::require_start(function, extras, y.size(), x.cols());
        reason << "a closed form, min(n, d) = " << rank;
        return answer(
            reason, Ridge{.offset = offset, .threads = threads}.minimize(objective, x, y, extras));
      }
    if constexpr (BoxLoss<L> && ElasticPenalty<P>)
      if (is_for_interior_point(reason, objective, x, extras)) {
        samples::require_start(function, extras, y.size(), x.cols());
        if constexpr (dual::BandLoss<L> && std::same_as<P, L2>)
          if (dual::suits_tail(objective.penalty.lambda, x, extras, least_quadratic))
            if (auto found = climb_first(reason, objective, x, y, extras)) return *std::move(found);
        const auto found = InteriorPoint{offset, tolerance}.minimize(objective, x, y, extras);
        return answer(reason, found, found.multipliers);
      }
    if constexpr (OpenBoxLoss<L> && ProximalLoss<L> && std::same_as<P, L2>)
      if ((extras.start_weights.size() == 0 || extras.start_multipliers.size() > 0) &&
          dual::suits_tail(objective.penalty.lambda, x, extras)) {
        samples::require_start_weights(function, extras, x.cols());
        reason << "a loss with a parabola and an L2 penalty";
        if (auto found = climb_first(reason, objective, x, y, extras)) return *std::move(found);
        return from_weights(reason, objective, x, y, extras);
      }
    if constexpr (ProximalLoss<L> && ConjugateLoss<L> && std::same_as<P, L2>)
      if (dual::suits(reason, objective.loss, objective.penalty.lambda, rows_of(x), extras)) {
        samples::require_start_weights(function, extras, x.cols());
        const auto found = climb(objective, x, y, extras, DualCoordinateAscent{}.epochs);
        return answer(reason, found, found.multipliers);
      }
    return from_weights(reason, objective, x, y, extras);
  }

  template <class L, class X, class Y, class T>
  DualSolution<T> climb(const Objective<L, L2>& objective, const X& x, const Y& y,
                        const Extras<T>& extras, Index epochs) const {
    return DualCoordinateAscent{epochs, tolerance, offset, seed}.minimize(
        objective, x, y, samples::without_start_weights(extras));
  }

  /// Tries a few epochs of dual ascent. Empty if they do not converge.
  template <class L, class X, class Y, class T>
  std::optional<AutoSolution<T>> climb_first(core::Message& reason,
                                             const Objective<L, L2>& objective, const X& x,
                                             const Y& y, const Extras<T>& extras) const {
    reason << ", n / d = " << samples::count_present(x.rows(), extras) / x.cols();
    const auto found = climb(objective, x, y, extras, bounded_epochs);
    if (found.status == Status::converged || found.status == Status::stopped)
      return answer(reason, found, found.multipliers);
    reason << ", more than dual ascent reaches in " << bounded_epochs << " epochs";
    return std::nullopt;
  }

  /// By an optimizer that starts from weights and has no multipliers.
  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> from_weights(core::Message& reason, const Objective<L, P>& objective, const X& x,
                               const Y& y, const Extras<T>& extras) const {
    const auto add = [&](std::string_view fact) {
      reason << (reason.str().empty() ? "" : ", ") << fact;
    };
    if constexpr (CurvedLoss<L> && KinklessLoss<L> && SquaredPenalty<P>) {
      add(strong_convexity_of(objective.penalty) > 0 ? "a smooth loss and a squared penalty"
                                                     : "a smooth loss and no penalty");
      const Newton newton{.offset = offset, .tolerance = tolerance, .threads = threads};
      return answer(reason,
                    newton.minimize(objective, x, y, samples::without_start_multipliers(extras)));
    } else if constexpr (SmoothLoss<L> && CurvedLoss<L> && ConjugateLoss<L> &&
                         ConjugatePenalty<P>) {
      add("a smooth loss and a penalty that is a sum over the weights");
      const CoordinateDescent descent{.offset = offset, .tolerance = tolerance};
      const auto start = samples::without_start_multipliers(extras);
      return answer(reason, descent.minimize(objective, x, y, start));
    } else {
      add(!CurvedLoss<L> || !KinklessLoss<L> ? "a loss without second derivative"
          : !SmoothLoss<L>                   ? "a loss without curvature bound"
                                             : "a loss or a penalty without conjugate");
      if (!SquaredPenalty<P>) add("a penalty that is not squared");
      if constexpr (!uses_descent)
        refuse<NoProof>("Auto::minimize: ", x.rows(), " x ", x.cols(), " samples and ",
                        reason.str(),
                        ": no optimizer proves a minimum of this; Sgd takes it, "
                        "recipe.with(Sgd{}) of a recipe");
      else
        return by_descent(reason, objective, x, y, extras);
    }
  }

  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> by_descent(const core::Message& reason, const Objective<L, P>& objective,
                             const X& x, const Y& y, const Extras<T>& extras) const {
    const Sgd sgd{.tolerance = tolerance, .offset = offset, .seed = seed, .threads = threads};
    auto found =
        answer(reason, sgd.minimize(objective, x, y, samples::without_start_multipliers(extras)));
    found.is_start = !(ProximalLoss<L> && ConjugateLoss<L> && std::same_as<P, L2>);
    return found;
  }

  static constexpr std::string_view function = "Auto::minimize";
  static constexpr Index largest_closed_form = 2048, bounded_epochs = 200;
  static constexpr double least_quadratic = 1e6, most_quadratic = 5e8;

  /// Is the interior point small enough, and neither dual ascent, CoordinateDescent nor Newton
  /// from a start to be preferred?
  template <class L, class P, class X, class T>
  static bool is_for_interior_point(core::Message& reason, const Objective<L, P>& objective,
                                    const X& x, const Extras<T>& extras) {
    constexpr bool is_curved = SmoothLoss<L> && CurvedLoss<L>;
    if constexpr (is_curved && ThresholdPenalty<P>) return false;
    const bool is_squared = strong_convexity_of(objective.penalty) > 0 && !ThresholdPenalty<P>;
    if (is_curved && extras.start_weights.size() > 0 && extras.start_multipliers.size() == 0)
      return false;
    const auto cols = static_cast<double>(x.cols());
    const auto rows = static_cast<double>(x.rows());
    const double rank = ThresholdPenalty<P> ? cols : std::min(rows, cols);
    if (rank * rank * std::max(rows, cols) > most_quadratic) return false;
    core::Message quotient;
    if constexpr (std::same_as<P, L2>)
      if (is_squared) {
        double least = samples::hardness(rows_of(x), extras, objective.penalty.lambda);
        if constexpr (is_curved) least *= objective.loss.curvature_bound();
        if (!(least > dual::most_hardness)) return false;
        quotient << ", " << (is_curved ? "sup l'' * " : "")
                 << "mean |x|^2 / (lambda * n) = " << least;
      }
    reason << "a loss of lines and parabolas" << quotient.str() << ", "
           << (ThresholdPenalty<P> ? "d" : "min(n, d)") << " = " << rank;
    return true;
  }

  template <class T>
  static AutoSolution<T> answer(const core::Message& reason, Solution<T> solution,
                                Vector<double> multipliers = {}) {
    return {std::move(solution), reason.str(), std::move(multipliers)};
  }
};

using Auto = BasicAuto<>;
using ProvenAuto = BasicAuto<false>;

}  // namespace linea
