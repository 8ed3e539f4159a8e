// SPDX-License-Identifier: MIT
#pragma once
/// \file Stochastic (sub)gradient descent on any differentiable loss with any penalty.
#include <linea/optimizers/gradient_learner.hpp>

namespace linea {

/// A solution and the account of the steps that led to it.
template <class T>
struct SgdSolution : Solution<T> {
  double first_step{0};  ///< η at t = 1, as chosen or given, before any restart
  double last_step{0};   ///< η of the last step taken
  Index restarts{0};  ///< times the run diverged, was rolled back and went on with a quarter of η
};

/// Options are values; `minimize` is const and may be called from many threads at once.
///
/// With the default step size, chosen from the data, a first run needs no tuning. The run starts at
/// w = 0 and, when the step is automatic, at the best constant offset. Features of very different size
/// slow it down (standardise them); a run that diverges all the same is rolled back and shortened.
template <StepSize S = AutomaticStep, Order O = WorkingSets>
struct BasicSgd {
  Index epochs{100};
  double tolerance{1e-4};  ///< relative fall of the best F over 10 epochs; 0: run all epochs
  bool offset{true};       ///< fit b, or leave it 0
  S step{};                ///< any callable t ≥ 1 → η > 0
  O order{};               ///< the order of visits in an epoch
  Index batch{1};          ///< samples a step; their gradients are averaged
  Iterate iterate{Iterate::best};
  Index average_from{2};    ///< for Iterate::average: its first epoch, from 1
  double average_power{1};  ///< and its weights t^power: 1 forgets the start, 0 is the plain mean
  Index retries{10};        ///< how often a diverging run is rolled back; 0: never
  std::uint64_t seed{0};

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) an epoch, twice: once to learn, once
  /// to evaluate F. Throws std::invalid_argument on input that is not well-formed.
  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y>
  SgdSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                    const Extras<scalar_t<X>>& extras = {}) const {
    using T = scalar_t<X>;
    constexpr std::string_view function = "Sgd::minimize";
    const auto set = admit(function, objective.loss, x, y, extras.sample_weights);
    require(retries >= 0, function, ": ", retries, " retries");
    auto learner = gradient_learner<T>(function, *this, objective, x.cols(), extras);
    learner.prepare(set, extras.start_weights.size() == 0);
    Account account;
    SgdSolution<T> solution;
    solution.first_step = static_cast<double>(learner.rule().step_size(1));
    static_cast<Solution<T>&>(solution) =
        train_gradients(learner, set, *this, retries, objective, extras, account);
    solution.last_step = learner.step_size();
    solution.restarts = account.restarts;
    return solution;
  }

  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y, Observer F>
  SgdSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                    F&& observer) const {
    return minimize(objective, x, y, observed_by<scalar_t<X>>(std::forward<F>(observer)));
  }

  /// A learner for d features that is fed by the caller, one sample or batch or epoch at a time. It
  /// averages all its iterates when the iterate is Iterate::average.
  template <Scalar T, DifferentiableLoss L, Penalty P>
  auto start(const Objective<L, P>& objective, Index d) const {
    return gradient_learner<T>("Sgd::start", *this, objective, d, Extras<T>{});
  }
};

using Sgd = BasicSgd<>;

}  // namespace linea
