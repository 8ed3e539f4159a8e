// SPDX-License-Identifier: MIT
#pragma once
/// \file The samples near a kink of their loss, on which the minimum depends, with smoothed losses.
#include <algorithm>  // clamp, max
#include <concepts>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/dual/free_system.hpp>
#include <linea/optimizers/numerics/line_search.hpp>
#include <linea/samples/selected_rows.hpp>
#include <tuple>    // tuple_size
#include <utility>  // declval
#include <vector>

namespace linea::dual {

/// A loss of two lines: hinge, absolute, quantile, ….
template <class L>
concept TwoLineLoss =
    BoxLoss<L> && !SmoothLoss<L> &&
    std::tuple_size<decltype(std::declval<const L&>().dual_boxes(0.0))>::value == 1;

/// A loss of two pieces, at whose one joint few samples lie: of two lines, or squared hinge loss.
template <class L>
concept BandLoss = TwoLineLoss<L> || OpenBoxLoss<L>;

/// The loss for target y.
template <BandLoss L>
DualBox box_of(const L& loss, double y) {
  if constexpr (OpenBoxLoss<L>)
    return loss.open_box(y);
  else
    return loss.dual_boxes(y)[0];
}

/// One sample, of weight s > 0, in F: the loss is max over u in [low, high] of u·(p − at).
struct BandSample {
  double part;    ///< s/n
  DualBox box;    ///< see core/loss.hpp
  double anchor;  ///< u₀, which u is held near
  double slope;   ///< u
  double score;   ///< p
  double move;    ///< of p along a direction

  /// u at a score p: the maximum of u·(p − at) − c/2·u² − ρ/2·(u − u₀)², c being the curvature.
  double slope_at(double p, double rho) const {
    const double slack = p - box.at - box.curvature * anchor;
    return std::clamp(anchor + slack / (rho + box.curvature), box.low, box.high);
  }
  bool is_free() const { return slope > box.low && slope < box.high; }
  /// ℓ(p) − u·(p − at) + c/2·u² ≥ 0: what u misses.
  double excess() const {
    const double distance = score - box.at;
    if (const double c = box.curvature; c > 0) {
      const double best = std::clamp(distance / c, box.low, box.high);
      return (best - slope) * (distance - c / 2 * (best + slope));
    }
    return std::max(box.low * distance, box.high * distance) - slope * distance;
  }
};

/// The function λ/2·‖w‖² + (1/n) Σᵢ sᵢ·max over uᵢ of uᵢ·(pᵢ − atᵢ) − c/2·uᵢ² − ρ/2·(uᵢ − u₀ᵢ)² of
/// θ = (w, b), in which all u but those of the band stay what they are. `pull` is (1/n) Σᵢ
/// sᵢuᵢ·(xᵢ, 1) over all samples, kept in step with u. It is smooth, and its gradient is λw + pull.
///
/// Legend: u = −α are the slopes that the multipliers stand for, ρ the width of the smoothing.
template <class Rows>
class Band {
 public:
  using Reals = Vector<typename Rows::Scalar>;

  Band(const Rows& rows, double lambda, bool has_offset)
      : rows_(rows),
        system_(rows_, rows.cols(), lambda, has_offset),
        d_(rows.cols()),
        lambda_(lambda) {}
  Band(const Band&) = delete;
  Band& operator=(const Band&) = delete;

  std::vector<BandSample> samples{};
  Sequence members{};  ///< their rows
  double rho{1};

  /// To be called when the members are complete.
  void take_rows() { rows_.take(members); }

  /// The slopes at the scores, and with them the pull. θ's gradient follows.
  void update(const Reals& theta, Reals& pull, Reals& gradient) {
    for (std::size_t k = 0; k < samples.size(); ++k) {
      BandSample& one = samples[k];
      const double slope = one.slope_at(one.score, rho);
      if (slope == one.slope) continue;
      system_.add(k, one.part * (slope - one.slope), pull);
      one.slope = slope;
    }
    gradient = pull;
    gradient.head(d_) += lambda_ * theta.head(d_);
  }

  /// Σ partᵢ·excessᵢ.
  double excess() const {
    double sum = 0;
    for (const auto& one : samples) sum += one.part * one.excess();
    return sum;
  }

  /// s with (∇² of the function)·s = −gradient, to 3 %. Sets the moves of all samples.
  void find_direction(const Reals& gradient, Reals& direction) {
    system_.clear(1e-6 / rho);  // lest the offset have no curvature
    for (std::size_t k = 0; k < samples.size(); ++k)
      if (const BandSample& one = samples[k]; one.is_free())
        system_.add_term(k, one.part / (rho + one.box.curvature));
    system_.solve(-gradient, direction);
    for (std::size_t k = 0; k < samples.size(); ++k) samples[k].move = system_.dot(k, direction);
  }

  /// The step along the direction to about where the function is least; 0 if it falls nowhere.
  double step_along(const Reals& theta, const Reals& pull, const Reals& direction) const {
    const double product = theta.head(d_).dot(direction.head(d_));
    const double square = direction.head(d_).squaredNorm();
    double rest = pull.dot(direction);  // of the samples that are not in the band
    for (const auto& one : samples) rest -= one.part * one.slope * one.move;
    const auto at = [&](double t) {
      numerics::LinePoint point{t, 0, 0};
      for (const auto& one : samples) {
        const double p = one.score + t * one.move;
        const double u = one.slope_at(p, rho);
        point.value += one.part * (u * (p - one.box.at - one.box.curvature / 2 * u) -
                                   rho / 2 * (u - one.anchor) * (u - one.anchor));
        point.slope += one.part * u * one.move;
      }
      point.value += t * (rest + lambda_ * product + t * lambda_ * square / 2);
      point.slope += rest + lambda_ * (product + t * square);
      return point;
    };
    const numerics::LinePoint start = at(0);
    if (!start.is_finite() || !(start.slope < 0)) return 0;
    return numerics::search_line(start, 1, {1e-4, 0.5}, at).step;
  }

 private:
  samples::SelectedRows<Rows> rows_;
  FreeSystem<Rows> system_;
  Index d_;
  double lambda_;
};

}  // namespace linea::dual
