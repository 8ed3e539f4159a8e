// SPDX-License-Identifier: MIT
#include <concepts>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/fit.hpp"

namespace program {
namespace {

using linea::L2;

/// The optimizers for --optimizer auto, dual, newton and lbfgs.
using Optimizer = linea::AnyOptimizer<linea::ProvenAuto, linea::DualCoordinateAscent, linea::Newton,
                                      linea::Lbfgs>;

template <class O>
Fit minimised(const FitTask& task, const O& objective, const EntriesView& x,
              const linea::Vector<double>& y) {
  const std::string& name = task.optimizer;
  const Optimizer optimizer{.choice = name == "dual"     ? "DualCoordinateAscent"
                                      : name == "newton" ? "Newton"
                                      : name == "lbfgs"  ? "Lbfgs"
                                                         : "Auto",
                            .epochs = task.epochs,
                            .tolerance = task.tolerance,
                            .offset = task.offset,
                            .seed = task.seed,
                            .threads = task.threads};
  auto extras = extras_of(task);
  if (name == "dual") {
    extras.start_weights.resize(0);
    extras.start_offset = 0;
  }
  const auto solution = optimizer.minimize(objective, x, y, extras);
  Fit fit;
  static_cast<linea::Solution<double>&>(fit) = solution;
  fit.note = name == "auto"   ? "chose " + std::string(solution.optimizer) + ": " + solution.reason
             : name == "dual" ? "dual coordinate ascent"
                              : std::to_string(solution.updates) + " iterations";
  fit.dual = solution.bound();
  if constexpr (std::same_as<decltype(objective.penalty), L2>)
    if (!fit.dual) {
      const bool has_bound = fit.status != linea::Status::diverged && task.lambda > 0;
      const linea::CertifyOptions<double> options{
          .offset = task.offset, .sample_weights = task.sample_weights, .epochs = 0};
      fit.dual = has_bound ? certify(objective, solution, x, y, options).dual : no_bound;
    }
  return fit;
}

}  // namespace

linea::Extras<double> extras_of(const FitTask& task) {
  linea::Extras<double> extras;
  extras.sample_weights = task.sample_weights;
  extras.observer = task.observer;
  extras.start_weights = task.start_weights;
  extras.start_offset = task.start_offset;
  return extras;
}

Fit fit_proven(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  return with_loss(task.loss, [&]<class L>(const L& loss) {
    // For a loss with kinks and λ = 0, Auto refuses L2, but selects InteriorPoint for an ElasticNet
    // of strength 0.
    const bool is_bare = !linea::KinklessLoss<L> && task.lambda == 0 && task.optimizer == "auto";
    if (task.l1 > 0 || is_bare)
      return minimised(
          task, linea::Objective{loss, linea::ElasticNet{.l1 = task.l1, .l2 = task.lambda}}, x, y);
    return minimised(task, linea::Objective{loss, L2{task.lambda}}, x, y);
  });
}

double bound_of(const FitTask& task, const linea::Solution<double>& solution, const EntriesView& x,
                const linea::Vector<double>& y) {
  return with_loss(task.loss, [&](const auto& loss) {
    return certify(linea::Objective{loss, L2{task.lambda}}, solution, x, y,
                   {.offset = task.offset, .sample_weights = task.sample_weights})
        .dual;
  });
}

}  // namespace program
