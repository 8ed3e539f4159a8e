// must fail with: delete
// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/models/early_stopping.hpp>

void stop(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  linea::EarlyStopping stopping(linea::Log{}, linea::Matrix<double>(x), y);
#else
  linea::EarlyStopping stopping(linea::Log{}, x.topRows(3), y);
#endif
}
