// SPDX-License-Identifier: MIT
#pragma once
/// \file Learning from a stream of LIBSVM text in one pass: each sample is seen once and forgotten.
#include "programs/common/byte_source.hpp"
#include "programs/common/model.hpp"
#include "programs/common/train_options.hpp"

namespace program {

/// What one pass over a stream has found.
struct OnePass {
  Model model{};
  linea::Index samples{0};
  linea::Index entries{0};
  linea::Index blocks{0};
  linea::Index updates{0};
  bool diverged{false};
  double first_step{0};
  /// Of the samples behind the first block, each predicted before it was learnt from.
  linea::Index judged{0};
  double progressive_loss{0};   ///< their mean loss
  double progressive_error{0};  ///< the share of mistakes, or the mean squared error
};

/// Refuses options of linea_train that one pass cannot keep, since they need all samples.
void require_for_one_pass(const TrainOptions& options);

/// Learns by Sgd or Pegasos. What a run over a file takes from all samples comes from the first
/// block of the stream: the step size, and whether targets are labels. Two labels are those of
/// --labels, else those of the first block. The objective is not known at the end. Throws
/// std::invalid_argument that names the source for whatever is wrong with the text.
OnePass train_in_one_pass(TrainOptions& options, ByteSource& source);

/// One line of JSON, or some lines for people.
std::string report_of(const TrainOptions& options, const OnePass& found, double seconds);

}  // namespace program
