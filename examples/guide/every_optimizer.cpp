// SPDX-License-Identifier: MIT
/// \file Runs each optimizer of docs/optimizers.md once, with the call that the page shows.
#include <cstdio>
#include <linea/features/standardise.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties.hpp>
#include <vector>

using namespace linea;

namespace {

const Matrix<double>& tumours() {
  static const Matrix<double> x = [] {
    const Matrix<double> raw = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm").x;
    return Matrix<double>(standardise(raw).apply(raw));
  }();
  return x;
}

void show(const char* what, double objective) { std::printf("%-20s %.4f\n", what, objective); }

void classes(const Matrix<double>& x, const Vector<double>& y) {
  const auto chosen = Auto{}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y);
  show(chosen.optimizer.data(), chosen.objective);
  const auto exact = InteriorPoint{}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y);
  show("InteriorPoint", exact.objective);
  const auto dual = DualCoordinateAscent{}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y);
  show("DualCoordinateAscent", dual.objective);
  const auto sparse = CoordinateDescent{}.minimize(Objective{Log{}, L1{1e-2}}, x, y);
  show("CoordinateDescent", sparse.objective);
  const auto newton = Newton{}.minimize(Objective{Log{}, L2{1e-3}}, x, y);
  show("Newton", newton.objective);
  const auto lbfgs = Lbfgs{}.minimize(Objective{Log{}, L2{1e-3}}, x, y);
  show("Lbfgs", lbfgs.objective);
  const auto program = SvmQuadraticProgram{}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y);
  show("SvmQuadraticProgram", program.objective);
}

void descents(const Matrix<double>& x, const Vector<double>& y) {
  const auto sgd = Sgd{.epochs = 20, .seed = 7}.minimize(Objective{Log{}, L2{1e-3}}, x, y);
  show("Sgd", sgd.objective);
  auto learner = AdaptiveSgd{}.start<double>(Objective{Log{}, L1{1e-3}}, x.cols());
  for (Index i = 0; i < x.rows(); ++i) learner.update(x.row(i), y[i]);
  show("AdaptiveSgd", objective_value(Objective{Log{}, L1{1e-3}}, x, y, learner.solution().weights,
                                      learner.solution().offset));
  const auto pegasos = Pegasos{.epochs = 200}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y);
  show("Pegasos", pegasos.objective);
  const auto batch = GradientDescent{.epochs = 500}.minimize(Objective{Log{}, L2{1e-2}}, x, y);
  show("GradientDescent", batch.objective);
  const auto perceptron = Perceptron{.average = true}.fit(x, y);
  show("Perceptron", perceptron.objective);
}

void others(const Matrix<double>& x, const Vector<double>& y) {
  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  const auto softmax = SoftmaxNewton{}.minimize(L2{1e-3}, flowers.x, flowers.y);
  show("SoftmaxNewton", softmax.objective);
  const auto chosen = SoftmaxCoordinateDescent{}.minimize(L1{1e-3}, flowers.x, flowers.y);
  show("SoftmaxCoordinateDescent", chosen.objective);
  const auto widest = MaximumMargin{}.fit(x.topRows(60), y.head(60));
  show("MaximumMargin", widest.margin);
}

void numbers() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const Matrix<double> x = file.x;
  const Vector<double>& y = file.y;
  const auto ridge = Ridge{}.minimize(Objective{Squared{}, L2{1e-3}}, x, y);
  show("Ridge", ridge.objective);
  const auto path = RidgePath{.lambdas = {10, 1, 0.1, 0.01}}.fit(x, y);
  show("RidgePath", path.lambdas[static_cast<std::size_t>(path.best)]);
}

}  // namespace

int main() {
  const Vector<double> y = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm").y;
  classes(tumours(), y);
  descents(tumours(), y);
  others(tumours(), y);
  numbers();
}

// Output:
//   DualCoordinateAscent 0.0422
//   InteriorPoint        0.0422
//   DualCoordinateAscent 0.0422
//   CoordinateDescent    0.1593
//   Newton               0.0598
//   Lbfgs                0.0598
//   SvmQuadraticProgram  0.0422
//   Sgd                  0.0606
//   AdaptiveSgd          0.1098
//   Pegasos              0.0431
//   GradientDescent      0.0996
//   Perceptron           0.0123
//   SoftmaxNewton        0.0957
//   SoftmaxCoordinateDescent 0.0736
//   MaximumMargin        0.3535
//   Ridge                1432.4074
//   RidgePath            0.0100
