// SPDX-License-Identifier: MIT
#pragma once
/// \file What the targets of a table are: classes or numbers, and how much each counts.
#include <linea/core/types.hpp>
#include <string>
#include <vector>

#include "programs/common/model.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/table.hpp"
#include "programs/common/train_options.hpp"

namespace program {

/// All targets, of one table or of several.
struct AllTargets {
  std::vector<double> numbers{};  ///< each that occurs, ascending; none of a column of text
  linea::Index rows{0};
};
AllTargets all_of(const Column& targets);

/// Refuses rows without a target, and numbers that are not finite.
void require_targets(const Table& table, const Column& targets);

/// Sets the loss of the options where none is named, whether there is a softmax, and loss, labels
/// and kind of the model. `note` takes what was seen from the targets. Refuses targets that are not
/// of the loss.
void settle_targets(TrainOptions& options, const Table& table, const Column& targets,
                    const AllTargets& all, Model& model, std::string& note);

/// Refuses a class that the samples to learn from, with numbers of classes y (n), lack.
void require_all_classes(const TrainOptions& options, const Model& model,
                         const linea::Vector<double>& y);

/// The factor of each class by --class-weights, or none, for numbers of classes y (n) and weights
/// (n) of the samples, or none.
linea::Vector<double> class_factors(const TrainOptions& options, const Model& model,
                                    const linea::Vector<double>& y,
                                    const linea::Vector<double>& weights = {});

/// Sample weights (n) times the factors of their classes, each of which may be none.
linea::Vector<double> sample_weights_of(const linea::Vector<double>& factors,
                                        const linea::Vector<double>& y,
                                        linea::Vector<double> weights = {});

}  // namespace program
