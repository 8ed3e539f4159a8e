// must fail with: is_divided
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
#include <linea/mpi/divided.hpp>

int main() {
  linea::Alone alone;
  const linea::Matrix<double> x(2, 1);
  const auto part = linea::mpi::divided(x, alone);
#if defined(LINEA_MUST_FAIL)
  (void)linea::DualCoordinateAscent{}.minimize(linea::Objective{linea::Log{}, linea::L2{0.1}}, part,
                                               linea::Vector<double>(2));
#else
  (void)linea::Newton{}.minimize(linea::Objective{linea::Log{}, linea::L2{0.1}}, part,
                                 linea::Vector<double>(2));
#endif
}
