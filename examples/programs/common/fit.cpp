// SPDX-License-Identifier: MIT
#include "programs/common/fit.hpp"

#include <algorithm>  // min
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <string_view>

#include "programs/common/losses_by_name.hpp"

namespace program {
namespace {

using linea::Index;

bool is_descent(const std::string& name) { return name == "sgd" || name == "pegasos"; }
bool is_proven(const std::string& name) {
  return name == "dual" || name == "newton" || name == "lbfgs" || name == "auto";
}

void require_strength(const char* name, double value) {
  linea::require(std::isfinite(value) && value >= 0, name, ' ', value, " is not >= 0");
}

void check_numbers(const FitTask& task) {
  require_strength("--lambda", task.lambda);
  require_strength("--l1", task.l1);
  require_strength("--tolerance", task.tolerance);
  linea::require(!task.epochs || *task.epochs >= 0, "--epochs ", task.epochs.value_or(0),
                 " is not >= 0");
  // The limit is 2⁵³, up to which doubles are exact integers, or the largest Index.
  constexpr auto most = static_cast<Index>(
      std::min(std::int64_t{1} << 53, std::int64_t{std::numeric_limits<Index>::max()}));
  linea::require(!task.epochs || *task.epochs <= most, "--epochs ", task.epochs.value_or(0),
                 " is more than ", most);
  linea::require_threads("--threads", task.threads);
}

/// Fits with the optimizer of the task. If `auto` finds no optimizer that gives a bound, fits with
/// Sgd.
Fit fit_without_objective(const FitTask& task, const EntriesView& x,
                          const linea::Vector<double>& y) {
  if (!is_proven(task.optimizer)) return fit_by_descent(task, x, y);
  try {
    return fit_proven(task, x, y);
  } catch (const linea::NoProof&) {
    FitTask descent = task;
    descent.optimizer = "sgd";
    descent.use_float = false;  // auto always computes in double
    Fit found = fit_by_descent(descent, x, y);
    found.note =
        "chose Sgd: no other optimizer minimises this loss and penalty at this size; " + found.note;
    return found;
  }
}

/// Fits, and computes the objective from the weights in double, for any optimizer.
Fit fit_here(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  Fit found = fit_without_objective(task, x, y);
  const double penalty =
      task.lambda / 2 * found.weights.squaredNorm() + task.l1 * found.weights.lpNorm<1>();
  found.objective =
      mean_loss(task.loss, scores_of(x, found.weights, found.offset), y, task.sample_weights) +
      penalty;
  if (task.certify && found.status != linea::Status::diverged)
    found.dual = bound_of(task, found, x, y);
  return found;
}

}  // namespace

bool asks_for_descent(const FitTask& task) {
  return task.batch != "1" || task.epochs || !task.step.empty() || task.average;
}

void check_task(const FitTask& task) {
  const auto& name = task.optimizer;
  with_loss(task.loss, [](const auto& loss) {
    linea::detail::require_valid_parameters("--loss", "loss", loss);
  });
  check_numbers(task);
  const bool ridge = name == "ridge";
  linea::require(name != "perceptron" || (task.lambda == 0 && task.l1 == 0),
                 "the perceptron takes no penalty");
  linea::require(!ridge || task.loss.name == "squared", "ridge is for the squared loss, not ",
                 task.loss.name);
  linea::require(!ridge || (task.l1 == 0 && !task.average && !task.epochs),
                 "ridge is exact: it takes no --l1, --average or --epochs");
  linea::require(task.step.empty() || (!ridge && name != "perceptron"), name, " takes no --step");
  linea::require(is_descent(name) || task.batch == "1", name,
                 " takes no --batch, which is for --optimizer sgd");
  linea::require(task.threads == 1 || is_descent(name) || (is_proven(name) && name != "dual"), name,
                 " takes no --threads");
  linea::require(!is_proven(name) || (!task.average && task.step.empty()), name,
                 " takes no --average or --step: these are for --optimizer sgd");
  linea::require(!is_proven(name) || task.l1 == 0 || name == "auto", name,
                 " takes no --l1; auto and sgd do");
  linea::require(name != "auto" || !task.epochs,
                 "auto takes no --epochs: name an optimizer, like --optimizer sgd");
  linea::require(!task.certify || task.l1 == 0, "--certify takes no --l1");
  linea::require(name != "pegasos" || task.l1 == 0, "pegasos takes no --l1; sgd does");
}

linea::Vector<double> scores_of(const EntriesView& x, const linea::Vector<double>& weights,
                                double offset) {
  linea::Vector<double> scores = x * weights;
  scores.array() += offset;
  return scores;
}

double mean_loss(const Named& loss, const linea::Vector<double>& scores,
                 const linea::Vector<double>& y, const linea::Vector<double>& sample_weights) {
  return with_loss(loss, [&](const auto& any) {
    double sum = 0;
    double total = 0;
    for (Index i = 0; i < scores.size(); ++i) {
      const double weight = sample_weights.size() > 0 ? sample_weights[i] : 1;
      if (weight > 0) sum += weight * any.value(scores[i], y[i]);
      total += weight;
    }
    return sum / total;
  });
}

double mean_softmax_loss(const linea::Matrix<double>& scores, const linea::Vector<double>& classes,
                         const linea::Vector<double>& sample_weights) {
  double sum = 0;
  double total = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double weight = sample_weights.size() > 0 ? sample_weights[i] : 1;
    const double highest = scores.row(i).maxCoeff();
    sum += weight * (std::log((scores.row(i).array() - highest).exp().sum()) + highest -
                     scores(i, static_cast<Index>(classes[i])));
    total += weight;
  }
  return sum / total;
}

bool computes_in_float(const FitTask& task) { return task.use_float && !is_proven(task.optimizer); }

Fit fit_by_descent(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  if (!task.use_float) return fit_by_descent_in<double>(task, x, y);
  const linea::SparseMatrix<float> narrow = x.cast<float>();
  return fit_by_descent_in<float>(task, view_of(narrow), y);
}

Fit fit(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  using linea::Status;
  Fit found = task.by ? task.by(task, x, y) : fit_here(task, x, y);
  // The bound may prove convergence that the optimizer could not detect.
  const bool undecided = found.status == Status::settled || found.status == Status::epoch_limit ||
                         found.status == Status::precision_limit;
  if (found.dual && undecided &&
      linea::Certificate{found.objective, *found.dual}.relative_gap() <= task.tolerance)
    found.status = Status::converged;
  return found;
}

}  // namespace program
