// must fail with: version 3\.4 or later is needed
// because of: -DEIGEN_CORE_H -DEIGEN_CORE_MODULE_H -DEIGEN_WORLD_VERSION=3 -DEIGEN_MAJOR_VERSION=3
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
