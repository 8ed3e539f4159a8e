// must fail with: FittedStep
// SPDX-License-Identifier: MIT
#include <linea/core/step_size.hpp>

template <linea::StepSize S>
struct Takes {};

struct Watchful {
  double largest{1};
  double operator()(linea::Index) const { return 1 / largest; }
  void observe(double square, linea::Index) { largest = square; }
#ifndef LINEA_MUST_FAIL
  bool is_fitted() const { return false; }
  void scale_to(double, double) {}
  void start_at(double) {}
#endif
};

Takes<Watchful> taken;
