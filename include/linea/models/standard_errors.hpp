// SPDX-License-Identifier: MIT
#pragma once
/// \file Standard errors of the coefficients of a linear model: how far they would be by chance.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
#include <concepts>   // same_as
#include <limits>
#include <linea/core/objective.hpp>
#include <linea/metrics/numbers.hpp>
#include <linea/models/at_solution.hpp>
#include <linea/models/coefficients.hpp>
#include <linea/models/information.hpp>
#include <linea/models/tail_probability.hpp>
#include <linea/samples/training_set.hpp>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea {

/// What standard_errors may be told beside the solution and the data.
template <class T>
struct StandardErrorOptions {
  bool offset{true};           ///< false: b is fixed at 0
  Vector<T> sample_weights{};  ///< (n), or none
};

namespace models {

/// A solution, and what was minimised.
struct Fitted {
  Vector<double> weights;
  double offset{0};
  bool has_offset{true};
  double lambda{0};
  double epsilon{0};      ///< the rounding of these numbers
  double mean_weight{1};  ///< of the sample weights as they were given
};

/// All that is found before the numbers of each coefficient are.
template <class Real = double>
struct ErrorParts {
  const Information<Real>& information;
  Vector<Real> mean;          ///< x̄ (d), 0 where the offset is fixed
  Vector<Real> decided_mean;  ///< the same without columns that are constant
  Vector<Real> step{};        ///< to the minimum, (d)
  double offset_step{0};
  double curvature{0};  ///< C, for the sample weights as they were given
};

template <class Rows>
ErrorParts<> parts_of(const Information<>& information,
                      const least_squares::CentredDesign<Rows>& design, const Rows& rows,
                      const AtSolution& at, const Fitted& fitted) {
  const Vector<double> mean = design.mean() + design.rest_of_mean();
  ErrorParts<> parts{information, mean, mean};
  parts.curvature = at.curvature * fitted.mean_weight;
  for (Index j = 0; j < mean.size(); ++j)
    if (design.means().is_constant(j)) parts.decided_mean[j] = 0;
  auto step = centred_sum(rows, at.slopes, mean);
  const double strength = fitted.lambda * static_cast<double>(rows.rows());
  for (Index j = 0; j < step.size(); ++j)
    step[j] = -(step[j] + strength * fitted.weights[j]) / at.curvature;
  parts.step = information.solve(std::move(step));
  if (fitted.has_offset) parts.offset_step = -at.slopes.sum() / at.curvature - mean.dot(parts.step);
  return parts;
}

inline void add_note(std::string& note, const std::string& more) {
  note += (note.empty() ? "" : "; ") + more;
}

/// The covariance matrix, but for the dispersion and 1/C.
template <class Real>
core::ColumnMatrix<Real> unit_covariance(const ErrorParts<Real>& parts, bool has_offset) {
  const auto& factor = parts.information.factor();
  const Index d = factor.cols();
  core::ColumnMatrix<Real> covariance = core::ColumnMatrix<Real>::Zero(d + 1, d + 1);
  covariance.topLeftCorner(d, d) = factor.transpose() * factor;
  if (!has_offset) return covariance;
  const Vector<Real> along = factor * parts.mean;
  covariance.col(d).head(d) = -(factor.transpose() * along);
  covariance.row(d).head(d) = covariance.col(d).head(d).transpose();
  covariance(d, d) = 1 + along.squaredNorm();
  return covariance;
}

/// Fills in what depends on the dispersion.
template <class Real>
void finish(StandardErrors& errors, const ErrorParts<Real>& parts, const Fitted& fitted) {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  const auto d = static_cast<Index>(errors.weights.size());
  errors.covariance =
      unit_covariance(parts, fitted.has_offset) * (errors.dispersion / parts.curvature);
  const auto hide = [&](Index j) {
    for (Index i = 0; i <= d; ++i) errors.covariance(j, i) = errors.covariance(i, j) = undefined;
  };
  for (Index j = 0; j < d; ++j)
    if (!parts.information.decides(Vector<Real>::Unit(d, j))) hide(j);
  if (fitted.has_offset && !parts.information.decides(parts.decided_mean)) hide(d);
  double size = std::abs(errors.offset.estimate);
  const auto complete = [&](Coefficient& c, Index j, double step, double rounding) {
    c.standard_error = std::sqrt(errors.covariance(j, j));
    c.ratio = c.estimate / c.standard_error;
    if (fitted.lambda == 0) c.p_value = two_sided_tail(c.ratio, errors.freedom);
    if (std::abs(step) > rounding && c.standard_error >= 0)
      errors.distance = std::max(errors.distance, std::abs(step) / c.standard_error);
  };
  for (Index j = 0; j < d; ++j) {
    auto& weight = errors.weights[static_cast<std::size_t>(j)];
    size += std::abs(weight.estimate * parts.mean[j]);
    complete(weight, j, parts.step[j], 64 * fitted.epsilon * std::abs(weight.estimate));
  }
  complete(errors.offset, d, parts.offset_step, 64 * fitted.epsilon * size);
}

/// What is wrong with the samples or the solution.
inline std::string note_on(const StandardErrors& errors, bool is_resolved, const AtSolution& at,
                           const Fitted& fitted) {
  std::string note;
  const auto d = static_cast<Index>(errors.weights.size());
  if (fitted.lambda == 0 && errors.rank < d)
    add_note(note, "the samples decide " + std::to_string(errors.rank) + " of " +
                       std::to_string(d) +
                       " weights only: columns depend on each other, or samples are too few");
  if (!is_resolved)
    add_note(note, "columns depend on each other, and lambda is lost in the rounding of them");
  if (!(errors.freedom > 0))
    add_note(note, "no degree of freedom is left to estimate the dispersion: samples " +
                       std::to_string(at.present) + ", coefficients " +
                       std::to_string(d + (fitted.has_offset ? 1 : 0)));
  if (errors.freedom > 0 && std::isfinite(errors.freedom) &&
      at.squares <= 256 * fitted.epsilon * fitted.epsilon * at.target_squares)
    add_note(note, "the fit is exact: what the dispersion is estimated from is rounding");
  if (errors.distance > 0.01)
    add_note(note, "the solution is not at the minimum: a coefficient is " +
                       std::to_string(errors.distance) + " of its standard errors away");
  return note;
}

/// The errors where nothing can be told.
inline StandardErrors without_errors(StandardErrors errors, std::string_view why) {
  const auto size = static_cast<Index>(errors.weights.size()) + 1;
  errors.distance = std::numeric_limits<double>::quiet_NaN();
  errors.covariance.resize(size, size);
  for (Index i = 0; i < size * size; ++i) errors.covariance.data()[i] = errors.distance;
  errors.note = why;
  return errors;
}

/// The dispersion of least squares and its degrees of freedom.
inline void estimate_dispersion(StandardErrors& errors, double squares, double freedom) {
  const bool is_known = freedom > 1e-8;
  errors.freedom = is_known ? freedom : 0;
  errors.dispersion = is_known ? squares / freedom : std::numeric_limits<double>::quiet_NaN();
}

template <class L, class Rows>
StandardErrors errors_at(const L& loss, samples::TrainingSet<Rows> set, const Fitted& fitted) {
  const AtSolution at = at_solution(loss, set, fitted.weights, fitted.offset);
  const auto n = static_cast<double>(set.rows.rows());
  StandardErrors errors;
  for (const double weight : fitted.weights) errors.weights.push_back({weight});
  errors.offset.estimate = fitted.offset;
  if (!(at.curvature > 0) || !std::isfinite(at.curvature))
    return without_errors(std::move(errors), "the curvature of the loss is 0 or not finite");
  if (at.separates && fitted.lambda == 0)
    return without_errors(std::move(errors),
                          "a plane separates the two classes: without penalty there is no minimum");
  set.weights = at.curvatures * core::DoubleFor<Rows>(n / at.curvature);
  const least_squares::CentredDesign<Rows> design(set, fitted.has_offset);
  Matrix<double> r = triangle_of_design(design);
  if (!core::all_finite(r))
    return without_errors(std::move(errors), "the squares of the samples are not finite");
  const Vector<double> noise = noise_of(design, r);
  const Index most = at.present - (fitted.has_offset ? 1 : 0);
  const Information<> information(std::move(r), noise, most, fitted.lambda * n / at.curvature);
  errors.rank = information.rank();
  if constexpr (std::same_as<L, Squared>)
    estimate_dispersion(errors, at.squares * fitted.mean_weight,
                        static_cast<double>(most) - information.freedom());
  finish(errors, parts_of(information, design, set.rows, at, fitted), fitted);
  errors.note = note_on(errors, information.is_resolved(), at, fitted);
  return errors;
}

}  // namespace models

/// The standard errors of the weights (d) and offset of `solution`, the minimum of `objective` on x
/// (n × d) and y (n): how far they would vary if the targets were drawn again for the same samples.
/// With a model that has labels, y are labels; samples of weight 0 may
/// have others. x may be sparse, and of float: sums are in double.
///
/// | loss                                     | what is taken for true                            |
/// |------------------------------------------|---------------------------------------------------|
/// | `Squared`                                | targets vary around the score with variance σ²/sᵢ |
/// | `Log`, `Composed{CrossEntropy, Sigmoid}` | the score is the log-odds, of each of sᵢ trials   |
/// | `Composed{Poisson, Exponential}`         | targets are Poisson's, each seen sᵢ times         |
///
/// So with `Squared` only the ratios of sample weights matter: they are precisions, as in R's lm,
/// and σ² is estimated by Σ sᵢ(pᵢ − yᵢ)²/(n − df), of the n samples of a weight above 0. With the
/// others the weights are counts, as in R's glm: weight 2 is two samples. With λ = 0 the answers
/// are those of lm and glm.
///
/// With λ > 0 they are of the penalised estimate: A⁻¹MA⁻¹ with the information M of the samples and
/// A = M + λ·S·I; df is tr(2H − H²) of the hat matrix H, and 1 for the offset. Such an estimate
/// varies less, but around weights that are drawn to 0, not around the true ones: two standard
/// errors to both sides are no interval for those, and there are no p-values (for `Log`: le Cessie
/// and van Houwelingen, Applied Statistics 41 (1992)).
///
/// What the samples do not decide, as of columns that depend on each other, is NaN, and so is all
/// where too few samples leave no σ²; `note` says why. It says too if the solution is not at the
/// minimum, for which `distance` is the measure. Cost: O(n·d² + d³), memory: some d² doubles.
/// Throws std::invalid_argument on input that is not well-formed, and for an offset that is not 0
/// where the options fix it.
template <models::LossWithErrors L, models::PenaltyWithErrors P, class S, Samples X, Numbers Y>
  requires requires(const S& solution) {
    solution.weights.size();
    solution.offset;
  }
StandardErrors standard_errors(const Objective<L, P>& objective, const S& solution, const X& x,
                               const Y& y, const StandardErrorOptions<scalar_t<X>>& options = {}) {
  constexpr std::string_view function = "standard_errors";
  using T = scalar_t<decltype(solution.weights)>;
  core::require_valid(function, objective);
  require(solution.weights.size() == x.cols(), function, ": ", solution.weights.size(),
          " weights for ", x.cols(), " features");
  require(core::all_finite(solution.weights) && std::isfinite(solution.offset), function,
          ": the weights are not finite");
  require(options.offset || solution.offset == 0, function, ": the offset is ", solution.offset,
          ", not 0 as told");
  const auto& s = options.sample_weights;
  models::Fitted fitted{solution.weights.template cast<double>(),
                        static_cast<double>(solution.offset),
                        options.offset,
                        0,
                        std::numeric_limits<T>::epsilon(),
                        1};
  if constexpr (std::same_as<P, L2>) fitted.lambda = objective.penalty.lambda;
  if (s.size() > 0) fitted.mean_weight = s.template cast<double>().mean();
  const auto at = [&](const auto& targets) {
    return models::errors_at(
        objective.loss, samples::admit_in_double(function, objective.loss, x, targets, s), fitted);
  };
  if constexpr (requires { solution.labels.encode(core::vector_of(y)); })
    return at(solution.labels.encode(core::vector_of(y), s));
  else
    return at(core::vector_of(y));
}

}  // namespace linea
