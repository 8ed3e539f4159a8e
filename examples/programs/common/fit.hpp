// SPDX-License-Identifier: MIT
#pragma once
/// \file One linear function fitted by the optimizer that a command line names.
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
  // Of stochastic descent.
  std::string step{};
  std::string order{};
  std::string batch{"1"};
  double batch_growth{1};
  std::optional<linea::Index> max_updates{};
  std::optional<double> target_objective{};
  double change_tolerance{0};
  std::optional<double> random_start{};
  bool average{false};
  // What is not on the command line.
  linea::Vector<double> sample_weights{};
  linea::Vector<double> start_weights{};
  double start_offset{0};
  linea::ObserverFunction observer{};
  /// Does the fit in place of the optimizers of `fit`, and finds its objective; or empty.
  std::function<Fit(const FitTask&, const EntriesView& x, const linea::Vector<double>& y)> by{};
};

/// Weights (d), offset, and how they came about.
struct Fit : linea::Solution<double> {
  std::optional<double> dual{};  ///< F is nowhere below it
  std::string note{};
  json details = json::object();  ///< of this optimizer: first_step, mistakes, rank, …

  /// A certificate, as numbers, or null where no bound was found.
  json certificate() const;
};

/// Is an option set that stochastic descent takes, and auto does not?
bool asks_for_descent(const FitTask& task);

/// Refuses, by std::invalid_argument, options that the optimizer does not take.
void check_task(const FitTask& task);

/// Minimises the mean loss + lambda/2·‖w‖² + l1·‖w‖₁ for x (n × d) and targets y (n) of the loss.
/// The objective of the answer is that formula in double, whoever found the weights.
Fit fit(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y);

/// Scores ⟨w, xᵢ⟩ + b (n).
linea::Vector<double> scores_of(const EntriesView& x, const linea::Vector<double>& weights,
                                double offset);

/// The mean of the loss over scores and targets (n), weighted or not.
double mean_loss(const Named& loss, const linea::Vector<double>& scores,
                 const linea::Vector<double>& y, const linea::Vector<double>& sample_weights);

/// The mean of −ln of the probability of the true class, over scores (n × k) and classes (n).
double mean_softmax_loss(const linea::Matrix<double>& scores, const linea::Vector<double>& classes);

// The parts, compiled apart.
Fit fit_by_descent(const FitTask& task, const EntriesView& x,
                   const linea::Vector<double>& y);  ///< sgd, pegasos, perceptron, ridge
template <class T>
Fit fit_by_descent_in(const FitTask& task, const EntriesViewOf<T>& x,
                      const linea::Vector<double>& y);
Fit fit_proven(const FitTask& task, const EntriesView& x,
               const linea::Vector<double>& y);  ///< auto, dual, newton, lbfgs
/// What F is nowhere below, for the weights of the solution; of the penalty of --lambda alone.
double bound_of(const FitTask& task, const linea::Solution<double>& solution, const EntriesView& x,
                const linea::Vector<double>& y);
/// What an optimizer is given of the task beside x and y.
linea::Extras<double> extras_of(const FitTask& task);

/// Is it done in float? What proves a minimum is done in double, whatever was asked.
bool computes_in_float(const FitTask& task);

/// Minus infinity, as the bound that says nothing.
inline constexpr double no_bound = -std::numeric_limits<double>::infinity();

}  // namespace program
