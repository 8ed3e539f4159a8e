// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits for a sequence of λ, each starting at the previous solution.
#include <cmath>  // isfinite
#include <concepts>
#include <linea/core/by_rows.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/types.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <string_view>
#include <utility>  // forward, move
#include <vector>

namespace linea {

/// An optimizer for a sequence of λ. It minimises O = Objective<L, P> on samples X with targets Y.
/// The run for the next λ starts at `weights` and `offset` of the solution. If the solution has
/// `hand_on(extras)`, this sets the extras of the next run instead.
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

/// Returns the elastic net with l1 + l2 = λ and an unchanged ratio of the two. Throws
/// std::invalid_argument if both are 0.
inline ElasticNet with_lambda(const ElasticNet& penalty, double lambda) {
  const double sum = penalty.l1 + penalty.l2;
  require(sum > 0, "with_lambda: l1 = ", penalty.l1, " and l2 = ", penalty.l2,
          " of the elastic net have no ratio to keep");
  return {.l1 = lambda * (penalty.l1 / sum), .l2 = lambda * (penalty.l2 / sum)};
}

/// Returns a penalty that wraps another, such as NonNegative, with strength λ for the inner one.
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

namespace models {

/// Throws for an empty list, and for any λ that is negative or not finite.
inline void require_some_lambdas(std::string_view function, const std::vector<double>& lambdas) {
  require(!lambdas.empty(), function, ": no lambdas");
  core::require_lambdas(function, lambdas);
}

/// Minimises the objective for one λ and returns the solution.
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y>
  requires OptimizerOf<O, Objective<L, P>, X, Y>
auto minimize_at(double lambda, const O& optimizer, const Objective<L, P>& objective, const X& x,
                 const Y& y, const Extras<scalar_t<X>>& extras = {}) {
  const Objective<L, P> at{objective.loss, with_lambda(objective.penalty, lambda)};
  return optimizer.minimize(at, x, y, extras);
}

/// Minimises for each λ in order and calls visit(k, solution) for λ number k. The caller has
/// validated the lambdas. Every fit is called as fitted(fit), which returns fit(). Each run starts
/// at the previous solution.
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

}  // namespace models

/// Returns the solutions for m values of λ, in the order of the list. The first run starts at the
/// extras' start, each other run at the previous solution. A list from the largest to the smallest
/// λ is fastest. A run passes on its weights and offset; DualCoordinateAscent passes on its dual
/// variables instead, and Auto both. The strength of the objective's own penalty is ignored; only
/// the ratio of an elastic net counts.
///
/// x (n × d), y (n). Memory: m solutions. Throws std::invalid_argument for an empty list, for a λ
/// that is negative or not finite, and whatever the optimizer throws.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010).
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y,
          ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  requires OptimizerOf<O, Objective<L, P>, X, Y>
[[nodiscard]] auto lambda_path(const O& optimizer, const Objective<L, P>& objective,
                               const std::vector<double>& lambdas, const X& x, const Y& y,
                               const E& given = {}) {
  const auto& extras = extras_of<scalar_t<X>>(given);
  models::require_some_lambdas("lambda_path", lambdas);
  std::vector<decltype(models::minimize_at(0.0, optimizer, objective, x, y, extras))> solutions;
  solutions.reserve(lambdas.size());
  models::follow_lambda_path(
      optimizer, objective, lambdas, core::by_rows(x), y, extras,
      [](const auto& fit) { return fit(); },
      [&](std::size_t, auto&& solution) {
        solutions.push_back(std::forward<decltype(solution)>(solution));
      });
  return solutions;
}

}  // namespace linea
