// SPDX-License-Identifier: MIT
#pragma once
/// \file Learning from a stream of LIBSVM text in one pass over the samples.
#include "programs/common/byte_source.hpp"
#include "programs/common/model.hpp"
#include "programs/common/train_options.hpp"

namespace program {

/// The result of one pass over a stream.
struct OnePass {
  Model model{};
  linea::Index samples{0};
  linea::Index entries{0};
  linea::Index blocks{0};
  linea::Index updates{0};
  bool diverged{false};
  double first_step{0};
  /// The number of samples after the first block, each predicted before it was learnt.
  linea::Index judged{0};
  double progressive_loss{0};   ///< their mean loss
  double progressive_error{0};  ///< the error rate, or the mean squared error
};

/// Throws for options of linea_train that need all samples.
void require_for_one_pass(const TrainOptions& options);

/// Learns by Sgd or Pegasos. The first block of the stream replaces all samples for the step size
/// and for whether targets are labels. Two labels are those of --labels, else those of the first
/// block. The objective is unknown at the end. Throws std::invalid_argument, which names the
/// source, for invalid text.
OnePass train_in_one_pass(TrainOptions& options, ByteSource& source);

/// One line of JSON, or some lines of text.
std::string report_of(const TrainOptions& options, const OnePass& found, double seconds);

}  // namespace program
