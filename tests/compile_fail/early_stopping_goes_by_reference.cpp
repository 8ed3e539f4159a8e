// must fail with: ExtrasFor
// SPDX-License-Identifier: MIT
#include <functional>
#include <linea/losses/log.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>

void run(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
  linea::EarlyStopping stopping(linea::Log{}, x, y);
#ifdef LINEA_MUST_FAIL
  (void)linea::Sgd{}.minimize(linea::Objective{linea::Log{}, linea::NoPenalty{}}, x, y, stopping);
#else
  (void)linea::Sgd{}.minimize(linea::Objective{linea::Log{}, linea::NoPenalty{}}, x, y,
                              std::ref(stopping));
#endif
}
