// must fail with: the loss must be copyable and have value
// SPDX-License-Identifier: MIT
#include <linea/core/objective.hpp>
#include <linea/penalties/l2.hpp>

struct Cubic {
#ifdef LINEA_MUST_FAIL
  template <class T>
  T loss(T p, T y) const {
#else
  template <class T>
  T value(T p, T y) const {
#endif
      return (p - y) * (p - y) * (p - y);
}
}
;

auto objective() { return linea::Objective{Cubic{}, linea::L2{0.1}}; }
