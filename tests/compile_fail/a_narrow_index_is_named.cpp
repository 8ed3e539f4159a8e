// must fail with: compile without "?.*EIGEN_DEFAULT_DENSE_INDEX_TYPE
// because of: -DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
