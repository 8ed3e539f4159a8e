// SPDX-License-Identifier: MIT
#pragma once
/// \file Weights with a step size and a scale for each column, and the rule of their steps.
#include <algorithm>  // clamp, min
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/validate.hpp>
#include <linea/optimizers/descent/implicit_step.hpp>
#include <string_view>
#include <vector>

namespace linea::detail::descent {

/// The weights of AdaptiveSgd, which documents the step. Let vⱼ = sⱼ·wⱼ, where sⱼ is the largest
/// |xⱼ| so far: a larger sⱼ leaves vⱼ, so the score of the largest entry stays. The weights are
/// those of FTRL-Proximal (McMahan, AISTATS 2011): w = prox(c, ηt) with the penalty of all t steps
/// at once, and a step of size η₂ along g sets c to w + (c − w)·η₂/η − η₂g. Without a penalty, c is
/// w. There is no average of iterates. Other members are those of ScaledWeights.
template <class T, class Penalty>
class AdaptiveWeights {
 public:
  static constexpr std::string_view name = "with a step size for each column";

  AdaptiveWeights(const Vector<T>& w, T offset, Penalty penalty, double rate)
      : penalty_(std::move(penalty)), rate_(rate) {
    reset(w, offset);
  }

  Index size() const { return static_cast<Index>(columns_.size()); }
  T offset() const { return static_cast<T>(offset_.value); }
  Vector<T> weights() const {
    Vector<T> w(size());
    for (Index j = 0; j < w.size(); ++j) w[j] = static_cast<T>(weight_of(j));
    return w;
  }
  void reset(const Vector<T>& w, T offset) {
    columns_.assign(static_cast<std::size_t>(w.size()), Column{});
    offset_ = {.per_scale = 1};
    samples_ = scaled_squares_ = counted_ = residuals_ = 0;
    replace(w, offset);
  }
  /// Sets (w, b) and keeps scales and sums of squares.
  void replace(const Vector<T>& w, T offset) {
    for (Index j = 0; j < w.size(); ++j) {
      Column& one = column(j);
      one.value = static_cast<double>(w[j]) / (one.per_scale > 0 ? one.per_scale : 1);
      one.size = 0;
    }
    offset_.value = static_cast<double>(offset);
  }

  void average(bool) {}
  bool has_average() const { return false; }
  Vector<T> average_weights() const { return weights(); }
  T average_offset() const { return offset(); }

  /// Returns the score of a row without learning its scale.
  template <class Rows>
  T known_score(const Rows& rows, Index i) const {
    double sum = offset_.value;
    rows.for_each(i, [&](Index j, T x) { sum += weight_of(j) * entry_of(x); });
    return static_cast<T>(sum);
  }
  template <class Rows>
  T score(const Rows& rows, Index i, Index) {
    double sum = offset_.value;
    samples_ += 1;
    scaled_squares_ += 1;  // of the offset
    of_row_.clear();
    rows.for_each(i, [&](Index j, T entry) {
      Column& one = column(j);
      const double x = entry_of(entry);
      if (const double size = std::abs(x); size * one.per_scale > 1 || one.per_scale == 0)
        rescale(one, size);
      const double scaled = x * one.per_scale;
      scaled_squares_ += scaled * scaled;
      of_row_.push_back(penalised(one, j));
      sum += of_row_.back() * scaled;
    });
    return static_cast<T>(sum);
  }

  /// Counts a gradient, the slope of the loss times xᵢ, `weight` times in the step sizes, and a
  /// residual, or 1 for losses of labels. Returns by how much an explicit step of slope −1 would
  /// raise the score. Call it after `score` of the row.
  template <class Rows>
  double reach(const Rows& rows, Index i, double slope, double residual, double weight,
               bool has_offset) {
    counted_ += 1;
    residuals_ += residual * residual;
    const double factor =
        rate_ * std::sqrt(samples_ / scaled_squares_) * std::sqrt(residuals_ / counted_);
    const double squared = weight * slope * slope;
    double sum = 0;
    const auto count = [&](Column& one, double scaled) {
      const double square = scaled * scaled;
      one.squares += squared * square;
      const double size = one.squares > 0 ? factor / std::sqrt(one.squares) : 0;
      sum += size * square;
      return size;
    };
    if (has_offset) offset_.size = count(offset_, 1);
    auto value = of_row_.begin();
    rows.for_each(i, [&](Index j, T x) {
      Column& one = column(j);
      const double now = *value++;
      if (entry_of(x) == 0) return;
      const double size = count(one, entry_of(x) * one.per_scale);
      one.value = one.value == now ? now : now + (one.value - now) * (size / one.size);
      one.size = size;
    });
    return sum;
  }

  template <class Rows>
  void shrink(const Rows&, const Step<T>&) {}
  template <class Rows>
  void add(const Rows& rows, Index i, T coefficient) {
    rows.for_each(i, [&](Index j, T x) {
      Column& one = column(j);
      one.value += static_cast<double>(coefficient) * one.size * (entry_of(x) * one.per_scale);
    });
  }
  template <class Rows>
  void complete(const Rows&) {}
  void finish(const Step<T>&, T offset, double) {
    offset_.value += offset_.size * static_cast<double>(offset);
  }
  void refresh() {}

  template <class Visit>
  void each_state(const Visit& visit) {
    const Index d = size();
    visit("columns", columns_);
    visit.demand(size() == d, size(), " columns, and the learner here ", d);
    visit("offset", offset_);
    visit("samples", samples_);
    visit("counted", counted_);
    visit("residuals", residuals_);
    visit("scaled_squares", scaled_squares_);
  }

 private:
  struct Column {
    double value{0};      // s·c
    double per_scale{0};  // 1/s; 0: all entries so far are 0, and `value` is w
    double squares{0};    // Σ of the squared gradients for v
    double size{0};       // η for v; 0: no step so far

    template <class Visit>
    void each_state(const Visit& visit) {
      visit("value", value);
      visit("per_scale", per_scale);
      visit("squares", squares);
      visit("size", size);
    }
  };

  /// Returns an entry, and 0 for one whose inverse may overflow.
  static double entry_of(T x) {
    const auto entry = static_cast<double>(x);
    return std::abs(entry) < least_number ? 0 : entry;
  }
  Column& column(Index j) { return columns_[static_cast<std::size_t>(j)]; }
  const Column& column(Index j) const { return columns_[static_cast<std::size_t>(j)]; }

  /// Sets s of a column to a larger one, or does nothing for 0.
  static void rescale(Column& one, double scale) {
    if (scale == 0) return;
    if (one.per_scale == 0) {
      one.value *= scale;
    } else {
      const double factor = 1 / (scale * one.per_scale);
      one.squares *= factor * factor;
    }
    one.per_scale = 1 / scale;
  }
  /// Returns v of column j.
  double penalised(const Column& one, Index j) const {
    if (one.size == 0) return one.value;
    const double c = one.value * one.per_scale;
    const double length = std::min(one.size * one.per_scale * one.per_scale * samples_, 1e300);
    const double w = of_column(penalty_, j).proximal(c, length);
    return w == c ? one.value : w / one.per_scale;
  }
  double weight_of(Index j) const {
    const Column& one = column(j);
    return one.per_scale > 0 ? penalised(one, j) * one.per_scale : one.value;
  }

  Penalty penalty_;
  double rate_;
  std::vector<Column> columns_{};
  Column offset_{};
  std::vector<double> of_row_{};  // v of the entries of the row of the last score
  double samples_{0};
  double counted_{0}, residuals_{0};  // number and Σ of squares of the residuals
  double scaled_squares_{0};          // Σ of (xⱼ/sⱼ)² over samples and columns
};

/// The rule of AdaptiveSgd: its steps have the direction of the gradient, and AdaptiveWeights has
/// their size.
template <DifferentiableLoss L, Penalty P>
struct AdaptiveRule {
  static constexpr bool weight_repeats = false;

  L loss{};
  P penalty{};
  bool has_offset{true};
  double factor{1};  ///< not used: no optimizer runs this rule

  template <class T>
  Step<T> operator()(T score, T target, T weight, Index) const {
    const T move = -weight * static_cast<T>(loss.derivative(score, target));
    return {1, move, has_offset ? move : T(0), 0};
  }
  double average_weight(Index) const { return 1; }
};

/// Weights with a step size for each column.
template <class W, class Rows>
concept HasColumnSteps = requires(W& weights, const Rows& rows) {
  weights.reach(rows, Index{}, 0.0, 0.0, 0.0, true);
};

/// AdaptiveRule for rows of a set: its steps are implicit, and finite for a weight of any size.
template <class Rule, class Weights, class Rows>
struct ImplicitRule {
  static constexpr bool weight_repeats = false;

  const Rule& rule;
  Weights& weights;
  const Rows& rows;

  struct Row {
    const ImplicitRule& all;
    Index i;

    template <class T>
    Step<T> operator()(T score, T target, T weight, Index) const {
      const auto slope_at = [&](double p) {
        return static_cast<double>(all.rule.loss.derivative(static_cast<T>(p), target));
      };
      const auto p = static_cast<double>(score);
      const double slope = slope_at(p);
      const auto h = static_cast<double>(weight);
      const double residual = is_of_residual(all.rule.loss) ? p - static_cast<double>(target) : 1;
      const double squares = h * slope * slope + residual * residual;
      if (slope == 0 || !(squares < 1e300)) return {};
      const double reach = all.weights.reach(all.rows, i, slope, residual, h, all.rule.has_offset);
      const double part = implicit_part(slope_at, p, slope, -h * reach * slope);
      constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
      const auto move = static_cast<T>(std::clamp(-part * h * slope, -most, most));
      return {1, move, all.rule.has_offset ? move : T(0), 0};
    }
  };
  Row at(Index i) const { return {*this, i}; }
  double average_weight(Index) const { return 1; }
};

}  // namespace linea::detail::descent
