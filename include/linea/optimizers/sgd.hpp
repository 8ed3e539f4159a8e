// SPDX-License-Identifier: MIT
#pragma once
/// \file Stochastic (sub)gradient descent on any differentiable loss with any penalty.
#include <linea/core/wrong_call.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// The data members are options; `minimize` is const and thread-safe.
///
/// The default step size, AutomaticStep, adapts to the data, so that a first run needs no tuning.
/// Without a start the run begins at w = 0, or at the nearest weights of finite penalty, and, if
/// the step is automatic, at the best constant offset. Standardise features of very different
/// scale, because such features slow convergence. A diverging run goes back to its best weights and
/// continues with smaller steps, at most `retries` times.
///
/// Order and batch give the textbook methods. With batch 1, a random order is stochastic gradient
/// descent, and Cyclic is incremental gradient descent. Larger batches are mini-batch gradient
/// descent, and all_samples is batch gradient descent. A run ends after `epochs` or `max_updates`,
/// when the objective or the weights hardly change any more, at the target objective, or when an
/// observer stops the run, whichever comes first.
template <StepSize S = AutomaticStep, Order O = WorkingSets>
struct BasicSgd {
  static constexpr std::string_view name = "Sgd", minimizes = "Sgd::minimize";
  static constexpr bool chooses_offset = true;

  Index epochs{100};            ///< limit of passes over the samples
  Index max_updates{no_limit};  ///< limit of steps; the run may end within an epoch
  double tolerance{1e-4};  ///< stop when 10 epochs lower F by less than tolerance·|F|; 0: never
  /// Stop when an epoch changes (w, b) by at most this fraction of ‖(w, b)‖; 0: never.
  double change_tolerance{0};
  double target_objective{no_target};  ///< stop when F is at most this
  bool offset{true};                   ///< fit b, or leave it 0
  S step{};  ///< the step size: a callable that takes the number t ≥ 1 of a step and returns η > 0
  /// Order of visits in an epoch. Shuffled visits all rows in random order. WorkingSets is faster:
  /// it fills the cache with random chunks of adjacent rows, visits these rows in random order, and
  /// takes the next chunks. Cyclic visits row after row. WithReplacement draws each row at random.
  O order{};
  Index batch{1};                  ///< number of samples in a step; their gradients are averaged
  double batch_growth{1};          ///< factor ≥ 1 by which the batch grows every epoch
  Iterate iterate{Iterate::best};  ///< which weights to return: best, last or average
  /// For Iterate::average: first epoch that the average includes, counted from 1. A run that ends
  /// before this epoch returns the last iterate.
  Index average_from{2};
  /// In the average, the iterate of step t has the factor t^average_power.
  double average_power{1};
  /// How often a diverging run may go back to its best weights and continue with smaller steps; 0:
  /// never.
  Index retries{10};
  std::uint64_t seed{0};  ///< seed of the order; the same seed gives the same bits
  /// Each thread visits its share of an epoch. At its end, and with large data up to about 16 times
  /// before it, all threads average their weights. The same seed and number of threads give the
  /// same bits. Each thread makes 1/threads of the steps, so more epochs may be needed. For targets
  /// y (n × k) the threads divide the columns of y instead, which gives the same bits for any
  /// number of threads.
  Index threads{1};

  /// Minimises F over w and b for x (n × d), y (n). An epoch costs O(non-zeros). After some epochs,
  /// such as every tenth, the evaluation of F costs about as much as an epoch. Throws
  /// std::invalid_argument on invalid input.
  ///
  /// For y (n × k) the solution has weights (d × k), offset (k), and F summed over the columns.
  template <DifferentiableLoss L, Penalty P, Samples X, AnyTargets Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  detail::descent::SolutionOf<X, Y> minimize(const Objective<L, P>& objective, const X& x,
                                             const Y& y, const E& given = {}) const {
    return detail::descent::minimize(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

  /// Returns the solution for each column of y (n × k), bit-identical to the solution for this
  /// column alone on one thread. The columns share one pass over x in each epoch, as far as their
  /// weights fit in the cache. With threads, any thread may call an observer, but never two at the
  /// same time.
  template <DifferentiableLoss L, Penalty P, Samples X, TargetMatrix Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  [[nodiscard]] std::vector<DescentSolution<scalar_t<X>>> minimize_each(
      const Objective<L, P>& objective, const X& x, const Y& y, const E& given = {}) const {
    return detail::descent::descend_each(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }

  /// Returns a learner for d features, to which the caller passes samples, batches or epochs. The
  /// learner averages all iterates if `iterate` is Iterate::average. It uses the start in the
  /// extras and ignores their other members.
  template <Scalar T, DifferentiableLoss L, Penalty P>
  [[nodiscard]] auto start(const Objective<L, P>& objective, Index d,
                           const Extras<T>& extras = {}) const {
    return detail::descent::gradient_learner<T>(detail::descent::options_of(*this, "Sgd::start"),
                                                step, order, objective, d, extras);
  }

 private:
  friend detail::descent::Access;

  template <class L, class P, class Set, class T>
  auto learner(const Objective<L, P>& objective, const Set& set, const Extras<T>& extras) const {
    return detail::descent::gradient_learner<T>(detail::descent::options_of(*this), step, order,
                                                objective, set.rows.cols(), extras);
  }
};

using Sgd = BasicSgd<>;

#define LINEA_SGD_OF(how, L, T, R) LINEA_DESCENT_OF(Sgd, how, L, T, R)
#define LINEA_COMPILED_SGD(how)                  \
  LINEA_EACH_ROWS_IN_T(LINEA_SGD_OF, how, Hinge) \
  LINEA_EACH_ROWS_IN_T(LINEA_SGD_OF, how, Log)   \
  LINEA_EACH_ROWS_IN_T(LINEA_SGD_OF, how, Squared)
#ifdef LINEA_COMPILED
LINEA_COMPILED_SGD(extern template)
#endif

}  // namespace linea
