// SPDX-License-Identifier: MIT
#pragma once
/// \file One run of one learner, from start to end.
#include <linea/core/trainable.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/rows_at_zero.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::descent {

/// One run from start to end, of a learner whose rule has its loss. `evaluate(w, b)` is the
/// objective; at w = 0 nothing of it is left but the mean loss.
template <class T, class L, class Rows, class Evaluate>
  requires TrainableOn<L, T, samples::TrainingSet<Rows>> Solution<T> train(
      L& learner, const samples::TrainingSet<Rows>& set, const RunOptions& options,
      const Extras<T>& extras, RunRecord<T>& record, const Evaluate& evaluate) {
    const auto at_zero = [&](T b) {
      return samples::risk_of_rows(learner.rule().loss, samples::RowsAtZero<Rows>{set.rows}, set.y,
                                   set.weights, Vector<T>{}, b);
    };
    const T offset = learner.current_offset();
    const bool warm = extras.start_weights.size() > 0;
    const double at_start = warm ? evaluate(learner.current_weights(), offset) : at_zero(offset);
    TrainingRun<T> run(learner, options, extras, at_start, warm ? at_zero(T(0)) : at_start);
    while (run.begin_epoch(learner)) {
      const Index moved = learner.run_epoch(set, run.remaining_updates(learner));
      if (auto* now = run.end_epoch(learner, moved)) {
        now->objective = evaluate(now->weights, now->offset);
        run.judge(learner);
      }
      // An order that draws with replacement may have missed the samples that are wrong: ask all of
      // them.
      if (options.until_no_mistakes && moved == 0 && !run.has_ended() &&
          evaluate(learner.current_weights(), learner.current_offset()) == 0)
        run.end(Status::converged);
    }
    auto solution = run.finish(learner);
    record = std::move(run.record());
    return solution;
  }

}  // namespace linea::descent
