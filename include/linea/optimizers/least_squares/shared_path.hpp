// SPDX-License-Identifier: MIT
#pragma once
/// \file A path of ridge regressions on rows that are divided among processes.
#include <algorithm>  // min_element
#include <cmath>      // abs
#include <linea/core/solution.hpp>
#include <linea/optimizers/least_squares/condensed.hpp>
#include <linea/optimizers/least_squares/refits.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/risk.hpp>
#include <string_view>
#include <utility>  // declval
#include <vector>

namespace linea::least_squares {

/// Each process condenses its own rows (see Condensed), and all take the same spectrum of the
/// samples that stand for all rows. What is of single rows, each process finds for its own.
template <class Rows>
class SharedPath {
  using Real = core::DoubleFor<Rows>;
  using FewRows = decltype(rows_of(std::declval<const Matrix<Real>&>()));

 public:
  /// As SpectralPath, for y (n × 1); `present` rows of all processes have a positive weight.
  SharedPath(std::string_view function, const samples::TrainingSet<Rows>& set, bool centred,
             const Columns<double>& y, bool left_out, bool relative, double least, bool single,
             Index present)
      : stored_(set),
        set_(set),
        frame_(set_, centred),
        centred_(centred),
        y_(y),
        single_(single),
        present_(present),
        condensed_(condense(set_, y_)),
        found_(admit_condensed(function, condensed_), centred, condensed_.y, left_out, relative,
               least, single, 1, present) {}

  SharedPath(const SharedPath&) = delete;

  const SpectralPath<FewRows>& found() const { return found_; }

  /// The answers to the condensed samples become those to the rows as they are stored: their
  /// offsets, F and statuses. L is the squared loss.
  template <class L, class Path>
  void settle(const L& loss, Path& path) const {
    using T = typename decltype(path.offsets)::Scalar;
    const Index m = path.weights.cols();
    const Vector<Real> y = y_.col(0);
    std::vector<Vector<Real>> weights;
    weights.reserve(static_cast<std::size_t>(m) + 1);
    for (Index k = 0; k < m; ++k) weights.push_back(path.weights.col(k).template cast<double>());
    weights.push_back(numerics::constant(path.weights.rows(), 0));
    std::vector<samples::Candidate<Real>> candidates;
    candidates.reserve(weights.size());
    for (const auto& w : weights) candidates.push_back({&w, 0, &y});
    for (Index k = 0; k < m; ++k) {
      auto& candidate = candidates[static_cast<std::size_t>(k)];
      path.offsets[k] =
          static_cast<T>(frame_.leave(*candidate.weights, static_cast<double>(path.offsets[k])));
      candidate.offset = static_cast<double>(path.offsets[k]);
    }
    const auto risks = samples::risks_of_rows(loss, stored_.rows, stored_.weights, candidates,
                                              nullptr, stored_.processes);
    const double rounding = (single_ ? 1e-6 : 1e-15) * risks.back();
    for (Index k = 0; k < m; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double promised = path.objectives[k];
      path.objectives[k] = risks[at] + 0.5 * path.lambdas[at] * numerics::squares_of(weights[at]);
      // What the condensed samples have lost of the rows shows here.
      if (path.statuses[at] == Status::converged &&
          !(std::abs(path.objectives[k] - promised) <= 1e-6 * path.objectives[k] + rounding))
        path.statuses[at] = Status::precision_limit;
    }
  }

  /// The mean squared errors of leave-one-out for λ (m), of all rows. Refits condense the rows once
  /// more for every sample.
  Vector<double> left_out_errors(const std::vector<double>& lambdas, Index threads) const {
    const Processes& processes = set_.processes;
    const CentredDesign<Rows> design(set_.rows, root_weights(set_), found_.design().means());
    const auto& equations = found_.equations();
    Vector<Real> t = y_.col(0);
    for (Index i = 0; i < t.size(); ++i)
      t[i] = design.root()[i] * (t[i] - equations.target_mean[0] - equations.target_rest[0]);
    const auto formula = [&](const std::vector<double>& chosen) {
      const auto m = static_cast<Index>(chosen.size());
      if (design.rows() == 0) return LeftOut{numerics::constant(m, 0), {}};
      const LeaveOneOut found(design, found_.spectrum(), t, centred_, chosen, 1 - 1e-4, threads,
                              false);
      return LeftOut{found.errors(), found.left_to_refits()};
    };
    double work = 0;
    const auto refit = [&](const std::vector<Index>& samples, const std::vector<double>& chosen,
                           const auto& add) { return refit_together(samples, chosen, add, work); };
    Vector<double> errors =
        left_out_by(found_.spectrum(), lambdas, present_rows(design), formula, refit);
    processes.sum_entries(errors);
    return errors;
  }

 private:
  /// The samples of one process after those of another, each by all of them.
  template <class Add>
  bool refit_together(const std::vector<Index>& samples, const std::vector<double>& chosen,
                      const Add& add, double& work) const {
    const Processes& processes = set_.processes;
    const auto d = static_cast<double>(set_.rows.cols());
    const auto own = static_cast<Index>(samples.size());
    const auto [first, all] = processes.numbering(own);
    const double rows = static_cast<double>(set_.all_rows() + found_.design().rows());
    const double each = rows * d * d + 10 * static_cast<double>(chosen.size()) * d * d * d;
    work += static_cast<double>(all) * each;
    if (!(work < most_refit_work)) return all == 0;
    for (Index k = 0; k < all; ++k) {
      const bool is_own = k >= first && k < first + own;
      const Index i = is_own ? samples[static_cast<std::size_t>(k - first)] : -1;
      const auto errors = refitted(chosen, i);
      for (std::size_t c = 0; is_own && c < chosen.size(); ++c)
        add(c, errors[static_cast<Index>(c)]);
    }
    return true;
  }

  /// pᵢ(yᵢ − f₋ᵢ(xᵢ))² for each λ (m) on the process that has row i, which the others call −1.
  Vector<double> refitted(const std::vector<double>& lambdas, Index i) const {
    samples::TrainingSet<Rows> set = set_;
    if (set.weights.size() == 0) set.weights = numerics::constant(set.rows.rows(), 1);
    const double part = i < 0 ? 0 : set.weights[i] / static_cast<double>(set.all_rows());
    if (i >= 0) set.weights[i] = 0;
    const Condensed<Real> condensed = condense(set, y_);
    const SpectralPath<FewRows> path(
        admit_condensed("RidgePath::fit", condensed), centred_, condensed.y, false, false,
        *std::min_element(lambdas.begin(), lambdas.end()), false, 1, present_ - 1);
    Vector<double> errors = numerics::constant(static_cast<Index>(lambdas.size()), 0);
    if (i < 0) return errors;
    const auto found = path.solve(lambdas);
    for (Index k = 0; k < errors.size(); ++k) {
      const auto fit = path.finished(found, k, lambdas[static_cast<std::size_t>(k)]);
      errors[k] = part * squared_error(set, y_, fit, i);
    }
    return errors;
  }

  samples::TrainingSet<Rows> stored_;
  samples::TrainingSet<Rows> set_;  // near 0, where the condensed samples keep their digits
  samples::Frame<> frame_;
  bool centred_;
  const Columns<Real>& y_;
  bool single_;
  Index present_;
  Condensed<Real> condensed_;
  SpectralPath<FewRows> found_;
};

}  // namespace linea::least_squares
