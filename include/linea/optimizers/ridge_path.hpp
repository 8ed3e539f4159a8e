// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for many λ from one decomposition, with leave-one-out errors.
#include <algorithm>  // max, min_element
#include <cmath>
#include <concepts>  // same_as
#include <limits>
#include <linea/core/lambdas.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/leave_one_out.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// The minima for m values of λ, in the order of these values.
template <class T>
struct [[nodiscard]] RidgePathSolution {
  std::vector<double> lambdas{};      ///< (m)
  detail::ColumnMatrix<T> weights{};  ///< (d × m), a column for each λ
  Vector<T> offsets{};                ///< (m)
  /// F for each λ (m), computed from the moments, with an error of up to 1e-10 of F at w = 0.
  Eigen::VectorXd objectives{};
  /// The status for each λ (m), as in Ridge.
  std::vector<Status> statuses{};
  Status status{Status::converged};      ///< the worst of `statuses`
  Eigen::VectorXd degrees_of_freedom{};  ///< trace of the hat matrix, including the offset (m)
  /// Exact leave-one-out errors (m): Σ sᵢ(fᵢ(xᵢ) − yᵢ)²/S with S = Σ sᵢ, without ½, where fᵢ is
  /// fitted with the same λ to all samples except i: λ remains the factor beside the mean of the
  /// other losses, not beside their sum. Empty if not requested. NaN if rounding hides the error
  /// and refits would take too long.
  Eigen::VectorXd leave_one_out{};
  /// Mean squared error divided by (1 − degrees_of_freedom/n)² (m). Here n is the number of samples
  /// of positive weight.
  Eigen::VectorXd generalised_cross_validation{};
  /// Index of the least entry of leave_one_out or, if that is empty, of
  /// generalised_cross_validation. If several entries are equal, this is the one of the largest λ.
  /// Entries with a relative difference of at most n·ε count as equal.
  Index best{0};
  /// Is the best λ > 0 at an end of the list, with no other λ about as good? If so, a value beyond
  /// this end may predict better.
  bool is_at_edge{false};
  Decomposition decomposition{Decomposition::eigenvalues};
  /// The smallest eigenvalue of A + λI divided by the largest, where A = ZᵀZ, or ZZᵀ if `dual`. Z
  /// are the weighted samples, centred if b is fitted; the eigenvalue of ZZᵀ that is 0 by centring
  /// does not count. λ is the smallest of the list, or the smallest that leave-one-out uses.
  double reciprocal_condition{0};
  Index rank{0};     ///< rank of Z, if singular values were computed; else without meaning
  bool dual{false};  ///< were n equations solved, one for each sample, instead of d?

  /// Returns the solution for lambdas[k]. Throws std::invalid_argument unless 0 ≤ k < m. To predict
  /// with the best λ, use LinearModel<T>{path.at(path.best)}.
  Solution<T> at(Index k) const {
    require(k >= 0 && k < weights.cols(), "RidgePathSolution::at: number ", k, " of ",
            weights.cols());
    const Index m = weights.cols();
    require(
        offsets.size() == m && objectives.size() == m && static_cast<Index>(statuses.size()) == m,
        "RidgePathSolution::at: ", m, " columns of weights, but ", offsets.size(), " offsets, ",
        objectives.size(), " objectives and ", statuses.size(), " statuses");
    Solution<T> solution;
    solution.weights = weights.col(k);
    solution.offset = offsets[k];
    solution.objective = objectives[k];
    solution.optimizer = "RidgePath";
    solution.status = statuses[static_cast<std::size_t>(k)];
    return solution;
  }
};

/// Minimises the mean of ½(⟨w, xᵢ⟩ + b − yᵢ)² plus λ/2·‖w‖² for every λ, as Ridge does for one.
/// Estimates the prediction error of each λ by leave-one-out, which deletes a sample with all its
/// weight, and by generalised cross-validation (Golub, Heath and Wahba, Technometrics 21 (1979)).
///
/// Cost: the normal equations once, O(n·d²) or O(n²·d) as for Ridge; O(min(n, d)³) for their
/// decomposition; and for each λ O(d²) if d ≤ n, else O(n·d). Leave-one-out for m values of λ costs
/// about 2 + 4m/d times the normal equations if n ≥ d and weights are equal. Threads divide the
/// normal equations, unless x is sparse and d > n, and leave-one-out if n ≥ d.
struct RidgePath {
  static constexpr std::string_view name = "RidgePath";

  /// Values of λ ≥ 0, in any order. If the list is empty, 100 values go from v down to 1e-6·v. If
  /// the leave-one-out error still falls at 1e-6·v, they go down to 1e-12·v. Here v is the largest
  /// eigenvalue of the covariance of x or, without an offset, of its second moments.
  std::vector<double> lambdas{};
  bool offset{true};         ///< fit b, or leave it 0
  bool leave_one_out{true};  ///< compute the leave-one-out errors
  Index threads{1};          ///< the same number gives the same bits

  /// Returns the path for x (n × d), y (n). Sums are in double for float x too. Uses the sample
  /// weights of the extras, calls an observer once, at the end, with the best λ, and ignores a
  /// start. Throws std::invalid_argument on invalid input, and for leave-one-out if fewer than two
  /// samples have a positive weight.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  RidgePathSolution<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    const auto& targets = detail::vector_of(y);
    auto path = run(x, targets, extras, 1e-6);
    if (lambdas.empty() && may_fall_further(path, x.rows())) path = run(x, targets, extras, 1e-12);
    if (extras.observer) report_once(extras, path.at(path.best));
    return path;
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

 private:
  template <class X, class Y, class T = scalar_t<X>>
  RidgePathSolution<T> run(const X& x, const Y& y, const Extras<T>& extras, double span) const {
    constexpr std::string_view function = "RidgePath::fit";
    require_threads(function, threads);
    detail::require_lambdas(function, lambdas);
    detail::require_numbers(function, y);
    const auto set =
        detail::samples::admit_samples_in_double(function, x, y.size(), extras.sample_weights);
    detail::ColumnMatrix<double> targets(y.size(), 1);
    for (Index i = 0; i < y.size(); ++i) targets(i, 0) = static_cast<double>(y[i]);
    detail::samples::require_target_sizes(function, set, targets);
    Index present = 0;
    double heaviest = 0;  // largest weight, later divided by the total weight
    for (Index i = 0; i < set.rows.rows(); ++i) {
      present += set.weight(i) > 0 ? 1 : 0;
      heaviest = std::max(heaviest, static_cast<double>(set.weight(i)));
    }
    heaviest /= static_cast<double>(set.rows.rows());
    require(!leave_one_out || present > 1, function, ": leave-one-out needs two samples, but ",
            present, " has a positive weight");

    const bool relative = lambdas.empty();
    // Without the heaviest sample, 1 − heaviest of the total weight remains: see LeaveOneOut.
    const double least = (leave_one_out ? 1 - heaviest : 1) *
                         (relative ? span : *std::min_element(lambdas.begin(), lambdas.end()));
    const detail::least_squares::SpectralPath found(set, offset, targets, leave_one_out, relative,
                                                    least, std::same_as<T, float>, threads);
    RidgePathSolution<T> path;
    describe(found, present, span, path);
    if (leave_one_out)
      path.leave_one_out =
          detail::least_squares::LeftOutErrors(set, offset, targets, found, path.lambdas, threads)
              .errors();
    path.status = Status::converged;
    for (const Status status : path.statuses) path.status = std::max(path.status, status);
    Eigen::VectorXd roundings = errors_of(path);
    for (double& error : roundings)
      error *= static_cast<double>(present) * std::numeric_limits<double>::epsilon();
    path.best = detail::best_lambda(path.lambdas, errors_of(path), roundings);
    path.is_at_edge = detail::is_at_edge(path.lambdas, errors_of(path), path.best);
    return path;
  }

  /// Does the error still fall at the smallest λ, while the penalty lowers the degrees of freedom
  /// by more than ½?
  template <class T>
  bool may_fall_further(const RidgePathSolution<T>& path, Index n) const {
    const auto& errors = errors_of(path);
    const Index last = errors.size() - 1;
    const Index free = offset ? 1 : 0;
    const Index most = std::min(n - free, path.weights.rows()) + free;
    return errors[last] < errors[last - 1] &&
           path.degrees_of_freedom[last] < static_cast<double>(most) - 0.5;
  }

  template <class T>
  const Eigen::VectorXd& errors_of(const RidgePathSolution<T>& path) const {
    return leave_one_out ? path.leave_one_out : path.generalised_cross_validation;
  }

  /// Sets all results except leave_one_out, status, best and is_at_edge. `present` is the number of
  /// samples of positive weight.
  template <class Rows, class T>
  void describe(const detail::least_squares::SpectralPath<Rows>& found, Index present, double span,
                RidgePathSolution<T>& path) const {
    const auto& spectrum = found.spectrum();
    const double largest = std::isnormal(spectrum.largest()) ? spectrum.largest() : 1;
    path.lambdas = lambdas.empty() ? log_spaced(largest, span * largest, 100) : lambdas;
    path.decomposition = spectrum.decomposition();
    path.reciprocal_condition = spectrum.reciprocal_condition();
    path.rank = spectrum.rank();
    path.dual = spectrum.is_dual();
    const auto m = static_cast<Index>(path.lambdas.size());
    const auto answers = found.solve(path.lambdas);
    path.weights.resize(found.design().cols(), m);
    path.offsets.resize(m);
    path.objectives.resize(m);
    path.degrees_of_freedom.resize(m);
    path.generalised_cross_validation.resize(m);
    for (Index k = 0; k < m; ++k) {
      const double lambda = path.lambdas[static_cast<std::size_t>(k)];
      double inverses = 0;  // Σ 1/(σ² + λ)
      double shares = 0;    // Σ σ²/(σ² + λ)
      for (const double square : spectrum.squares()) {
        inverses += 1 / (square + lambda);
        shares += square * (1 / (square + lambda));
      }
      // `freedom` is the trace of I − H, and answers.squares are ‖Zw − t‖², for the hat matrix H
      // and the weighted, centred targets t. If the fit interpolates the samples as λ falls to 0,
      // these numbers have the factors λ and λ², and are divided here by these factors.
      const double freedom =
          answers.interpolates
              ? inverses
              : lambda * inverses + static_cast<double>(found.free() - spectrum.rank());
      const double ratio = static_cast<double>(present) / freedom;
      path.generalised_cross_validation[k] = answers.squares[k] * ratio * ratio;
      path.degrees_of_freedom[k] = static_cast<double>(present - found.free()) + shares;
      const auto fit = found.finished(answers, k, lambda);
      for (Index j = 0; j < path.weights.rows(); ++j)
        path.weights(j, k) = static_cast<T>(fit.weights(j, 0));
      path.offsets[k] = static_cast<T>(fit.offset[0]);
      path.objectives[k] = fit.objective;
      path.statuses.push_back(fit.status);
    }
  }
};

}  // namespace linea
