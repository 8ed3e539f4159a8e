// SPDX-License-Identifier: MIT
/// \file Losses × optimizers on three real data sets, in one table.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <linea/linea.hpp>
#include <string>

namespace {

using Data = linea::Split<linea::Matrix<double>>;

/// Three quarters of the file to train on and one held out, with the columns standardised.
Data load(const char* name) {
  const auto file = linea::read_libsvm<double>(std::string(LINEA_EXAMPLES_DATA "/") + name);
  auto data = linea::split(linea::Matrix<double>(file.x), file.y, {.seed = 1});
  const auto scaling = linea::standardise(data.train.x);
  data.train.x = scaling.apply(data.train.x);
  data.test.x = scaling.apply(data.test.x);
  return data;
}

void heading(const char* title) {
  std::printf("\n%s\n%-20s  %-20s  %10s  %11s  %11s  %6s  %-11s  %9s\n", title, "loss", "optimizer",
              "objective", "train error", "test error", "epochs", "status", "time");
}

void row(std::string_view loss, const char* optimizer, double objective, double train, double test,
         linea::Index epochs, linea::Status status, std::chrono::steady_clock::time_point start) {
  const std::string_view ended = linea::name_of(status);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::printf("%-20.*s  %-20s  %10.4g  %11.4g  %11.4g  %6td  %-11.*s  %6.1f ms\n",
              static_cast<int>(loss.size()), loss.data(), optimizer, objective, train, test, epochs,
              static_cast<int>(ended.size()), ended.data(), time.count());
}

/// Trains, measures and prints one row. `fit` answers with a solution, `error(w, b, part)` scores
/// it.
template <class Fit, class Error>
void run(std::string_view loss, const char* optimizer, const Data& data, const Fit& fit,
         const Error& error) {
  const auto start = std::chrono::steady_clock::now();
  const auto solution = fit(data.train.x, data.train.y);
  row(loss, optimizer, solution.objective, error(solution, data.train), error(solution, data.test),
      solution.epochs, solution.status, start);
}

template <class Loss, class Error>
void gradient_rows(const Loss& loss, const Data& data, const Error& error) {
  const linea::Objective objective{loss, linea::L2{1e-3}};
  run(
      Loss::name, "sgd", data,
      [&](const auto& x, const auto& y) {
        return linea::Sgd{.epochs = 1000}.minimize(objective, x, y);
      },
      error);
  run(
      Loss::name, "sgd, averaged", data,
      [&](const auto& x, const auto& y) {
        return linea::Sgd{.epochs = 1000, .iterate = linea::Iterate::average}.minimize(objective, x,
                                                                                       y);
      },
      error);
  run(
      Loss::name, "auto", data,
      [&](const auto& x, const auto& y) {
        return linea::Auto{.tolerance = 1e-6}.minimize(objective, x, y);
      },
      error);
}

}  // namespace

int main() {
  const auto mistakes = [](const auto& solution, const auto& part) {
    const linea::Vector<double> scores = (part.x * solution.weights).array() + solution.offset;
    return 100 * linea::empirical_risk(linea::ZeroOne{}, scores, part.y);
  };
  const auto cancer = load("wdbc.svm");
  heading("Breast cancer: 569 x 30, benign or malignant, lambda = 1e-3; errors in percent");
  run(
      "zero-one", "perceptron", cancer,
      [](const auto& x, const auto& y) { return linea::Perceptron{.epochs = 1000}.fit(x, y); },
      mistakes);
  run(
      "zero-one", "averaged perceptron", cancer,
      [](const auto& x, const auto& y) {
        return linea::Perceptron{.epochs = 1000, .average = true}.fit(x, y);
      },
      mistakes);
  run(
      "hinge", "pegasos", cancer,
      [](const auto& x, const auto& y) {
        return linea::Pegasos{.epochs = 1000, .iterate = linea::Iterate::average}.minimize(
            linea::Objective{linea::Hinge{}, linea::L2{1e-3}}, x, y);
      },
      mistakes);
  gradient_rows(linea::Hinge{}, cancer, mistakes);
  gradient_rows(linea::SquaredHinge{}, cancer, mistakes);
  gradient_rows(linea::Log{}, cancer, mistakes);

  const auto residual = [](const auto& solution, const auto& part) {
    const linea::Vector<double> scores = (part.x * solution.weights).array() + solution.offset;
    return linea::mean_absolute_error(scores, part.y);
  };
  const auto diabetes = load("diabetes.svm");
  heading("Diabetes: 442 x 10, progression after a year, lambda = 1e-3; mean absolute errors");
  run(
      "squared", "ridge, closed form", diabetes,
      [](const auto& x, const auto& y) {
        return linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, linea::L2{1e-3}}, x, y);
      },
      residual);
  gradient_rows(linea::Squared{}, diabetes, residual);
  gradient_rows(linea::Huber{20}, diabetes, residual);
  gradient_rows(linea::Absolute{}, diabetes, residual);

  const auto wrong = [](const auto& model, const auto& part) {
    return 100 * linea::error_rate(model.predict(part.x), part.y);
  };
  const auto iris = load("iris.svm");
  heading(
      "Iris: 150 x 4, three species, one against the rest; errors in percent, objectives averaged");
  const auto species = [&](std::string_view loss, const char* recipe, const auto& one) {
    const auto start = std::chrono::steady_clock::now();
    const auto model = linea::OneVsRest{one}.fit(iris.train.x, iris.train.y);
    double objective = 0;
    linea::Index epochs = 0;
    auto status = linea::Status::converged;
    for (const auto& each : model.models) {
      objective += each.objective / static_cast<double>(model.models.size());
      epochs += each.epochs;
      status = std::max(status, each.status);  // the worst
    }
    row(loss, recipe, objective, wrong(model, iris.train), wrong(model, iris.test), epochs, status,
        start);
  };
  species("zero-one", "perceptron", linea::PerceptronClassifier{.epochs = 1000});
  species("hinge", "svm", linea::LinearSvm{.lambda = 1e-3});
  species("log", "logistic regression", linea::LogisticRegression{.lambda = 1e-3});
  species("squared", "ridge, closed form", linea::RidgeRegression{.lambda = 1e-3});
}
