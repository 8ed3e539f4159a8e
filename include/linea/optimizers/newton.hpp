// SPDX-License-Identifier: MIT
#pragma once
/// \file The truncated Newton method: a few iterations of conjugate gradients on ∇²F give the
/// direction.
#include <linea/core/wrong_call.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton/minimize_smooth.hpp>
#include <linea/optimizers/newton/newton_method.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <string_view>

namespace linea {

/// Minimises F for a loss with a second derivative, with no penalty or a squared one, which may be
/// a PenaltyFactors. Needs few passes for any scale of the features.
///
/// Each iteration solves ∇²F·s = −∇F by conjugate gradients and searches the line along s. The
/// residual is at most a tenth of ∇F, and less near the minimum if there is no gap. The
/// preconditioner is the estimate λ + c·mean x²ⱼ of the diagonal of ∇²F, where c is the mean of ℓ″.
/// Products with ∇²F yield the scores of s, so that the line search costs no pass. A step that is
/// too long is shortened, not discarded, and limits the length of the next s. The offset is an
/// unknown of the same system, without a penalty.
///
/// If x has at least 8192 rows and is stored row by row, the first iterations estimate ∇²F from one
/// sample in eight; ∇F is exact. Later iterations use more samples once the curvature along s is
/// more than 1.5 times the estimate, or an iteration reduces ‖∇F‖ by less than a fifth.
///
/// A run reuses factorisations of ∇²F if all of these hold: d is at most n/8 and at most 400,
/// factorisations are cheap, a gap is available, the rows are not divided among processes, and the
/// loss is convex, has no kinks and is no BoxLoss. Without a start, such a run first goes close to
/// the minimum over a quarter of the rows: see newton::FactoredDirection.
///
/// If the loss has linear pieces, few samples may have curvature: then a run may need many
/// iterations, and DualCoordinateAscent or InteriorPoint far fewer. After a step that was far too
/// short or too long, the next iterations replace ℓ″ by its mean over an interval around each
/// score, about as wide as the change of the scores in a step. With an offset, the run centres
/// columns and targets far from 0: see samples::Frame.
///
/// Lin, Weng and Keerthi, JMLR 9 (2008); Hsia, Chiang and Lin, ACML 2018, for the preconditioner;
/// Galli and Lin, IEEE TNNLS 33 (2022), for the line search; Byrd, Chin, Neveitt and Nocedal, SIAM
/// J. Optim. 21 (2011), for ∇²F of a part of the samples.
struct Newton {
  static constexpr std::string_view name = "Newton";

  Index iterations{100};   ///< limit of iterations
  double tolerance{1e-6};  ///< bound on the gap, or half the squared Newton decrement, over |F|
  bool offset{true};       ///< fit b, or leave it 0
  Index threads{1};        ///< any number gives the same bits

  /// Minimises F over w and b for x (n × d), y (n). A pass costs O(non-zeros); `epochs` of the
  /// solution is the number of rows read, divided by n. Memory beside x: about 60 bytes for each
  /// sample and 100 for each column; with few columns also 8·d² bytes. Sparse x with fewer than two
  /// entries for each column is copied; columns without entries then cost only their weight. Sums
  /// are in double for float x too.
  ///
  /// The duality gap proves `converged`. The gap is known if λ > 0, no factor is 0, and one of
  /// these holds: the loss has a conjugate, or the loss is convex and `offset` is false. Otherwise
  /// the run ends as settled once half of the squared Newton decrement is at most tolerance·|F|.
  /// With λ = 0 and separable samples, F may have no minimum, only an infimum: the run then ends
  /// with epoch_limit or precision_limit. Throws std::invalid_argument on invalid input.
  template <CurvedLoss L, QuadraticPenalty P, AnySamples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return detail::newton::minimize_smooth<detail::newton::NewtonMethod>(
        "Newton::minimize", name, {tolerance, iterations}, offset, threads, objective, x, y,
        extras_of<scalar_t<X>>(given));
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;
};

#define LINEA_COMPILED_NEWTON(how) \
  LINEA_COMPILED_RUN(how, detail::newton::NewtonMethod, LINEA_SMOOTH_ARGUMENTS)
#ifdef LINEA_COMPILED
LINEA_COMPILED_NEWTON(extern template)
#endif

}  // namespace linea
