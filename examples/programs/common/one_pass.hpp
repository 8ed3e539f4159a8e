// SPDX-License-Identifier: MIT
#pragma once
/// \file Learns from a stream of LIBSVM text in one pass over the samples.
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
  /// The number of samples after the first block. Each of them was predicted before it was learnt.
  linea::Index judged{0};
  double progressive_loss{0};   ///< the mean loss of the judged samples
  double progressive_error{0};  ///< the error rate or mean squared error of the judged samples
};

/// Throws std::invalid_argument for options of linea_train that --one-pass does not support, most
/// of which need all samples.
void require_for_one_pass(const TrainOptions& options);

/// Learns by Sgd or Pegasos. Of the first step size, the loss and the two labels, the first block
/// determines those that the options do not state. Sets the loss in the options. The objective is
/// unknown at the end. Throws std::invalid_argument, with the name of the source in the message,
/// for invalid text.
OnePass train_in_one_pass(TrainOptions& options, ByteSource& source);

/// Returns the report: one line of JSON, or a few lines of text.
std::string report_of(const TrainOptions& options, const OnePass& found, double seconds);

}  // namespace program
