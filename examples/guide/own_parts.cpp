// SPDX-License-Identifier: MIT
/// \file A loss of your own for two classes in a recipe, and a penalty and a step size of your own.
#include <algorithm>  // clamp
#include <cmath>
#include <iostream>
#include <limits>
#include <linea/io.hpp>
#include <linea/linea.hpp>

/// The loss exp(−yp), which AdaBoost minimises.
struct ExponentialLoss {
  static constexpr std::string_view name = "exponential", targets = "-1 or +1";
  bool is_valid_target(double y) const { return y == 1 || y == -1; }
  double value(double p, double y) const { return std::exp(-y * p); }
  double derivative(double p, double y) const { return -y * std::exp(-y * p); }
  double second_derivative(double p, double y) const { return std::exp(-y * p); }
};

/// A constraint as a penalty: no weight is beyond ±bound.
struct Box {
  double bound{1};
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    return w.cwiseAbs().maxCoeff() <= bound ? 0 : std::numeric_limits<double>::infinity();
  }
  double proximal(double v, double) const { return std::clamp(v, -bound, bound); }
};

int main() {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> raw = file.x;
  const auto x = linea::standardise(raw).apply(raw);

  const linea::ClassifierRecipe<ExponentialLoss, linea::Classifier> recipe{.lambda = 1e-2};
  const auto model = recipe.fit(x, file.y);
  std::cout.precision(3);
  std::cout << "accuracy " << linea::accuracy(model.predict(x), file.y) << ", by "
            << model.optimizer << '\n';

  const auto step = [](linea::Index t) { return 0.1 / std::sqrt(1 + 0.01 * double(t)); };
  const linea::BasicSgd<decltype(step)> sgd{.epochs = 20, .step = step};
  const auto bounded = sgd.minimize(linea::Objective{linea::Log{}, Box{0.5}}, x, file.y);
  std::cout << "largest weight " << bounded.weights.cwiseAbs().maxCoeff() << '\n';
}

// Output:
//   accuracy 0.986, by Newton
//   largest weight 0.5
