// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of a learner for samples of any weight, which never steps beyond the minimum of
/// the loss of a heavy sample.
#include <algorithm>  // min
#include <cmath>      // abs
#include <linea/core/loss.hpp>
#include <linea/core/rule.hpp>
#include <linea/optimizers/descent/implicit_step.hpp>
#include <type_traits>  // remove_cvref_t
#include <utility>      // exchange

namespace linea::detail::descent {

/// A rule that moves a sample of weight s like a sample of the usual weight, whose step is
/// explicit, and then by the rest of s, whose step is implicit. The result is nearly that of s
/// samples in a row: Karampatziakis and Langford, UAI 2011, section 5; Kulis and Bartlett,
/// ICML 2010. If `is_careful`, the whole step is implicit where an explicit one might diverge: it
/// would increase the slope of the loss or, for a loss without kinks, reduce it to a quarter or
/// reverse it on half of the way.
///
/// With the score p and r = η‖x‖² + η_b, a step of weight s moves the score by −s·r·ℓ′(p). The
/// implicit step moves p to q = p − s·r·ℓ′(q), which is the minimum of ℓ for s → ∞.
template <class Rule, class Rows>
class ImportanceRule {
 public:
  using Loss = std::remove_cvref_t<decltype(Rule::loss)>;
  static constexpr bool weight_repeats = false;

  ImportanceRule(const Rule& rule, const Rows& rows, double usual_weight, bool is_careful)
      : rule_(rule), rows_(rows), usual_(usual_weight), is_careful_(is_careful) {}

  /// The rule for row i.
  struct Row {
    const ImportanceRule& all;
    Index i;

    template <class T>
    Step<T> operator()(T score, T target, T weight, const Pace& pace) const {
      return all.rule_(score, target, all.effective(i, score, target, weight, pace), pace);
    }
    template <class T>
    Step<T> operator()(T score, T target, T weight, Index t) const {
      return (*this)(score, target, weight, all.pace(t));
    }
  };
  Row at(Index i) const { return {*this, i}; }
  Pace pace(Index t) const { return rule_.pace(t); }
  double average_weight(Index t) const { return rule_.average_weight(t); }

 private:
  /// Returns the weight for which an explicit step is the step of this class.
  template <class T>
  T effective(Index i, T score, T target, T weight, const Pace& pace) const {
    if (weight <= T(usual_) && !is_careful_) [[likely]]
      return weight;
    const auto slope_at = [&](double p) {
      return static_cast<double>(rule_.loss.derivative(static_cast<T>(p), target));
    };
    const double reach = pace.size * static_cast<double>(rows_.squared_norm(i)) + pace.offset_size;
    if constexpr (SmoothLoss<Loss>)  // such an explicit step does not go beyond the minimum
      if (weight <= T(usual_) &&
          static_cast<double>(weight) * reach * rule_.loss.curvature_bound() <= 1)
        return weight;
    const auto p = static_cast<double>(score);
    const double slope = slope_at(p);
    if (slope == 0) return weight;
    if (!std::isfinite(slope)) return T(0);  // no step is short enough
    double first = std::min(static_cast<double>(weight), usual_);
    double left = static_cast<double>(weight) - first;
    double here = p - first * reach * slope;
    double slope_here = slope_at(here);
    const bool is_too_far = !(std::abs(slope_here) <= std::abs(slope)) ||
                            (KinklessLoss<Loss> && !(slope_at((p + here) / 2) / slope > 0.25));
    if (is_careful_ && is_too_far) {
      left += std::exchange(first, 0);
      here = p;
      slope_here = slope;
    }
    if (left == 0) return weight;
    const double part = implicit_part(slope_at, here, slope_here, -left * reach * slope_here);
    return static_cast<T>(first + part * left * (slope_here / slope));
  }

  const Rule& rule_;
  const Rows& rows_;
  double usual_;
  bool is_careful_;
};

}  // namespace linea::detail::descent
