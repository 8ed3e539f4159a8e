// must fail with: OptimizerOf
// SPDX-License-Identifier: MIT
#include <linea/core/solution.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/penalties/l2.hpp>

struct Zero {
  template <class O>
#ifdef LINEA_MUST_FAIL
  linea::Solution<double> minimize(const O&, const linea::Matrix<double>&,
                                   const linea::Vector<double>&) const {
#else
  linea::Solution<double> minimize(const O&, const linea::Matrix<double>&,
                                   const linea::Vector<double>&,
                                   const linea::Extras<double>& = {}) const {
#endif
      return {};
}
}
;

auto path(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
  return linea::lambda_path(Zero{}, linea::Objective{linea::Squared{}, linea::L2{}}, {1, 0.1}, x,
                            y);
}
