// SPDX-License-Identifier: MIT
#pragma once
/// \file What a program that trains says at its end: to people, and as JSON.
#include <string>

#include "programs/common/training.hpp"

namespace program {

/// One line of JSON without its newline.
std::string json_report(const TrainOptions& options, const Trained& trained, double read_seconds);

/// Several lines in plain words.
std::string plain_report(const TrainOptions& options, const Trained& trained);

/// The table of lambdas with their errors on held-out folds.
std::string lambda_table(const linea::ValidationCurve& curve, bool of_classes);

/// How the run ended, and what to do about it: empty where a minimum is proven.
std::string warning(const TrainOptions& options, const Trained& trained);

/// A weight and the name of its feature.
struct NamedWeight {
  std::string name;
  double weight;
};

/// The largest weights of function k, by their size.
std::vector<NamedWeight> largest_weights(const Model& model, linea::Index k, std::size_t most);

}  // namespace program
