// SPDX-License-Identifier: MIT
#pragma once
/// \file Many targets, one pass over the samples an epoch: learners that see the same rows train in step.
#include <algorithm>  // max
#include <linea/core/objective.hpp>
#include <linea/optimizers/loop/itinerary.hpp>
#include <linea/optimizers/training/training_run.hpp>
#include <linea/samples/risk.hpp>
#include <optional>
#include <vector>

namespace linea::training {

/// One of several learners that train together.
template <class T, class L>
struct Trainee {
  Index target;  ///< its column of y,
  Vector<T> y;   ///< and what that holds
  L learner;
  double first_step{0};
  Solution<T> now{};  ///< the iterate at the end of an epoch
  std::optional<TrainingRun<T>> run{};
};

/// Trains learners that are prepared, and whose courses lead alike. Each ends as if it were alone, bit for bit: one course
/// deals the rows to all whose runs go on, and F is evaluated for all of them in one pass. The set has the rows and
/// the weights that they have in common; its y is lent to each in turn.
template <class T, class L, class Rows, class Loss, class P>
void train_together(std::vector<Trainee<T, L>>& trainees, samples::TrainingSet<Rows>& set,
                    const Plan& plan, const Extras<T>& extras,
                    const Objective<Loss, P>& objective) {
  using One = Trainee<T, L>;
  const Index n = set.rows.rows();
  std::vector<One*> running;
  for (One& one : trainees) running.push_back(&one);

  const auto evaluate = [&](const auto& rows) {
    std::vector<samples::Candidate<T>> candidates;
    for (const One* one : running)
      candidates.push_back({&one->now.weights, one->now.offset, &one->y});
    const auto risks = samples::risks_of_rows(objective.loss, rows, set.weights, candidates);
    for (std::size_t k = 0; k < running.size(); ++k) {
      auto& now = running[k]->now;
      now.objective = risks[k] + static_cast<double>(objective.penalty.value(now.weights));
    }
  };
  for (One& one : trainees) {
    one.now.weights = one.learner.current_weights();
    one.now.offset = one.learner.current_offset();
  }
  const RowsAtZero<Rows> rows_at_zero{set.rows};
  const bool warm = extras.start_weights.size() > 0;
  if (warm)
    evaluate(set.rows);
  else
    evaluate(rows_at_zero);
  std::vector<double> at_start;
  for (One& one : trainees) {
    at_start.push_back(one.now.objective);
    one.now.weights.setZero();
    one.now.offset = 0;
  }
  if (warm) evaluate(rows_at_zero);
  for (std::size_t k = 0; k < trainees.size(); ++k) {
    One& one = trainees[k];
    one.run.emplace(one.learner, plan, extras, at_start[k], one.now.objective);
  }

  auto course = trainees.front().learner.itinerary();
  // Visited by all in turn: rows that stay in the near cache, but so many that fetching the weights of the next
  // learner counts for little.
  const Index shared_bytes =
      std::max<Index>(65536, 8 * set.rows.cols() * static_cast<Index>(sizeof(T)));
  const Index shared_rows =
      std::max<Index>(shared_bytes / std::max<Index>(set.rows.row_bytes(), 1), 1);
  for (;;) {
    std::erase_if(running, [](One* one) { return !one->run->begin_epoch(one->learner); });
    if (running.empty()) return;
    course.begin_epoch(course.drawn_epoch(n));
    const Index batch = course.batch_of(n);
    const Index steps = running.front()->run->updates_left(running.front()->learner);
    course.deal(set.rows, steps < (n + batch - 1) / batch ? steps * batch : n,
                batch == 1 ? shared_rows : n,  // as a visit divides what it is given into batches
                [&](const auto& rows, loop::Visits visits, const Sequence& origins) {
                  for (One* one : running) {
                    set.y.swap(one->y);
                    one->learner.visit_dealt(set, rows, visits, origins, batch);
                    set.y.swap(one->y);
                    visits.upcoming = {};  // the first has fetched them
                  }
                });
    course.end_epoch();
    for (One* one : running) {
      one->learner.end_epoch();
      one->now = one->learner.solution();
    }
    evaluate(set.rows);
    for (One* one : running) {
      const Index moved = one->learner.mistakes() - one->run->account().mistakes;
      one->run->end_epoch(one->learner, moved, std::move(one->now));
    }
  }
}

}  // namespace linea::training
