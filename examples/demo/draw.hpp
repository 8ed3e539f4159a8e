// SPDX-License-Identifier: MIT
#pragma once
/// \file The demo's figure, in its own source to divide the compilation.
#include <linea/core/types.hpp>

#include "lectures/figure.hpp"

namespace demo {

/// The relative suboptimality after each epoch of several optimizers.
void draw(const linea::Matrix<double>& samples, const linea::Vector<double>& y,
          const lectures::Gallery& gallery);

}  // namespace demo
