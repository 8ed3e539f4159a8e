// SPDX-License-Identifier: MIT
/// \file A loss in a user's own namespace, which no name of linea's is looked up in: what linea calls
/// for it must be declared before, whichever header comes first.
#include <linea/core/parameters.hpp>
// Second on purpose.
#include <iostream>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>
#include <stdexcept>
#include <string_view>

namespace mine {

struct Scaled {
  double scale{1};
  double value(double score, double target) const {
    return (score - target) * (score - target) / (2 * scale);
  }
  double derivative(double score, double target) const { return (score - target) / scale; }
  bool is_valid() const { return scale > 0; }
};

}  // namespace mine

int main() {
  const linea::Matrix<double> x = linea::Matrix<double>::Identity(4, 2);
  const linea::Vector<double> y = linea::Vector<double>::Ones(4);
  const linea::Sgd sgd{.epochs = 2};
  const auto found = sgd.minimize(linea::Objective{mine::Scaled{}, linea::NoPenalty{}}, x, y);
  try {
    (void)sgd.minimize(linea::Objective{mine::Scaled{-1}, linea::NoPenalty{}}, x, y);
  } catch (const std::invalid_argument& error) {
    const std::string_view message = error.what();
    std::cout << message << ", and F = " << found.objective << " after 2 epochs\n";
    return message == "Sgd::minimize: a parameter of the loss is out of its domain" &&
                   found.objective < 0.5  // F at 0
               ? 0
               : 1;
  }
  std::cout << "a scale of -1 was taken\n";
  return 1;
}
