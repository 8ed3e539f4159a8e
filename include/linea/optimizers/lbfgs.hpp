// SPDX-License-Identifier: MIT
#pragma once
/// \file L-BFGS: directions from the last few changes of the gradient, one pass over the samples an
/// iteration.
#include <linea/core/slip.hpp>
#include <linea/core/workers.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/newton/lbfgs_method.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/all_rows.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Minimises F for any loss with a continuous derivative, with no penalty or a squared one.
///
/// The step 1 is tried first, with value and gradient in one pass; any other step of the line
/// search needs none, for scores move linearly, and one more pass for the gradient at its end. The
/// first guess of the inverse of ∇²F is the diagonal 1/(λ + c·mean x²ⱼ), so that the scale of the
/// features hardly matters. With offset, columns and targets far from 0 are read relative to an
/// origin: see samples::Frame. Liu and Nocedal, Mathematical Programming 45 (1989).
struct Lbfgs {
  static constexpr std::string_view name = "Lbfgs";

  bool offset{true};       ///< fit b, or leave it 0
  Index memory{10};        ///< changes of w and ∇F that are kept: 16·d bytes each
  double tolerance{1e-6};  ///< of the gap, or of what a step promises, relative to F
  Index iterations{1000};  ///< at most
  Index threads{1};        ///< the same bits with any number

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) a pass, of which `epochs` of the
  /// solution says how many were made. Sums are in double for float x too. `converged` is proven by
  /// the duality gap, which is known where λ > 0 and the loss has a conjugate; else the run ends as
  /// settled, once half of what a step promises, and what the last five have brought, is at most
  /// tolerance·F. Throws std::invalid_argument
  /// on input that is not well-formed.
  template <KinklessLoss L, SquaredPenalty P, AnySamples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return samples::together(
        x, extras_of<scalar_t<X>>(given), [&](const Extras<scalar_t<X>>& extras) {
          constexpr std::string_view function = "Lbfgs::minimize";
          require(memory >= 1, function, ": a memory of ", memory, " changes");
          require_threads(function, threads);
          auto set = solver::validate(function, objective, limits(), x, y, extras);
          const auto start = solver::start_of(function, extras, x.cols(), offset);
          return run(objective.loss, strong_convexity_of(objective.penalty), std::move(set), start,
                     extras);
        });
  }
  template <class F, class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  solver::Limits limits() const { return {tolerance, iterations}; }

  template <class T, class L, class Rows>
  Solution<T> run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                  const Point<double>& start, const Extras<T>& extras) const;
};

template <class T, class L, class Rows>
Solution<T> Lbfgs::run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                       const Point<double>& start, const Extras<T>& extras) const {
  newton::LbfgsMethod<L, Rows> method(loss, lambda, std::move(set), start, offset, threads, memory);
  return solver::solve(name, method, limits(), extras);
}

}  // namespace linea
