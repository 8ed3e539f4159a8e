// SPDX-License-Identifier: MIT
#pragma once
/// \file How processes that have climbed each on its own rows put their steps together.
#include <algorithm>  // clamp, copy, max, max_element, min
#include <array>
#include <cmath>  // abs, isfinite
#include <cstddef>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::dual {

/// Where an ascent is beside its multipliers: v and b, and Σᵢ sᵢαᵢ/(λn), see Ascent.
template <class Real = double>
struct Place {
  Vector<Real> v;
  Real offset{0};
  Real shift{0};
};

/// What stays as it is all the time: m, or 0, λ and κ², see Ascent.
template <class Real = double>
struct DualTerms {
  const Vector<Real>& mean;
  double lambda;
  double kappa_square;
};

/// The rise of D along the joint move of all processes, α + t·(α′ − α) for t in [0, 1]:
///
///     −(1/n) Σᵢ sᵢ·(ℓ*(−α(t)ᵢ) − ℓ*(−αᵢ)) − t·slope − t²·bend,
///
/// the last two being what the change of w costs. Each process has found its α′ as if the others
/// stood still, so the sum of their moves may be too long: the best t makes up for it (Lee and
/// Roth, Distributed box-constrained quadratic optimization for dual linear SVM, ICML 2015).
///
/// The first term is asked for at four t before slope and bend are known, so that one exchange has
/// all of it. For hinge and other losses whose ℓ* is straight or a parabola that is all there is to
/// know; for others three more t are asked for.
template <class L, class Rows>
class JointStep {
 public:
  using Real = core::DoubleFor<Rows>;
  static constexpr Index quarters = 4;
  static constexpr Index more_numbers = 3 + quarters;  ///< than d that a sum has

  /// What this process has moved, each sample once; the samples have their new multipliers.
  JointStep(const L& loss, const samples::TrainingSet<Rows>& set, std::vector<SampleState>& samples,
            const std::vector<Move>& moves)
      : loss_(loss), set_(set), samples_(samples), moves_(moves) {}

  /// Moves the multipliers by the best part t of what this process has moved them, and `place`,
  /// where all processes began, to where all of them then are; but v is left where it is, to be
  /// moved by t times the first d numbers of `all`. Returns t. Before, those are what this process
  /// has moved v by, the other 7 anything, and `to_shift` is where it has shift. `excess` and
  /// `moved` become sums over the processes. One sum of d + 7 numbers, and perhaps one of three.
  double take(Place<Real>& place, Vector<Real>& all, double to_shift, const DualTerms<Real>& terms,
              double& excess, double& moved) {
    const auto& [m, lambda, kappa_square] = terms;
    const Index d = m.size();
    all.segment(d, 3) << to_shift - place.shift, excess, moved;
    const std::array<double, quarters> parts{quarter(1), quarter(2), quarter(3), quarter(4)};
    add_losses(parts, all.data() + d + 3);
    set_.processes.sum_entries(all);
    const double turn = all[d];
    const Products products = products_of(place, all.data(), turn, m);
    // D falls by λ/2·‖w‖² + λ/2·κ²·shift² + λc·shift, where b = c + κ²·shift − ⟨m, w⟩.
    const double center = place.offset + products.mean_w - kappa_square * place.shift;
    slope_ = lambda * (products.w_move + (kappa_square * place.shift + center) * turn);
    bend_ = lambda / 2 * (products.move_move + kappa_square * turn * turn);
    std::array<double, quarters + 1> rises{};
    for (Index k = 1; k <= quarters; ++k)
      rises[static_cast<std::size_t>(k)] = rise(quarter(k), all[d + 2 + k]);
    const double t = best(rises);
    for (const Move& one : moves_) samples_[one.sample].multiplier = multiplier(t, one);
    excess = all[d + 1];
    moved = all[d + 2];
    place.offset += t * (kappa_square * turn - products.mean_move);
    place.shift += t * turn;
    return t;
  }

 private:
  /// Of w = v − shift·m at the place and its move, moved − turn·m, with m and with each other.
  struct Products {
    double mean_w{0}, mean_move{0}, w_move{0}, move_move{0};
  };
  /// In one sweep: the vectors are longer than the cache is wide.
  static Products products_of(const Place<Real>& place, const Real* moved, double turn,
                              const Vector<Real>& m) {
    constexpr Index block = 256;
    Products sums;
    for (Index first = 0; first < m.size(); first += block) {
      const Index count = std::min(block, m.size() - first);
      Eigen::Array<Real, block, 1> w, move;
      const auto mean = m.segment(first, count).array();
      w.head(count) = place.v.segment(first, count).array() - place.shift * mean;
      move.head(count) = Eigen::Map<const Vector<Real>>(moved + first, count).array() - turn * mean;
      sums.mean_w += (mean * w.head(count)).sum();
      sums.mean_move += (mean * move.head(count)).sum();
      sums.w_move += (w.head(count) * move.head(count)).sum();
      sums.move_move += move.head(count).square().sum();
    }
    return sums;
  }

  static constexpr double quarter(Index k) { return static_cast<double>(k) / quarters; }

  /// About the best t, from the rises at the quarters.
  double best(const std::array<double, quarters + 1>& rises) const {
    const auto top = std::max_element(rises.begin(), rises.end()) - rises.begin();
    const auto middle = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(top, 1, quarters - 1));
    const double left = rises[middle] - rises[middle - 1];
    const double right = rises[middle + 1] - rises[middle];
    if (!(right < left)) return quarter(top);  // no rise at all, or all of it at the end
    // The parabola through three of them is rises[middle] + u·tilt + u²/2·(right − left).
    const double tilt = (left + right) / 2;
    const double from_middle = -tilt / (right - left);
    const double vertex = quarter(static_cast<Index>(middle)) + from_middle / quarters;
    const double t = std::clamp(vertex, 0.001, 1.0);
    const double most = rises[static_cast<std::size_t>(top)];
    double off = 0;
    for (std::size_t k = 0; k < rises.size(); ++k) {
      const double u = static_cast<double>(k) - static_cast<double>(middle);
      off = std::max(off, std::abs(rises[middle] + u * (tilt + u / 2 * (right - left)) - rises[k]));
    }
    return off <= 1e-3 * most ? t : best_near(t, quarter(top), most);
  }

  /// The best of a t at which the rise is known, and of three: the one given, and half-way from it
  /// to the ends of the quarters that it is in.
  double best_near(double t, double known, double at_known) const {
    const double low = std::max(known - quarter(1), 0.0);
    const double high = std::min(known + quarter(1), 1.0);
    const std::array<double, 3> trials{t, (low + t) / 2, (high + t) / 2};
    double losses[3];
    add_losses(trials, losses);
    set_.processes.sum(losses, 3);
    for (std::size_t k = 0; k < 3; ++k)
      if (const double one = rise(trials[k], losses[k]); one > at_known) {
        at_known = one;
        known = trials[k];
      }
    return at_known > 0 ? known : 0;
  }

  /// αᵢ at t, in the domain of ℓ*.
  double multiplier(double t, const Move& move) const {
    const double after = samples_[move.sample].multiplier;
    if (t == 1) return after;
    return within_domain(loss_, move.before + t * (after - move.before),
                         set_.y[static_cast<Index>(move.sample)]);
  }

  /// losses[k] ← Σᵢ sᵢ·(ℓ*(−α(t)ᵢ) − ℓ*(−αᵢ)) at t = parts[k], over the samples of this process.
  template <std::size_t count>
  void add_losses(const std::array<double, count>& parts, double* losses) const {
    std::array<double, count> sums{};
    for (const Move& one : moves_) {
      const auto row = static_cast<Index>(one.sample);
      const double target = set_.y[row];
      const double weight = set_.weight(row);
      const double before = loss_.conjugate(-one.before, target);
      for (std::size_t k = 0; k < count; ++k) {
        const double at = one.before + parts[k] * (samples_[one.sample].multiplier - one.before);
        double conjugate = loss_.conjugate(-at, target);
        if (!std::isfinite(conjugate))
          conjugate = loss_.conjugate(-multiplier(parts[k], one), target);
        sums[k] += weight * (conjugate - before);
      }
    }
    std::copy(sums.begin(), sums.end(), losses);
  }

  /// The rise at t, from the sum of the losses of all processes there.
  double rise(double t, double losses) const {
    return -losses / static_cast<double>(set_.all_rows()) - t * (slope_ + t * bend_);
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  std::vector<SampleState>& samples_;
  const std::vector<Move>& moves_;
  double slope_{0};
  double bend_{0};
};

}  // namespace linea::dual
