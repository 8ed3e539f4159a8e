// SPDX-License-Identifier: MIT
#pragma once
/// \file Three data sets of examples/data, each read once, with standardised columns.
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
