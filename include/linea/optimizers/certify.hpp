// SPDX-License-Identifier: MIT
#pragma once
/// \file An upper bound on the suboptimality of any weights.
#include <algorithm>  // max, min
#include <concepts>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/dual/ascent.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/proof/dual_certificate.hpp>
#include <linea/proof/rounded_bound.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/frame.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// The options of `certify`.
template <class T>
struct CertifyOptions {
  /// Is b free? If false, b is 0. A bound for a free b also holds for b = 0, but may be lower.
  bool offset{true};
  Vector<T> sample_weights{};  ///< (n), or none
  Index epochs{20};            ///< epochs of dual coordinate ascent, which improve the bound for L2
};

/// Evaluates F at the weights (d) and offset of `solution`, which may come from any optimizer, and
/// a lower bound on F* for x (n × d), y (n). The bound is the dual objective at dual variables
/// derived from the weights (see proof::DualCertificate). It approaches F* as the weights approach
/// the minimum. But if the loss has kinks and the penalty has no L2 part, it may stay below F*.
/// Cost: four passes over x for smooth losses and about 18 for all other losses. If the penalty is
/// L2, the loss has a proximal step and x is not divided among processes, `certify` also runs
/// `epochs` epochs of dual coordinate ascent. Throws std::invalid_argument on invalid input.
template <class L, ConjugatePenalty P, AnySamples X, Numbers Y>
  requires ConjugateLoss<L> && DifferentiableLoss<L> Certificate
  certify(const Objective<L, P>& objective, const Solution<scalar_t<X>>& solution, const X& x,
          const Y& y, const CertifyOptions<scalar_t<X>>& options = {}) {
    return detail::samples::together(x, [&] {
      constexpr std::string_view function = "certify";
      detail::require_valid(function, objective, x.cols());
      require(solution.weights.size() == x.cols(), function, ": ", solution.weights.size(),
              " weights for ", x.cols(), " features");
      require(detail::all_finite(solution.weights) && std::isfinite(solution.offset), function,
              ": the weights are not finite");
      require(options.offset || solution.offset == 0, function, ": the offset is ", solution.offset,
              ", but options.offset is false");
      require(options.epochs >= 0, function, ": ", options.epochs, " epochs");
      auto set =
          detail::samples::admit_in_double(function, objective.loss, x, y, options.sample_weights);
      const Vector<double> weights = solution.weights.template cast<double>();
      const detail::samples::Frame<> frame(objective.loss, set, options.offset);
      const double offset = frame.enter(weights, static_cast<double>(solution.offset));
      const detail::samples::LossBlocksOf<L> loss(objective.loss);
      const detail::samples::RowBlocksOf rows(set.rows);
      const detail::proof::SeparablePenaltyOf<P> penalty(objective.penalty);
      const detail::samples::RiskOfScores risk(loss, set.y, set.weights, set.all_rows(), rows);
      const Vector<double> scores = detail::samples::scores_of(rows, weights);
      const detail::proof::DualCertificate of_weights(rows, risk, penalty, options.offset, scores,
                                                      offset);
      Certificate certificate{risk.sum(risk.value(scores, offset)) + penalty.value(weights),
                              of_weights.bound()};
      Vector<double> multipliers = of_weights.multipliers();
      if constexpr (std::same_as<P, L2> && ProximalLoss<L> && Samples<X>)
        if (options.epochs > 0 && objective.penalty.lambda > 0) {
          detail::dual::AscentOf<L, decltype(set.rows), WorkingSets> ascent(
              objective.loss, set, objective.penalty.lambda, options.offset, {});
          ascent.start(multipliers);
          while (ascent.is_finite() && ascent.epochs() < options.epochs) {
            ascent.run_epoch();
            // With a free offset an epoch may lower the bound. So evaluate the bound after epochs
            // 1, 2, 4, … and after the last epoch, and keep the best.
            const Index epoch = ascent.epochs();
            if (epoch == options.epochs || (epoch & (epoch - 1)) == 0) {
              auto proof = ascent.proof();
              if (epoch < options.epochs) ascent.renew(proof);
              if (!(proof.dual > certificate.dual)) continue;
              certificate.dual = proof.dual;
              multipliers = std::move(proof.multipliers);
            }
          }
        }
      const double rounded =
          detail::proof::rounded_bound(rows, risk, penalty, multipliers, options.offset);
      certificate.dual = std::min(certificate.dual, std::max(rounded, of_weights.least()));
      return certificate;
    });
  }

}  // namespace linea
