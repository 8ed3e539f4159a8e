// SPDX-License-Identifier: MIT
/// \file Least squares and ridge regression (MIT 6.036, week 3): descent and the closed form,
/// equations without a unique solution, and the effect of λ on training and test error. Writes
/// figures to the folder in the first argument, by default `figures`.
#include <cmath>
#include <cstdio>
#include <lectures/classes.hpp>
#include <linea/core/objective.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <vector>

using lectures::Figure, lectures::Gallery, lectures::Points;
using linea::Index;
using Samples = linea::Matrix<double>;
using Targets = linea::Vector<double>;
namespace style = lectures::style;

namespace {

linea::Objective<linea::Squared, linea::L2> ridge_objective(double lambda) {
  return {linea::Squared{}, linea::L2{lambda}};
}

auto closed_form(const Samples& x, const Targets& y, double lambda, bool offset) {
  return linea::Ridge{.offset = offset}.minimize(ridge_objective(lambda), x, y);
}

/// Returns the mean of (y − θ·x − θ₀)²/2, equation (3) of the notes.
double risk(const Samples& x, const Targets& y, const linea::Vector<double>& theta, double offset) {
  return linea::objective_value(ridge_objective(0), x, y, theta, offset);
}

/// Returns samples with targets ⟨(2, −1, ½), x⟩ plus noise.
linea::LabelledRows<double> linear_samples(Index n, linea::Random& random) {
  linea::LabelledRows<double> data{Samples(n, 3), Targets(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 3; ++j) data.x(i, j) = lectures::normal(random);
    data.y[i] =
        2 * data.x(i, 0) - data.x(i, 1) + 0.5 * data.x(i, 2) + 0.5 * lectures::normal(random);
  }
  return data;
}

void print_theta(const char* name, const linea::Vector<double>& theta, double objective) {
  std::printf("%-24s", name);
  for (const double value : theta) std::printf("%8.3f", value);
  std::printf("%10.4f\n", objective);
}

/// Runs SGD with the step size 1/(k + 1), by equation (6) of the notes or, if λ > 0, equation (15).
/// Compares the results with the closed form. Returns F − F* against the number of epochs (12 × 2).
Points descend(const linea::LabelledRows<double>& data, double lambda) {
  const auto exact = closed_form(data.x, data.y, lambda, false);
  const linea::BasicSgd<linea::InverseTime, linea::WithReplacement> sgd{
      .tolerance = 0,
      .offset = false,
      .step = {1, 1},
      .iterate = linea::Iterate::last,
      .retries = 0,
      .seed = 5};
  std::printf("\nlambda = %.1f%34s%8s%10s\n", lambda, "theta", "", "objective");
  Points excess(12, 2);
  for (Index k = 0; k < excess.rows(); ++k) {
    auto run = sgd;
    run.epochs = Index{1} << k;
    const auto solution = run.minimize(ridge_objective(lambda), data.x, data.y);
    excess.row(k) << static_cast<double>(run.epochs), solution.objective - exact.objective;
    if (k % 4 == 0 || k == excess.rows() - 1) {
      char name[32];
      std::snprintf(name, sizeof name, "descent, %td epoch%s", run.epochs, k ? "s" : "");
      print_theta(name, solution.weights, solution.objective);
    }
  }
  print_theta("closed form", exact.weights, exact.objective);
  const auto n = static_cast<double>(data.x.rows());
  const linea::Vector<double> gradient =
      data.x.transpose() * (data.x * exact.weights - data.y) / n + lambda * exact.weights;
  std::printf("the gradient A theta - b vanishes there: %s\n",
              gradient.norm() < 1e-12 ? "yes" : "no");
  return excess;
}

void descent_and_closed_form(const Gallery& gallery) {
  std::printf("Least squares and ridge regression, 100 samples of 3 features\n");
  linea::Random random(1);
  const auto data = linear_samples(100, random);
  const Points plain = descend(data, 0);
  const Points ridge = descend(data, 0.5);
  gallery.draw(Figure("least_squares_descent", "Descent with steps 1/(k + 1) nears the closed form",
                      "epochs", "objective above the minimum")
                   .with("set logscale xy")
                   .with("set format y '%h'")
                   .add("least squares, (6)", style::blue, plain)
                   .add("ridge, λ = 0.5, (15)", style::orange, ridge));
}

void singular(const char* name, const Samples& x, const Targets& y) {
  const auto exact = closed_form(x, y, 0, false);
  std::printf("%-20s%4td%4td%6td%9.3f%8.4f   (", name, x.rows(), x.cols(), exact.rank,
              exact.weights.norm(), exact.objective);
  for (Index j = 0; j < x.cols(); ++j) std::printf("%s%.2f", j ? ", " : "", exact.weights[j]);
  std::printf(")\n");
}

/// Solves least squares for samples of full rank, and for samples that do not determine θ.
void singular_equations() {
  std::printf("\nEquations with many answers: that of smallest norm\n%-20s%4s%4s%6s%9s%8s   %s\n",
              "samples", "n", "d", "rank", "|theta|", "risk", "theta");
  linea::Random random(2);
  auto data = linear_samples(30, random);
  singular("of full rank", data.x, data.y);
  data.x.col(2).setZero();
  singular("third column 0", data.x, data.y);
  data.x.col(2) = data.x.col(0) + data.x.col(1);
  singular("third = sum of both", data.x, data.y);
  const auto exact = closed_form(data.x, data.y, 0, false);
  const linea::Vector<double> other = exact.weights + Eigen::Vector3d(1, 1, -1);
  std::printf("%32s%15.3f%8.4f   (%.2f, %.2f, %.2f)\n", "the same and (1, 1, -1)", other.norm(),
              risk(data.x, data.y, other, 0), other[0], other[1], other[2]);
  const auto few = linear_samples(2, random);
  singular("two samples only", few.x, few.y);
  const auto regularised = closed_form(few.x, few.y, 0.1, false);
  std::printf("with lambda = 0.1 there is one answer, of norm %.3f: rank %td of %td equations\n",
              regularised.weights.norm(), regularised.rank,
              regularised.dual ? few.x.rows() : few.x.cols());
}

/// Returns x, x², …, x^degree as columns, for x (n).
Samples powers(const Eigen::VectorXd& x, Index degree) {
  Samples features(x.size(), degree);
  features.col(0) = x;
  for (Index j = 1; j < degree; ++j) features.col(j) = features.col(j - 1).cwiseProduct(x);
  return features;
}

struct Curve {
  Eigen::VectorXd at;
  Samples x;
  Targets y;
};

/// Returns n values of sin(πx) between x = −1 and x = 1, with noise. The features are x, …, x⁹.
Curve curve(Index n, double noise, linea::Random& random) {
  Curve curve{Eigen::VectorXd::LinSpaced(n, -1, 1), {}, Targets(n)};
  curve.x = powers(curve.at, 9);
  for (Index i = 0; i < n; ++i)
    curve.y[i] = std::sin(3.141592653589793 * curve.at[i]) + noise * lectures::normal(random);
  return curve;
}

/// Shows that the training error rises with λ, while the test error first falls and then rises.
void regularisation(const Gallery& gallery) {
  linea::Random random(9);
  const Curve train = curve(11, 0.4, random);
  const Curve test = curve(400, 0.4, random);
  const Curve truth = curve(200, 0, random);

  constexpr Index count = 61;
  Points training(count, 2);
  Points testing(count, 2);
  std::printf("\nPolynomials of degree 9 through 11 noisy values\n%9s%10s%10s%10s\n", "lambda",
              "|theta|", "training", "test");
  for (Index k = 0; k < count; ++k) {
    const double lambda = std::pow(10.0, -7 + 0.15 * static_cast<double>(k));
    const auto fit = closed_form(train.x, train.y, lambda, true);
    training.row(k) << lambda, risk(train.x, train.y, fit.weights, fit.offset);
    testing.row(k) << lambda, risk(test.x, test.y, fit.weights, fit.offset);
    if (k % 10 == 0)
      std::printf("%9.1e%10.2f%10.3f%10.3f\n", lambda, fit.weights.norm(), training(k, 1),
                  testing(k, 1));
  }
  Index best = 0;
  testing.col(1).minCoeff(&best);
  int falls = 0;
  for (Index k = 1; k < count; ++k) falls += training(k, 1) < training(k - 1, 1);
  std::printf("training error falls %d times as lambda grows; test error is least, %.3f, at %.0e\n",
              falls, testing(best, 1), testing(best, 0));
  gallery.draw(
      Figure("ridge_lambda", "Training and test error against λ", "λ", "mean of (y − θ·x − θ₀)²/2")
          .with("set logscale x")
          .with("set format x '%h'")
          .with("set yrange [0:]")
          .add("training error", style::blue, training)
          .add("test error", style::red, testing));

  Figure fits("ridge_fits", "Polynomials of degree 9 by ridge regression", "x", "y");
  fits.with("set xrange [-1.05:1.05]")
      .with("set yrange [-3:2.5]")
      .add("sin πx", style::dashed, lectures::points_of(truth.at, truth.y));
  const struct {
    const char* label;
    std::string_view style;
    double lambda;
  } choices[] = {{"λ too small", style::orange, 1e-7},
                 {"λ of least test error", style::green, testing(best, 0)},
                 {"λ too large", style::grey, 10}};
  for (const auto& choice : choices) {
    const auto fit = closed_form(train.x, train.y, choice.lambda, true);
    const Eigen::VectorXd y = (truth.x * fit.weights).array() + fit.offset;
    fits.add(choice.label, choice.style, lectures::points_of(truth.at, y));
  }
  gallery.draw(fits.add("training samples", style::dots, lectures::points_of(train.at, train.y)));
}

}  // namespace

int main(int argc, char** argv) {
  const Gallery gallery(argc, argv);
  descent_and_closed_form(gallery);
  singular_equations();
  regularisation(gallery);
}

// Output:
//   Least squares and ridge regression, 100 samples of 3 features

//   lambda = 0.0                             theta         objective
//   descent, 1 epoch           1.963  -1.029   0.463    0.1042
//   descent, 16 epochs         1.987  -0.973   0.498    0.1021
//   descent, 256 epochs        1.985  -0.979   0.506    0.1021
//   descent, 2048 epochs       1.988  -0.981   0.505    0.1021
//   closed form                1.990  -0.980   0.504    0.1021
//   the gradient A theta - b vanishes there: yes

//   lambda = 0.5                             theta         objective
//   descent, 1 epoch           1.320  -0.704   0.426    0.9889
//   descent, 16 epochs         1.357  -0.703   0.394    0.9889
//   descent, 256 epochs        1.341  -0.696   0.411    0.9885
//   descent, 2048 epochs       1.336  -0.696   0.408    0.9884
//   closed form                1.336  -0.696   0.406    0.9884
//   the gradient A theta - b vanishes there: yes

//   Equations with many answers: that of smallest norm
//   samples                n   d  rank  |theta|    risk   theta
//   of full rank          30   3     3    2.370  0.0912   (2.08, -1.05, 0.42)
//   third column 0        30   3     2    2.366  0.1603   (2.10, -1.09, 0.00)
//   third = sum of both   30   3     2    2.294  0.1603   (1.76, -1.43, 0.34)
//            the same and (1, 1, -1)          2.874  0.1603   (2.76, -0.43, -0.66)
//   two samples only       2   3     2    1.404  0.0000   (0.51, -0.65, 1.13)
//   with lambda = 0.1 there is one answer, of norm 1.312: rank 2 of 2 equations

//   Polynomials of degree 9 through 11 noisy values
//      lambda   |theta|  training      test
//     1.0e-07    293.84     0.004     0.330
//     3.2e-06     74.74     0.026     0.163
//     1.0e-04     11.97     0.048     0.128
//     3.2e-03      5.06     0.090     0.090
//     1.0e-01      1.10     0.238     0.168
//     3.2e+00      0.11     0.422     0.331
//     1.0e+02      0.00     0.461     0.366
//   training error falls 0 times as lambda grows; test error is least, 0.090, at 3e-03
