// SPDX-License-Identifier: MIT
#pragma once
/// \file What samples that were not learnt from are scored by.
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <type_traits>  // is_invocable
#include <utility>      // move

namespace linea {

/// The mean of a loss over held-out samples, as a score: MeanLoss{ZeroOne{}} is the error rate for
/// targets ±1.
template <Loss L>
struct MeanLoss {
  L loss{};

  /// Scores p (m) with targets y (m) and sample weights (m) or none.
  double operator()(const Eigen::VectorXd& scores, const Eigen::VectorXd& y,
                    const Eigen::VectorXd& sample_weights) const {
    return empirical_risk(loss, scores, y, sample_weights);
  }
};

template <class L>
MeanLoss(L) -> MeanLoss<L>;

/// A number, lower being better, for the scores p = ⟨w, x⟩ + b of held-out samples and their
/// targets; and for their sample weights, empty if there are none, where it takes them.
template <class F>
concept HeldOutScore = std::is_invocable_r_v<double, const F&, const Eigen::VectorXd&,
                                             const Eigen::VectorXd&, const Eigen::VectorXd&> ||
    std::is_invocable_r_v<double, const F&, const Eigen::VectorXd&, const Eigen::VectorXd&>;

namespace models {

template <class F>
inline constexpr bool is_mean_loss = false;
template <class L>
inline constexpr bool is_mean_loss<MeanLoss<L>> = true;

/// Samples of a fold, to be scored.
template <HeldOutScore F>
class HeldOut {
 public:
  /// Targets (m) and sample weights (m), or none.
  HeldOut(const F& score, Eigen::VectorXd y, Eigen::VectorXd sample_weights)
      : score_(score), y_(std::move(y)), sample_weights_(std::move(sample_weights)) {}

  /// For their scores (m). NaN if one of them is, as those of weights that diverged may be.
  [[nodiscard]] double score(const Eigen::VectorXd& scores) const {
    if (scores.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
    if constexpr (is_mean)
      return empirical_risk(score_.loss, scores, y_, sample_weights_);
    else
      return of_all(scores);
  }

 private:
  static constexpr bool is_mean = is_mean_loss<F>;

  double of_all(const Eigen::VectorXd& scores) const {
    if constexpr (std::is_invocable_v<const F&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                      const Eigen::VectorXd&>)
      return static_cast<double>(score_(scores, y_, sample_weights_));
    else
      return static_cast<double>(score_(scores, y_));
  }

  const F& score_;
  Eigen::VectorXd y_;
  Eigen::VectorXd sample_weights_;
};

}  // namespace models
}  // namespace linea
