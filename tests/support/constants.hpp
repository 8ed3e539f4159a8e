// SPDX-License-Identifier: MIT
#pragma once
/// \file Infinity, NaN and the machine epsilon of the type double, for tests.
#include <limits>

namespace linea::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace linea::test
