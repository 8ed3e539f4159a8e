// SPDX-License-Identifier: MIT
#pragma once
/// \file What recipes refuse before they look at labels.
#include <linea/samples/training_set.hpp>
#include <string_view>

namespace linea::models {

/// Refuses an empty x, and another number of targets than of rows.
template <class X>
void require_samples(std::string_view function, const X& x, Index targets,
                     const Processes& processes = {}) {
  if (processes.is_alone())
    require(x.rows() > 0 && x.cols() > 0, function, ": x is empty (", x.rows(), " x ", x.cols(),
            ")");
  else
    samples::require_one_shape(function, x.rows(), x.cols(), processes);
  require(targets == x.rows(), function, ": x has ", x.rows(), " rows but y has ", targets);
}

}  // namespace linea::models
