// SPDX-License-Identifier: MIT
#pragma once
/// \file Standard errors of the coefficients of a linear model.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
#include <concepts>   // same_as
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/models/coefficients.hpp>
#include <linea/models/information.hpp>
#include <linea/models/separation.hpp>
#include <linea/samples/training_set.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea {

/// The options of standard_errors.
template <class T>
struct StandardErrorOptions {
  bool offset{true};                       ///< false: b is fixed at 0
  detail::VectorFrom<T> sample_weights{};  ///< (n), or none
};

namespace detail {

/// A solution, with the parts of its objective that determine the standard errors.
struct Fitted {
  Vector<double> weights;
  double offset{0};
  bool has_offset{true};
  double lambda{0};
  double epsilon{0};      ///< the machine epsilon of the solution's scalar type
  double mean_weight{1};  ///< the mean of the given sample weights
  Index held{-1};         ///< the weight that the penalty holds at 1, −1 for none
};

/// Intermediate results for all coefficients.
template <class Real = double>
struct ErrorParts {
  Information<Real> information;
  Vector<Real> mean;          ///< (d): x̄, or 0 if the offset is fixed
  Vector<Real> decided_mean;  ///< (d): x̄, but 0 for constant columns
  Vector<Real> noise;         ///< (d): rounding errors of the columns
  Vector<Real> step{};        ///< (d): Newton's step to the minimum
  double offset_step{0};
  double curvature{0};  ///< C, for the given sample weights
};

/// Returns the covariance matrix (d + 1 × d + 1), divided by dispersion/C.
template <class Real>
ColumnMatrix<Real> unit_covariance(const ErrorParts<Real>& parts, bool has_offset) {
  const auto& factor = parts.information.factor();
  const Index d = factor.cols();
  ColumnMatrix<Real> covariance = ColumnMatrix<Real>::Zero(d + 1, d + 1);
  covariance.topLeftCorner(d, d) = factor.transpose() * factor;
  if (!has_offset) return covariance;
  const Vector<Real> along = factor * parts.mean;
  covariance.col(d).head(d) = -(factor.transpose() * along);
  covariance.row(d).head(d) = covariance.col(d).head(d).transpose();
  covariance(d, d) = 1 + along.squaredNorm();
  return covariance;
}

/// Sets the covariance, the distance, and the standard errors, ratios and p-values. `errors` must
/// have the estimates, the dispersion and the degrees of freedom.
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
    if (j != fitted.held && !parts.information.decides(Vector<Real>::Unit(d, j))) hide(j);
  if (fitted.has_offset && !parts.information.decides(parts.decided_mean)) hide(d);
  double size = std::abs(errors.offset.estimate);
  const auto complete = [&](Coefficient& c, Index j, double step, double rounding) {
    c.standard_error = std::sqrt(errors.covariance(j, j));
    if (j == fitted.held) return;
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

/// Adds the problems of the samples and the solution to the note.
inline void add_notes(StandardErrors& errors, bool is_resolved, const AtSolution& at,
                      const Fitted& fitted) {
  const auto d = static_cast<Index>(errors.weights.size()) - (fitted.held >= 0 ? 1 : 0);
  const auto add = [&](const std::string& note) {
    errors.note += (errors.note.empty() ? "" : "; ") + note;
  };
  if (fitted.lambda == 0 && errors.rank < d)
    add("the samples determine " + std::to_string(errors.rank) + " of " + std::to_string(d) +
        " weights only: columns are dependent, or samples are too few");
  if (!is_resolved) add("columns are dependent, and lambda is lost in their rounding");
  if (!(errors.freedom > 0))
    add("no degree of freedom is left to estimate the dispersion: samples " +
        std::to_string(at.present) + ", coefficients " +
        std::to_string(d + (fitted.has_offset ? 1 : 0)));
  if (errors.freedom > 0 && std::isfinite(errors.freedom) &&
      at.squares <= 256 * fitted.epsilon * fitted.epsilon * at.target_squares)
    add("the fit is exact: the residuals that estimate the dispersion are rounding");
  if (errors.distance > 0.01)
    add("the solution is not at the minimum: a coefficient is " + std::to_string(errors.distance) +
        " of its standard errors away");
}

/// Returns the result with all errors NaN and the reason `why` as its note.
inline StandardErrors without_errors(StandardErrors errors, std::string_view why) {
  const auto size = static_cast<Index>(errors.weights.size()) + 1;
  errors.distance = std::numeric_limits<double>::quiet_NaN();
  errors.covariance.resize(size, size);
  for (Index i = 0; i < size * size; ++i) errors.covariance.data()[i] = errors.distance;
  errors.note = why;
  return errors;
}

/// Returns whether a direction may separate samples. None does if Newton's step changes the slope
/// of every sample of way ±1 by less than half: the new slopes are then positive factors with which
/// the signed rows sum to 0. Returns true if a slope is below the rounding error of other slopes.
template <class Rows>
bool may_be_separated(const Rows& rows, const AtSolution& at, const ErrorParts<>& parts) {
  using Real = DoubleFor<Rows>;
  Vector<Real> moves(rows.rows());
  rows.scores(0, rows.rows(), parts.step, moves.data());
  double least = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    least = std::max({least, 1e-9 * std::abs(at.slopes[i]), 1e-9 * at.curvatures[i]});
  for (Index i = 0; i < rows.rows(); ++i) {
    if (at.ways[i] == 0) continue;
    const double slope = std::abs(at.slopes[i]);
    const double change = at.curvatures[i] * (moves[i] + parts.offset_step);
    if (!(slope > least) || !(std::abs(change) < slope / 2)) return true;
  }
  return false;
}

/// Returns the note on separated samples. It names the coefficients without a finite estimate:
/// those that all samples (`all`) determine, but not the samples that are left (`left`).
template <class Real>
std::string note_on_separation(Index separated, const ErrorParts<Real>& all,
                               const ErrorParts<Real>& left, bool has_offset) {
  constexpr Index most = 10;
  const Index d = all.mean.size();
  std::string names;
  if (has_offset && !left.information.decides(left.decided_mean)) names = ", offset";
  Index moved = 0;
  for (Index j = 0; j < d; ++j) {
    const Vector<Real> unit = Vector<Real>::Unit(d, j);
    if (!all.information.decides(unit) || left.information.decides(unit)) continue;
    if (++moved <= most) names += ", w[" + std::to_string(j) + ']';
  }
  if (moved > most) names += ", ...";
  if (names.empty()) names = ", a sum of dependent columns";
  return std::to_string(separated) + (separated == 1 ? " sample is" : " samples are") +
         " separated from the others: without a penalty there is no finite estimate of " +
         names.substr(2) + "; the errors of the other coefficients are those without these samples";
}

/// Returns the intermediate results for samples with these curvatures, or std::nullopt if squares
/// of columns overflow.
template <class Rows>
std::optional<ErrorParts<>> find_parts(samples::TrainingSet<Rows> set, const AtSolution& at,
                                       const Fitted& fitted) {
  const auto n = static_cast<double>(set.rows.rows());
  set.weights = at.curvatures * DoubleFor<Rows>(n / at.curvature);
  const least_squares::CentredDesign<Rows> design(set, fitted.has_offset);
  Matrix<double> r = design.triangle();
  if (!all_finite(r)) return std::nullopt;
  const Index most = at.present - (fitted.has_offset ? 1 : 0);
  Vector<double> mean = design.mean();
  const Vector<double> noise = noise_of(design, r);
  const Vector<double> sum = centred_sum(set.rows, at.slopes, mean);
  if (fitted.held >= 0) {  // a known weight, like one of a column of zeros
    for (Index i = 0; i < r.rows(); ++i) r(i, fitted.held) = 0;
    mean[fitted.held] = 0;
  }
  Vector<double> decided_mean = mean;
  for (Index j = 0; j < mean.size(); ++j)
    if (std::sqrt(linear_algebra::squares_of(linear_algebra::column_of(r, j))) <= noise[j])
      decided_mean[j] = 0;
  ErrorParts<> parts{Information<>(std::move(r), noise, most, fitted.lambda * n / at.curvature),
                     mean, decided_mean, noise};
  parts.curvature = at.curvature * fitted.mean_weight;
  parts.step = sum;
  linear_algebra::add(fitted.lambda * n, fitted.weights, parts.step);
  linear_algebra::scale(-1 / at.curvature, parts.step);
  if (fitted.held >= 0) parts.step[fitted.held] = 0;
  parts.step = parts.information.solve(parts.step);
  if (fitted.has_offset)
    parts.offset_step =
        -linear_algebra::sum_of(at.slopes) / at.curvature - linear_algebra::dot(mean, parts.step);
  return parts;
}

/// Removes separated samples, whose curvature is 0 in the limit, and adds the note. `parts` becomes
/// empty if no curvature remains, or if squares overflow. Returns false if rounding hides which
/// samples are separated.
template <class Rows>
bool leave_out_separated(const samples::TrainingSet<Rows>& set, const Fitted& fitted,
                         AtSolution& at, std::optional<ErrorParts<>>& parts,
                         StandardErrors& errors) {
  const auto separated = Separation<Rows>(set, at.ways, fitted.has_offset, fitted.held).find();
  if (!separated) return false;
  AtSolution equal = at;  // equal curvatures give the rank of the samples
  Index count = 0;
  for (Index i = 0; i < set.rows.rows(); ++i) {
    equal.curvatures[i] = set.weight(i) > 0 ? 1 : 0;
    if (!(*separated)[static_cast<std::size_t>(i)]) continue;
    at.slopes[i] = at.curvatures[i] = 0;
    --at.present;
    ++count;
  }
  if (count == 0) return true;
  equal.curvature = equal.curvatures.sum();
  at.curvature = at.curvatures.sum();
  const std::optional<ErrorParts<>> all = find_parts(set, equal, fitted);
  parts.reset();
  if (at.curvature > 0 && all) parts = find_parts(set, at, fitted);
  if (!parts) return true;
  // Restore the means of columns that are constant only because separated samples were removed.
  for (Index j = 0; j < all->mean.size(); ++j)
    if (all->mean[j] == 0 || all->decided_mean[j] != 0)
      parts->decided_mean[j] = std::abs(parts->mean[j]) > all->noise[j] ? parts->mean[j] : 0;
  errors.rank = all->information.rank();
  errors.note = note_on_separation(count, *all, *parts, fitted.has_offset);
  return true;
}

template <class L, class Rows>
StandardErrors errors_at(const L& loss, const samples::TrainingSet<Rows>& set,
                         const Fitted& fitted) {
  constexpr std::string_view no_minimum =
      std::same_as<L, Composed<Poisson, Exponential>>
          ? "all counts are 0: without penalty there is no minimum"
          : "a plane separates the two classes: without penalty there is no minimum";
  AtSolution at = at_solution(loss, set, fitted.weights, fitted.offset);
  StandardErrors errors;
  for (const double weight : fitted.weights) errors.weights.push_back({weight});
  errors.offset.estimate = fitted.offset;
  if (!(at.curvature > 0) || !std::isfinite(at.curvature))
    return without_errors(std::move(errors), "the curvature of the loss is 0 or not finite");
  if (at.separates && fitted.lambda == 0 && fitted.held < 0)
    return without_errors(std::move(errors), no_minimum);
  std::optional<ErrorParts<>> parts = find_parts(set, at, fitted);
  if (!parts) return without_errors(std::move(errors), "the squares of the samples are not finite");
  errors.rank = parts->information.rank();
  if constexpr (Likelihood<L>)
    if (fitted.lambda == 0 && may_be_separated(set.rows, at, *parts) &&
        !leave_out_separated(set, fitted, at, parts, errors))
      return without_errors(std::move(errors),
                            "rounding hides whether samples are separated from the others, which "
                            "would leave estimates without a finite value; a penalty makes all "
                            "estimates finite");
  if (!parts) return without_errors(std::move(errors), no_minimum);
  if constexpr (std::same_as<L, Squared>) {
    const auto most = static_cast<double>(at.present - (fitted.has_offset ? 1 : 0));
    const double freedom = most - parts->information.freedom();
    errors.freedom = freedom > 1e-8 ? freedom : 0;
    errors.dispersion = at.squares * fitted.mean_weight / freedom;
    if (errors.freedom == 0) errors.dispersion = std::numeric_limits<double>::quiet_NaN();
  }
  finish(errors, *parts, fitted);
  add_notes(errors, parts->information.is_resolved(), at, fitted);
  return errors;
}

}  // namespace detail

/// Returns the standard errors of the weights (d) and offset of `solution`, the minimum of
/// `objective` on x (n × d) and y (n): the standard deviations of the coefficients over new targets
/// for the same samples. For a model with labels, y holds labels; samples of weight 0 may have
/// other labels. Sums are in double.
///
/// | loss                                     | assumption                                        |
/// |------------------------------------------|---------------------------------------------------|
/// | `Squared`                                | targets vary around the score with variance σ²/sᵢ |
/// | `Log`, `Composed{CrossEntropy, Sigmoid}` | the score is the log-odds; a row is sᵢ trials     |
/// | `Composed{Poisson, Exponential}`         | Poisson-distributed targets; a row is sᵢ samples  |
///
/// With `Squared` only the ratios of sample weights matter: the weights are precisions, as in R's
/// lm. The estimate of σ² is Σ sᵢ(pᵢ − yᵢ)²/(n − df), where p are the scores and n counts the
/// samples of weight above 0. With the other losses the weights are counts, as in R's glm: weight 2
/// means two samples. With λ = 0 the results are those of lm and glm.
///
/// With λ > 0 the errors are those of the penalised estimate. Its covariance is A⁻¹MA⁻¹, times σ²
/// for `Squared`, with the information M of the samples, A = M + λ·S·I and S = Σsᵢ. df is tr(2H −
/// H²) of the hat matrix H, plus 1 for a free offset. A penalised estimate varies around shrunken
/// weights instead of the true weights, so the estimate ± two standard errors is not a confidence
/// interval, and there are no p-values (for `Log`: le Cessie and van Houwelingen, Applied
/// Statistics 41 (1992)).
///
/// With λ = 0, errors that the samples do not determine are NaN: those of dependent columns, or all
/// if there are too few samples to estimate σ². `note` gives the reason. `note` also warns if the
/// solution is not at the minimum, see `distance`.
///
/// With λ = 0 the likelihood of separated data has no maximum. Examples are a column that is
/// non-zero in one class only, and a group whose counts are all 0. The errors of coefficients
/// without a finite estimate are then NaN, and `note` names these coefficients. The errors of the
/// other coefficients do not depend on the separated samples, and equal those of R's glm where glm
/// converges. All errors are NaN if rounding hides which samples are separated. See Separation.
///
/// The weight that PenaltyFactors::offset_column holds at 1 is known: its error and covariances are
/// 0, its ratio and p-value NaN, and `rank` does not count it.
///
/// Cost: O(n·d² + d³), a few times as much for separated data. Memory: a few matrices (d × d) and a
/// few vectors (n). Throws std::invalid_argument on invalid input, and if the options fix the
/// offset but the solution has an offset that is not 0.
template <detail::LossWithErrors L, detail::PenaltyWithErrors P, class S, Samples X, Numbers Y>
  requires requires(const S& solution) {
    solution.weights.size();
    solution.offset;
  }
StandardErrors standard_errors(const Objective<L, P>& objective, const S& solution, const X& x,
                               const Y& y, const StandardErrorOptions<scalar_t<X>>& options = {}) {
  constexpr std::string_view function = "standard_errors";
  using T = scalar_t<decltype(solution.weights)>;
  detail::require_valid(function, objective, x.cols());
  require(solution.weights.size() == x.cols(), function, ": ", solution.weights.size(),
          " weights for ", x.cols(), " features");
  require(detail::all_finite(solution.weights) && std::isfinite(solution.offset), function,
          ": the weights are not finite");
  require(options.offset || solution.offset == 0, function, ": the offset is ", solution.offset,
          ", but options.offset is false");
  const auto& s = options.sample_weights;
  detail::Fitted fitted{solution.weights.template cast<double>(),
                        static_cast<double>(solution.offset),
                        options.offset,
                        0,
                        std::numeric_limits<T>::epsilon(),
                        1};
  const SquaredTerm penalty = squared_term_of(objective.penalty, x.cols());
  fitted.lambda = penalty.lambda;
  fitted.held = penalty.held;
  for (Index j = 0; j < penalty.factors.size(); ++j)
    require(j == penalty.held || penalty.factors[j] == 1, function, ": penalty factor ", j, " is ",
            penalty.factors[j],
            ", but the errors are known for equal factors only: put their "
            "value into lambda, and use factors of 1");
  if (s.size() > 0) fitted.mean_weight = s.template cast<double>().mean();
  const auto at = [&](const auto& targets) {
    return detail::errors_at(
        objective.loss, detail::samples::admit_in_double(function, objective.loss, x, targets, s),
        fitted);
  };
  if constexpr (requires { solution.labels.encode(detail::vector_of(y)); })
    return at(solution.labels.encode(detail::vector_of(y), s));
  else
    return at(detail::vector_of(y));
}

}  // namespace linea
