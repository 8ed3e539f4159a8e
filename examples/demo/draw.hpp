// SPDX-License-Identifier: MIT
#pragma once
/// \file The demo's figure. A source of its own, so that two compilers share the demo.
#include <linea/core/types.hpp>

#include "lectures/figure.hpp"

namespace demo {

/// How far F is above its minimum after each epoch of several optimizers, relative to it.
void draw(const linea::Matrix<double>& samples, const linea::Vector<double>& y,
          const lectures::Gallery& gallery);

}  // namespace demo
