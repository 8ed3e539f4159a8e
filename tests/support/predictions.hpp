// SPDX-License-Identifier: MIT
#pragma once
/// \file Labels, probabilities and numbers with predictions for them, to test metrics against
/// golden values.
#include <initializer_list>
#include <linea/core/types.hpp>

namespace linea::test {

using V = Eigen::VectorXd;

inline V vector(std::initializer_list<double> values) {
  return Eigen::Map<const V>(values.begin(), static_cast<Index>(values.size()));
}

inline const V y = vector({1, 2, 2, 3, 1, 3, 3, 2});
inline const V predicted = vector({1, 2, 3, 3, 2, 3, 1, 2});
inline const V s = vector({1, 2, 0.5, 1, 3, 1, 0.25, 2});
inline const V positive = vector({1, 0, 0, 1, 1, 0, 1, 0});
inline const V chances = vector({0.9, 0.2, 0.6, 0.35, 0.99, 0.001, 0.5, 0.75});
inline const V a = vector({0.5, -1, 2.5, 7, 3, -0.25, 4, 1e3});
inline const V b = vector({0.25, -1.5, 2, 8, 2, 0.5, 4, 990});
inline const V d = vector({1, 0, 3, 2, 1, 0, 2, 1});
inline const V bad = vector({2, 2, 2, 2, 0, 0, 0, 0});

}  // namespace linea::test
