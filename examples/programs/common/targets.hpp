// SPDX-License-Identifier: MIT
#pragma once
/// \file The targets of a table: classes or numbers, and their weights.
#include <linea/core/types.hpp>
#include <linea/data/class_weights.hpp>
#include <string>
#include <vector>

#include "programs/common/model.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/table.hpp"
#include "programs/common/train_options.hpp"

namespace program {

/// The distinct numbers among the targets of one table or of several.
struct AllTargets {
  std::vector<double> numbers{};  ///< the distinct numbers, ascending; empty for a column of text
  linea::Index rows{0};
};
AllTargets all_of(const Column& targets);

/// Returns a message if a target is 2⁵³ or more, else "": if the targets are labels, several of the
/// file may have been rounded to this one.
std::string doubtful_label(const Table& table, const std::vector<double>& targets);

/// Sets the classes of the model to the distinct texts of a column.
void set_names(const Column& targets, Model& model);

/// Throws for rows without a target, and for targets that are not finite.
void require_targets(const Table& table, const Column& targets);

/// Sets the loss of the options if it is not given, and loss, labels and multiclass of the model. Writes to `note` if targets look like numbers. Throws for targets that are
/// invalid for the loss.
void settle_targets(TrainOptions& options, const Table& table, const Column& targets,
                    const AllTargets& all, Model& model, std::string& note);

/// Throws if a class has no training samples. y (n) holds class indices.
void require_all_classes(const TrainOptions& options, const Model& model,
                         const linea::Vector<double>& y);

/// Returns the factors of --class-weights for the class indices 0, 1, … Throws if the loss is for
/// numbers, or if the option is not valid.
linea::ClassWeights class_weights_of(const TrainOptions& options, const Model& model);

}  // namespace program
