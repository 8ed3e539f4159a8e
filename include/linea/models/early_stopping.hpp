// SPDX-License-Identifier: MIT
#pragma once
/// \file Early stopping: ends a run when the score of held-out samples no longer falls.
#include <cmath>     // isfinite, isnan
#include <concepts>  // derived_from
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <type_traits>  // is_reference
#include <utility>      // declval, move
#include <vector>

namespace linea {

/// The criterion of EarlyStopping.
struct EarlyStoppingOptions {
  Index patience{5};  ///< epochs in a row without a gain, ≥ 1
  /// An epoch is a gain if its score is more than min_gain ≥ 0 below the score of the last gain.
  double min_gain{0};
};

/// The iterate with the lowest score on held-out samples: its weights (d), its offset, and the
/// objective F of the run at this iterate.
template <class T>
struct HeldOutBest : Point<T> {
  double score{std::numeric_limits<double>::infinity()};
  Index epoch{0};  ///< from 1; 0 if no score was finite
};

/// An observer that scores held-out samples after every epoch, keeps the best iterate, and ends the
/// run when the score has stopped falling. The run itself returns weights that suit the training
/// samples; `best()` returns the iterate that is best for the held-out samples.
///
///     EarlyStopping stopping(Log{}, x_valid, y_valid, {.patience = 10});
///     const auto all = Sgd{.epochs = 1000}.minimize(objective, x, y, std::ref(stopping));
///     const auto solution = stopping.best_of(all);  // weights and offset of stopping.best()
///
/// Works with every optimizer and recipe that fits a single linear function, so neither with
/// softmax nor with OneVsRest. For a loss with targets −1 and +1, convert other labels with
/// ClassLabels::encode. An EarlyStopping cannot be copied, because the copy would collect the
/// scores: pass std::ref(stopping). One object observes one run.
///
/// Prechelt, "Early Stopping - But When?", in: Neural Networks: Tricks of the Trade, 1998.
template <HeldOutScore F, class Rows>
class EarlyStopping {
 public:
  using T = typename Rows::Scalar;

  /// Takes held-out samples: x (m × d), y (m), and sample weights (m) or none. The score is the
  /// mean of a loss (ZeroOne{} gives the error rate) or your own function; lower is better. x must
  /// outlive this object; y is copied. Throws std::invalid_argument for invalid samples, for a loss
  /// with invalid parameters, for invalid targets of the loss, for sample weights if the score does
  /// not support them, for a patience below 1, and for a min_gain that is negative or not finite.
  template <class G, Samples X, Numbers Y>
  EarlyStopping(const G& loss_or_score, const X& x, const Y& y,
                const EarlyStoppingOptions& options = {},
                const Vector<scalar_t<X>>& sample_weights = {})
      : score_{loss_or_score},
        rows_(rows_of(x)),
        y_(detail::vector_of(y).template cast<double>()),
        sample_weights_(sample_weights.template cast<double>()),
        options_(options) {
    constexpr std::string_view function = "EarlyStopping";
    if constexpr (Loss<G>) {
      detail::require_valid_parameters(function, "loss", loss_or_score);
      detail::samples::admit(function, loss_or_score, x, y, sample_weights);
    } else {
      detail::samples::admit_samples(function, x, y_.size(), sample_weights);
      detail::require_numbers(function, y_);
      require(detail::WeightedScore<F> || sample_weights.size() == 0, function,
              ": the score takes no sample weights");
    }
    require(options.patience >= 1, function, ": patience = ", options.patience,
            ", but must be at least 1");
    require(std::isfinite(options.min_gain) && options.min_gain >= 0, function,
            ": min_gain = ", options.min_gain, " is not >= 0");
  }

  template <class G, SampleMatrix X, class... Rest>
    requires(std::is_reference_v<typename InDouble<X>::Held>)
  EarlyStopping(const G&, const X&&, const Rest&...)
  = delete;  // the matrix must outlive this object: give it a name

  EarlyStopping(const EarlyStopping&) = delete;  // pass it by std::ref
  EarlyStopping& operator=(const EarlyStopping&) = delete;

  /// Scores the iterate; a run calls this function after each epoch. Copies the weights and makes
  /// one pass over x. If ⟨w, x⟩ + b of a held-out sample is not finite, the score of the iterate is
  /// ∞. Throws std::invalid_argument if x and the run differ in d, if the score is NaN, for a
  /// second run, and unless the run has exactly one iterate.
  Control operator()(const Progress& progress) {
    const Index epoch = progress.epoch;
    require(epoch > last_epoch_, "EarlyStopping: epoch ", epoch, " comes after epoch ", last_epoch_,
            ": it observes one run, of one target");
    require(progress.iterates() == 1, "EarlyStopping: epoch ", epoch, " has no single iterate");
    Point<T> here = point_as<T>(progress.iterate());
    require(here.weights.size() == rows_.cols(), "EarlyStopping: x has ", rows_.cols(),
            " columns but the run has ", here.weights.size(), " weights");
    const Vector<double> scores =
        detail::samples::scores_of_rows("EarlyStopping", rows_, here.weights, here.offset, 1)
            .template cast<double>();
    const double score = detail::all_finite(scores)
                             ? detail::held_out_score(score_, scores, y_, sample_weights_)
                             : std::numeric_limits<double>::infinity();
    require(!std::isnan(score), "EarlyStopping: the score of epoch ", epoch, " is not a number");
    last_epoch_ = epoch;
    scores_.push_back(score);
    if (score < best_.score) best_ = {std::move(here), score, epoch};
    if (score < at_gain_ - options_.min_gain) {
      at_gain_ = score;
      last_gain_ = epoch;
    }
    return epoch - last_gain_ >= options_.patience ? Control::stop : Control::proceed;
  }

  /// Returns the first iterate with the lowest score. Throws std::invalid_argument if no epoch had
  /// a finite score.
  const HeldOutBest<T>& best() const {
    require(best_.epoch > 0, "EarlyStopping::best: none of ", scores_.size(),
            " epochs had a finite score");
    return best_;
  }

  /// Returns the solution or model of the run with the weights, offset, objective and gap of the
  /// best iterate. The status becomes `stopped`, unless the run diverged, the best iterate is the
  /// last one, or its gap is no larger than that of the run.
  template <std::derived_from<Solution<T>> S>
  S best_of(S solution) const {
    const auto& [weights, offset, objective] = static_cast<const Point<T>&>(best());
    const auto bound = solution.bound();
    const bool is_proven = bound && objective <= solution.objective;
    if (best_.epoch < last_epoch_ && !is_proven && solution.status != Status::diverged)
      solution.status = Status::stopped;
    solution.weights = weights;
    solution.offset = offset;
    solution.objective = objective;
    if (bound) solution.gap = Certificate{objective, *bound}.gap();
    if (solution.iterate == Iterate::best) solution.iterate = Iterate::last;
    return solution;
  }

  /// Returns the score of each epoch, in the order of the epochs.
  const std::vector<double>& scores() const { return scores_; }

 private:
  F score_;
  Rows rows_;
  Vector<double> y_;
  Vector<double> sample_weights_;
  EarlyStoppingOptions options_;
  Index last_epoch_{0};
  Index last_gain_{0};  // the epoch of the last gain
  double at_gain_{std::numeric_limits<double>::infinity()};
  HeldOutBest<T> best_{};
  std::vector<double> scores_;
};

template <Loss L, Samples X, Numbers Y>
EarlyStopping(const L&, const X&, const Y&, const EarlyStoppingOptions& = {},
              const Vector<scalar_t<X>>& = {})
    -> EarlyStopping<MeanLoss<L>, decltype(rows_of(std::declval<const X&>()))>;

template <HeldOutScore F, Samples X, Numbers Y>
EarlyStopping(const F&, const X&, const Y&, const EarlyStoppingOptions& = {},
              const Vector<scalar_t<X>>& = {})
    -> EarlyStopping<F, decltype(rows_of(std::declval<const X&>()))>;

}  // namespace linea
