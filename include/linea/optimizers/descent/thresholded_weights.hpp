// SPDX-License-Identifier: MIT
#pragma once
/// \file The weights for an L1 penalty. Every step shrinks and soft-thresholds all of w, but a
/// weight is computed only when its feature occurs.
///
/// Let w = scale·v, and soft(v, τ) = sign(v)·max(|v| − τ, 0). Soft-thresholding w by τ is the same
/// as soft-thresholding v by τ/scale, and thresholds add up: soft(soft(v, a), b) = soft(v, a + b).
/// So a weight whose feature did not occur for many steps needs one subtraction. The result is
/// exactly that of soft-thresholding every weight in every step; truncated gradients, in contrast,
/// leave the weights of rare features too large. The average of the iterates follows from prefix
/// sums over the steps since the last sweep.
#include <algorithm>  // fill, max
#include <cmath>      // abs, copysign
#include <cstdint>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <string_view>
#include <vector>

namespace linea::detail::descent {

/// Has the members of ScaledWeights, which documents them.
template <class T, class Penalty>
class ThresholdedWeights {
 public:
  static constexpr std::string_view name = "thresholded";

  ThresholdedWeights(const Vector<T>& w, T offset, Penalty penalty) : penalty_(std::move(penalty)) {
    reset(w, offset);
  }

  Index size() const { return v_.size(); }
  T offset() const { return offset_.offset; }

  Vector<T> weights() const {
    Vector<T> w(v_.size());
    for (Index j = 0; j < w.size(); ++j) w[j] = static_cast<T>(scale_ * caught_up(j));
    return w;
  }

  void reset(const Vector<T>& w, T offset) {
    history_.clear();
    become(w, offset);
    average(offset_.active);
  }

  void replace(const Vector<T>& w, T offset) {
    sweep();
    become(w, offset);
  }

  void average(bool on) {
    if (!history_.empty()) sweep();
    offset_.restart(on);
    history_.assign(1, Past{});
    seen_.assign(static_cast<std::size_t>(v_.size()), 0);
    sum_ = detail::filled<detail::DoubleFor<T>>(on ? v_.size() : 0, 0);
  }

  bool has_average() const { return offset_.rounds > 0; }
  T average_offset() const { return offset_.mean(); }
  Vector<T> average_weights() const {
    if (!has_average()) return weights();
    Vector<T> mean(v_.size());
    for (Index j = 0; j < mean.size(); ++j)
      mean[j] = static_cast<T>((sum_[j] + idle_sum(j)) / offset_.rounds);
    return mean;
  }

  template <class Rows>
  T score(const Rows& rows, Index i, Index) {
    double sum = 0;
    rows.for_each(i, [&](Index j, T value) {
      catch_up(j);
      sum += static_cast<double>(value) * v_[j];
    });
    return static_cast<T>(scale_ * sum) + offset_.offset;
  }

  template <class Rows>
  void shrink(const Rows&, const Step<T>& step) {
    const double scale = step.shrink > 0 ? scale_ * step.shrink : 0;
    if (scale >= smallest_scale) {
      scale_ = scale;
      return;
    }
    sweep();
    for (double& v : v_) v = scale > 0 ? v * scale : 0;
    scale_ = 1;
  }

  template <class Rows>
  void add(const Rows& rows, Index i, T coefficient) {
    const double inner = static_cast<double>(coefficient) / scale_;
    rows.for_each(i, [&](Index j, T value) {
      catch_up(j);
      v_[j] += inner * static_cast<double>(value);
    });
  }

  template <class Rows>
  void complete(const Rows&) {}

  void finish(const Step<T>& step, T offset, double rounds) {
    offset_.offset += offset;
    offset_.count(rounds);
    Past next = history_.back();
    next.threshold += penalty_.threshold(step.size) / scale_;
    next.scales += rounds * scale_;
    next.products += rounds * scale_ * next.threshold;
    history_.push_back(next);
    if (history_.size() > std::max<std::size_t>(4096, seen_.size() / 4)) sweep();
  }

  void refresh() { sweep(); }

  template <class Visit>
  void each_state(const Visit& visit) {
    visit("v", v_);
    visit("scale", scale_);
    visit("offset", offset_);
    visit("history", history_);
    visit("seen", seen_);
    visit("sum", sum_);
    bool is_sound = scale_ > 0 && !history_.empty() && static_cast<Index>(seen_.size()) == size();
    for (const auto step : seen_) is_sound &= step < history_.size();
    visit.demand(is_sound, "weights that were seen at steps without a history");
  }

 private:
  static constexpr double smallest_scale = 1e-9;

  /// Prefix sums over the steps since the last sweep, up to one of these steps.
  struct Past {
    double threshold{0};  // Σ τ/scale
    double scales{0};     // Σ rounds · scale over averaged iterates
    double products{0};   // Σ rounds · scale · threshold

    template <class Visit>
    void each_state(const Visit& visit) {
      visit("threshold", threshold);
      visit("scales", scales);
      visit("products", products);
    }
  };

  /// Returns the step up to which v_[j] is computed, as an index into history_.
  std::size_t seen(Index j) const { return seen_[static_cast<std::size_t>(j)]; }
  /// Returns Σ τ/scale over the steps since v_[j] was computed.
  double idle_threshold(Index j) const {
    return history_.back().threshold - history_[seen(j)].threshold;
  }
  /// Returns v_[j] after the last step.
  double caught_up(Index j) const {
    const double remaining = std::abs(v_[j]) - idle_threshold(j);
    return remaining > 0 ? std::copysign(remaining, v_[j]) : 0.0;
  }

  /// Returns the sum of weight j over the averaged iterates since v_[j] was computed. While |v|
  /// exceeds the thresholds since then, the iterate of step k adds rounds·scale·(|v| +
  /// threshold(seen) − threshold(k)).
  double idle_sum(Index j) const {
    const double size = std::abs(v_[j]);
    if (size == 0) return 0;
    const auto from = history_.begin() + static_cast<std::ptrdiff_t>(seen(j));
    const double reach = size + from->threshold;
    auto last = from;  // the last step at which |v| is not yet 0; by bisection
    for (auto end = history_.end(); end - last > 1;) {
      const auto middle = last + (end - last) / 2;
      (reach < middle->threshold ? end : last) = middle;
    }
    return std::copysign(reach * (last->scales - from->scales) - (last->products - from->products),
                         v_[j]);
  }

  /// Computes v_[j], and its sum for the average, up to the last step.
  void catch_up(Index j) {
    if (seen(j) + 1 == history_.size()) return;
    if (offset_.active) sum_[j] += idle_sum(j);
    v_[j] = caught_up(j);
    seen_[static_cast<std::size_t>(j)] = static_cast<std::uint32_t>(history_.size() - 1);
  }

  /// Sets v to w and scale to 1, and sets the offset. The history must have no steps.
  void become(const Vector<T>& w, T offset) {
    v_.resize(w.size());
    for (Index j = 0; j < w.size(); ++j) v_[j] = static_cast<double>(w[j]);
    scale_ = 1;
    offset_.offset = offset;
  }

  /// Computes all of v up to the last step and starts a new history.
  void sweep() {
    for (Index j = 0; j < v_.size(); ++j) catch_up(j);
    history_.assign(1, Past{});
    std::fill(seen_.begin(), seen_.end(), 0U);
  }

  Penalty penalty_;
  Vector<double> v_;
  double scale_{1};
  OffsetAverage<T> offset_;
  std::vector<Past> history_{};  // entry k: the sums after k steps
  std::vector<std::uint32_t> seen_{};
  Vector<double> sum_;  // weighted sum of the averaged iterates; entry j up to step seen_[j]
};

}  // namespace linea::detail::descent
