// SPDX-License-Identifier: MIT
#pragma once
/// \file The perceptron, which adds a multiple of x to w after each mistake: Rosenblatt,
/// Psychological Review 65 (1958). For the averaged and the voted perceptron see Freund and
/// Schapire, Machine Learning 37 (1999).
#include <concepts>  // same_as
#include <linea/core/rule.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/none.hpp>

namespace linea {

namespace detail {

/// The rule of the perceptron. On a mistake, w ← w + η·s·e·x and, if the offset is free, b ← b +
/// η·s·e. Here η is the learning rate, s the sample weight and e the error. For targets −1 and +1
/// and the loss ZeroOne, e = y if the agreement y·p is ≤ 0, else 0. So a score of 0 is a mistake,
/// and w = 0 changes. For targets 0 and 1 and the loss ThresholdError, e = y − f, where f is 1 for
/// a score of at least 0, and 0 otherwise.
template <class L>
struct MistakeRule {
  /// A sample of weight k is presented up to k times in a row, until it is classified correctly.
  static constexpr bool weight_repeats = true;

  L loss{};
  bool has_offset{true};
  double learning_rate{1};
  double factor{1};

  template <class T>
  constexpr Step<T> operator()(T score, T target, T weight, Index) const {
    T error = target - T(score >= T(0));
    if constexpr (std::same_as<L, ZeroOne>) error = target * score > T(0) ? T(0) : target;
    const T move = static_cast<T>(learning_rate) * weight * error;
    return {1, move, has_offset ? move : T(0), 0};
  }
};

}  // namespace detail

/// A solution with the number of mistakes. From a start at zero, this number is at most (R/γ)² if
/// some (w, b) of norm 1 separates the data with margin γ, and all ‖(x, 1)‖ ≤ R (Novikoff, 1962).
template <class T>
struct [[nodiscard]] PerceptronSolution : Solution<T> {
  Index mistakes{0};
};

/// Visits the samples in the order O, from w = 0 unless a start is given. A run ends with
/// Status::converged when an epoch makes no mistake and all samples are classified correctly, or
/// else at the limit of epochs. The objective is the training error, the mean of the rule's loss.
template <Order O = Cyclic, class R = detail::MistakeRule<ZeroOne>>
struct BasicPerceptron {
  static constexpr std::string_view name = "Perceptron";

  Index epochs{100};  ///< limit of passes over the samples
  /// Factor of each step. If w and b start at 0, this factor only scales them: no prediction
  /// changes.
  double learning_rate{1};
  bool average{false};    ///< return the mean of (w, b) over all visits
  bool offset{true};      ///< fit b, or leave it 0
  O order{};              ///< the order of visits in an epoch
  std::uint64_t seed{0};  ///< seed of a random order

  /// Fits w and b to x (n × d) and y (n). The targets are those of the rule R: −1 and +1, or 0 and
  /// 1. An epoch costs O(non-zeros). Throws std::invalid_argument on invalid input.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  PerceptronSolution<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    constexpr std::string_view function = "Perceptron::fit";
    require(epochs >= 0, function, ": ", epochs, " epochs");
    const auto loss = R{}.loss;
    auto set = detail::samples::admit(function, loss, x, y, extras.sample_weights);
    set.weights = extras.sample_weights;  // not normalised: weights count presentations
    if (set.weights.size() > 0)
      detail::descent::require_visits<R>(function, static_cast<double>(set.weights.maxCoeff()));
    auto learner = make_learner<T>(function, x.cols(), extras);
    learner.prepare(set, false);
    detail::descent::Options options;
    options.epochs = epochs;
    options.iterate = average ? Iterate::average : Iterate::last;
    options.average_from = 1;
    options.until_no_mistakes = true;
    PerceptronSolution<T> solution{
        detail::descent::train(learner, set, options, extras, Objective{loss, NoPenalty{}})};
    solution.mistakes = learner.mistakes();
    solution.optimizer = name;
    return solution;
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Returns a learner for d features, to which the caller passes samples or epochs. The learner
  /// uses the start in the extras and ignores their other members.
  template <Scalar T>
  auto start(Index d, const Extras<T>& extras = {}) const {
    require(d >= 1, "Perceptron::start: ", d, " features");
    return make_learner<T>("Perceptron::start", d, extras);
  }

 private:
  template <class T>
  auto make_learner(std::string_view function, Index d, const Extras<T>& extras) const {
    require(std::isfinite(learning_rate) && learning_rate > 0, function,
            ": learning_rate = ", learning_rate, " is not positive");
    return Learner<T, R, detail::descent::ScaledWeights<T>, O>(
        R{{}, offset, learning_rate},
        detail::descent::ScaledWeights<T>(
            detail::samples::start_weights(function, extras, d, offset), extras.start_offset),
        {order, 1, average, seed});
  }
};

using Perceptron = BasicPerceptron<>;

/// The perceptron for targets {0, 1} and the hard threshold.
using ThresholdPerceptron = BasicPerceptron<Cyclic, detail::MistakeRule<ThresholdError>>;

}  // namespace linea
