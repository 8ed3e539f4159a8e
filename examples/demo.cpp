// SPDX-License-Identifier: MIT
/// \file Runs linea on three real data sets. Compares each recipe with a constant prediction, and
/// prints the relative duality gap of the model or "exact". Writes a figure to the folder in the
/// first argument, by default `figures`.
#include <algorithm>  // max, min
#include <chrono>
#include <cstdio>
#include <linea/data/split.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/metrics.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <string>

#include "demo/draw.hpp"

namespace {

using Data = linea::Split<linea::Matrix<double>>;

/// Reads a file; three quarters of it are for training and the rest for testing.
Data load(const char* name) {
  const auto file = linea::read_libsvm<double>(std::string(LINEA_EXAMPLES_DATA "/") + name);
  return linea::split(linea::Matrix<double>(file.x), file.y, {.seed = 1});
}

void heading(const char* title, const char* error) {
  std::printf("\n%s\n%-32s  %9s  %9s  %10s  %9s\n", title, "", "F", "gap", error, "time");
}

void guess(const char* what, double error) {
  std::printf("%-32s  %9s  %9s  %10.1f\n", what, "", "", error);
}

/// Fits the recipe to scaled columns and prints one row. `error` evaluates the predictions for the
/// test samples.
template <class Recipe, class Error>
void row(const char* what, const Data& data, const Recipe& recipe, const Error& error) {
  const auto start = std::chrono::steady_clock::now();
  const auto model = linea::Standardised{recipe}.fit(data.train.x, data.train.y);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::string gap = "exact";
  char text[32];
  if (model.gap) {
    std::snprintf(text, sizeof text, "%.0e", std::max(*model.gap / model.objective, 1e-16));
    gap = text;
  }
  std::printf("%-32s  %9.4g  %9s  %10.1f  %6.1f ms\n", what, model.objective, gap.c_str(),
              error(model.predict(data.test.x), data.test.y), time.count());
}

double percent_wrong(const linea::Vector<double>& predicted, const linea::Vector<double>& y) {
  return 100 * linea::error_rate(predicted, y);
}
double off(const linea::Vector<double>& predicted, const linea::Vector<double>& y) {
  return linea::mean_absolute_error(predicted, y);
}

/// Returns the error on the test samples if `answer` is predicted for all of them.
template <class Error>
double error_of(double answer, const Data& data, const Error& error) {
  return error(linea::Vector<double>::Constant(data.test.y.size(), answer), data.test.y);
}

}  // namespace

int main(int argc, char** argv) {
  std::puts("F: the objective of the recipe; gap: an upper bound on (F - F*)/F, where F* = min F");
  const Data cancer = load("wdbc.svm");
  heading("Breast cancer, 569 x 30: benign or malignant?", "% wrong");
  guess("always the same answer",
        std::min(error_of(-1, cancer, percent_wrong), error_of(1, cancer, percent_wrong)));
  row("LinearSvm", cancer, linea::LinearSvm{.lambda = 1e-3}, percent_wrong);
  row("LogisticRegression", cancer, linea::LogisticRegression{.lambda = 1e-3}, percent_wrong);

  const Data diabetes = load("diabetes.svm");
  heading("Diabetes, 442 x 10: how far after a year?", "mean error");
  guess("always the mean", error_of(diabetes.train.y.mean(), diabetes, off));
  row("RidgeRegression", diabetes, linea::RidgeRegression{.lambda = 1e-3}, off);
  row("Lasso", diabetes, linea::Lasso{.lambda = 1}, off);
  row("QuantileRegression, the median", diabetes, linea::QuantileRegression{.lambda = 1e-3}, off);

  const Data iris = load("iris.svm");
  heading("Iris, 150 x 4: which of three species?", "% wrong");
  double best_guess = 100;
  for (const double species : {0, 1, 2})
    best_guess = std::min(best_guess, error_of(species, iris, percent_wrong));
  guess("always the same answer", best_guess);
  row("SoftmaxRegression", iris, linea::SoftmaxRegression{.lambda = 1e-3}, percent_wrong);

  demo::draw(cancer.train.x, cancer.train.y, lectures::Gallery(argc, argv));
}

// Output:
//   F: the objective of the recipe; gap: an upper bound on (F - F*)/F, where F* = min F
//
//   Breast cancer, 569 x 30: benign or malignant?
//                                             F        gap     % wrong       time
//   always the same answer                                        31.7
//   LinearSvm                            0.0366      5e-07         4.2     0.6 ms
//   LogisticRegression                  0.05596      1e-06         3.5     0.5 ms
//
//   Diabetes, 442 x 10: how far after a year?
//                                             F        gap  mean error       time
//   always the mean                                               65.5
//   RidgeRegression                        1381      exact        46.9     0.1 ms
//   Lasso                                  1486      2e-14        46.9     0.2 ms
//   QuantileRegression, the median        21.98      3e-07        46.7     0.4 ms
//
//   Iris, 150 x 4: which of three species?
//                                             F        gap     % wrong       time
//   always the same answer                                        65.8
//   SoftmaxRegression                   0.09782      2e-11         2.6     0.4 ms
