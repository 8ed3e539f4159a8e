// must fail with: the penalty must be copyable, with value.w. and proximal
// SPDX-License-Identifier: MIT
#include <linea/core/objective.hpp>
#include <linea/losses/squared.hpp>

struct Sum {
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    return w.sum();
  }
#ifndef LINEA_MUST_FAIL
  template <class T>
  T proximal(T v, T step) const {
    return v - step;
  }
#endif
};

auto objective() { return linea::Objective{linea::Squared{}, Sum{}}; }
