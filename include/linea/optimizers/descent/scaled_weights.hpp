// SPDX-License-Identifier: MIT
#pragma once
/// \file The weights for a penalty that only shrinks them: w = scale·v, with a running average.
///
/// Shrinking w multiplies one number. So a step costs O(non-zeros of the row), and the average of
/// all iterates costs as much again (Bottou, 2012, "Stochastic Gradient Descent Tricks", section
/// 5). ThresholdedWeights and ProximalWeights have the same members.
#include <algorithm>  // fill_n, max
#include <cmath>      // sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/types.hpp>
#include <string_view>

namespace linea::detail::descent {

/// The offset b and its weighted mean over iterates.
template <class T>
struct OffsetAverage {
  T offset{0};
  double sum{0};       // Σ weight·offset over the averaged iterates
  double rounds{0};    // Σ weight over the averaged iterates
  bool active{false};  // is averaging on?

  /// Adds the current offset to the average, if averaging is on.
  void count(double weight) {
    if (!active) return;
    sum += weight * static_cast<double>(offset);
    rounds += weight;
  }
  /// Restarts the average with the next iterate if `on`, else ends the average.
  void restart(bool on) {
    sum = rounds = 0;
    active = on;
  }
  /// Returns the mean, or the offset itself before the first iterate.
  T mean() const { return rounds > 0 ? static_cast<T>(sum / rounds) : offset; }

  template <class Visit>
  void each_state(const Visit& visit) {
    visit("now", offset);
    visit("sum", sum);
    visit("rounds", rounds);
    visit("averages", active);
  }
};

template <class T>
class ScaledWeights {
 public:
  static constexpr std::string_view name = "scaled";

  ScaledWeights() = default;

  /// Starts from w (d) and offset. A positive radius projects w onto the ball ‖w‖ ≤ radius after
  /// every step (Pegasos's projection), but not the offset.
  ScaledWeights(Vector<T> w, T offset, double radius = 0) : radius_(radius) { reset(w, offset); }

  Index size() const { return v_.size(); }
  T offset() const { return offset_.offset; }
  Vector<T> weights() const {
    Vector<T> w(v_.size());
    for (Index j = 0; j < w.size(); ++j) w[j] = static_cast<T>(scale_) * v_[j];
    return w;
  }

  /// Sets (w, b). Restarts the average if averaging is on.
  void reset(const Vector<T>& w, T offset) {
    replace(w, offset);
    average(offset_.active);
  }

  /// Sets (w, b). The average keeps its iterates.
  void replace(const Vector<T>& w, T offset) {
    settle();
    v_ = w;
    waiting_ = 0;
    scale_ = inverse_scale_ = 1;
    refresh();
    offset_.offset = offset;
  }

  /// Starts a new average with the next step if `on`, else ends the average.
  void average(bool on) {
    offset_.restart(on);
    mass_ = 0;
    lag_ = detail::filled<T>(on ? v_.size() : 0, 0);
  }

  bool has_average() const { return offset_.rounds > 0; }
  T average_offset() const { return offset_.mean(); }
  /// Returns the weighted mean of the iterates since `average(true)`, or w before the first step.
  Vector<T> average_weights() const {
    if (!has_average()) return weights();
    Vector<T> mean(v_.size());
    for (Index j = 0; j < mean.size(); ++j)
      mean[j] = static_cast<T>((mass_ * static_cast<double>(v_[j]) - static_cast<double>(lag_[j])) /
                               offset_.rounds);
    return mean;
  }

  /// Returns ⟨w, xᵢ⟩ + b. Prefetches row `ahead` into the cache.
  template <class Rows>
  [[gnu::always_inline]] T score(const Rows& rows, Index i, Index ahead) {
    T sum;
    if constexpr (sweeps<Rows>) {
      if (waiting_ != T(0)) {
        sum = rows.add_then_dot(waiting_row_, waiting_, v_, i, ahead);
        waiting_ = T(0);
      } else {
        sum = rows.dot(i, v_, ahead);
      }
    } else {
      sum = rows.dot(i, v_, ahead);
    }
    return static_cast<T>(scale_) * sum + offset_.offset;
  }

  /// Makes the first part of a step: w ← shrink·w.
  template <class Rows>
  [[gnu::always_inline]] void shrink(const Rows& rows, const Step<T>& step) {
    if (step.shrink > 0) [[likely]] {
      scale_ *= step.shrink;
      inverse_scale_ = 1 / scale_;
      if (scale_ < smallest_scale) [[unlikely]]
        fold(rows);
    } else {  // w becomes 0; the average keeps its iterates
      complete(rows);
      settle();
      std::fill_n(v_.data(), v_.size(), T(0));
      scale_ = inverse_scale_ = 1;
      squared_norm_ = 0;
    }
  }

  /// Makes the second part of a step, once for each sample: w ← w + coefficient·xᵢ. If rows can add
  /// one row and score another in one sweep, the addition is delayed to the next score.
  template <class Rows>
  [[gnu::always_inline]] void add(const Rows& rows, Index i, T coefficient) {
    complete(rows);
    const double inner = static_cast<double>(coefficient) * inverse_scale_;
    if (radius_ > 0)
      squared_norm_ += inner * (2 * static_cast<double>(rows.dot(i, v_)) +
                                inner * static_cast<double>(rows.squared_norm(i)));
    if constexpr (sweeps<Rows>) {
      waiting_ = static_cast<T>(inner);
      waiting_row_ = i;
    } else {
      rows.add(i, static_cast<T>(inner), v_);
    }
    if (offset_.active) rows.add(i, static_cast<T>(inner * mass_), lag_);
  }

  /// Makes the delayed addition. Call it before anything other than `score` reads w.
  template <class Rows>
  void complete(const Rows& rows) {
    if constexpr (sweeps<Rows>) {
      if (waiting_ != T(0)) rows.add(waiting_row_, waiting_, v_);
      waiting_ = T(0);
    }
  }

  /// Makes the last part of a step: adds `offset` to b and, with a radius, projects w. The iterate
  /// of the step has the weight `rounds` in the average.
  void finish(const Step<T>&, T offset, double rounds) {
    offset_.offset += offset;
    if (radius_ > 0) project();
    if (offset_.active) mass_ += scale_ * rounds;
    offset_.count(rounds);
  }

  /// Recomputes ‖v‖² without accumulated rounding errors, if a radius needs it.
  void refresh() {
    if (!(radius_ > 0)) return;
    squared_norm_ = 0;
    for (const T entry : v_)
      squared_norm_ += static_cast<double>(entry) * static_cast<double>(entry);
  }

  /// Passes the state between two steps to visit(name, value), which may change it.
  template <class Visit>
  void each_state(const Visit& visit) {
    visit("v", v_);
    visit("scale", scale_);
    visit.demand(scale_ > 0, "a scale that is not above 0");
    inverse_scale_ = 1 / scale_;
    visit("squared_norm", squared_norm_);
    visit("offset", offset_);
    visit("mass", mass_);
    visit("lag", lag_);
  }

 private:
  template <class Rows>
  static constexpr bool sweeps = requires(const Rows& rows, Vector<T>& v) {
    rows.add_then_dot(Index{}, T{}, v, Index{}, Index{});
  };

  // When the scale falls below this limit, `fold` multiplies it into v. An addition to v is 1/scale
  // times the addition to w, and so is its rounding error. The same holds for lag and the average.
  static constexpr double smallest_scale = std::numeric_limits<T>::digits > 24 ? 1e-6 : 1e-4;

  /// Sets mass to 0. The sum of the averaged iterates, mass·v − lag, does not change, and no longer
  /// depends on v and scale.
  void settle() {
    if (offset_.active && mass_ != 0)
      for (Index j = 0; j < v_.size(); ++j) lag_[j] -= static_cast<T>(mass_) * v_[j];
    mass_ = 0;
  }

  /// Sets v ← scale·v and scale ← 1; w does not change.
  template <class Rows>
  void fold(const Rows& rows) {
    complete(rows);
    settle();
    for (T& entry : v_) entry *= static_cast<T>(scale_);
    squared_norm_ *= scale_ * scale_;
    scale_ = inverse_scale_ = 1;
  }

  /// Scales w down to ‖w‖ ≤ radius.
  void project() {
    const double norm = scale_ * std::sqrt(std::max(squared_norm_, 0.0));
    if (norm > radius_) scale_ *= radius_ / norm;
    inverse_scale_ = 1 / scale_;
  }

  Vector<T> v_;
  T waiting_{0};  // w = scale·(v + waiting·x), where x is the delayed row
  Index waiting_row_{0};
  double scale_{1};
  double inverse_scale_{1};
  double squared_norm_{0};  // ‖v‖², updated only with a radius
  double radius_{0};
  OffsetAverage<T> offset_;
  // The sum of the averaged iterates is mass·v − lag, where mass is the sum of their scales. An
  // addition a·x to v would also change the term mass·v for earlier iterates: lag subtracts
  // mass·a·x.
  double mass_{0};
  Vector<T> lag_;
};

}  // namespace linea::detail::descent
