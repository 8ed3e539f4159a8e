// SPDX-License-Identifier: MIT
#pragma once
/// \file Learns from a stream of LIBSVM text in one pass over the samples.
#include "programs/common/byte_source.hpp"
#include "programs/common/training.hpp"

namespace program {

/// Throws std::invalid_argument for options of linea_train that --one-pass does not support, most
/// of which need all samples.
void require_for_one_pass(const TrainOptions& options);

/// Learns by Sgd from one block of about 1 MiB after the other. The first block determines the step
/// size, and the loss and the two labels if the options do not state them. Sets the loss in the
/// options. The objective is unknown at the end. Throws std::invalid_argument, with the name of the
/// source in the message, for invalid text.
Trained train_in_one_pass(TrainOptions& options, ByteSource& source);

}  // namespace program
