// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits by stochastic descent, the perceptron and the closed form, for the scalar type T.
#include <cmath>
#include <concepts>
#include <linea/core/extras.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>

#include "programs/common/descent_parts.hpp"
#include "programs/common/fit.hpp"
#include "programs/common/losses_by_name.hpp"

namespace program {

/// Returns the ratio of the largest to the smallest root mean square of a column. The mean is over
/// non-zero entries, so that rare features do not count as small. Features in less than a hundredth
/// of the rows are ignored.
template <class T>
double column_spread(const EntriesViewOf<T>& x) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(x.cols());
  Eigen::VectorXd entries = Eigen::VectorXd::Zero(x.cols());
  for (Index i = 0; i < x.outerSize(); ++i)
    for (typename EntriesViewOf<T>::InnerIterator entry(x, i); entry; ++entry) {
      const auto value = static_cast<double>(entry.value());
      squares[entry.col()] += value * value;
      entries[entry.col()] += value != 0;
    }
  double low = 0;
  double high = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    if (squares[j] == 0 || entries[j] < 0.01 * static_cast<double>(x.rows())) continue;
    const double square = squares[j] / entries[j];
    if (low == 0 || square < low) low = square;
    high = std::max(high, square);
  }
  return low > 0 ? std::sqrt(high / low) : 1;
}

template <class T>
class Descent {
 public:
  using X = EntriesViewOf<T>;

  Descent(const FitTask& task, const X& x, const linea::Vector<double>& y)
      : task_(task), x_(x), y_(y) {
    extras_.sample_weights = task.sample_weights.template cast<T>();
    extras_.observer = task.observer;
    extras_.start_weights = task.start_weights.template cast<T>();
    extras_.start_offset = static_cast<T>(task.start_offset);
  }

  Fit run() {
    if (task_.optimizer == "perceptron")
      perceptron();
    else if (task_.optimizer == "ridge")
      ridge();
    else
      with_loss(task_.loss, [&](const auto& loss) { descend(loss); });
    return std::move(fit_);
  }

 private:
  void take(const linea::Solution<T>& solution) {
    fit_.weights = solution.weights.template cast<double>();
    fit_.offset = static_cast<double>(solution.offset);
    linea::copy_account(solution, fit_);
    fit_.optimizer = solution.optimizer;
  }

  template <class L>
  void descend(const L& loss) {
    const linea::L2 squared{task_.lambda};
    if (task_.optimizer == "pegasos")
      pegasos(linea::Objective<L, linea::L2>{loss, squared});
    else if (task_.l1 > 0)
      sgd(linea::Objective<L, linea::ElasticNet>{loss, {.l1 = task_.l1, .l2 = task_.lambda}});
    else
      sgd(linea::Objective<L, linea::L2>{loss, squared});
    const double spread = column_spread(x_);
    if (spread > 100)
      fit_.note += "; the columns differ in size by a factor of " + digits(spread, 3) +
                   ", which slows stochastic gradients down: use --standardise";
  }

  template <class O>
  void sgd(const O& objective) {
    linea::BasicSgd<Step> optimizer{.offset = task_.offset,
                                    .step = step_from(task_.step, Step::Kind::automatic),
                                    .seed = task_.seed};
    configure(optimizer);
    const auto solution = optimizer.minimize(objective, x_, y_, extras_);
    take(solution);
    fit_.details["first_step"] = solution.first_step;
    fit_.details["last_step"] = solution.last_step;
    fit_.details["restarts"] = solution.restarts;
    const bool is_chosen =
        optimizer.step.kind == Step::Kind::automatic && optimizer.step.first == 0;
    fit_.note = "first step " + digits(solution.first_step, 3) +
                (is_chosen ? " chosen from the data" : " as given");
    if (solution.restarts > 0)
      fit_.note += "; diverged and rolled back " + std::to_string(solution.restarts) +
                   " times, each time with a quarter of the step";
  }

  template <class O>
  void pegasos(const O& objective) {
    Step step = step_from(task_.step, Step::Kind::inverse_lambda);
    linea::require(
        step.kind == Step::Kind::inverse_lambda || step.kind == Step::Kind::inverse_time,
        "pegasos takes the steps inverse-lambda and inverse-time (the lectures' 1/t), not ",
        task_.step);
    fit_.note = "step 1/(lambda t)";
    if (step.kind == Step::Kind::inverse_time) {
      step.shift = 0;
      fit_.note = "step " + digits(step.value, 3) + "/t";
      if (task_.lambda * step.value < 0.5)
        fit_.note += ": slow, since lambda times its size is below 1/2";
    }
    linea::BasicPegasos<Step> optimizer{.offset = task_.offset, .step = step, .seed = task_.seed};
    configure(optimizer);
    take(optimizer.minimize(objective, x_, y_, extras_));
    if (task_.lambda * static_cast<double>(fit_.updates) < 10)
      fit_.note += "; it settles after several times 1/lambda steps, and this run had fewer";
  }

  void perceptron() {
    const auto solution =
        linea::Perceptron{
            .epochs = task_.epochs.value_or(100), .average = task_.average, .offset = task_.offset}
            .fit(x_, y_, extras_);
    take(solution);
    fit_.details["mistakes"] = solution.mistakes;
    fit_.note = solution.status == linea::Status::converged ? "an epoch passed without a mistake"
                                                            : "no epoch passed without a mistake";
  }

  void ridge() {
    extras_.start_weights.resize(0);
    extras_.start_offset = 0;
    const linea::Objective<linea::Squared, linea::L2> objective{{}, {task_.lambda}};
    const linea::Ridge optimizer{.offset = task_.offset, .threads = task_.threads};
    const auto solution = optimizer.minimize(objective, x_, y_, extras_);
    take(solution);
    fit_.details["factorization"] = linea::name_of(solution.factorization);
    fit_.details["rank"] = solution.rank;
    fit_.note = "closed form, by " + std::string(linea::name_of(solution.factorization));
  }

  template <class Optimizer>
  void configure(Optimizer& optimizer) const {
    if (task_.epochs) optimizer.epochs = *task_.epochs;
    optimizer.tolerance = task_.tolerance;
    if (task_.average) optimizer.iterate = linea::Iterate::average;
    optimizer.batch = batch_from(task_.batch);
    optimizer.threads = task_.threads;
  }

  const FitTask& task_;
  const X& x_;
  const linea::Vector<double>& y_;
  linea::Extras<T> extras_{};
  Fit fit_{};
};

}  // namespace program
