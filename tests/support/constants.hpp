// SPDX-License-Identifier: MIT
#pragma once
/// \file Infinity, NaN and the machine epsilon of the type double, and the ends of the messages for
/// numbers out of range.
#include <limits>
#include <string>

namespace linea::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

inline const std::string above = ", but magnitudes above 1e150 are refused: use a larger unit";
inline const std::string below = ", but magnitudes below 1e-150 count as 0: use a smaller unit";

}  // namespace linea::test
