// SPDX-License-Identifier: MIT
/// \file λ chosen by the error on samples that the fit has not seen: cross-validation, and
/// leave-one-out. Writes the figure to the folder in the first argument, by default `figures`.
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

#include "lectures/figure.hpp"

namespace {

void cross_validation() {
  const auto tumours = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> x = tumours.x;
  const linea::Vector<double>& y = tumours.y;

  const linea::Standardised recipe{linea::LogisticRegression{}};
  const auto lambdas = linea::log_spaced(1e-1, 1e-5, 5);
  const auto chosen = linea::CrossValidation{.folds = 5}.choose(recipe, lambdas, x, y);
  for (std::size_t k = 0; k < chosen.lambdas.size(); ++k)
    std::printf("lambda %-7g error %.3f\n", chosen.lambdas[k],
                chosen.mean[static_cast<linea::Index>(k)]);
  const auto best = static_cast<std::size_t>(chosen.best);
  const auto careful = static_cast<std::size_t>(chosen.one_standard_error);
  std::printf("best %g, within one standard error %g%s\n", chosen.lambdas[best],
              chosen.lambdas[careful], chosen.is_at_edge ? ", at the edge of the list" : "");

  // Fit all samples with the largest λ whose error is within one standard error of the least.
  const auto simpler = chosen.refit(chosen.one_standard_error, x, y);
  std::printf("refitted: F %.4f\n", simpler.objective);

  // Use another criterion: the Brier score, the mean squared error of the probabilities.
  const auto brier = [](const auto& model, const auto& held_out, const auto& labels,
                        const auto& weights) {
    return linea::brier_score(model.probabilities(held_out), labels, model.labels, weights);
  };
  const auto by_brier = linea::CrossValidation{}.choose(recipe, lambdas, x, y, {}, brier);
  std::printf("least Brier score: lambda %g\n",
              by_brier.lambdas[static_cast<std::size_t>(by_brier.best)]);
}

/// Draws the training, leave-one-out and held-out errors of ridge regression against λ. The
/// features are the columns, their squares and the products of two columns.
void leave_one_out(const lectures::Gallery& gallery) {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const linea::Polynomial products{.degree = 2};
  const linea::Matrix<double> all = products.apply(linea::Matrix<double>(file.x));
  const auto [train, test] = linea::split(all, file.y, {.test_fraction = 0.7, .seed = 1});
  const auto scale = linea::standardise(train.x);
  const linea::Matrix<double> x = scale.apply(train.x);
  const linea::Matrix<double> unseen = scale.apply(test.x);

  const auto path = linea::RidgePath{.lambdas = linea::log_spaced(10, 1e-4, 51)}.fit(x, train.y);
  const linea::LinearModel<double> model{path.at(path.best)};
  const double lambda = path.lambdas[static_cast<std::size_t>(path.best)];
  std::printf("ridge regression: of %zu lambdas, %.2g has the least leave-one-out error\n",
              path.lambdas.size(), lambda);
  std::printf("mean squared error of unseen samples: %.0f\n",
              linea::mean_squared_error(model.scores(unseen), test.y));

  lectures::Points training(51, 2), held_out(51, 2), left_out(51, 2);
  for (linea::Index k = 0; k < 51; ++k) {
    const linea::LinearModel<double> one{path.at(k)};
    const double at = path.lambdas[static_cast<std::size_t>(k)];
    training.row(k) << at, linea::mean_squared_error(one.scores(x), train.y);
    held_out.row(k) << at, linea::mean_squared_error(one.scores(unseen), test.y);
    left_out.row(k) << at, path.leave_one_out[k];
  }
  lectures::Figure figure("choosing_lambda", "Ridge regression on 133 patients: error against λ",
                          "λ", "mean squared error");
  figure.with("set logscale x").with("set format x '%h'");
  figure.add("training samples", lectures::style::blue, training);
  figure.add("leave-one-out", lectures::style::green, left_out);
  figure.add("held-out samples", lectures::style::red, held_out);
  gallery.draw(figure);
}

}  // namespace

int main(int argc, char** argv) {
  cross_validation();
  leave_one_out(lectures::Gallery(argc, argv));
}

// Output:
//   lambda 0.1     error 0.037
//   lambda 0.01    error 0.021
//   lambda 0.001   error 0.023
//   lambda 0.0001  error 0.035
//   lambda 1e-05   error 0.042
//   best 0.01, within one standard error 0.01
//   refitted: F 0.0996
//   least Brier score: lambda 0.001
//   ridge regression: of 51 lambdas, 0.4 has the least leave-one-out error
//   mean squared error of unseen samples: 2973
