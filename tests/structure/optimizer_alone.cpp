// SPDX-License-Identifier: MIT
/// \file The usual call of one optimizer, with only its own header. LINEA_HEADER names the header,
/// and LINEA_EXAMPLE_OF_<name> selects the call.
#include LINEA_HEADER

int main() {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Random(20, 2);
  const Eigen::VectorXd y = x.col(0);
  const Eigen::VectorXd labels = y.array().sign();
  using namespace linea;
#if defined(LINEA_EXAMPLE_OF_any_optimizer)
  // The list of optimizers is empty: each optimizer in it needs its own header.
  const AnyOptimizer<> solution{.choice = "Newton"};
#elif defined(LINEA_EXAMPLE_OF_auto)
  const auto solution = Auto{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, labels);
  const auto smooth = Auto{}.minimize(Objective{Log{}, L2{1e-2}}, x, labels);
  const auto sparse = Auto{}.minimize(Objective{Squared{}, L1{1e-2}}, x, y);
#elif defined(LINEA_EXAMPLE_OF_certify)
  const auto solution = certify(Objective{Hinge{}, L2{1e-2}}, Solution<double>{}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_coordinate_descent)
  const auto solution = CoordinateDescent{}.minimize(Objective{Squared{}, L1{1e-2}}, x, y);
  const auto elastic = CoordinateDescent{}.minimize(Objective{Squared{}, ElasticNet{}}, x, y);
#elif defined(LINEA_EXAMPLE_OF_dual_coordinate_ascent)
  const auto solution = DualCoordinateAscent{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_adaptive_sgd)
  auto learner = AdaptiveSgd{}.start<double>(Objective{Log{}, L2{1e-2}}, x.cols());
  learner.epoch(x, labels);
#elif defined(LINEA_EXAMPLE_OF_gradient_descent)
  const auto solution = GradientDescent{}.minimize(Objective{Squared{}, L2{1e-2}}, x, y);
#elif defined(LINEA_EXAMPLE_OF_interior_point)
  const auto solution = InteriorPoint{}.minimize(Objective{Hinge{}, L1{1e-2}}, x, labels);
  const auto median = InteriorPoint{}.minimize(Objective{Absolute{}, NoPenalty{}}, x, y);
#elif defined(LINEA_EXAMPLE_OF_lbfgs)
  const auto solution = Lbfgs{}.minimize(Objective{Log{}, L2{1e-2}}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_maximum_margin)
  const auto solution = MaximumMargin{}.fit(x, labels);
#elif defined(LINEA_EXAMPLE_OF_newton)
  const auto solution = Newton{}.minimize(Objective{Log{}, L2{1e-2}}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_pegasos)
  const auto solution = Pegasos{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_perceptron)
  const auto solution = Perceptron{}.fit(x, labels);
#elif defined(LINEA_EXAMPLE_OF_ridge)
  const auto solution = Ridge{}.minimize(Objective{Squared{}, L2{1e-2}}, x, y);
#elif defined(LINEA_EXAMPLE_OF_ridge_path)
  const auto solution = RidgePath{}.fit(x, y);
#elif defined(LINEA_EXAMPLE_OF_sgd)
  const auto solution = Sgd{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, labels);
#elif defined(LINEA_EXAMPLE_OF_softmax_coordinate_descent)
  const auto solution = SoftmaxCoordinateDescent{}.minimize(L1{1e-2}, x, y.cast<int>().eval());
#elif defined(LINEA_EXAMPLE_OF_softmax_newton)
  const auto solution = SoftmaxNewton{}.minimize(L2{1e-2}, x, y.cast<int>().eval());
#elif defined(LINEA_EXAMPLE_OF_svm_quadratic_program)
  const auto solution = SvmQuadraticProgram{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, labels);
#else
#error "this optimizer has no example here: add its usual call"
#endif
}
