// SPDX-License-Identifier: MIT
#pragma once
/// \file Many targets, one pass over the samples an epoch: learners that visit the same rows in the
/// same order train side by side.
#include <algorithm>  // max
#include <linea/core/objective.hpp>
#include <linea/optimizers/descent/itinerary.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/rows_at_zero.hpp>
#include <optional>
#include <type_traits>  // remove_cvref
#include <utility>      // declval, move
#include <vector>

namespace linea::descent {

/// One of several learners that train together.
template <class T, class L>
struct Trainee {
  Index target;  ///< its column of y,
  Vector<T> y;   ///< and the numbers in that column
  L learner;
  double first_step{0};
  std::optional<TrainingRun<T>> run{};
};

/// The training of one group; see train_together. All that it is given must outlive it.
template <class T, class L, class Rows, class Loss, class P>
class TogetherRun {
 public:
  using One = Trainee<T, L>;

  TogetherRun(std::vector<One>& trainees, samples::TrainingSet<Rows>& set,
              const RunOptions& options, const Extras<T>& extras,
              const Objective<Loss, P>& objective)
      : set_(set), objective_(objective), itinerary_(trainees.front().learner.itinerary()) {
    for (One& one : trainees) running_.push_back(&one);
    start(options, extras);
  }

  /// One epoch of all whose runs go on; false if there are none.
  bool run_epoch() {
    std::erase_if(running_, [](One* one) { return !one->run->begin_epoch(one->learner); });
    if (running_.empty()) return false;
    visit();
    std::vector<Place> places;
    for (One* one : running_) {
      one->learner.end_epoch();
      const Index moved = one->learner.mistakes() - one->run->record().mistakes;
      if (auto* now = one->run->end_epoch(one->learner, moved)) places.push_back({one, now});
    }
    if (places.empty()) return true;
    evaluate(set_.rows, places);
    for (const auto& [one, now] : places) one->run->judge(one->learner);
    return true;
  }

 private:
  /// An iterate of one of them, at which F is to be known.
  struct Place {
    One* one;
    Solution<T>* at;
  };

  /// F at the places, in one pass over `rows`.
  template <class AnyRows>
  void evaluate(const AnyRows& rows, const std::vector<Place>& places) {
    std::vector<samples::Candidate<T>> candidates;
    for (const auto& [one, at] : places) candidates.push_back({&at->weights, at->offset, &one->y});
    const auto risks = samples::risks_of_rows(objective_.loss, rows, set_.weights, candidates);
    for (std::size_t k = 0; k < places.size(); ++k) {
      auto& at = *places[k].at;
      at.objective = risks[k] + static_cast<double>(objective_.penalty.value(at.weights));
    }
  }

  /// Begins the run of each, from F at its start and at zero.
  void start(const RunOptions& options, const Extras<T>& extras) {
    std::vector<Solution<T>> starts(running_.size());
    std::vector<Place> places;
    for (std::size_t k = 0; k < running_.size(); ++k) {
      starts[k].weights = running_[k]->learner.current_weights();
      starts[k].offset = running_[k]->learner.current_offset();
      places.push_back({running_[k], &starts[k]});
    }
    const samples::RowsAtZero<Rows> rows_at_zero{set_.rows};
    const bool warm = extras.start_weights.size() > 0;
    if (warm)
      evaluate(set_.rows, places);
    else
      evaluate(rows_at_zero, places);
    std::vector<double> at_start;
    for (auto& start : starts) {
      at_start.push_back(start.objective);
      start.weights.setZero();
      start.offset = 0;
    }
    if (warm) evaluate(rows_at_zero, places);
    for (std::size_t k = 0; k < running_.size(); ++k) {
      One& one = *running_[k];
      one.run.emplace(one.learner, options, extras, at_start[k], starts[k].objective);
    }
  }

  /// Deals out the rows of an epoch. Each stretch is visited by all learners in turn.
  void visit() {
    const Index n = set_.rows.rows();
    itinerary_.begin_epoch(itinerary_.drawn_epoch(n));
    const Index batch = itinerary_.batch_of(n);
    const Index steps = running_.front()->run->remaining_updates(running_.front()->learner);
    itinerary_.deal(set_.rows, steps < (n + batch - 1) / batch ? steps * batch : n,
                    batch == 1 ? stretch_rows() : n,  // a visit divides its rows into batches
                    [&](const auto& rows, descent::Visits visits, const Sequence& origins) {
                      for (One* one : running_) {
                        set_.y.swap(one->y);
                        one->learner.visit_dealt(set_, rows, visits, origins, batch);
                        set_.y.swap(one->y);
                        visits.upcoming = {};  // the first learner has fetched them for all
                      }
                    });
    itinerary_.end_epoch();
  }

  /// Rows that one learner visits before it is the next one's turn. They stay in the near cache,
  /// and are so many that to fetch the weights of the next learner costs little beside them.
  Index stretch_rows() const {
    const Index bytes =
        std::max<Index>(65536, 8 * set_.rows.cols() * static_cast<Index>(sizeof(T)));
    return std::max<Index>(bytes / std::max<Index>(set_.rows.row_bytes(), 1), 1);
  }

  samples::TrainingSet<Rows>& set_;
  const Objective<Loss, P>& objective_;
  std::remove_cvref_t<decltype(std::declval<L&>().itinerary())> itinerary_;
  std::vector<One*> running_{};
};

/// Trains learners that are prepared and whose itineraries lead alike. Each ends as if it had
/// trained alone, bit for bit. One itinerary deals the rows to all whose runs go on, and F is
/// evaluated for all of them in one pass. The set has the rows and sample weights that they have in
/// common; its y is swapped with that of each in turn.
template <class T, class L, class Rows, class Loss, class P>
void train_together(std::vector<Trainee<T, L>>& trainees, samples::TrainingSet<Rows>& set,
                    const RunOptions& options, const Extras<T>& extras,
                    const Objective<Loss, P>& objective) {
  TogetherRun<T, L, Rows, Loss, P> run(trainees, set, options, extras, objective);
  while (run.run_epoch()) {
  }
}

}  // namespace linea::descent
