// SPDX-License-Identifier: MIT
#pragma once
/// \file Leave-one-out errors by their definition, for those that cannot be had otherwise.
#include <algorithm>  // min, min_element
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/leave_one_out.hpp>
#include <linea/optimizers/least_squares/spectral_path.hpp>
#include <vector>

namespace linea::least_squares {

/// (yᵢ − f(xᵢ))² of a fit; NaN where it has diverged.
template <class Rows>
double squared_error(const samples::TrainingSet<Rows>& set, const Columns<double>& y,
                     const RidgeFit<double>& fit, Index i) {
  if (fit.status == Status::diverged) return std::numeric_limits<double>::quiet_NaN();
  long double error = static_cast<long double>(fit.offset[0]) - y(i, 0);
  set.rows.for_each(i, [&](Index j, double value) {
    error += static_cast<long double>(value) * fit.weights(j, 0);
  });
  return static_cast<double>(error * error);
}

/// pᵢ(yᵢ − f₋ᵢ(xᵢ))² for each λ (m), from fits to the other samples.
template <class Rows>
Vector<double> refitted_error(samples::TrainingSet<Rows> set, bool centred,
                              const Columns<double>& y, const std::vector<double>& lambdas,
                              Index i) {
  const Index n = set.rows.rows();
  if (set.weights.size() == 0) set.weights = numerics::constant(n, 1);
  const double part = set.weights[i] / static_cast<double>(n);
  set.weights[i] = 0;
  set.weights /= set.weights.maxCoeff();
  set.weights *= static_cast<double>(n) / set.weights.sum();
  const SpectralPath<Rows> path(set, centred, y, false, false,
                                *std::min_element(lambdas.begin(), lambdas.end()), false);
  const auto found = path.solve(lambdas);
  Vector<double> errors(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < errors.size(); ++k) {
    const auto fit = path.finished(found, k, lambdas[static_cast<std::size_t>(k)]);
    errors[k] = part * squared_error(set, y, fit, i);
  }
  return errors;
}

/// What a formula finds of leave-one-out: errors (m), and the samples that it leaves to refits.
struct LeftOut {
  Vector<double> errors{};
  std::vector<Index> left_to_refits{};
};

/// The mean squared errors of leave-one-out for λ (m). Where their digits would go in the spectrum
/// of all samples they come from refits; should these be too many, what lacks three digits is NaN.
///
/// formula(lambdas) answers with LeftOut. refit(samples, lambdas, add) calls add(k, error) for each
/// of these samples and each λ, number k, or answers false where that would take too long.
template <class Formula, class Refit>
Vector<double> left_out_by(const Spectrum<double>& spectrum, const std::vector<double>& lambdas,
                           const std::vector<Index>& present, const Formula& formula,
                           const Refit& refit) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto chosen_of = [&](const std::vector<Index>& places) {
    std::vector<double> chosen;
    chosen.reserve(places.size());
    for (const Index k : places) chosen.push_back(lambdas[static_cast<std::size_t>(k)]);
    return chosen;
  };
  Vector<double> errors = numerics::constant(static_cast<Index>(lambdas.size()), 0);
  const auto refit_all = [&](const std::vector<Index>& samples, const std::vector<Index>& places) {
    return refit(samples, chosen_of(places),
                 [&](std::size_t c, double error) { errors[places[c]] += error; });
  };
  const auto fill = [&](const std::vector<Index>& places) {
    if (places.empty()) return;
    const LeftOut found = formula(chosen_of(places));
    for (std::size_t c = 0; c < places.size(); ++c)
      errors[places[c]] = found.errors[static_cast<Index>(c)];
    if (!refit_all(found.left_to_refits, places))
      for (const Index k : places) errors[k] = nan;
  };

  std::vector<Index> sound, doubtful, lost;
  for (Index k = 0; k < errors.size(); ++k) {
    const double lambda = lambdas[static_cast<std::size_t>(k)];
    const double doubt =
        spectrum.decomposition() == Decomposition::eigenvalues
            ? 0
            : 16 * std::numeric_limits<double>::epsilon() * spectrum.condition(lambda);
    (doubt < 1e-9 ? sound : doubt < 1e-3 ? doubtful : lost).push_back(k);
  }
  fill(sound);
  if (!lost.empty() && !refit_all(present, lost))
    for (const Index k : lost) errors[k] = nan;
  if (!doubtful.empty() && !refit_all(present, doubtful)) fill(doubtful);
  return errors;
}

/// What refits may take in multiplications: some seconds.
inline constexpr double most_refit_work = 4e9;

/// The samples of positive weight.
template <class Design>
std::vector<Index> present_rows(const Design& design) {
  std::vector<Index> present;
  for (Index i = 0; i < design.rows(); ++i)
    if (design.root()[i] > 0) present.push_back(i);
  return present;
}

/// Those of all samples, for λ (m).
template <class Rows>
Vector<double> left_out_errors(const samples::TrainingSet<Rows>& set, bool centred,
                               const Columns<double>& y, const SpectralPath<Rows>& path,
                               const std::vector<double>& lambdas, Index threads = 1) {
  const auto& design = path.design();
  const Vector<double> t = path.targets();
  const auto n = static_cast<double>(design.rows());
  const auto d = static_cast<double>(design.cols());
  const double size = std::min(n, d);
  double work = 0;
  const auto refit = [&](const std::vector<Index>& samples, const std::vector<double>& chosen,
                         const auto& add) {
    const double each = n * d * size + 10 * static_cast<double>(chosen.size()) * size * size * d;
    work += static_cast<double>(samples.size()) * each;
    if (!(work < most_refit_work)) return samples.empty();
    for (const Index i : samples) {
      const auto own = refitted_error(set, centred, y, chosen, i);
      for (std::size_t c = 0; c < chosen.size(); ++c) add(c, own[static_cast<Index>(c)]);
    }
    return true;
  };
  const auto formula = [&](const std::vector<double>& chosen) {
    const LeaveOneOut found(design, path.spectrum(), t, centred, chosen, 1 - 1e-4, threads);
    return LeftOut{found.errors(), found.left_to_refits()};
  };
  return left_out_by(path.spectrum(), lambdas, present_rows(design), formula, refit);
}

}  // namespace linea::least_squares
