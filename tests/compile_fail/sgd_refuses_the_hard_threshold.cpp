// must fail with: satisf[a-z ]*[^a-zA-Z]*DifferentiableLoss
// SPDX-License-Identifier: MIT
#include <linea/activations/hard_threshold.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  const linea::Composed loss{linea::Squared{}, linea::HardThreshold{}};
#else
  const linea::Composed loss{linea::Squared{}, linea::Sigmoid{}};
#endif
  return linea::Sgd{}.minimize(linea::Objective{loss, linea::L2{1e-4}}, x, y);
}
