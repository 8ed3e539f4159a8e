// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits one linear function with the optimizer of the command line.
#include <functional>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "programs/common/entries.hpp"
#include "programs/common/losses_by_name.hpp"

namespace program {

using json = nlohmann::ordered_json;

struct Fit;

struct FitTask {
  std::string optimizer{"auto"};  ///< sgd, pegasos, perceptron, ridge, dual, newton, lbfgs or auto
  Named loss{"hinge"};
  double lambda{1e-4};
  double l1{0};
  bool offset{true};
  std::optional<linea::Index> epochs{};
  double tolerance{1e-4};
  std::uint64_t seed{0};
  linea::Index threads{1};
  bool use_float{false};
  bool certify{false};
  // Options of stochastic descent.
  std::string step{};
  std::string batch{"1"};
  bool average{false};
  // Members that are not on the command line.
  linea::Vector<double> sample_weights{};
  linea::Vector<double> start_weights{};
  double start_offset{0};
  linea::ObserverFunction observer{};
  /// If not empty, replaces the optimizers of `fit` and computes the objective.
  std::function<Fit(const FitTask&, const EntriesView& x, const linea::Vector<double>& y)> by{};
};

/// Weights (d), offset, and details of the fit.
struct Fit : linea::Solution<double> {
  std::optional<double> dual{};  ///< a lower bound on F, or −∞; empty: not computed
  std::string note{};
  json details = json::object();  ///< details of the optimizer: first_step, mistakes, rank, …
};

/// Is an option set for which sgd, not auto, is the default optimizer?
bool asks_for_descent(const FitTask& task);

/// Throws std::invalid_argument for options that the optimizer does not support, and for values out
/// of range.
void check_task(const FitTask& task);

/// Minimises mean loss + lambda/2·‖w‖² + l1·‖w‖₁ for x (n × d) and targets y (n) of the loss.
/// Unless `task.by` is set, the objective of the result is computed from this formula in double,
/// for any optimizer.
Fit fit(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y);

/// Returns the scores ⟨w, xᵢ⟩ + b (n).
linea::Vector<double> scores_of(const EntriesView& x, const linea::Vector<double>& weights,
                                double offset);

/// Returns the mean loss for scores and targets (n), weighted if there are sample weights.
double mean_loss(const Named& loss, const linea::Vector<double>& scores,
                 const linea::Vector<double>& y, const linea::Vector<double>& sample_weights);

/// Returns the mean of −ln of the probability of the true class, for scores (n × k) and classes
/// (n), weighted if there are sample weights.
double mean_softmax_loss(const linea::Matrix<double>& scores, const linea::Vector<double>& classes,
                         const linea::Vector<double>& sample_weights);

// The parts of `fit`, compiled separately.
Fit fit_by_descent(const FitTask& task, const EntriesView& x,
                   const linea::Vector<double>& y);  ///< sgd, pegasos, perceptron, ridge
template <class T>
Fit fit_by_descent_in(const FitTask& task, const EntriesViewOf<T>& x,
                      const linea::Vector<double>& y);
Fit fit_proven(const FitTask& task, const EntriesView& x,
               const linea::Vector<double>& y);  ///< auto, dual, newton, lbfgs
/// Returns a lower bound on F from the weights of the solution. The penalty is that of --lambda
/// alone.
double bound_of(const FitTask& task, const linea::Solution<double>& solution, const EntriesView& x,
                const linea::Vector<double>& y);
/// Returns the sample weights, the observer and the start of the task, as an optimizer takes them.
linea::Extras<double> extras_of(const FitTask& task);

/// Does the task compute in float? Optimizers with a bound always compute in double.
bool computes_in_float(const FitTask& task);

/// The value of a bound that is not known.
inline constexpr double no_bound = -std::numeric_limits<double>::infinity();

}  // namespace program
