// must fail with: KinklessLoss
// SPDX-License-Identifier: MIT
#include <linea/losses/absolute.hpp>
#include <linea/losses/huber.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  return linea::Lbfgs{}.minimize(linea::Objective{linea::Absolute{}, linea::L2{1e-4}}, x, y);
#else
  return linea::Lbfgs{}.minimize(linea::Objective{linea::Huber{}, linea::L2{1e-4}}, x, y);
#endif
}
