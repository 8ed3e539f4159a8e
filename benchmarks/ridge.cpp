// SPDX-License-Identifier: MIT
/// \file Compares ridge regression in closed form, including validation, with scikit-learn's
/// (solver "cholesky", one thread of its BLAS) and with Eigen's product XᵀX alone.
#include <linea/optimizers/ridge.hpp>
#include <memory>

#include "support/data.hpp"
#include "support/options.hpp"
#include "support/scikit_learn.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  long rows{0};
  long columns{54};
  long turns{5};
  std::string python{LINEA_SKLEARN_PYTHON};
};

constexpr double lambda = 1e-3;

/// Measures uniform entries with means from −½ to ½. The targets depend on all columns, with noise.
void measure(Index n, Index d, std::optional<bench::Bar> bar, const Settings& settings) {
  linea::Matrix<double> x = bench::random_rows<double>(n, d);
  x.rowwise() += Eigen::RowVectorXd::LinSpaced(d, -0.5, 0.5);
  linea::Vector<double> y = x * Eigen::VectorXd::LinSpaced(d, -1, 1);
  y += bench::random_targets<double>(n);

  const linea::Objective objective{linea::Squared{}, linea::L2{lambda}};
  linea::RidgeSolution<double> solution;
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(d, d);
  bench::PeerFit peer;
  std::unique_ptr<bench::ScikitLearn> scikit_learn;
  if (!settings.python.empty())
    scikit_learn = std::make_unique<bench::ScikitLearn>(settings.python, x, y);

  bench::Turns turns;
  turns.add_timed("linea", [&] { solution = linea::Ridge{}.minimize(objective, x, y); });
  if (scikit_learn)
    turns.add("scikit-learn", [&] {
      peer = scikit_learn->fit("Ridge", "squared", lambda);
      return peer.seconds;
    });
  turns.add_timed("Eigen",
                  [&] { product.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose()); });
  turns.take(settings.turns);

  const std::string work =
      "closed form, " + std::to_string(n) + " × " + std::to_string(d) + " double: time over ";
  if (scikit_learn) {
    const double apart = (solution.weights - peer.weights).norm() / peer.weights.norm();
    linea::require(apart <= 1e-9, "the weights are ", apart,
                   " away from scikit-learn's, relatively");
    bench::print_row(work + "scikit-learn's Ridge(solver=\"cholesky\"), one BLAS thread", bar,
                     turns.ratio("linea", "scikit-learn"));
  }
  bench::print_row(work + "Eigen's product XᵀX", {}, turns.ratio("linea", "Eigen"));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "The closed-form ridge against scikit-learn's",
      {{"--rows", &settings.rows, "samples; without them 60000 × 784 and 581012 × 54"},
       {"--columns", &settings.columns, "features"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--python", &settings.python, "a Python that has scikit-learn, or nothing"}});
  return bench::run([&] {
    if (settings.python.empty()) std::puts("scikit-learn is left out: no --python that has it");
    bench::print_head();
    if (settings.rows > 0) return measure(settings.rows, settings.columns, {}, settings);
    measure(60000, 784, bench::at_most(1), settings);
    measure(581012, 54, bench::at_most(0.5), settings);
  });
}
