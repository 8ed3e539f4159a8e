// must fail with: Order
// SPDX-License-Identifier: MIT
#include <linea/core/order.hpp>

template <linea::Order O>
struct Takes {};

struct Backwards {
#ifdef LINEA_MUST_FAIL
  void draw(linea::Epoch& epoch, linea::Index rows, linea::Index, linea::Random&){
#else
  void draw(linea::Epoch& epoch, linea::Index rows, linea::Index, linea::Random&) const {
#endif
      epoch.rows = rows;
}
}
;

Takes<Backwards> taken;
