// SPDX-License-Identifier: MIT
/// \file Simple parametric models (Rutgers CS 520): features, learning rates, vector outputs,
/// linear, logistic and general linear models, likelihood, and the perceptron with a hard
/// threshold. Writes figures to the folder in the first argument, by default `figures`.
#include <algorithm>  // max
#include <cmath>
#include <cstdio>
#include <lectures/classes.hpp>
#include <linea/activations/exponential.hpp>
#include <linea/activations/identity.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/activations/tanh.hpp>
#include <linea/core/extras.hpp>
#include <linea/features/feature_functions.hpp>
#include <linea/features/polynomial.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/models/regressors.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/constant.hpp>
#include <string>

using lectures::Figure, lectures::Gallery, lectures::Points;
using linea::Index;
using Samples = linea::Matrix<double>;
using Targets = linea::Vector<double>;
namespace style = lectures::style;

namespace {

void print_status(linea::Status status) {
  const std::string_view name = linea::name_of(status);
  std::printf("%.*s\n", static_cast<int>(name.size()), name.data());
}

/// Returns the four corners of the unit square.
Samples corners() {
  Samples x(4, 2);
  x << 0, 0, 0, 1, 1, 0, 1, 1;
  return x;
}

/// Computes the features of equations (5) and (6) of the notes. Learns exclusive or, which is
/// linearly separable with the features (5).
void features(const Gallery& gallery) {
  Samples sample(1, 2);
  sample << 2, 3;
  const linea::Polynomial quadratic{.degree = 2, .constant = true};
  const Samples products = quadratic.apply(sample);
  std::printf("Quadratic features of (x1, x2) = (2, 3)\n");
  for (Index j = 0; j < products.cols(); ++j) {
    std::string name;
    for (const Index factor : quadratic.factors(j, 2))
      name += (name.empty() ? "x" : " x") + std::to_string(factor + 1);
    std::printf("%8s", name.empty() ? "1" : name.c_str());
  }
  std::printf("\n");
  for (Index j = 0; j < products.cols(); ++j) std::printf("%8.0f", products(0, j));
  const auto functions = linea::feature_functions([](const auto&) { return 1.0; },
                                                  [](const auto& x) { return x.norm(); },
                                                  [](const auto& x) { return x[0] - x[1]; });
  const Samples features = functions.apply(sample);
  std::printf("\nfeatures of one's own, 1, |x|, x1 - x2: %.0f, %.2f, %.0f\n", features(0, 0),
              features(0, 1), features(0, 2));

  linea::SparseMatrix<double> wide(1, 1000);
  for (const int j : {10, 200, 999}) wide.insert(0, j) = j;
  const auto few = linea::Polynomial{}.apply(wide);
  std::printf("of 1000 columns with 3 non-zeros, sparse: %td columns, %td entries stored\n",
              few.cols(), few.nonZeros());

  const Samples x = corners();
  const Targets y{{-1, 1, 1, -1}};
  const linea::Polynomial products_of_two{.degree = 2};
  const auto plain = linea::Perceptron{.epochs = 1000}.fit(x, y);
  const auto bent = linea::Perceptron{.epochs = 1000}.fit(products_of_two.apply(x), y);
  std::printf("\nPerceptron on exclusive or\n  x1, x2 alone:       %td mistakes, ", plain.mistakes);
  print_status(plain.status);
  std::printf("  quadratic features: %td mistakes, ", bent.mistakes);
  print_status(bent.status);

  constexpr Index side = 57;
  Samples grid(side * side, 2);
  for (Index k = 0; k < grid.rows(); ++k)
    grid.row(k) << 0.025 * static_cast<double>(k % side) - 0.2,
        0.025 * static_cast<double>(k / side) - 0.2;
  const Targets scores = (products_of_two.apply(grid) * bent.weights).array() + bent.offset;
  Figure figure("parametric_xor", "Exclusive or, separated by quadratic features", "x₁", "x₂");
  figure.with("set size ratio -1").with("set xrange [-0.22:1.22]").with("set yrange [-0.22:1.22]");
  figure.add("predicted +1", "points pt 5 ps 0.7 lc rgb '#d5e0fb'",
             lectures::rows_where(grid, [&](Index i) { return scores[i] >= 0; }));
  figure.add("predicted −1", "points pt 5 ps 0.7 lc rgb '#fadcdc'",
             lectures::rows_where(grid, [&](Index i) { return scores[i] < 0; }));
  lectures::add_classes(figure, x, y);
  gallery.draw(figure);
}

/// Runs gradient descent, equation (7) of the notes, with learning rates from too small to too
/// large, and with the safe step.
void learning_rates(const Gallery& gallery) {
  linea::Random random(2);
  Samples x(50, 1);
  Targets y(50);
  for (Index i = 0; i < 50; ++i) {
    x(i, 0) = 2 * lectures::normal(random);
    y[i] = 1 - 2 * x(i, 0) + lectures::normal(random);
  }
  std::printf("\nGradient descent on squared loss: the loss after k steps\n%8s%10s%10s%10s   %s\n",
              "rate", "k = 1", "k = 10", "k = 100", "status");
  Figure figure("parametric_learning_rates", "Gradient descent by the size of its steps", "step k",
                "mean of ½(f(x) − y)²");
  figure.with("set logscale xy").with("set format y '%h'").with("set yrange [0.3:1e6]");
  const struct {
    double rate;
    std::string_view look;
  } choices[] = {{0.001, style::grey}, {0.02, style::blue}, {0.3, style::green}, {0.8, style::red}};
  Points course = Points::Zero(100, 2);
  const linea::Objective objective{linea::Squared{}, linea::NoPenalty{}};
  const auto note = [&](const linea::Progress& progress) {
    course.row(progress.epoch - 1) << static_cast<double>(progress.epoch), progress.objective();
  };
  const auto print = [&](double rate, linea::Status status) {
    std::printf("%8.3f%10.3g%10.3g%10.3g   ", rate, course(0, 1), course(9, 1), course(99, 1));
    print_status(status);
  };
  for (const auto& [rate, look] : choices) {
    const linea::BasicGradientDescent<linea::ConstantStep> descent{.epochs = 100,
                                                                   .tolerance = 0,
                                                                   .step = {rate},
                                                                   .iterate = linea::Iterate::last,
                                                                   .retries = 0};
    course.setZero();
    print(rate, descent.minimize(objective, x, y, note).status);
    char label[32];
    std::snprintf(label, sizeof label, "α = %g", rate);
    figure.add(label, look, course);
  }
  const linea::GradientDescent safe{.epochs = 100, .tolerance = 0};
  int rises = 0;
  const auto solution = safe.minimize(objective, x, y, [&](const linea::Progress& progress) {
    note(progress);
    // At the minimum the loss fluctuates by rounding.
    if (progress.epoch > 1)
      rises += progress.objective() > (1 + 1e-12) * course(progress.epoch - 2, 1);
  });
  print(solution.first_step, solution.status);
  std::printf("the last is the safe step: the loss rose by more than rounding %d times\n", rises);
  gallery.draw(figure);
}

/// Solves least squares with vector outputs in one call; the weights have one column for each
/// output. Compares the result with separate calls.
void vector_outputs() {
  linea::Random random(3);
  Samples x(60, 2);
  Samples y(60, 3);
  for (Index i = 0; i < 60; ++i) {
    x.row(i) << lectures::normal(random), lectures::normal(random);
    y.row(i) << 1 + 2 * x(i, 0) - x(i, 1), 3 * x(i, 1), -x(i, 0) - 2;
    for (Index k = 0; k < 3; ++k) y(i, k) += 0.2 * lectures::normal(random);
  }
  const auto solution =
      linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, linea::L2{0}}, x, y);
  std::printf("\nThree outputs at once: y = (1 + 2 x1 - x2, 3 x2, -x1 - 2) and noise\n");
  for (Index k = 0; k < 3; ++k)
    std::printf("  y%td = %.2f %+.2f x1 %+.2f x2\n", k + 1, solution.offset[k],
                solution.weights(0, k), solution.weights(1, k));
  double apart = 0;
  for (Index k = 0; k < 3; ++k) {
    const auto one = linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, linea::L2{0}}, x,
                                             Samples(y.col(k)));
    apart = std::max({apart, (one.weights.col(0) - solution.weights.col(k)).cwiseAbs().maxCoeff(),
                      std::abs(one.offset[0] - solution.offset[k])});
  }
  std::printf("the same as fitted one by one, to within 1e-12: %s\n", apart < 1e-12 ? "yes" : "no");
}

/// Prints the factor of x in the updates (14), (20) and (25) of the notes. The factor is error
/// times sensitivity, the derivative of the loss with respect to w·x.
void updates() {
  const linea::Squared linear;
  const linea::SigmoidCrossEntropy logistic;
  const linea::Composed squared_sigmoid{linea::Squared{}, linea::Sigmoid{}};
  const linea::Sigmoid g;
  std::printf("\nWhat multiplies x in an update, at target 1\n%6s%18s%18s%26s\n", "w.x",
              "linear f - y", "logistic f - y", "general (f - y) g'");
  for (const double score : {-4.0, -1.0, 0.0, 2.0})
    std::printf("%6.0f%18.3f%18.3f%26.3f\n", score, linear.derivative(score, 1.0),
                logistic.derivative(score, 1.0), squared_sigmoid.derivative(score, 1.0));
  double difference = 0;
  for (const double score : {-4.0, -1.0, 0.0, 2.0})
    difference =
        std::max(difference, std::abs(logistic.derivative(score, 1.0) - (g.value(score) - 1)));
  std::printf("the logistic one is g(w.x) - y to within 1e-15: %s\n",
              difference < 1e-15 ? "yes" : "no");
}

/// Returns targets yᵢ = draw(xᵢ, random) for samples x (n × 1). `random` starts from the seed.
template <class Draw>
Targets draw(const Samples& x, std::uint64_t seed, Draw&& draw) {
  linea::Random random(seed);
  Targets y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) y[i] = draw(x(i, 0), random);
  return y;
}

/// Fits general linear models, equation (22) of the notes, to data generated with w = 2 and b = 1,
/// or with 0.8 and 0.5 for counts.
void general_linear_models(const Gallery& gallery) {
  const Samples x = Eigen::VectorXd::LinSpaced(120, -3, 2);
  const linea::Sigmoid sigmoid;
  const Targets classes = draw(x, 1, [&](double at, linea::Random& random) {
    return random.uniform() < sigmoid.value(1 + 2 * at) ? 1.0 : 0.0;
  });
  const Targets bounded = draw(x, 2, [](double at, linea::Random& random) {
    return std::tanh(1 + 2 * at) + 0.15 * lectures::normal(random);
  });
  const Targets line = draw(
      x, 3, [](double at, linea::Random& random) { return 1 + 2 * at + lectures::normal(random); });
  // Draws Poisson counts by Knuth's method: counts the uniform factors whose product is above the
  // limit.
  const Targets counts = draw(x, 4, [](double at, linea::Random& random) {
    const double limit = std::exp(-std::exp(0.5 + 0.8 * at));
    int count = -1;
    for (double product = 1; product > limit; ++count) product *= random.uniform();
    return static_cast<double>(count);
  });

  std::printf("\nGeneral linear models f(x) = g(w x + b)\n%-14s%-16s%14s%8s%8s%10s\n", "g", "loss",
              "made with w, b", "w", "b", "loss");
  const auto fit = [&](const char* truth, const auto& loss, const auto& activation,
                       const Targets& y) {
    const auto model = linea::GeneralisedLinearModel{loss, activation, 0.0}.fit(x, y);
    const auto activation_name = std::decay_t<decltype(activation)>::name;
    const auto loss_name = std::decay_t<decltype(loss)>::name;
    std::printf("%-14.*s%-16.*s%14s%8.2f%8.2f%10.3f\n", static_cast<int>(activation_name.size()),
                activation_name.data(), static_cast<int>(loss_name.size()), loss_name.data(), truth,
                model.weights[0], model.offset, model.objective);
    return lectures::points_of(x.col(0), model.predict(x));
  };
  const linea::Squared squared;
  const Points of_line = fit("2, 1", squared, linea::Identity{}, line);
  const Points of_logistic = fit("2, 1", linea::CrossEntropy{}, sigmoid, classes);
  const Points of_squares = fit("2, 1", squared, sigmoid, classes);
  const Points of_tanh = fit("2, 1", squared, linea::Tanh{}, bounded);
  const Points of_counts = fit("0.8, 0.5", linea::Poisson{}, linea::Exponential{}, counts);

  gallery.draw(
      Figure("parametric_logistic", "Classes 0 and 1: logistic and linear models", "x", "f(x)")
          .with("set xrange [-3.1:2.1]")
          .with("set yrange [-0.6:1.6]")
          .add("samples", style::dots, lectures::points_of(x.col(0), classes))
          .add("sigmoid, cross entropy", style::blue, of_logistic)
          .add("sigmoid, squared", style::green, of_squares)
          .add("linear, squared", style::red,
               lectures::points_of(x.col(0),
                                   linea::GeneralisedLinearModel{squared, linea::Identity{}, 0.0}
                                       .fit(x, classes)
                                       .predict(x))));
  gallery.draw(Figure("parametric_linear", "Linear regression: identity, squared loss", "x", "f(x)")
                   .with("set xrange [-3.1:2.1]")
                   .add("samples", style::dots, lectures::points_of(x.col(0), line))
                   .add("f", style::blue, of_line));
  gallery.draw(Figure("parametric_tanh", "A bounded target: tanh, squared loss", "x", "f(x)")
                   .with("set xrange [-3.1:2.1]")
                   .add("samples", style::dots, lectures::points_of(x.col(0), bounded))
                   .add("f", style::blue, of_tanh));
  gallery.draw(Figure("parametric_poisson", "Counts: exponential, Poisson loss", "x", "f(x)")
                   .with("set xrange [-3.1:2.1]")
                   .with("set yrange [-0.3:]")
                   .add("samples", style::dots, lectures::points_of(x.col(0), counts))
                   .add("f", style::blue, of_counts));
}

/// Prints the likelihood of the labels, equation (21) of the notes, under several models. The
/// fitted model maximises it.
void labelling() {
  const Samples hours = Eigen::VectorXd::LinSpaced(10, 0.5, 5);
  const Targets passed{{0, 0, 0, 1, 0, 1, 0, 1, 1, 1}};
  const auto model =
      linea::GeneralisedLinearModel{linea::CrossEntropy{}, linea::Sigmoid{}, 0.0}.fit(hours,
                                                                                      passed);
  std::printf("\nLikelihood of ten labels under g(w x + b)\n%22s%12s%16s%16s\n", "w, b",
              "likelihood", "log-likelihood", "mean loss");
  const auto row = [&](double w, double b) {
    auto other = model;
    other.weights[0] = w;
    other.offset = b;
    const Targets q = other.predict(hours);
    std::printf("%14.2f,%7.2f%12.6f%16.3f%16.3f\n", w, b, linea::likelihood(q, passed),
                linea::log_likelihood(q, passed), linea::log_loss(q, passed));
  };
  const double w = model.weights[0];
  const double b = model.offset;
  row(w, b);
  row(0, 0);
  row(2 * w, 2 * b);
  row(w, b + 0.5);
}

/// Runs the perceptron, equation (28) of the notes: targets 0 and 1, a hard threshold, a small
/// random start, no learning rate.
void threshold_perceptron(const Gallery& gallery) {
  const auto clouds = lectures::two_clouds(40, {1.6, 1.1}, 0.8, 5);
  const Targets y = (clouds.y.array() + 1) / 2;
  const linea::ThresholdPerceptron perceptron{.epochs = 1000};
  Figure figure("parametric_threshold", "A separator for each random start", "x₁", "x₂");
  figure.with("set size ratio -1").with("set xrange [-4:4]").with("set yrange [-3:3]");
  lectures::add_classes(figure, clouds.x, y, "1", "0");
  std::printf("\nPerceptron with a hard threshold on 0 and 1, from small random weights\n");
  const std::string_view looks[] = {style::black, style::orange, style::green};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto found = perceptron.fit(clouds.x, y, linea::random_start<double>(2, seed));
    std::printf("  40 points, start %d: %td mistake%s, ", static_cast<int>(seed), found.mistakes,
                found.mistakes == 1 ? "" : "s");
    print_status(found.status);
    figure.add("separator from start " + std::to_string(seed), looks[seed - 1],
               lectures::level_line(found.weights, found.offset, 0));
  }
  const Targets exclusive{{0, 1, 1, 0}};
  const auto xor_run = perceptron.fit(corners(), exclusive, linea::random_start<double>(2, 1));
  std::printf("  exclusive or: %td mistakes, ", xor_run.mistakes);
  print_status(xor_run.status);
  gallery.draw(figure);
}

}  // namespace

int main(int argc, char** argv) {
  const Gallery gallery(argc, argv);
  features(gallery);
  learning_rates(gallery);
  vector_outputs();
  updates();
  general_linear_models(gallery);
  labelling();
  threshold_perceptron(gallery);
}

// Output:
//   Quadratic features of (x1, x2) = (2, 3)
//          1      x1      x2   x1 x1   x1 x2   x2 x2
//          1       2       3       4       6       9
//   features of one's own, 1, |x|, x1 - x2: 1, 3.61, -1
//   of 1000 columns with 3 non-zeros, sparse: 501500 columns, 9 entries stored

//   Perceptron on exclusive or
//     x1, x2 alone:       4000 mistakes, epoch-limit
//     quadratic features: 29 mistakes, converged

//   Gradient descent on squared loss: the loss after k steps
//       rate     k = 1    k = 10   k = 100   status
//      0.001       6.8      6.49      4.12   epoch-limit
//      0.020      6.15       2.5     0.398   epoch-limit
//      0.300     0.655     0.394     0.394   epoch-limit
//      0.800       9.9       415  1.04e+19   diverged
//      0.341     0.494     0.394     0.394   epoch-limit
//   the last is the safe step: the loss rose by more than rounding 0 times

//   Three outputs at once: y = (1 + 2 x1 - x2, 3 x2, -x1 - 2) and noise
//     y1 = 1.03 +2.01 x1 -0.96 x2
//     y2 = 0.05 -0.02 x1 +3.01 x2
//     y3 = -1.96 -0.96 x1 -0.03 x2
//   the same as fitted one by one, to within 1e-12: yes

//   What multiplies x in an update, at target 1
//      w.x      linear f - y    logistic f - y        general (f - y) g'
//       -4            -5.000            -0.982                    -0.017
//       -1            -2.000            -0.731                    -0.144
//        0            -1.000            -0.500                    -0.125
//        2             1.000            -0.119                    -0.013
//   the logistic one is g(w.x) - y to within 1e-15: yes

//   General linear models f(x) = g(w x + b)
//   g             loss            made with w, b       w       b      loss
//   identity      squared                   2, 1    2.10    1.11     0.595
//   sigmoid       cross-entropy             2, 1    2.39    1.40     0.270
//   sigmoid       squared                   2, 1    2.03    1.30     0.044
//   tanh          squared                   2, 1    2.05    1.00     0.008
//   exponential   poisson               0.8, 0.5    0.80    0.40     0.476

//   Likelihood of ten labels under g(w x + b)
//                     w, b  likelihood  log-likelihood       mean loss
//             1.35,  -3.72    0.013100          -4.335           0.434
//             0.00,   0.00    0.000977          -6.931           0.693
//             2.71,  -7.44    0.005420          -5.218           0.522
//             1.35,  -3.22    0.011024          -4.508           0.451

//   Perceptron with a hard threshold on 0 and 1, from small random weights
//     40 points, start 1: 2 mistakes, converged
//     40 points, start 2: 2 mistakes, converged
//     40 points, start 3: 1 mistake, converged
//     exclusive or: 3997 mistakes, epoch-limit
