// SPDX-License-Identifier: MIT
#pragma once
/// \file The vector levels of this processor, and numbers to test them.
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <vector>

namespace linea::test {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

inline std::vector<linear_algebra::VectorLevel> offered_levels() {
  std::vector<linear_algebra::VectorLevel> levels;
  for (const auto level : {linear_algebra::VectorLevel::baseline, linear_algebra::VectorLevel::avx2,
                           linear_algebra::VectorLevel::avx512})
    if (linear_algebra::is_offered(level)) levels.push_back(level);
  return levels;
}

inline Matrix<double> numbers(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix<double> a(n, d);
  for (double& entry : a.reshaped()) entry = random.uniform() - 0.4;
  return a;
}

}  // namespace linea::test
