// SPDX-License-Identifier: MIT
#pragma once
/// \file Dual coordinate ascent, which needs no step size and bounds the suboptimality by the
/// duality gap.
#include <cmath>  // isfinite
#include <cstdint>
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual/dual_method.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/present_columns.hpp>
#include <string_view>
#ifdef LINEA_COMPILED  // the declarations of compiled instances need the whole losses
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#endif

namespace linea {

/// A loss with a derivative, a conjugate and a proximal step.
template <class L>
concept DualLoss = ProximalLoss<L> && ConjugateLoss<L> && DifferentiableLoss<L>;

/// Minimises F = mean loss + λ/2·‖w‖², λ > 0, by maximising the dual objective exactly over one
/// dual variable after the other. Supports hinge, squared, log and all other losses with a proximal
/// step and a conjugate. The offset is exact and not penalised. Converges for any λ, n and scale of
/// the data. Convergence is fast if λn is large or the rows differ much.
///
/// If λn is small, epochs make little progress. For losses of lines and parabolas, such as hinge,
/// absolute, quantile, ε-insensitive, Huber, smooth and squared hinge loss, Newton's method may
/// then finish the run: see dual::BandNewton. Newton's method starts when it should cost less than
/// the remaining epochs. Its equations may have at most 4096 unknowns: one for each column or one
/// for each sample near a kink, whichever are fewer. Some of its steps count as an epoch: they end
/// with a pass over x, or when they have cost as much as eight passes. If Newton's method makes no
/// progress, coordinate ascent continues, and Newton's method runs again when there are four times
/// as many epochs.
///
/// Hsieh, Chang, Lin, Keerthi and Sundararajan, ICML 2008; Shalev-Shwartz and Zhang, Journal of
/// Machine Learning Research 14 (2013).
template <Order O = WorkingSets>
struct BasicDualCoordinateAscent {
  static constexpr std::string_view name = "DualCoordinateAscent";

  Index epochs{10000};  ///< limit of epochs, which visit the samples with active dual variables
  /// A run has converged when the gap is ≤ tolerance·|F|, or ≤ the rounding of F at the best
  /// constant.
  double tolerance{1e-4};
  bool offset{true};                ///< fit b, or leave it 0
  std::uint64_t seed{0};            ///< seed of the order; the same seed gives the same bits
  [[no_unique_address]] O order{};  ///< the order of visits in an epoch

  /// Minimises F over w and b for x (n × d), y (n). Computes in double; for float x it rounds the
  /// weights at the end. The gap is that of the rounded weights; if this gap exceeds the tolerance,
  /// the status is precision_limit. If weights overflow as floats, the solution is the best
  /// constant and the status is diverged. The run starts at α = 0, or at `start_multipliers` of the
  /// extras, for which every ℓ*(−αᵢ, yᵢ) must be finite.
  ///
  /// Memory beside x: about 90 bytes for each sample and 60 for each column. Newton's method needs
  /// about 150 bytes more for each sample, up to 200 MB for its equations, and if x is column-major
  /// a copy of the samples near the kinks. Sparse x with fewer than two entries for each column is
  /// copied; columns without entries then cost only their weight. Throws std::invalid_argument on
  /// invalid input, when λ is 0, and when the extras have start weights or a start offset.
  template <DualLoss L, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  DualSolution<scalar_t<X>> minimize(const Objective<L, L2>& objective, const X& x, const Y& y,
                                     const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    constexpr std::string_view function = "DualCoordinateAscent::minimize";
    auto set = solver::validate(function, objective, {tolerance, epochs}, x, y, extras);
    require(objective.penalty.lambda > 0, function, ": lambda = ", objective.penalty.lambda,
            ", but the dual method needs lambda > 0: pass L2{lambda} with lambda > 0, "
            "or NoPenalty{} to Auto");
    require(extras.start_weights.size() == 0 && extras.start_offset == 0, function,
            ": start it at start_multipliers, not at weights");
    const Vector<double> start = start_of(function, objective.loss, set.y, extras);
    detail::samples::keep_present_columns(set);
    const detail::samples::Frame<> frame(objective.loss, set, offset);
    detail::dual::AscentOf<L, decltype(set.rows), O> ascent(
        objective.loss, set, objective.penalty.lambda, offset, {.order = order, .seed = seed});
    return run(ascent, start, frame, extras);
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  template <class T>
  DualSolution<T> run(detail::dual::Ascent& ascent, const Vector<double>& start,
                      const detail::samples::Frame<>& frame, const Extras<T>& extras) const;

  /// Returns the dual variables of the start (n), which are 0 unless given. Throws
  /// std::invalid_argument if their number is not n, or if some ℓ*(−αᵢ, yᵢ) is infinite.
  template <class T, class L>
  static Vector<double> start_of(std::string_view function, const L& loss, const Vector<double>& y,
                                 const Extras<T>& extras) {
    Vector<double> start = extras.start_multipliers;
    if (start.size() == 0) start.setZero(y.size());
    require(start.size() == y.size(), function, ": ", start.size(), " start multipliers but y has ",
            y.size());
    for (Index i = 0; i < start.size(); ++i)
      require(std::isfinite(loss.conjugate(-start[i], y[i])), function, ": start multiplier ", i,
              " is ", start[i], ", out of the domain of ", name_of(loss));
    return start;
  }
};

// Not inline, because `extern template` has no effect on inline functions: see rows/compiled.hpp.
template <Order O>
template <class T>
DualSolution<T> BasicDualCoordinateAscent<O>::run(detail::dual::Ascent& ascent,
                                                  const Vector<double>& start,
                                                  const detail::samples::Frame<>& frame,
                                                  const Extras<T>& extras) const {
  ascent.start(start);
  detail::dual::DualMethod method(ascent, frame, tolerance);
  DualSolution<T> solution;
  static_cast<Solution<T>&>(solution) = solver::solve(name, method, {tolerance, epochs}, extras);
  solution.dual = method.bound_here();
  solution.multipliers = std::move(method.multipliers());
  solution.updates = method.updates();
  return solution;
}

using DualCoordinateAscent = BasicDualCoordinateAscent<>;

#define LINEA_DUAL_ASCENT_OF(how, L, T, R) \
  how Index detail::dual::AscentOf<L, R, WorkingSets>::visit();
#define LINEA_DUAL_RUN_OF(how, T)                                                                  \
  how DualSolution<T> DualCoordinateAscent::run(detail::dual::Ascent&, const Vector<double>&,      \
                                                const detail::samples::Frame<>&, const Extras<T>&) \
      const;
#define LINEA_BAND_NEWTON_OF(how)                                      \
  how std::unique_ptr<detail::dual::Finish> detail::dual::band_newton( \
      const DualProblem&, const Vector<double>&, const Point<double>&, double);
#define LINEA_COMPILED_DUAL_ASCENT(how)               \
  LINEA_EACH_ROWS(LINEA_DUAL_ASCENT_OF, how, Hinge)   \
  LINEA_EACH_ROWS(LINEA_DUAL_ASCENT_OF, how, Log)     \
  LINEA_EACH_ROWS(LINEA_DUAL_ASCENT_OF, how, Squared) \
  LINEA_DUAL_RUN_OF(how, double) LINEA_DUAL_RUN_OF(how, float) LINEA_BAND_NEWTON_OF(how)
#ifdef LINEA_COMPILED
LINEA_COMPILED_DUAL_ASCENT(extern template)
#endif

}  // namespace linea
