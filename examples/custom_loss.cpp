// SPDX-License-Identifier: MIT
/// \file A loss of your own: two functions, checked in the same way as linea's losses.
#include <cmath>
#include <cstdio>
#include <linea/check.hpp>
#include <linea/linea.hpp>

/// The loss ln(1 + (p - y)²). It grows so slowly that a few outliers have little influence. It is
/// not convex.
struct Cauchy {
  template <class T>
  T value(T p, T y) const {
    return std::log1p((p - y) * (p - y));
  }
  template <class T>
  T derivative(T p, T y) const {
    return 2 * (p - y) / (1 + (p - y) * (p - y));
  }
};
static_assert(linea::DifferentiableLoss<Cauchy>);

/// The same loss with an error in its derivative: the factor 2 is missing.
struct Slip : Cauchy {
  template <class T>
  T derivative(T p, T y) const {
    return Cauchy::derivative(p, y) / 2;
  }
};

int main() {
  const std::vector<double> targets{-2, 0, 1, 5};
  for (const auto& violation : linea::check::loss(Slip{}, targets, {.convex = false}))
    std::printf("Slip breaks: %s\n", violation.law.c_str());
  std::printf("violations by Cauchy: %zu\n",
              linea::check::loss(Cauchy{}, targets, {.convex = false}).size());

  // y = 3x + 1, but every tenth target is an outlier.
  linea::Matrix<double> x(200, 1);
  linea::Vector<double> y(200);
  for (linea::Index i = 0; i < 200; ++i) {
    x(i, 0) = static_cast<double>(i % 20) / 10 - 1;
    y[i] = i % 10 == 3 ? 50 : 3 * x(i, 0) + 1;
  }
  const linea::Objective objective{Cauchy{}, linea::NoPenalty{}};
  const auto robust = linea::Sgd{.epochs = 300}.minimize(objective, x, y);
  const auto model = linea::model_of(robust, objective);  // then model.predict(x), model.scores(x)
  const auto squares = linea::LinearRegression{}.fit(x, y);
  std::printf("Cauchy finds        y = %.1f x + %.1f\n", model.weights[0], model.offset);
  std::printf("least squares finds y = %.1f x + %.1f\n", squares.weights[0], squares.offset);
}

// Output:
//   Slip breaks: derivative_matches_value
//   violations by Cauchy: 0
//   Cauchy finds        y = 3.0 x + 1.0
//   least squares finds y = 0.5 x + 5.8
