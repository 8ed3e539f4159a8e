// SPDX-License-Identifier: MIT
/// \file A program whose user has told Eigen to store matrices by rows: linea spells its own storage
/// orders out, so the minima stay where they are.
#ifndef EIGEN_DEFAULT_TO_ROW_MAJOR
#define EIGEN_DEFAULT_TO_ROW_MAJOR
#endif
#include <cmath>
#include <iostream>
#include <linea/linea.hpp>
#include <string_view>

namespace {

using linea::Index;

constexpr double lambda = 1e-3;

struct Problem {
  linea::Matrix<double> x{60, 5};
  linea::Vector<double> y{60};
  Problem() {
    linea::Random random(1);
    for (Index i = 0; i < x.rows(); ++i) {
      y[i] = random.uniform();
      for (Index j = 0; j < x.cols(); ++j) y[i] += x(i, j) = 5 + random.uniform();
    }
  }
};

/// ‖∇F‖ at a solution for ½(p − y)² and λ/2·‖w‖²: in w, and in b.
template <class X, class Y>
double slope(const X& x, const Y& y, const linea::Vector<double>& w, double offset) {
  double in_b = 0;
  linea::Vector<double> in_w = lambda * w;
  for (Index i = 0; i < x.rows(); ++i) {
    double score = offset;
    for (Index j = 0; j < x.cols(); ++j) score += x(i, j) * w[j];
    const double share = (score - y[i]) / static_cast<double>(x.rows());
    in_b += share;
    for (Index j = 0; j < x.cols(); ++j) in_w[j] += share * x(i, j);
  }
  return in_w.norm() + std::abs(in_b);
}

bool failed = false;

void expect(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "not so: " << what << '\n';
  failed = true;
}

}  // namespace

int main() {
  static_assert(bool(Eigen::MatrixXd::IsRowMajor));
  const Problem all;
  const linea::Objective objective{linea::Squared{}, linea::L2{lambda}};
  for (const Index n : {60, 4}) {
    const linea::Matrix<double> x = all.x.topRows(n);
    const linea::Vector<double> y = all.y.head(n);
    const auto one = linea::Ridge{}.minimize(objective, x, y);
    expect(slope(x, y, one.weights, one.offset) < 1e-10, "Ridge ends where the gradient vanishes");
    linea::Matrix<double> both(n, 2);
    both << y, -y;
    const auto two = linea::Ridge{}.minimize(objective, x, both);
    expect((two.weights.col(0) - one.weights).norm() < 1e-10, "two targets are fitted as one is");
    expect((two.weights.col(1) + one.weights).norm() < 1e-10, "two targets are fitted as one is");
    for (const bool left_out : {true, false})
      for (const double least : {0.0, lambda}) {
        const linea::RidgePath fit{.lambdas = {least, lambda}, .leave_one_out = left_out};
        const auto path = fit.fit(x, y);
        expect((path.weights.col(1) - one.weights).norm() < 1e-9, "RidgePath agrees with Ridge");
      }
    const linea::core::ColumnMatrix<double> columns = x;
    const auto newton = linea::Newton{}.minimize(objective, columns, y);
    expect(newton.objective < one.objective * (1 + 1e-6), "Newton agrees with Ridge");
    const auto descent = linea::CoordinateDescent{}.minimize(objective, columns, y);
    expect(descent.objective < one.objective * (1 + 1e-6), "CoordinateDescent agrees with Ridge");
  }
  return failed ? 1 : 0;
}
