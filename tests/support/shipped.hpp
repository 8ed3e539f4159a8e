// SPDX-License-Identifier: MIT
#pragma once
/// \file The data of examples/data, read once and standardised.
#include <linea/core/types.hpp>

namespace shipped {

struct Set {
  linea::Matrix<double> x;
  linea::Vector<double> y;
};

const Set& breast_cancer();
const Set& diabetes();
const Set& iris();

}  // namespace shipped
