// SPDX-License-Identifier: MIT
#pragma once
/// \file Selects one of several optimizers. auto.hpp lists all optimizers; a recipe lists one or
/// two.
#include <algorithm>  // max, min
#include <cmath>      // isfinite
#include <cstdint>
#include <linea/core/loss.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/training_set.hpp>
#include <string>
#include <string_view>
#include <type_traits>  // remove_cvref_t
#include <utility>      // move, pair

namespace linea {

/// Minimises any objective whose loss has a derivative. The types of loss, penalty and samples
/// determine the optimizer, or a few candidates; the program compiles only these.
///
/// | loss                                   | penalty              | optimizer            |
/// |----------------------------------------|----------------------|----------------------|
/// | squared                                | L2, none             | Ridge                |
/// | hinge, absolute, …, squared hinge      | L2, λ > 0            | DualCoordinateAscent |
/// | log and all with ℓ″ and without kinks  | L2, none             | Newton               |
/// | smooth, with a conjugate               | others with Ω*       | CoordinateDescent    |
/// | others with ℓ″ and without kinks       | PenaltyFactors of L2 | Newton               |
/// | piecewise linear or quadratic, BoxLoss | L1, ElasticNet, none | InteriorPoint        |
/// | all others                             |                      | Sgd                  |
///
/// For sparse samples, sizes decide too. Take a smooth loss with a conjugate and a proximal step,
/// and L2 with λ > 0. If mean ‖x‖²·sup ℓ″/(λn) ≤ 10 and d > min(n/8, 256), as for text, BasicAuto
/// selects DualCoordinateAscent, else Newton. Here n and the mean leave out rows of weight 0. If
/// the extras have start weights and no start dual variables, BasicAuto selects Newton. With start
/// dual variables, d does not matter. For Huber and smooth hinge loss with L2 and λ > 0, a run of
/// DualCoordinateAscent follows if Newton reaches its limit of iterations; an observer sees both
/// runs. Squared loss selects Ridge if min(n, d) ≤ 2048; otherwise it is one of the smooth losses.
/// An AnyLoss selects the optimizer of the loss that it holds, except that squared hinge loss in an
/// AnyLoss selects Newton if λ = 0.
///
/// `Among` has the optimizers as member types, named as in the table: see AllOptimizers. Without
/// Sgd, `minimize` throws NoProof for an objective that only Sgd could minimise.
template <class Among>
struct BasicAuto {
  static constexpr std::string_view name = "Auto";

  /// The largest F − F* of a converged run, relative to F. Sgd has no bound on F*: its run ends
  /// when ten epochs lower F by less than this, relative to F.
  double tolerance{1e-4};
  bool offset{true};      ///< fit b, or leave it 0
  std::uint64_t seed{0};  ///< for optimizers with a random order of samples
  Index threads{1};       ///< for Ridge, Newton and Sgd

  /// Minimises F over w and b for x (n × d), y (n). The gap is known from DualCoordinateAscent and
  /// InteriorPoint, from Newton under the conditions stated there, and from CoordinateDescent
  /// unless the penalty is 0 for some weight. Passes the extras to the selected optimizer.
  /// DualCoordinateAscent starts at the dual variables of the extras, Ridge and InteriorPoint
  /// ignore a start, and all other optimizers start at the weights of the extras. If an optimizer
  /// starts at weights, dual variables without weights are an error. Throws std::invalid_argument
  /// on invalid input. Throws NoProof, whose message names another optimizer, for λ = 0 with
  /// DualCoordinateAscent, for samples too large for InteriorPoint, and for an objective that needs
  /// Sgd if `Among` has no Sgd.
  template <DifferentiableLoss L, Penalty P, Samples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  AutoSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& targets,
                                     const E& given = {}) const {
    using T = scalar_t<X>;
    const auto& y = detail::vector_of(targets);
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    const Extras<T>& extras = extras_of<T>(given);
    detail::samples::require_start(function, extras, y.size(), x.cols());
    constexpr bool is_smooth = CurvedLoss<L> && KinklessLoss<L>;
    constexpr bool has_dual = ProximalLoss<L> && ConjugateLoss<L> && std::same_as<P, L2>;
    constexpr bool is_sparse = decltype(rows_of(x))::is_sparse;
    constexpr bool is_squared_or_none = std::same_as<P, L2> || std::same_as<P, NoPenalty>;
    if constexpr (ChosenLoss<L> && is_smooth && is_squared_or_none) {
      const Index rank = std::min(x.rows(), x.cols());
      if (objective.loss.template is<Squared>() && (!is_sparse || rank <= 2048))
        return by_ridge(Objective<Squared, P>{{}, objective.penalty}, x, y, extras, rank);
      if constexpr (has_dual)
        if (has_open_box(objective.loss) && objective.penalty.lambda > 0)
          return by_dual(objective, x, y, extras);
    }
    if constexpr (std::same_as<L, Squared> && is_squared_or_none) {
      if (const Index rank = std::min(x.rows(), x.cols()); !is_sparse || rank <= 2048)
        return by_ridge(objective, x, y, extras, rank);
      if constexpr (is_sparse) return by_newton_or_dual(objective, x, y, extras);
    } else if constexpr (has_dual && (!is_smooth || (OpenBoxLoss<L> && !ChosenLoss<L>))) {
      return by_dual(objective, x, y, extras);
    } else if constexpr (is_smooth && has_dual && is_sparse && SmoothLoss<L>) {
      return by_newton_or_dual(objective, x, y, extras);
    } else if constexpr (is_smooth && QuadraticPenalty<P> &&
                         (SquaredPenalty<P> || !is_for_columns<L, P>())) {
      return by_newton({}, objective, x, y, extras);
    } else if constexpr (is_for_columns<L, P>()) {
      const typename Among::CoordinateDescent descent{.tolerance = tolerance, .offset = offset};
      return answer(
          "a smooth loss and a penalty that is a sum over the weights",
          descent.minimize(objective, x, y, detail::samples::without_start_multipliers(extras)));
    } else if constexpr (is_for_interior_point<Objective<L, P>, X, Y>) {
      return by_interior_point(objective, x, y, extras);
    } else {
      return by_descent(objective, x, y, extras);
    }
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  static constexpr std::string_view function = "Auto::minimize";

  /// Does CoordinateDescent take the objective?
  template <class L, class P>
  static constexpr bool is_for_columns() {
    return SmoothLoss<L> && CurvedLoss<L> && ConjugateLoss<L> && ConjugatePenalty<P>;
  }
  /// Is InteriorPoint among the optimizers, and does it take the objective F, whose loss is a
  /// BoxLoss?
  template <class F, class X, class Y>
  static constexpr bool is_for_interior_point = requires(const F& objective) {
    requires BoxLoss<std::remove_cvref_t<decltype(objective.loss)>>;
    requires detail::Takes<typename Among::InteriorPoint, F, X, Y>;
  };

  template <class P, class X, class Y, class T>
  AutoSolution<T> by_ridge(const Objective<Squared, P>& objective, const X& x, const Y& y,
                           const Extras<T>& extras, Index rank) const {
    const std::string reason = detail::text_of({"a closed form, min(n, d) = ", rank});
    const typename Among::Ridge ridge{.offset = offset, .threads = threads};
    return answer(reason, ridge.minimize(objective, x, y, extras));
  }

  template <class L, class X, class Y, class T>
  AutoSolution<T> by_dual(const Objective<L, L2>& objective, const X& x, const Y& y,
                          const Extras<T>& extras, std::string reason = {}) const {
    if (objective.penalty.lambda == 0)
      refuse<NoProof>(function, ": lambda = 0, but the dual method needs lambda > 0: call ",
                      BoxLoss<L>       ? "InteriorPoint or, for a recipe, .with(InteriorPoint{})"
                      : OpenBoxLoss<L> ? "Newton or, for a recipe, .with(Newton{})"
                                       : "Sgd or, for a recipe, .with(Sgd{})");
    if constexpr (!requires { typename Among::Newton; })  // as for LinearSvm
      require(extras.start_weights.size() == 0 || extras.start_multipliers.size() > 0, function,
              ": the only optimizer of this recipe is DualCoordinateAscent, which cannot start at "
              "start_weights: pass start_multipliers, or call .with(Sgd{})");
    if (reason.empty())
      reason = OpenBoxLoss<L> ? "a loss with a parabola and an L2 penalty"
                              : "a loss with kinks and an L2 penalty";
    const typename Among::DualCoordinateAscent dual{
        .tolerance = tolerance, .offset = offset, .seed = seed};
    auto found = dual.minimize(objective, x, y, detail::samples::without_start_weights(extras));
    return answer(std::move(reason), found, std::move(found.multipliers));
  }

  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> by_newton(std::string reason, const Objective<L, P>& objective, const X& x,
                            const Y& y, const Extras<T>& extras) const {
    reason += squared_term_of(objective.penalty, x.cols()).lambda > 0
                  ? "a smooth loss and a squared penalty"
                  : "a smooth loss and no penalty";
    const typename Among::Newton newton{
        .tolerance = tolerance, .offset = offset, .threads = threads};
    auto found =
        newton.minimize(objective, x, y, detail::samples::without_start_multipliers(extras));
    if constexpr (BoxLoss<L> && ProximalLoss<L> && std::same_as<P, L2>)
      if (found.status == Status::epoch_limit && has_dual_boxes(objective.loss) &&
          objective.penalty.lambda > 0) {
        auto other =
            by_dual(objective, x, y, extras, reason + " whose minimum Newton did not reach");
        other.epochs += found.epochs;
        if (other.status <= Status::settled || other.objective < found.objective) return other;
      }
    return answer(std::move(reason), std::move(found));
  }

  /// Dual coordinate ascent is faster than Newton's method on text, but slower with few columns or
  /// a small λ. How small depends on d/n: with many columns, rows are nearly orthogonal, and dual
  /// variables nearly independent.
  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> by_newton_or_dual(const Objective<L, P>& objective, const X& x, const Y& y,
                                    const Extras<T>& extras) const {
    std::string reason;
    if constexpr (std::same_as<P, L2>)
      if (const double lambda = objective.penalty.lambda; lambda > 0) {
        const auto [present, norms] = present_rows(detail::rows::valid_rows(function, x), extras);
        const auto m = static_cast<double>(present);
        const double quotient = objective.loss.curvature_bound() * norms / m / (lambda * m);
        const bool has_start = extras.start_multipliers.size() > 0;
        const bool has_few_columns = x.cols() <= std::min<Index>(present / 8, 256) && !has_start;
        reason = detail::text_of({"sup l'' * mean |x|^2 / (lambda * n) = ", quotient});
        const double columns = static_cast<double>(x.cols()) / m;
        const double most = columns >= 1 ? std::min(30 * columns, 100.0) : 10;
        if (quotient <= most && !has_few_columns && (has_start || extras.start_weights.size() == 0))
          return by_dual(objective, x, y, extras, reason);
        if (has_few_columns) reason += detail::text_of({", few columns: d = ", x.cols()});
        reason += ", ";
      }
    return by_newton(reason, objective, x, y, extras);
  }

  /// Returns the number of rows of weight above 0, and the sum of their ‖x‖².
  template <class Rows, class T>
  static std::pair<Index, double> present_rows(const Rows& rows, const Extras<T>& extras) {
    const auto& weights = extras.sample_weights;
    std::pair<Index, double> found{0, 0.0};
    for (Index i = 0; i < rows.rows(); ++i)
      if (i >= weights.size() || weights[i] != T(0)) {
        ++found.first;
        found.second += static_cast<double>(rows.squared_norm(i));
      }
    return found;
  }

  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> by_interior_point(const Objective<L, P>& objective, const X& x, const Y& y,
                                    const Extras<T>& extras) const {
    bool has_l1 = false;
    if constexpr (ThresholdPenalty<P>) has_l1 = objective.penalty.threshold(1.0) > 0;
    const Index rank = has_l1 ? x.cols() : std::min(x.rows(), x.cols());
    const std::string reason = detail::text_of(
        {"a loss of lines and parabolas, ", has_l1 ? "d" : "min(n, d)", " = ", rank});
    const auto size = static_cast<double>(rank);
    constexpr double most = 1e11;  // limit of the operations in an iteration: a few seconds
    if (size * size * static_cast<double>(std::max(x.rows(), x.cols())) > most)
      refuse_size(x.rows(), x.cols(), reason);
    const typename Among::InteriorPoint interior{.tolerance = tolerance, .offset = offset};
    auto found = interior.minimize(objective, x, y, extras);
    return answer(reason, found, std::move(found.multipliers));
  }

  template <class L, class P, class X, class Y, class T>
  AutoSolution<T> by_descent(const Objective<L, P>& objective, const X& x, const Y& y,
                             const Extras<T>& extras) const {
    constexpr bool bends = CurvedLoss<L> && KinklessLoss<L>;
    constexpr bool is_bounded = SmoothLoss<L>;
    std::string reason = !bends        ? "a loss without second derivative"
                         : !is_bounded ? "a loss without curvature bound"
                                       : "a loss or a penalty without conjugate";
    if (!SquaredPenalty<P>) reason += ", a penalty that is not squared";
    if constexpr (requires { typename Among::Sgd; }) {
      const typename Among::Sgd sgd{
          .tolerance = tolerance, .offset = offset, .seed = seed, .threads = threads};
      return answer(
          std::move(reason),
          sgd.minimize(objective, x, y, detail::samples::without_start_multipliers(extras)));
    } else {
      refuse_size(x.rows(), x.cols(), reason);
    }
  }

  [[noreturn]] static void refuse_size(Index n, Index d, const std::string& reason) {
    refuse<NoProof>(function, ": ", n, " x ", d, " samples and ", reason,
                    ": no optimizer proves a minimum of this: call Sgd or, for a recipe, "
                    ".with(Sgd{})");
  }

  template <class T>
  static AutoSolution<T> answer(std::string reason, Solution<T> solution,
                                Vector<double> multipliers = {}) {
    return {std::move(solution), std::move(reason), std::move(multipliers)};
  }
};

/// The optimizers of Auto except Sgd, defined in auto.hpp.
struct ProvenOptimizers;

}  // namespace linea
