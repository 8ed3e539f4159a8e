// SPDX-License-Identifier: MIT
#pragma once
/// \file Learns from a stream of LIBSVM text in one pass over the samples.
#include "programs/common/byte_source.hpp"
#include "programs/common/training.hpp"

namespace program {

/// Learns by Sgd from one block of about 1 MiB after the other. The first block determines the step
/// size, and the loss and the two labels if the options do not state them. Sets the loss in the
/// options. The objective is unknown at the end. Throws std::invalid_argument, with the name of the
/// source in the message, for invalid text.
Trained train_in_one_pass(TrainOptions& options, ByteSource& source);

}  // namespace program
