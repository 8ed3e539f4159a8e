// SPDX-License-Identifier: MIT
#pragma once
/// \file Figures of merit of a learner on a stream.
#include <algorithm>  // min
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/ranking.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Progressive validation (Blum, Kalai and Langford, COLT 1999): scores each sample before the
/// learner learns from it, so that every sample is a test sample. Keeps the mean loss of all
/// samples, and the last `window` samples, of which the other functions tell.
///
///     OnlineEvaluation evaluation(Log{}, 1000);
///     evaluation.add(learner.score(x.row(i)), y[i]);
///     learner.update(x.row(i), y[i]);
template <Loss L>
class OnlineEvaluation {
 public:
  /// Throws std::invalid_argument for invalid parameters of the loss and a window below 1.
  explicit OnlineEvaluation(L loss = {}, Index window = 1000) : loss_(std::move(loss)) {
    detail::require_valid_parameters(name, "loss", loss_);
    require(window >= 1, name, ": window = ", window, " is not >= 1");
    scores_ = targets_ = weights_ = detail::filled(window, 0.0);
  }

  /// Adds a sample with its score, target and weight. Ignores samples of weight 0. Throws
  /// std::invalid_argument, and changes nothing, for an invalid target or weight, and for a score
  /// that is not finite.
  void add(double score, double target, double weight = 1) {
    require(std::isfinite(score), name, "::add: the score is not finite");
    require(is_valid_target(loss_, target), name, "::add: the target ", target, " is none of ",
            name_of(loss_), ", which takes ", targets_of(loss_));
    require(std::isfinite(weight) && weight >= 0, name, "::add: the weight ", weight,
            " is not finite and >= 0");
    if (weight == 0) return;
    const Index place = samples_ % scores_.size();
    scores_[place] = score;
    targets_[place] = target;
    weights_[place] = weight;
    ++samples_;
    sum_ += weight * static_cast<double>(loss_.value(score, target));
    total_ += weight;
    if (samples_ % scores_.size() == 0) {
      const double mean = window_loss();
      windows_without_gain_ = mean < lowest_ ? 0 : windows_without_gain_ + 1;
      lowest_ = std::min(lowest_, mean);
    }
  }

  Index samples() const { return samples_; }  ///< number of samples of positive weight
  /// Returns the mean loss of all samples, or NaN before the first.
  double mean_loss() const { return sum_ / total_; }
  /// Returns the mean loss of the last `window` samples, or NaN before the first.
  double window_loss() const {
    double sum = 0;
    for (Index i = 0; i < count(); ++i)
      sum += weights_[i] * static_cast<double>(loss_.value(scores_[i], targets_[i]));
    return sum / weights_.head(count()).sum();
  }
  /// Returns the share of the last `window` samples whose score has the sign of the target; a score
  /// of 0 counts as positive. For targets −1 and +1.
  double window_accuracy() const {
    double correct = 0;
    for (Index i = 0; i < count(); ++i)
      if ((scores_[i] < 0) == (targets_[i] < 0)) correct += weights_[i];
    return correct / weights_.head(count()).sum();
  }
  /// Returns the area under the ROC of the last `window` samples, see roc_auc. For targets −1 and
  /// +1; throws unless there are both.
  double window_roc_auc() const {
    return roc_auc(scores_.head(count()), targets_.head(count()), 1, weights_.head(count()));
  }
  /// Returns how many of the latest windows, each of new samples, in a row had a mean loss that was
  /// not below that of every earlier window. To stop early, stop at 5, say.
  Index windows_without_gain() const { return windows_without_gain_; }

  const L& loss() const { return loss_; }
  /// Passes the state to visit(name, value), which may change it, for write_learner.
  template <class Visit>
  void each_state(const Visit& visit) {
    visit("scores", scores_);
    visit("targets", targets_);
    visit("weights", weights_);
    visit("samples", samples_);
    visit("sum", sum_);
    visit("total", total_);
    visit("lowest", lowest_);
    visit("windows_without_gain", windows_without_gain_);
  }

 private:
  static constexpr std::string_view name = "OnlineEvaluation";

  Index count() const { return std::min(samples_, scores_.size()); }

  L loss_;
  Vector<double> scores_, targets_, weights_;  // of the last samples; sample i is in i mod window
  Index samples_{0};
  double sum_{0}, total_{0};  // Σ weight·loss and Σ weight of all samples
  double lowest_{std::numeric_limits<double>::max()};  // mean loss of the best window
  Index windows_without_gain_{0};
};

}  // namespace linea
