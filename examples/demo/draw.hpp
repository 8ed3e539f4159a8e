// SPDX-License-Identifier: MIT
#pragma once
/// \file Draws the demo's figure. A separate source file makes demo.cpp faster to compile.
#include <linea/core/types.hpp>

#include "lectures/figure.hpp"

namespace demo {

/// Draws the relative suboptimality of the best iterate so far against the epoch, for several
/// optimizers.
void draw(const linea::Matrix<double>& samples, const linea::Vector<double>& y,
          const lectures::Gallery& gallery);

}  // namespace demo
