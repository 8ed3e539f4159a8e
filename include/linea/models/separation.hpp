// SPDX-License-Identifier: MIT
#pragma once
/// \file Detects separated data, for which the loss without a penalty has no minimum.
///
/// A direction v of weights and offset separates some samples if their losses fall without end
/// along v and no loss of another sample rises. For two classes this means that yᵢ⟨v, xᵢ⟩ is ≥ 0
/// for all samples and > 0 for some samples. Then coefficients with a component along v have no
/// finite estimate. The samples that are not separated determine the other coefficients (Albert and
/// Anderson, Biometrika 71 (1984); Konis, Linear programming algorithms for detecting separated
/// data, Oxford 2007; Correia, Guimarães and Zylkin, arXiv:1903.01633).
#include <algorithm>  // max
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/linear_algebra/qr.hpp>
#include <linea/models/information.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/samples/origin.hpp>
#include <linea/samples/training_set.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::detail {

/// Minimises ‖c + u + Σₖ μₖaₖ‖ over μ ≥ 0 and u in a fixed subspace. `add` adds the vectors aₖ one
/// at a time (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
template <class Real = double>
class NonNegativeLeastSquares {
  using Columns = ColumnMatrix<Real>;

 public:
  /// Takes c (m), and the subspace as orthonormal columns (m × k).
  NonNegativeLeastSquares(Vector<Real> c, Columns subspace)
      : c_(std::move(c)),
        fixed_(std::move(subspace)),
        basis_(c_.size(), c_.size()),
        triangle_(Columns::Zero(c_.size(), c_.size())) {
    find_residual();
  }

  /// Returns c + u + Σₖ μₖaₖ at the minimum, which is orthogonal to the subspace.
  const Vector<Real>& residual() const { return residual_; }

  /// Adds a vector with ⟨a, residual⟩ < 0 and finds the minimum. Returns false, and changes
  /// nothing, if the vector depends on the earlier vectors and the subspace, up to an error of norm
  /// `noise`.
  bool add(const Vector<Real>& a, double noise) {
    if (!append({a, 0, noise})) return false;
    for (Index p = size(); p > 0; p = size()) {
      Vector<Real> best = -(basis_.leftCols(p).transpose() * c_);
      triangle_.topLeftCorner(p, p).template triangularView<Eigen::Upper>().solveInPlace(best);
      double step = 1;
      Index first = -1;
      for (Index k = 0; k < p; ++k)
        if (const double share = factor(k) / (factor(k) - best[k]);
            !(best[k] > 0) && share < step) {
          step = share;
          first = k;
        }
      for (Index k = 0; k < p; ++k) factor(k) += step * (best[k] - factor(k));
      if (first < 0) break;
      drop(first);
    }
    find_residual();
    return true;
  }

 private:
  struct Part {
    Vector<Real> vector;
    double factor;  // μ
    double noise;
  };

  Index size() const { return static_cast<Index>(parts_.size()); }
  double& factor(Index k) { return parts_[static_cast<std::size_t>(k)].factor; }

  /// Returns v without its components in the subspace and in the basis.
  Vector<Real> outside(Vector<Real> v) const {
    const auto basis = basis_.leftCols(size());
    for (int twice = 0; twice < 2; ++twice) {
      v -= fixed_ * (fixed_.transpose() * v);
      v -= basis * (basis.transpose() * v);
    }
    return v;
  }
  void find_residual() { residual_ = outside(c_); }

  bool append(const Part& part) {
    const Index p = size();
    const Vector<Real> rest = outside(part.vector);
    const double length = rest.norm();
    if (p == basis_.cols() || !(length > part.noise)) return false;
    triangle_.col(p).head(p) = basis_.leftCols(p).transpose() * part.vector;
    triangle_(p, p) = length;
    basis_.col(p) = rest / length;
    parts_.push_back(part);
    return true;
  }

  /// Removes vector k, whose coefficient is 0.
  void drop(Index k) {
    const std::vector<Part> all = parts_;
    parts_.erase(parts_.begin() + k, parts_.end());
    for (auto i = static_cast<std::size_t>(k) + 1; i < all.size(); ++i) append(all[i]);
  }

  Vector<Real> c_;
  Columns fixed_;
  Columns basis_;     // an orthonormal basis of the vectors, orthogonal to the subspace
  Columns triangle_;  // basis·triangle: the vectors without their components in the subspace
  std::vector<Part> parts_{};
  Vector<Real> residual_{};
};

/// Finds separated samples: searches for a direction, and verifies the score of every sample along
/// this direction.
template <class Rows>
class Separation {
  using Real = DoubleFor<Rows>;
  using Reals = Vector<Real>;
  using Columns = ColumnMatrix<Real>;

 public:
  /// Takes the samples, `ways` (n), see AtSolution::ways, and the index of a held weight or −1.
  /// `ways` must outlive this object.
  Separation(samples::TrainingSet<Rows> set, const Vector<double>& ways, bool has_offset,
             Index held = -1)
      : set_(std::move(set)),
        ways_(ways),
        has_offset_(has_offset),
        held_(held),
        open_(at(ways.size())),
        found_(open_) {
    samples::choose_origin(set_, has_offset_);
    for (Index i = 0; i < ways.size(); ++i) {
      open_[at(i)] = is_present(i) && ways[i] != 0;
      is_bound_ = is_bound_ || (is_present(i) && ways[i] == 0);
    }
    choose_units();
  }

  /// Returns one flag for each sample (n): is the sample separated? Returns std::nullopt if
  /// rounding hides it.
  std::optional<std::vector<bool>> find() {
    std::vector<bool> separated(open_.size(), false);
    while (true) {
      const Reals v = direction();
      if (v.isZero(0)) return separated;
      if (!confirm(v)) return std::nullopt;
      for (std::size_t i = 0; i < open_.size(); ++i)
        if (found_[i]) {
          separated[i] = true;
          open_[i] = false;
        }
    }
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  bool is_present(Index i) const { return set_.weight(i) > 0; }
  /// Returns the distance of column j, whose entries are relative to an origin, from the entries as
  /// stored, which are rounded.
  double origin(Index j) const { return set_.origin ? std::abs((*set_.origin)[j]) : 0; }

  /// Returns the chosen samples, all of the same weight, as a design. Sets `count` to their number.
  least_squares::CentredDesign<Rows> design_of(const std::vector<bool>& chosen,
                                               Index& count) const {
    samples::TrainingSet<Rows> some = set_;
    some.weights = Reals::Zero(ways_.size());
    count = 0;
    for (Index i = 0; i < ways_.size(); ++i) count += chosen[at(i)];
    for (Index i = 0; i < ways_.size(); ++i)
      if (chosen[at(i)])
        some.weights[i] = static_cast<double>(ways_.size()) / static_cast<double>(count);
    return {some, has_offset_};
  }

  /// Sets a centre and a unit for each column and, in these units, a basis of the rows of samples
  /// with way 0, which constrain a direction v from both sides: ⟨v, row⟩ = 0.
  void choose_units() {
    std::vector<bool> chosen(open_.size());
    for (Index i = 0; i < ways_.size(); ++i)
      chosen[at(i)] = is_present(i) && (!is_bound_ || ways_[i] == 0);
    Index count = 0;
    const auto design = design_of(chosen, count);
    const Index d = set_.rows.cols();
    centre_ = design.mean();
    unit_ = Reals::Zero(d);
    for (Index i = 0; i < ways_.size(); ++i)
      if (is_present(i))
        set_.rows.for_each(i, [&](Index j, double value) {
          unit_[j] = std::max(unit_[j], std::abs(value - centre_[j]));
        });
    double farthest = 1;  // in units
    for (Index j = 0; j < d; ++j) {
      const double far = std::abs(centre_[j]) + origin(j);
      // Directions do not change the weight of a constant column or a held weight.
      const bool is_fixed = j == held_ || unit_[j] <= design.rounding() * far;
      unit_[j] = is_fixed ? 0 : 1 / unit_[j];
      farthest = std::max(farthest, far * unit_[j]);
    }
    has_free_offset_ = has_offset_ && !is_bound_;
    bound_.resize(d + has_free_offset_, 0);
    // The direction of a row at the centre is only rounding error: such rows stay short.
    rounding_ = design.rounding() * farthest * std::sqrt(static_cast<double>(d));
    lengths_ = Reals::Ones(ways_.size());
    for (Index i = 0; i < ways_.size(); ++i)
      if (const double length = long_row(i).norm(); length > 0)
        lengths_[i] = std::max(length, has_offset_ ? 1e8 * rounding_ : 0.0);
    if (!is_bound_) return;
    Columns rows = (design.triangle() * unit_.asDiagonal()).transpose();
    const linear_algebra::PivotedQr<Real> qr(std::move(rows), Reals::Constant(d, rounding_), d);
    bound_ = Columns::Zero(d, qr.rank());
    for (Index k = 0; k < qr.rank(); ++k) {
      bound_(k, k) = 1;
      for (Index back = qr.rank(); back-- > 0;) qr.reflect(back, bound_.col(k).data());
    }
  }

  /// Returns row i in the units of `choose_units`, scaled to norm 1 or less, with the sign for
  /// which the loss does not rise along v if ⟨v, row⟩ ≥ 0.
  Reals row(Index i) const { return long_row(i) * (ways_[i] / lengths_[i]); }
  double noise_of_row(Index i) const {
    return std::max(1e-12, has_offset_ ? rounding_ / lengths_[i] : 0.0);
  }
  Reals long_row(Index i) const {
    const Index d = set_.rows.cols();
    Reals whole = Reals::Ones(bound_.rows());
    whole.head(d) = -centre_;
    set_.rows.for_each(i, [&](Index j, double value) { whole[j] += value; });
    whole.head(d).array() *= unit_.array();
    return whole;
  }

  /// Returns a direction that separates samples, or 0 if there is none.
  ///
  /// The direction r is the shortest vector of the form Σ (factor·open row) + (a combination of the
  /// rows with way 0), with factors of at least 1. At the minimum ⟨r, row⟩ ≥ 0 for all open rows.
  /// If r = 0, no direction v exists: Σ factor·⟨v, row⟩ would be positive, but equals ⟨v, r⟩ = 0.
  Reals direction() const {
    Reals sum = Reals::Zero(bound_.rows());
    double noise = 0;
    for (Index i = 0; i < ways_.size(); ++i)
      if (open_[at(i)]) {
        sum += row(i);
        noise += noise_of_row(i);
      }
    NonNegativeLeastSquares<Real> squares(sum, bound_);
    for (Index rounds = 20 + 10 * bound_.rows(); rounds > 0; --rounds) {
      const Reals& v = squares.residual();
      if (!(v.norm() > noise)) return Reals::Zero(v.size());
      const Reals scores = measure(v);
      Index worst = 0;
      const double least = scores.minCoeff(&worst);
      if (least >= -noise_of_row(worst) * v.norm() || !squares.add(row(worst), noise_of_row(worst)))
        break;
    }
    return squares.residual();
  }

  /// Returns ⟨v, row⟩ (n) for the open samples, and 0 for the other samples.
  Reals measure(const Reals& v) const {
    const Index d = set_.rows.cols();
    const Reals w = v.head(d).cwiseProduct(unit_);
    const double offset = (has_free_offset_ ? v[d] : 0.0) - w.dot(centre_);
    Reals scores(ways_.size());
    set_.rows.scores(0, ways_.size(), w, scores.data());
    for (Index i = 0; i < ways_.size(); ++i)
      scores[i] = open_[at(i)] ? ways_[i] * (scores[i] + offset) / lengths_[i] : 0;
    return scores;
  }

  /// Verifies v, without the part that the samples with scores near 0 determine: their scores must
  /// be 0, and those of the separated samples must keep their sign and exceed rounding errors.
  bool confirm(const Reals& v) {
    const Index d = set_.rows.cols();
    const double most = 1e-7 * v.norm();
    const Reals scores = measure(v);
    if (scores.minCoeff() < -most) return false;
    std::vector<bool> kept(open_.size());
    for (Index i = 0; i < ways_.size(); ++i) {
      found_[at(i)] = scores[i] > most;
      kept[at(i)] = is_present(i) && scores[i] <= most && (open_[at(i)] || ways_[i] == 0);
    }
    Reals w = v.head(d).cwiseProduct(unit_);
    double offset = (has_free_offset_ ? v[d] : 0.0) - w.dot(centre_);
    Index count = 0;
    const auto design = design_of(kept, count);
    if (count > 0) {
      Matrix<Real> r = design.triangle();
      if (held_ >= 0) r.col(held_).setZero();
      Reals noise = noise_of(design, r);
      for (Index j = 0; j < d; ++j) noise[j] += design.rounding() * origin(j);
      const Information<Real> known(std::move(r), noise, count - has_offset_, 0);
      w = known.undecided(w);
      long double sum = 0;
      for (Index j = 0; j < d; ++j) sum -= w[j] * design.exact_mean(j);
      offset = static_cast<double>(sum);
    }
    return has_signs(w, has_offset_ ? offset : 0, kept);
  }

  /// Returns whether the scores of (w, offset) have the right sign for the separated samples
  /// (`found_`), and are 0 up to rounding for the `kept` samples.
  bool has_signs(const Reals& w, double offset, const std::vector<bool>& kept) const {
    const double rounding = 64 * (8 + 2 * std::sqrt(static_cast<double>(ways_.size()))) *
                            std::numeric_limits<double>::epsilon();
    double largest = 0;  // largest weight, for columns in their units
    for (Index j = 0; j < w.size(); ++j)
      if (unit_[j] > 0) largest = std::max(largest, std::abs(w[j]) / unit_[j]);
    double stored = largest;
    for (Index j = 0; j < w.size(); ++j)
      stored += (std::abs(w[j]) + largest * unit_[j]) * origin(j);
    bool is_any = false;
    for (Index i = 0; i < ways_.size(); ++i) {
      if (!found_[at(i)] && !kept[at(i)]) continue;
      double score = offset;
      double size = std::abs(offset) + stored;
      set_.rows.for_each(i, [&](Index j, double value) {
        score += w[j] * value;
        size += (std::abs(w[j]) + largest * unit_[j]) * std::abs(value);
      });
      const bool has_sign =
          found_[at(i)] ? ways_[i] * score > rounding * size : std::abs(score) <= rounding * size;
      if (!has_sign) return false;
      is_any = is_any || found_[at(i)];
    }
    return is_any;
  }

  samples::TrainingSet<Rows> set_;
  const Vector<double>& ways_;
  bool has_offset_;
  Index held_;
  bool is_bound_{false};         // do samples constrain a direction from both sides?
  bool has_free_offset_{false};  // is v[d] the offset? Else v has d entries
  std::vector<bool> open_;       // samples that may be separated
  std::vector<bool> found_;      // samples that the last direction separates
  Reals centre_{}, unit_{};      // (d); unit_ has the inverse units
  double rounding_{0};           // rounding error of a row in these units
  Reals lengths_{};              // (n), norms of the rows in these units
  Columns bound_{};              // orthonormal basis of the rows with way 0, in these units
};

}  // namespace linea::detail
