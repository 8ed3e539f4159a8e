// SPDX-License-Identifier: MIT
#pragma once
/// \file A quadratic model of the mean loss plus a penalty, minimised by coordinate descent.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/column_gram.hpp>
#include <linea/optimizers/newton/conjugate_direction.hpp>
#include <linea/optimizers/newton/support_minimum.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/columns.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// The model of F near (w, b), as a function of Δw and Δb, is
///
///     Σᵢ gᵢmᵢ + ½ Σᵢ hᵢmᵢ²  +  Ω(w + Δw),      hᵢ ≥ 0, not all 0,
///
/// where g and h are slopes and curvatures of the mean loss in the scores, and mᵢ = ⟨Δw, xᵢ⟩ + Δb
/// are the changes of the scores. A visit minimises the model over one weight. Without an offset Δb
/// is 0. With an offset Δb is always optimal: centring every column at its mean under the weights h
/// eliminates Δb. So neither an offset nor a constant added to a column slows the convergence.
/// No entry is centred: `shift_` is the multiple of h that centring adds to the slopes.
///
/// Where sweeps converge slowly, as with correlated columns, Newton steps with fixed signs minimise
/// over many weights at once: all non-zero weights that the last sweep moved (see SupportMinimum).
/// These steps need a penalty that is l1·|w| + l2/2·w² in each weight, at least on one side of 0.
class CoordinateModel {
 public:
  /// Columns and penalty must outlive this object.
  CoordinateModel(const samples::Columns& columns, const proof::SeparablePenalty& penalty,
                  bool has_offset)
      : columns_(columns),
        penalty_(penalty),
        has_offset_(has_offset),
        gram_(columns, has_offset, 1024),
        moments_(static_cast<std::size_t>(columns.cols()), unknown) {}

  /// Minimises the model of g and h (n) from `weights` w (d), over the weights in `working` only.
  /// Ends when a sweep lowers the model by at most a tenth of its fall so far (a hundredth if the
  /// last model had the same h), or after 1000 sweeps. If the fall is then at most `last_fall`,
  /// this is probably the last model of the run. Up to 19 more sweeps then minimise it until its
  /// gap is about `allowed`/2, so that its slopes give a bound on F*.
  void descend(const Vector<double>& g, const Vector<double>& h, const Vector<double>& weights,
               const std::vector<Index>& working, double last_fall, double allowed) {
    const bool is_new = h_.size() != h.size() || h_ != h;
    if (is_new) {
      h_ = h;
      total_ = linear_algebra::sum_of(h);
      moments_.assign(moments_.size(), unknown);
      gram_.clear();
    }
    const double first = has_offset_ ? -linear_algebra::sum_of(g) / total_ : 0;
    slopes_ = g;
    linear_algebra::add(first, h_, slopes_);
    shift_ = 0;
    target_ = weights;
    direction_.resize(weights.size());

    sweep(working, is_new ? 0.1 : 0.01, last_fall, allowed);

    offset_move_ = first;
    direction_ = linear_algebra::difference(target_, weights);
    moves_ = detail::filled(g.size(), 0.0);
    for (const Index j : working)
      if (const double change = direction_[j]; change != 0) {
        columns_.add(j, change, moves_);
        offset_move_ -= change * moments_[at(j)].mean;
      }
    for (double& move : moves_) move += offset_move_;
    visits_ += static_cast<Index>(working.size());
  }

  const Vector<double>& target() const { return target_; }        ///< w + Δw (d)
  const Vector<double>& direction() const { return direction_; }  ///< Δw (d)
  double offset_move() const { return offset_move_; }             ///< Δb
  const Vector<double>& moves() const { return moves_; }          ///< changes of the scores (n)
  const Vector<double>& slopes() const { return slopes_; }        ///< gᵢ + hᵢmᵢ (n)
  bool is_exact() const { return is_exact_; }  ///< has the model been minimised to `allowed`?
  double fall() const { return fall_; }        ///< estimated fall of the model: see visit
  Index visits() const { return visits_; }     ///< number of visits to columns so far

 private:
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  /// Sweeps over the weights in `working`: see descend. A weight that stays 0 becomes inactive. For
  /// the last model of a run, the final sweeps visit all weights again.
  void sweep(const std::vector<Index>& working, double enough, double last_fall, double allowed) {
    fall_ = 0;
    is_exact_ = false;
    std::vector<Index> active = working;
    bool is_last = false;
    double fall = 0;
    for (int left = 1000; left > 0; --left) {
      const bool all = active.size() == working.size();
      const double fall_before = fall;
      fall = violation_ = 0;
      std::size_t kept = 0;
      keeps_signs_ = true;
      for (const Index j : active) {
        direction_[j] = visit(j, fall);
        if (direction_[j] != 0 || target_[j] != 0) active[kept++] = j;
      }
      active.resize(kept);
      fold();
      fall_ += fall;
      swept_ += static_cast<double>(active.size());
      const bool is_near = is_last ? violation_ * linear_algebra::sizes_of(target_) <= allowed / 2
                                   : fall <= enough * fall_;
      if (!is_near) {
        if (is_last || fall > 0.5 * fall_before) descend_together(active, is_last, allowed);
        continue;
      }
      is_exact_ = is_last && all;
      if (is_exact_ || (!is_last && !(fall_ <= last_fall))) return;
      if (!is_last) left = std::min(left, 20);
      is_last = true;
      active = working;
    }
  }

  /// Minimises the model over those weights in `active` that are not 0 and that the last sweep
  /// moved. Factorises once the column visits since the last factorisation have cost as much as a
  /// factorisation, and for the last model of a run if factorisation is cheap. If factorisation is
  /// expensive and the last sweep changed no sign, uses conjugate gradients; for the last model of
  /// a run to the accuracy of `sweep`. Otherwise does nothing.
  void descend_together(const std::vector<Index>& active, bool is_last, double allowed) {
    std::vector<Index> support;
    for (const Index j : active)
      if (target_[j] != 0 && direction_[j] != 0 && moments_[at(j)].square > 0) support.push_back(j);
    const auto size = static_cast<Index>(support.size());
    if (size == 0) return;
    price_ = size <= gram_.most() ? price(support) : std::numeric_limits<double>::infinity();
    const bool is_cheap = price_ <= 32.0 * static_cast<double>(size);
    if (swept_ >= price_ || (is_last && is_cheap)) {
      swept_ = 0;
      visits_ += gram_.prepare(support, h_, total_);
      move_to_minimum(support, true);
    } else if (!is_cheap && keeps_signs_) {
      const double sizes = linear_algebra::sizes_of(target_);
      move_to_minimum(support, false, is_last ? allowed / (4 * sizes) : 0);
    }
  }

  /// Returns the cost of a joint step on these weights by factorisation, in column visits.
  double price(const std::vector<Index>& support) const {
    double entries = 0;
    for (const Index j : support) entries += static_cast<double>(columns_.entries(j));
    const auto k = static_cast<double>(support.size());
    entries = std::max(entries / k, 1.0);
    const double products = static_cast<double>(gram_.unknown(support)) *
                            (k / 8 + static_cast<double>(slopes_.size()) / (4 * entries));
    return 4 * k + products + k * k * k / (12 * entries);
  }

  /// Minimises over the support by factors, or by conjugate gradients (see step_by_gradients).
  void move_to_minimum(const std::vector<Index>& support, bool by_factors, double least = 0) {
    const auto size = static_cast<Index>(support.size());
    Vector<double> l1(size), l2(size), kinks(size), slopes(size), weights(size);
    for (Index k = 0; k < size; ++k) {
      const Index j = support[at(k)];
      l1[k] = penalty_.l1(j);
      l2[k] = penalty_.l2(j);
      weights[k] = target_[j];
      kinks[k] = std::isfinite(penalty_.value(j, -weights[k]))
                     ? 2 * l1[k]
                     : std::numeric_limits<double>::infinity();
      slopes[k] = slope(j, moments_[at(j)].mean) + l2[k] * weights[k];
    }
    visits_ += size;
    if (!is_elastic(support, l1, l2, weights)) return;
    SupportMinimum minimum(l1, kinks, slopes, weights);
    if (by_factors)
      minimum.descend(curvature_of(support, l2), 10 + 2 * slopes_.size() / size);
    else
      step_by_gradients(support, l2, minimum, least);
    if (!std::isfinite(minimum.fall()) || !is_elastic(support, l1, l2, minimum.weights())) return;
    fall_ += minimum.fall();
    for (Index k = 0; k < size; ++k) {
      const Index j = support[at(k)];
      const double change = minimum.weights()[k] - weights[k];
      if (change == 0) continue;
      target_[j] = minimum.weights()[k];
      move(j, change, moments_[at(j)].mean);
    }
    fold();
  }

  /// Is the penalty of these weights Σ l1·|w| + l2/2·w²?
  bool is_elastic(const std::vector<Index>& support, const Vector<double>& l1,
                  const Vector<double>& l2, const Vector<double>& weights) const {
    double given = 0, known = 0;
    for (Index k = 0; k < weights.size(); ++k) {
      given += penalty_.value(support[at(k)], weights[k]);
      known += l1[k] * std::abs(weights[k]) + l2[k] / 2 * weights[k] * weights[k];
    }
    return std::abs(given - known) <= 1e-9 * given;
  }

  detail::ColumnMatrix<double> curvature_of(const std::vector<Index>& support,
                                            const Vector<double>& l2) const {
    const auto size = static_cast<Index>(support.size());
    detail::ColumnMatrix<double> curvature(size, size);
    for (Index k = 0; k < size; ++k) {
      for (Index i = 0; i < size; ++i)
        curvature(i, k) = gram_.coupling(support[at(i)], support[at(k)]);
      curvature(k, k) += l2[k];
    }
    return curvature;
  }

  /// Minimises over the support by conjugate gradients: see step_off_zero. Their products cost at
  /// most as much as a factorisation.
  void step_by_gradients(const std::vector<Index>& support, const Vector<double>& l2,
                         SupportMinimum& minimum, double least) {
    Vector<double> means(l2.size()), diagonal = l2;
    for (Index k = 0; k < l2.size(); ++k) {
      const samples::ColumnMoments& column = moments_[at(support[at(k)])];
      means[k] = column.mean;
      diagonal[k] += column.square;
    }
    SupportCurvature curvature(columns_, support, means, diagonal, h_, l2);
    const auto size = static_cast<double>(l2.size());
    const double most = std::min((price_ - swept_) / size, 300.0);
    const Index products = step_off_zero(curvature, minimum, least, static_cast<Index>(most));
    visits_ += products * l2.size();
    swept_ += static_cast<double>(products) * size;
  }

  /// Minimises the model over weight j and returns the change of the weight. Adds an estimate of
  /// the decrease of the model to `fall`: at most twice the true decrease.
  double visit(Index j, double& fall) {
    samples::ColumnMoments& column = moments_[at(j)];
    ++visits_;
    if (column.square < 0) {
      column = columns_.moments(j, has_offset_, h_, total_);
      ++visits_;
    }
    const double before = target_[j];
    double step = std::numeric_limits<double>::max();
    double unpenalised = before;
    if (column.square > 0) {
      step = 1 / column.square;
      unpenalised -= step * slope(j, column.mean);
    }
    const double after = penalty_.proximal(j, unpenalised, step);
    const double change = after - before;
    if (change == 0 || !std::isfinite(change)) return 0;
    target_[j] = after;
    if (!(before * after > 0)) keeps_signs_ = false;
    if (column.square > 0) move(j, change, column.mean);
    fall += column.square * change * change;
    violation_ = std::max(violation_, column.square * std::abs(change));
    return change;
  }

  /// Returns the derivative of the model for weight j, without the penalty.
  double slope(Index j, double mean) const {
    return columns_.dot(j, slopes_) + shift_ * total_ * mean;
  }

  /// Updates slopes_ and shift_ after a change of weight j, and of the Δb that is then optimal.
  void move(Index j, double change, double mean) {
    columns_.add(j, change, h_, slopes_);
    shift_ -= change * mean;
  }

  /// Adds shift_·h to slopes_ and sets shift_ to 0.
  void fold() {
    if (shift_ != 0) linear_algebra::add(shift_, h_, slopes_);
    shift_ = 0;
  }

  const samples::Columns& columns_;
  const proof::SeparablePenalty& penalty_;
  bool has_offset_;
  ColumnGram gram_;
  static constexpr samples::ColumnMoments unknown{0, -1};
  std::vector<samples::ColumnMoments> moments_;  // under h, or `unknown`
  Vector<double> h_{};
  double total_{0};          // Σᵢ hᵢ
  Vector<double> slopes_{};  // gᵢ + hᵢmᵢ − shift_·hᵢ
  double shift_{0};
  Vector<double> target_{}, direction_{}, moves_{};
  double offset_move_{0};
  double fall_{0};
  double violation_{0};  // largest change of a weight's slope by its visit, in the last sweep
  bool is_exact_{false};
  double swept_{0};          // column visits since the last factorisation
  double price_{0};          // of a factorisation for the last support, in column visits
  bool keeps_signs_{false};  // did the last sweep keep all signs and zeros?
  Index visits_{0};
};

}  // namespace linea::detail::newton
