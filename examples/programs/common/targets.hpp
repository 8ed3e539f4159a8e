// SPDX-License-Identifier: MIT
#pragma once
/// \file The targets of a table: classes or numbers, and their weights.
#include <linea/core/types.hpp>
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

/// Throws for rows without a target, and for targets that are not finite.
void require_targets(const Table& table, const Column& targets);

/// Sets the loss of the options if it is not given, whether it is softmax, and loss, labels and
/// kind of the model. Writes to `note` if targets look like numbers. Throws for targets that are
/// invalid for the loss.
void settle_targets(TrainOptions& options, const Table& table, const Column& targets,
                    const AllTargets& all, Model& model, std::string& note);

/// Throws if a class has no training samples. y (n) holds class indices.
void require_all_classes(const TrainOptions& options, const Model& model,
                         const linea::Vector<double>& y);

/// Returns the factor of each class by --class-weights, or none, for class indices y (n) and sample
/// weights (n) or none.
linea::Vector<double> class_factors(const TrainOptions& options, const Model& model,
                                    const linea::Vector<double>& y,
                                    const linea::Vector<double>& weights = {});

/// Returns the sample weights (n) times the factors of their classes. Either may be none.
linea::Vector<double> sample_weights_of(const linea::Vector<double>& factors,
                                        const linea::Vector<double>& y,
                                        linea::Vector<double> weights = {});

}  // namespace program
