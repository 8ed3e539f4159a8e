// SPDX-License-Identifier: MIT
#pragma once
/// \file Quadratic models of the mean loss, and their minima with a penalty by coordinate descent.
#include <algorithm>  // min
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/optimizers/loss_at_scores.hpp>
#include <linea/optimizers/sample_columns.hpp>
#include <vector>

namespace linea {

/// (1/S) Σᵢ sᵢ·ℓ(pᵢ, yᵢ), with the slopes and curvatures that models of it are made of.
template <CurvedLoss L>
class LossOfScores {
 public:
  using Numbers = Eigen::VectorXd;

  /// For y (n) and sample weights of mean 1 (n), or none. Loss and y must outlive it.
  LossOfScores(const L& loss, const Numbers& y, const Numbers& weights)
      : parts(Numbers::Constant(y.size(), 1 / static_cast<double>(y.size()))),
        loss_(loss),
        y_(y),
        weighted_(weights.size() > 0) {
    if (weighted_) parts.array() *= weights.array();
  }

  /// At scores p (n).
  double at(const Numbers& scores) {
    slopes.resize(scores.size());
    curvatures.resize(scores.size());
    LossBlock block;
    double sum = 0;
    for (Index first = 0; first < scores.size(); first += most_scores) {
      const Index count = std::min(most_scores, scores.size() - first);
      const ScoreBlock p = scores.segment(first, count).array();
      const ScoreBlock y = y_.segment(first, count).array();
      const ScoreBlock share = parts.segment(first, count).array();
      const double part = total_loss<true>(loss_, p, y, weighted_ ? &share : nullptr, block);
      sum += weighted_ ? part : share[0] * part;
      slopes.segment(first, count) = (share > 0).select(block.slopes, 0.0);
      curvatures.segment(first, count) = (share > 0).select(block.curvatures, 0.0);
    }
    return sum;
  }

  Numbers parts;         ///< sᵢ/S
  Numbers slopes{};      ///< ℓ′(pᵢ, yᵢ), 0 for samples of weight 0
  Numbers curvatures{};  ///< ℓ″(pᵢ, yᵢ), likewise

 private:
  const L& loss_;
  const Numbers& y_;
  bool weighted_;
};

/// With moves mᵢ = ⟨Δw, xᵢ⟩ + Δb of the scores,
///
///     Σᵢ gᵢmᵢ + ½ Σᵢ hᵢmᵢ²  +  Ω(w + Δw),      hᵢ ≥ 0, not all 0.
///
/// Weights are visited one after the other and each is brought to its minimum. Δb is at its own all the while: columns
/// are centred at their means under h on the way, so that an offset, or a constant added to a column, costs no
/// convergence. Dense columns are centred entry by entry; for sparse ones what all entries share is kept apart.
template <class Columns, Penalty P>
class CoordinateModel {
 public:
  using Numbers = Eigen::VectorXd;

  /// Columns and penalty must outlive it.
  CoordinateModel(const Columns& columns, const P& penalty, bool has_offset)
      : columns_(columns),
        penalty_(penalty),
        has_offset_(has_offset),
        moments_(static_cast<std::size_t>(columns.cols())),
        known_(static_cast<std::size_t>(columns.cols()), false) {}

  /// From `weights` w (d), moving those in `working` only, for g and h (n): until a visit to all of them brings the
  /// model down by no more than a hundredth of what it has come down, or after 1000 sweeps.
  void descend(const Numbers& g, const Numbers& h, const Numbers& weights,
               const std::vector<Index>& working) {
    constexpr double share = 0.01;
    if (h_.size() != h.size() || h_ != h) {
      h_ = h;
      total_ = h.sum();
      known_.assign(known_.size(), false);
    }
    const double first = has_offset_ ? -g.sum() / total_ : 0;
    slopes_ = g + first * h_;
    shift_ = 0;
    target_ = weights;

    fall_ = 0;
    std::vector<Index> turn = working;
    for (int sweep = 0; sweep < 1000; ++sweep) {
      const bool all = turn.size() == working.size();
      double last_fall = 0;
      std::size_t kept = 0;
      for (const Index j : turn) {
        const double change = visit(j, last_fall);
        if (change != 0 || target_[j] != 0) turn[kept++] = j;
      }
      turn.resize(kept);
      fold();
      fall_ += last_fall;
      if (last_fall > share * fall_) continue;
      if (all) break;
      turn = working;
    }

    offset_move_ = first;
    direction_ = target_ - weights;
    moves_.setZero(g.size());
    for (const Index j : working)
      if (const double change = direction_[j]; change != 0) {
        columns_.add(j, change, moves_);
        offset_move_ -= change * moments_[at(j)].mean;
      }
    moves_.array() += offset_move_;
    visits_ += static_cast<Index>(working.size());
  }

  const Numbers& target() const { return target_; }        ///< w + Δw (d)
  const Numbers& direction() const { return direction_; }  ///< Δw (d)
  double offset_move() const { return offset_move_; }      ///< Δb
  const Numbers& moves() const { return moves_; }          ///< of the scores (n)
  double fall() const { return fall_; }     ///< at most twice what the model has come down by
  Index visits() const { return visits_; }  ///< to columns, so far

 private:
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  /// Of weight j, to its minimum. Adds to `fall` twice what the model comes down by at least; answers with the change.
  double visit(Index j, double& fall) {
    ++visits_;
    ColumnMoments& column = moments_[at(j)];
    if (!known_[at(j)]) {
      column = columns_.moments(j, has_offset_, h_, total_);
      known_[at(j)] = true;
      ++visits_;
    }
    const double before = target_[j];
    double step = std::numeric_limits<double>::max();
    double pulled = before;
    if (column.square > 0) {
      step = 1 / column.square;
      pulled -= step * slope(j, column.mean);
    }
    const double after = static_cast<double>(penalty_.proximal(pulled, step));
    const double change = after - before;
    if (change == 0 || !std::isfinite(change)) return 0;
    target_[j] = after;
    if (column.square > 0) move(j, change, column.mean);
    fall += column.square * change * change;
    return change;
  }

  double slope(Index j, double mean) const {
    if constexpr (Columns::is_sparse)
      return columns_.dot(j, slopes_) + shift_ * total_ * mean;
    else
      return columns_.dot(j, mean, slopes_);
  }

  void move(Index j, double change, double mean) {
    if constexpr (Columns::is_sparse) {
      columns_.add(j, change, h_, slopes_);
      shift_ -= change * mean;
    } else {
      columns_.add(j, change, mean, h_, slopes_);
    }
  }

  void fold() {
    if (shift_ != 0) slopes_ += shift_ * h_;
    shift_ = 0;
  }

  const Columns& columns_;
  const P& penalty_;
  bool has_offset_;
  std::vector<ColumnMoments> moments_;
  std::vector<bool> known_;
  Numbers h_{};
  double total_{0};   // Σᵢ hᵢ
  Numbers slopes_{};  // gᵢ + hᵢmᵢ, but for shift·hᵢ
  double shift_{0};
  Numbers target_{}, direction_{}, moves_{};
  double offset_move_{0};
  double fall_{0};
  Index visits_{0};
};

}  // namespace linea
