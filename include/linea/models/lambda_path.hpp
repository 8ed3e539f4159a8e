// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits for a sequence of λ, each starting at the previous solution, and lists of λ to try.
#include <algorithm>  // clamp, max
#include <cmath>      // abs, log10, round
#include <concepts>
#include <cstdlib>  // strtod
#include <linea/core/by_rows.hpp>
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/lambdas.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/training_set.hpp>
#include <string>
#include <string_view>
#include <utility>  // forward, move
#include <vector>

namespace linea {

struct CoordinateDescent;  // optimizers/coordinate_descent.hpp defines it

/// An optimizer for a sequence of λ. It minimises O = Objective<L, P> on samples X with targets Y.
/// The run for the next λ starts at `weights` and `offset` of the solution. If the solution has
/// `hand_on(extras)`, this function sets the start of the next run instead.
template <class M, class O, class X, class Y>
concept OptimizerOf = std::copy_constructible<M> &&
    requires(const M& optimizer, const O& objective, const X& x, const Y& y,
             const Extras<scalar_t<X>>& extras) {
  {
    optimizer.minimize(objective, x, y, extras).weights
    } -> std::convertible_to<Vector<scalar_t<X>>>;
  { optimizer.minimize(objective, x, y, extras).offset } -> std::convertible_to<scalar_t<X>>;
};

/// Returns the penalty with strength λ, for L1, L2 and every penalty with a member `lambda`. For a
/// penalty of your own without `lambda`, define a function of this name in its namespace.
template <Penalty P>
  requires requires(P& penalty, double lambda) { penalty.lambda = lambda; }
constexpr P with_lambda(P penalty, double lambda) {
  penalty.lambda = lambda;
  return penalty;
}

/// Returns the elastic net with l1 + l2 = λ and an unchanged ratio l1 : l2. Throws
/// std::invalid_argument if l1 and l2 are 0.
inline ElasticNet with_lambda(const ElasticNet& penalty, double lambda) {
  const double sum = penalty.l1 + penalty.l2;
  require(sum > 0, "with_lambda: l1 = ", penalty.l1, " and l2 = ", penalty.l2,
          " of the elastic net have no ratio to keep");
  return {.l1 = lambda * (penalty.l1 / sum), .l2 = lambda * (penalty.l2 / sum)};
}

/// Returns a penalty that wraps another penalty, such as NonNegative, with strength λ for the inner
/// penalty.
template <Penalty P>
  requires requires(P& penalty, double lambda) {
    penalty.penalty = with_lambda(penalty.penalty, lambda);
  }
P with_lambda(P penalty, double lambda) {
  penalty.penalty = with_lambda(penalty.penalty, lambda);
  return penalty;
}

template <class P>
concept PenaltyWithLambda = Penalty<P> && requires(const P& penalty, double lambda) {
  { with_lambda(penalty, lambda) } -> std::same_as<P>;
};

namespace detail {

/// Returns the option `offset` of an optimizer or recipe, or true if there is no such option.
template <class O>
bool has_offset(const O& owner) {
  if constexpr (requires { owner.offset; })
    return owner.offset;
  else
    return true;
}

/// Returns the mean ‖x‖² over rows (n) with sample weights (n), or without weights. Skips rows of
/// weight 0, and columns j for which counts(j) is false.
template <class Rows, class Counts>
double mean_squared_norm(const Rows& rows, const Vector<double>& weights, const Counts& counts) {
  const double largest = weights.size() > 0 ? weights.maxCoeff() : 1;
  double squares = 0, total = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double share = weights.size() > 0 ? weights[i] / largest : 1;
    if (!(share > 0)) continue;
    total += share;
    rows.for_each(i, [&](Index j, double value) {
      if (counts(j)) squares += share * (value * value);
    });
  }
  return squares / total;
}

/// Calls visit(j, tⱼ) for each column j of d, where tⱼ·|wⱼ| is the absolute part of the penalty.
template <class P, class Visit>
void for_each_threshold(const P& penalty, Index d, const Visit& visit) {
  if constexpr (requires { of_column(penalty, 0).threshold(1.0); })
    for (Index j = 0; j < d; ++j)
      visit(j, static_cast<double>(of_column(penalty, j).threshold(1.0)));
}

/// Returns the scores (n) of the best model whose penalised weights are 0. `set` has the samples
/// in double. O is a parameter because few programs need the header of CoordinateDescent.
template <DifferentiableLoss L, PenaltyWithLambda P, class X, class Y, class T, class Rows,
          class O = CoordinateDescent>
Vector<double> scores_without_penalised(std::string_view function, const Objective<L, P>& objective,
                                        const X& x, const Y& y, const Vector<T>& sample_weights,
                                        const samples::TrainingSet<Rows>& set, bool offset) {
  if constexpr (ColumnPenalty<P>) {
    bool has_penalised = false;
    Index other = -1;
    for_each_threshold(with_lambda(objective.penalty, 1.0), x.cols(),
                       [&](Index j, double threshold) {
                         if (threshold > 0)
                           has_penalised = true;
                         else
                           other = j;
                       });
    if (has_penalised && other >= 0) {
      if constexpr (CurvedLoss<L> && SmoothLoss<L> && ConjugateLoss<L> && ConjugatePenalty<P>) {
        static_assert(
            requires { sizeof(O); }, "include <linea/optimizers/coordinate_descent.hpp>");
        const O optimizer{.tolerance = 1e-12, .offset = offset};
        const Objective alone{objective.loss, with_lambda(objective.penalty, 1e100)};
        const auto best = optimizer.minimize(alone, x, y, sample_weights);
        const Vector<double> w = best.weights.template cast<double>();
        return samples::scores_of_rows(function, set.rows, w, static_cast<double>(best.offset), 1);
      } else {
        refuse(function, ": column ", other, " has no absolute penalty, and CoordinateDescent, ",
               "which finds the weights of such columns, does not take the loss ",
               name_of(objective.loss), ": pass a list of lambdas");
      }
    }
  }
  return filled(x.rows(), offset ? samples::best_constant(objective.loss, set, x.rows()) : 0);
}

}  // namespace detail

/// Returns λ_max, the smallest λ at which all penalised weights are 0: the largest |∂ⱼR|/tⱼ of all
/// columns j with tⱼ > 0. Here tⱼ·λ·|wⱼ| is the absolute part of the penalty, and ∂ⱼR is the
/// derivative of the mean loss R with respect to wⱼ, at the minimum of R over the offset (0 without
/// `offset`) and the weights with tⱼ = 0. Returns 0 if the penalty has no absolute part. For losses
/// with kinks, R may have several derivatives, and the result is an estimate. Ignores columns whose
/// weight a constraint such as NonNegative keeps at 0.
///
/// x (n × d), y (n). Uses the sample weights of the extras. Cost: one pass over x after its
/// validation. If PenaltyFactors has an offset column or a factor 0, also a run of
/// CoordinateDescent, and std::invalid_argument for a loss that CoordinateDescent does not take.
/// Throws std::invalid_argument on invalid input. Friedman, Hastie and Tibshirani, Journal of
/// Statistical Software 33 (2010), section 2.5.
template <DifferentiableLoss L, PenaltyWithLambda P, Samples X, Numbers Y,
          ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
[[nodiscard]] double lambda_max(const Objective<L, P>& objective, const X& x, const Y& y,
                                const E& given = {}, bool offset = true) {
  constexpr std::string_view function = "lambda_max";
  const P unit = with_lambda(objective.penalty, 1.0);
  const P none = with_lambda(objective.penalty, 0.0);
  detail::require_valid_parameters(function, "loss", objective.loss);
  detail::require_valid_penalty(function, unit, x.cols());
  const auto& by_rows = detail::by_rows(x);
  const auto& extras = extras_of<scalar_t<X>>(given);
  const auto set =
      detail::samples::admit_in_double(function, objective.loss, by_rows, y, extras.sample_weights);
  const Index n = x.rows();
  Vector<double> slopes = detail::scores_without_penalised(function, objective, by_rows, y,
                                                           extras.sample_weights, set, offset);
  double sum = 0, total = 0;
  for (Index i = 0; i < n; ++i) {
    const double s = set.weight(i);
    slopes[i] = s > 0 ? s * objective.loss.derivative(slopes[i], set.y[i]) : 0;
    sum += slopes[i];
    total += s;
  }
  Vector<double> gradient = detail::filled(x.cols(), 0.0);
  for (Index i = 0; i < n; ++i) {
    if (offset) slopes[i] -= set.weight(i) * (sum / total);  // makes the sum 0 up to rounding
    set.rows.for_each(i, [&](Index j, double value) { gradient[j] += slopes[i] * value / total; });
  }
  double least = 0;
  detail::for_each_threshold(unit, x.cols(), [&](Index j, double threshold) {
    const bool stays =
        of_column(none, j).proximal(-gradient[j], 1.0) == 0;  // NonNegative keeps wⱼ = 0 at any λ
    if (threshold > 0 && !stays) least = std::max(least, std::abs(gradient[j]) / threshold);
  });
  return least;
}

/// Returns 13 values of λ to try, from the largest to the smallest. There are two lists:
///
/// 1. With an absolute penalty, the values fall geometrically from λ_max to λ_max/1000.
/// 2. With a squared penalty c·λ/2·‖w‖², the values are 1eN, 3e(N − 1), 1e(N − 1), … down to
///    1e(N − 6), where 1eN is about the mean ‖x‖² divided by c. ‖x‖² leaves out columns without
///    penalty.
///
/// With an elastic net, returns the list with the smaller first λ. If λ_max is 0, or the loss has
/// no derivative, returns the second list, with c = 1 if c is not known. Both lists use the sample
/// weights. Arguments and errors are those of lambda_max.
template <Loss L, PenaltyWithLambda P, Samples X, Numbers Y,
          ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
[[nodiscard]] std::vector<double> automatic_lambdas(const Objective<L, P>& objective, const X& x,
                                                    const Y& y, const E& given = {},
                                                    bool offset = true) {
  double largest = 0;
  if constexpr (DifferentiableLoss<L>) largest = lambda_max(objective, x, y, given, offset);
  const auto& by_rows = detail::by_rows(x);
  const auto set = detail::samples::admit_samples_in_double(
      "automatic_lambdas", by_rows, detail::vector_of(y).size(),
      extras_of<scalar_t<X>>(given).sample_weights);
  const P unit = with_lambda(objective.penalty, 1.0);
  const double squares = detail::mean_squared_norm(set.rows, set.weights, [&](Index j) {
    return !ColumnPenalty<P> || of_column(unit, j).proximal(1.0, 1.0) != 1;  // is wⱼ penalised?
  });
  const double squared = strong_convexity_of(unit);
  const double top = squares / (squared > 0 ? squared : 1);
  if (largest > 0 && !(squared > 0 && top < largest)) return log_spaced(largest, largest / 1e3, 13);
  const int decade = static_cast<int>(std::round(std::log10(std::clamp(top, 1e-200, 1e200))));
  std::vector<double> lambdas(13);  // each the double nearest to its decimal
  for (int k = 0; double& lambda : lambdas) {
    const std::string decimal = detail::text_of({k % 2 ? "3e" : "1e", decade - (k + 1) / 2});
    lambda = std::strtod(decimal.c_str(), nullptr);
    ++k;
  }
  return lambdas;
}

namespace detail {

/// Minimises the objective for one λ and returns the solution.
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y>
  requires OptimizerOf<O, Objective<L, P>, X, Y>
auto minimize_at(double lambda, const O& optimizer, const Objective<L, P>& objective, const X& x,
                 const Y& y, const Extras<scalar_t<X>>& extras = {}) {
  const Objective<L, P> at{objective.loss, with_lambda(objective.penalty, lambda)};
  return optimizer.minimize(at, x, y, extras);
}

/// Minimises the objective for each λ in order and calls visit(k, solution) for λ number k. Makes
/// every fit by fitted(fit), which returns fit(). The first run starts at the start in the extras,
/// each other run at the previous solution.
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y, class Fitted, class Visit>
void follow_lambda_path(const O& optimizer, const Objective<L, P>& objective,
                        const std::vector<double>& lambdas, const X& x, const Y& y,
                        Extras<scalar_t<X>> extras, const Fitted& fitted, const Visit& visit) {
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    auto solution =
        fitted([&] { return minimize_at(lambdas[k], optimizer, objective, x, y, extras); });
    if constexpr (requires { solution.hand_on(extras); }) {
      if (k + 1 < lambdas.size()) solution.hand_on(extras);
    } else {
      extras.start_weights = solution.weights;
      extras.start_offset = solution.offset;
    }
    visit(k, std::move(solution));
  }
}

}  // namespace detail

/// Returns the solutions for m values of λ, in the order of the list. The first run starts at the
/// start in the extras, each other run at the weights and offset of the previous solution.
/// DualCoordinateAscent starts at the dual variables instead, and Auto passes on the weights, the
/// offset and any dual variables. A list from the largest to the smallest λ is fastest; an empty
/// list stands for automatic_lambdas. Ignores the strength of the penalty in `objective`; of an
/// elastic net only the ratio of l1 to l2 counts.
///
/// x (n × d), y (n). Memory: m solutions. Throws std::invalid_argument for a λ that is negative or
/// not finite, and whatever the optimizer throws.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010).
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y,
          ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  requires OptimizerOf<O, Objective<L, P>, X, Y>
[[nodiscard]] auto lambda_path(const O& optimizer, const Objective<L, P>& objective,
                               std::vector<double> lambdas, const X& x, const Y& y,
                               const E& given = {}) {
  const auto& extras = extras_of<scalar_t<X>>(given);
  if (lambdas.empty())
    lambdas = automatic_lambdas(objective, x, y, extras, detail::has_offset(optimizer));
  detail::require_lambdas("lambda_path", lambdas);
  std::vector<decltype(detail::minimize_at(0.0, optimizer, objective, x, y, extras))> solutions;
  solutions.reserve(lambdas.size());
  detail::follow_lambda_path(
      optimizer, objective, lambdas, detail::by_rows(x), y, extras,
      [](const auto& fit) { return fit(); },
      [&](std::size_t, auto&& solution) {
        solutions.push_back(std::forward<decltype(solution)>(solution));
      });
  return solutions;
}

}  // namespace linea
