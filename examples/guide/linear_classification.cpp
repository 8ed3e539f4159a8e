// SPDX-License-Identifier: MIT
/// \file The steps of docs/linear_classification.md: perceptron, losses, descent, support vector
/// machine, least squares, ridge regression.
#include <cstdio>
#include <linea/all.hpp>

#include "lectures/classes.hpp"

using namespace linea;

namespace {

void perceptron(const Matrix<double>& x, const Vector<double>& y) {
  const auto found = Perceptron{.offset = false}.fit(x, y);
  const auto widest = MaximumMargin{.offset = false}.fit(x, y);
  const double ratio = x.rowwise().norm().maxCoeff() / widest.margin;
  std::printf("mistakes of the perceptron: %td, at most (R/gamma)^2 = %.0f\n", found.mistakes,
              ratio * ratio);
}

void descend(const Matrix<double>& x, const Vector<double>& y) {
  const Objective svm{Hinge{}, L2{0.01}};
  const auto sgd = Sgd{.epochs = 20}.minimize(svm, x, y);
  const auto pegasos = Pegasos{.epochs = 20}.minimize(svm, x, y);
  const auto exact = DualCoordinateAscent{.tolerance = 1e-6}.minimize(svm, x, y);
  std::printf("Sgd F = %.4f, Pegasos F = %.4f\n", sgd.objective, pegasos.objective);
  std::printf("minimum F = %.4f, proven: %s\n", exact.objective,
              exact.is_proven(1e-6) ? "yes" : "no");
}

void margins(const Matrix<double>& x, const Vector<double>& y) {
  for (const double lambda : {1.0, 0.1, 0.001}) {
    const auto model = LinearSvm{.lambda = lambda}.fit(x, y);
    const auto wrong = empirical_risk(ZeroOne{}, model.scores(x), y);
    std::printf("lambda %-5g  margin 1/|w| = %.2f, error rate %.3f\n", lambda,
                1 / model.weights.norm(), wrong);
  }
}

void ridge() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const auto [train, test] = split(Matrix<double>(file.x), file.y, {.test_fraction = 0.8});
  const Polynomial squares{.degree = 2};
  for (const double lambda : {1e-4, 1e-2, 1.0, 100.0}) {
    const auto model =
        Standardised{RidgeRegression{.lambda = lambda}}.fit(squares.apply(train.x), train.y);
    std::printf("lambda %-6g  training error %.1f, test error %.1f\n", lambda,
                mean_absolute_error(model.predict(squares.apply(train.x)), train.y),
                mean_absolute_error(model.predict(squares.apply(test.x)), test.y));
  }
}

}  // namespace

int main() {
  const auto apart = lectures::two_clouds(80, {1, 0.2}, 0.35, 3);
  perceptron(apart.x, apart.y);
  const auto [x, y] = lectures::two_clouds(200, {0.7, 0.7}, 1, 2);
  descend(x, y);
  margins(x, y);
  ridge();
}

// Output:
//   mistakes of the perceptron: 3, at most (R/gamma)^2 = 255
//   Sgd F = 0.3969, Pegasos F = 0.3974
//   minimum F = 0.3968, proven: yes
//   lambda 1      margin 1/|w| = 1.89, error rate 0.150
//   lambda 0.1    margin 1/|w| = 0.98, error rate 0.160
//   lambda 0.001  margin 1/|w| = 0.67, error rate 0.160
//   lambda 0.0001  training error 27.5, test error 58.7
//   lambda 0.01    training error 34.0, test error 46.8
//   lambda 1       training error 41.0, test error 46.1
//   lambda 100     training error 60.9, test error 60.7
