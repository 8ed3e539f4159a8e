// SPDX-License-Identifier: MIT
#pragma once
/// \file The visits of dual coordinate ascent in an epoch: to all samples that do not rest.
#include <linea/core/order.hpp>
#include <linea/optimizers/descent/itinerary.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::dual {

/// Epochs over the samples whose multipliers do not rest and whose weight is above 0.
template <class Rows, Order O>
class DueVisits {
 public:
  descent::Itinerary<double, O> itinerary;
  RestingMultipliers resting;

  /// The set must outlive it.
  DueVisits(const samples::TrainingSet<Rows>& set, const descent::VisitOptions<O>& options)
      : itinerary(options), resting(set.rows.rows()), set_(set) {
    for (Index i = 0; i < set.rows.rows(); ++i)
      if (!(set.weight(i) > 0)) resting.leave_out(static_cast<std::size_t>(i));
    if (set.rows.rows() > 0) itinerary.fit(set);
  }

  /// Begins an epoch, and answers how many samples it visits.
  Index begin() {
    resting.draw(due_);
    const auto count = static_cast<Index>(due_.size());
    if (count == 0) return 0;
    Epoch epoch = itinerary.drawn_epoch(count);
    epoch.among = due_;
    itinerary.begin_epoch(std::move(epoch));
    return count;
  }

  /// Visits the next `count` > 0 of them. Returns how many multipliers have moved.
  template <class Rule, class Weights>
  Index visit(Index count, Rule& rule, Weights& weights, Index& updates) {
    Index moved = 0;
    itinerary.deal(set_.rows, count, count,
                   [&](const auto& rows, const descent::Visits& visits, const Sequence& origins) {
                     if constexpr (!Rows::is_packed) rule.read_copies_of(origins);
                     const auto labels = Rows::is_packed ? descent::labels_of(set_)
                                                         : copied_labels_.of(set_, visits, origins);
                     moved += descent::visit_each(rule, weights, rows, labels, visits, updates);
                     weights.complete(rows);
                   });
    return moved;
  }

 private:
  const samples::TrainingSet<Rows>& set_;
  descent::CopiedLabels<double> copied_labels_;
  Sequence due_;  // the samples of the epoch
};

}  // namespace linea::dual
