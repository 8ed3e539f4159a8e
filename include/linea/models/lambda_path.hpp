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
/// Its solution has `weights` and `offset`, from which the next λ starts, and may have
/// `hand_on(extras)`, which sets the extras for the next λ instead.
template <class M, class O, class X, class Y>
concept OptimizerOf = std::copy_constructible<M> &&
    requires(const M& optimizer, const O& objective, const X& x, const Y& y,
             const Extras<scalar_t<X>>& extras) {
  {
    optimizer.minimize(objective, x, y, extras).weights
    } -> std::convertible_to<Vector<scalar_t<X>>>;
  { optimizer.minimize(objective, x, y, extras).offset } -> std::convertible_to<scalar_t<X>>;
};

/// The penalty with strength λ, for L1, L2 and all others with a `lambda`. A penalty of your own
/// without one can define a function of this name in its namespace.
template <Penalty P>
  requires requires(P& penalty, double lambda) { penalty.lambda = lambda; }
constexpr P with_lambda(P penalty, double lambda) {
  penalty.lambda = lambda;
  return penalty;
}

/// The elastic net with l1 + l2 = λ and the same ratio of the two. Throws std::invalid_argument if
/// both are 0.
inline ElasticNet with_lambda(const ElasticNet& penalty, double lambda) {
  const double sum = penalty.l1 + penalty.l2;
  require(sum > 0, "with_lambda: l1 = ", penalty.l1, " and l2 = ", penalty.l2,
          " of the elastic net have no ratio to keep");
  return {.l1 = lambda * (penalty.l1 / sum), .l2 = lambda * (penalty.l2 / sum)};
}

/// A penalty around another, such as NonNegative, with strength λ in place of that one's.
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

/// The minimum for one λ.
template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y>
  requires OptimizerOf<O, Objective<L, P>, X, Y>
auto minimize_at(double lambda, const O& optimizer, const Objective<L, P>& objective, const X& x,
                 const Y& y, const Extras<scalar_t<X>>& extras = {}) {
  const Objective<L, P> at{objective.loss, with_lambda(objective.penalty, lambda)};
  return optimizer.minimize(at, x, y, extras);
}

/// Calls visit(k, solution) with the minimum for λ number k, for all of them in order. The caller
/// has validated them. `fitted(fit)` is fit(). Each run starts at the previous solution.
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

/// The minima for m values of λ, in their order. Each run starts at the previous solution, the
/// first at the extras' start; a list from the largest to the smallest is fastest. A solution's
/// `hand_on` sets the next start: the dual variables of DualCoordinateAscent, dual variables and
/// weights from Auto, else weights and offset. The strength of the objective's own penalty is
/// ignored, and of an elastic net all but its ratio.
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
