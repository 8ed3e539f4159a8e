// SPDX-License-Identifier: MIT
#pragma once
/// \file L-BFGS: quasi-Newton directions from the last changes of w and ∇F. An iteration makes
/// about one pass over the samples.
#include <linea/core/wrong_call.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton/lbfgs_method.hpp>
#include <linea/optimizers/newton/minimize_smooth.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <string_view>

namespace linea {

/// Minimises F for any loss with a continuous derivative, with no penalty or a squared one, which
/// may be a PenaltyFactors.
///
/// An iteration first tries the step 1, with value and gradient in one pass. Scores are linear
/// along the direction, so all other steps of the line search together need at most two passes: one
/// for the gradient at the end, and one for the changes of the scores if the difference of two
/// scores would lose digits. The initial inverse Hessian is the diagonal 1/(λ + c·mean x²ⱼ) times a
/// factor from the last step, so that the scale of the features hardly matters. Here c is the mean
/// of ℓ″ at the start, or 1 if ℓ″ is unknown or 0. With an offset, the run centres columns and
/// targets far from 0: see samples::Frame. Liu and Nocedal, Mathematical Programming 45 (1989).
struct Lbfgs {
  static constexpr std::string_view name = "Lbfgs";

  Index iterations{1000};  ///< limit of iterations
  double tolerance{1e-6};  ///< bound on the gap or on half of the predicted decrease, relative to F
  bool offset{true};       ///< fit b, or leave it 0
  /// Number of stored steps. A stored step is a change of w and of ∇F, and takes 16·d bytes.
  Index memory{10};
  Index threads{1};  ///< any number gives the same bits

  /// Minimises F over w and b for x (n × d), y (n). A pass costs O(non-zeros); `epochs` of the
  /// solution is the number of passes. Sums are in double for float x too. The duality gap proves
  /// `converged`. The gap is known if λ > 0, no factor is 0, and one of these holds: the loss has a
  /// conjugate, or the loss is convex and `offset` is false. Otherwise the run ends as settled once
  /// half of the predicted decrease, and the decrease over the last five steps, are at most
  /// tolerance·|F|. Throws std::invalid_argument on invalid input.
  template <KinklessLoss L, QuadraticPenalty P, AnySamples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    require(memory >= 1, "Lbfgs::minimize: a memory of ", memory, " changes");
    return detail::newton::minimize_smooth<detail::newton::LbfgsMethod>(
        "Lbfgs::minimize", name, {tolerance, iterations}, offset, threads, objective, x, y,
        extras_of<scalar_t<X>>(given), memory);
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;
};

#define LINEA_COMPILED_LBFGS(how) \
  LINEA_COMPILED_RUN(how, detail::newton::LbfgsMethod, LINEA_SMOOTH_ARGUMENTS, const Index&)
#ifdef LINEA_COMPILED
LINEA_COMPILED_LBFGS(extern template)
#endif

}  // namespace linea
