// SPDX-License-Identifier: MIT
#pragma once
/// \file Quadratic models of the mean loss, and their minima with a penalty, one coordinate after the other.
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/penalty.hpp>
#include <linea/samples/columns.hpp>
#include <vector>

namespace linea::smooth {

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
    samples::ColumnMoments& column = moments_[at(j)];
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
  std::vector<samples::ColumnMoments> moments_;
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

}  // namespace linea::smooth
