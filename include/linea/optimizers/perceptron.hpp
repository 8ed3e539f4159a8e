// SPDX-License-Identifier: MIT
#pragma once
/// \file The perceptron, which adds a multiple of x to w after each mistake: Rosenblatt,
/// Psychological Review 65 (1958). For the averaged and the voted perceptron see Freund and
/// Schapire, Machine Learning 37 (1999).
#include <linea/core/wrong_call.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/descent/perceptron_rule.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/samples/risk.hpp>

namespace linea {

/// A solution with the number of mistakes. From a start at zero, this number is at most (R/γ)² if
/// some (w, b) of norm 1 separates the data with margin γ, and all ‖(x, 1)‖ ≤ R (Novikoff, 1962).
template <class T>
struct [[nodiscard]] PerceptronSolution : Solution<T> {
  Index mistakes{0};
};

/// Visits the samples in the order O, from w = 0 unless a start is given. A run ends with
/// Status::converged when an epoch makes no mistake and all samples are classified correctly, or
/// else at the limit of epochs. The objective is the training error, the mean of the rule's loss.
template <Order O = Cyclic, class R = detail::descent::MistakeRule<ZeroOne>>
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
    require(set.weights.size() == 0 || set.weights.maxCoeff() <= T(1e6), function,
            ": a sample weight counts presentations, at most 1e6 of them");
    auto learner = make_learner<T>(function, x.cols(), extras);
    learner.prepare(set, false);
    detail::descent::Options options;
    options.epochs = epochs;
    options.iterate = average ? Iterate::average : Iterate::last;
    options.average_from = 1;
    options.until_no_mistakes = true;
    Index mistakes = 0;
    const auto risk = [&](const Vector<T>& w, T b) {
      return detail::samples::risk_of_rows(loss, set.rows, set.y, set.weights, w, b);
    };
    PerceptronSolution<T> solution{
        detail::descent::train(learner, set, options, extras, risk, &mistakes)};
    solution.mistakes = mistakes;
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
using ThresholdPerceptron = BasicPerceptron<Cyclic, detail::descent::MistakeRule<ThresholdError>>;

}  // namespace linea
