// SPDX-License-Identifier: MIT
/// \file Selects a loss and an optimizer at run time, and limits the time of a run.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <linea/losses/any_loss.hpp>
#include <linea/optimizers/any_optimizer.hpp>

using namespace linea;

int main(int argc, char** argv) {
  const auto data = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const auto x = standardise(data.x).apply(data.x);
  const std::string loss_name = argc > 1 ? argv[1] : "log";
  const std::string optimizer_name = argc > 2 ? argv[2] : "Newton";

  const AnyOptimizer<Auto, Newton, Sgd> optimizer{.choice = optimizer_name, .tolerance = 1e-6};
  const auto solution = with_loss(loss_name, {}, [&](const auto& loss) {
    return optimizer.minimize(Objective{loss, L2{1e-3}}, x, data.y, TimeLimit{60});
  });

  std::cout << loss_name << " loss by " << solution.optimizer << ": " << name_of(solution.status)
            << '\n';
}

// Output:
//   log loss by Newton: converged
