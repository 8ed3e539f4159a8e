// SPDX-License-Identifier: MIT
#include "programs/common/fit.hpp"

#include <cmath>
#include <functional>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/constant.hpp>
#include <utility>

#include "programs/common/numbers.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;
using Extras = linea::Extras<double>;
using Found = linea::AutoSolution<double>;

using Optimizer = linea::AnyOptimizer<linea::ProvenAuto, linea::DualCoordinateAscent, linea::Newton,
                                      linea::Lbfgs, linea::GradientDescent, linea::Ridge>;

template <class O>
Found descend(const FitOptions& options, const O& objective, const EntriesView& x, const Vector& y,
              const Extras& extras) {
  const auto run = [&](auto sgd) {
    if (options.epochs) sgd.epochs = *options.epochs;
    if (options.average) sgd.iterate = linea::Iterate::average;
    sgd.tolerance = options.tolerance;
    sgd.offset = options.offset;
    sgd.batch = options.batch;
    sgd.seed = options.seed;
    sgd.threads = options.threads;
    return sgd.minimize(objective, x, y, extras);
  };
  const auto solution = options.step == 0
                            ? run(linea::Sgd{})
                            : run(linea::BasicSgd<linea::ConstantStep>{.step = {options.step}});
  Found found;
  static_cast<linea::Solution<double>&>(found) = solution;
  found.reason = "first step " + digits(solution.first_step, 3);
  return found;
}

template <class O>
Found minimised(const FitOptions& options, const O& objective, const EntriesView& x,
                const Vector& y, const Extras& extras) {
  if (options.optimizer == "sgd") return descend(options, objective, x, y, extras);
  try {
    const Optimizer optimizer{.choice = library_name(options.optimizer),
                              .epochs = options.epochs,
                              .tolerance = options.tolerance,
                              .offset = options.offset,
                              .seed = options.seed,
                              .threads = options.threads};
    return optimizer.minimize(objective, x, y, extras);
  } catch (const linea::NoProof&) {
    Found found = descend(options, objective, x, y, extras);
    found.reason = "no other optimizer minimises this loss and penalty at this size; " +
                   std::move(found.reason);
    return found;
  }
}

template <class O>
Found fit_objective(const LinearRecipe& recipe, const O& objective, const EntriesView& x,
                    const Vector& y, const Extras& extras) {
  if (!recipe.held_out) return minimised(recipe.options, objective, x, y, extras);
  const auto& [held_x, held_y, weights] = *recipe.held_out;
  linea::EarlyStopping stopping(objective.loss, held_x.view(), held_y,
                                {.patience = recipe.patience}, weights);
  Extras watched = extras;
  watched.observer = [&](const linea::Progress& progress) {
    const auto control = stopping(progress);
    return extras.observer(progress) == linea::Control::stop ? linea::Control::stop : control;
  };
  Found found = minimised(recipe.options, objective, x, y, watched);
  const auto epochs = static_cast<Index>(stopping.scores().size());
  if (epochs == 0) return found;
  found = stopping.best_of(std::move(found));
  if (const Index best = stopping.best().epoch; best < epochs)
    found.reason += "; the weights are those of epoch " + std::to_string(best) + " of " +
                    std::to_string(epochs) + ", where held-out samples were predicted best";
  return found;
}

void require_strength(const char* name, double value) {
  linea::require(std::isfinite(value) && value >= 0, name, ' ', value, " is not >= 0");
}

}  // namespace

std::string library_name(const std::string& optimizer) {
  for (const auto& [name, of_library] :
       {std::pair{"auto", "Auto"}, std::pair{"dual", "DualCoordinateAscent"},
        std::pair{"newton", "Newton"}, std::pair{"lbfgs", "Lbfgs"}, std::pair{"ridge", "Ridge"},
        std::pair{"gradient-descent", "GradientDescent"}, std::pair{"adaptive-sgd", "AdaptiveSgd"}})
    if (optimizer == name) return of_library;
  return optimizer;
}

void check_fit(const FitOptions& options) {
  const std::string& name = options.optimizer;
  with_loss(options.loss, [](const auto& loss) {
    linea::detail::require_valid_parameters("--loss", "loss", loss);
  });
  require_strength("--lambda", options.lambda);
  require_strength("--l1", options.l1);
  require_strength("--tolerance", options.tolerance);
  require_strength("--step", options.step);
  linea::require(options.epochs.value_or(0) >= 0, "--epochs ", options.epochs.value_or(0),
                 " is not >= 0");
  linea::require(options.batch >= 1, "--batch ", options.batch, " is not >= 1");
  linea::require_threads("--threads", options.threads);
  linea::require(name == "sgd" || (options.step == 0 && options.batch == 1 && !options.average),
                 name, " takes no --step, --batch or --average: these are for --optimizer sgd");
  linea::require(name != "dual" || options.threads == 1, "dual takes no --threads");
  linea::require(name != "ridge" || options.loss.name == "squared",
                 "ridge is for the squared loss, not ", options.loss.name);
}

linea::LinearModel<double> LinearRecipe::fit(const EntriesView& x, const Vector& y,
                                             const Extras& extras) const {
  return with_loss(options.loss, [&]<class L>(const L& loss) {
    // For a loss with kinks and λ = 0, Auto refuses L2, but selects InteriorPoint for an ElasticNet
    // of strength 0.
    const bool is_bare =
        !linea::KinklessLoss<L> && options.lambda == 0 && options.optimizer == "auto";
    auto found =
        options.l1 > 0 || is_bare
            ? fit_objective(
                  *this,
                  linea::Objective{loss, linea::ElasticNet{.l1 = options.l1, .l2 = options.lambda}},
                  x, y, extras)
            : fit_objective(*this, linea::Objective{loss, linea::L2{options.lambda}}, x, y, extras);
    linea::LinearModel<double> model;
    model.reason = std::string(found.optimizer) + ": " + found.reason;
    static_cast<linea::Solution<double>&>(model) = std::move(found);
    return model;
  });
}

}  // namespace program
