// SPDX-License-Identifier: MIT
/// \file The support vector machine and Pegasos (MIT 6.036, week 2): the mistake bound of the
/// perceptron, margins, Figures 1 to 3, the quadratic program and descent to its minimum, and the
/// effect of one wrong label. Writes figures to the folder in the first argument, by default
/// `figures`.
#include <algorithm>  // max
#include <cmath>
#include <cstdio>
#include <lectures/classes.hpp>
#include <linea/core/objective.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <string>
#include <vector>

using lectures::Figure, lectures::Gallery, lectures::Points;
using linea::Index;
using Data = linea::LabelledRows<double>;
namespace style = lectures::style;

namespace {

linea::Objective<linea::Hinge, linea::L2> svm_objective(double lambda) {
  return {linea::Hinge{}, linea::L2{lambda}};
}

auto solve(const Data& data, double lambda, bool offset = true) {
  return linea::SvmQuadraticProgram{.offset = offset}.minimize(svm_objective(lambda), data.x,
                                                               data.y);
}

/// Returns a figure of the plane as in the notes: the classes, the decision boundary, the margin
/// boundaries on both sides, and a circle around each of the given samples.
Figure plane(const char* name, const std::string& title, const Data& data,
             const linea::Vector<double>& theta, double offset, const char* circled,
             const std::vector<Index>& rows) {
  Figure figure(name, title, "x₁", "x₂");
  figure.with("set size ratio -1").with("set xrange [-4.5:4.5]").with("set yrange [-4:4]");
  lectures::add_classes(figure, data.x, data.y);
  figure.add("θ·x + θ₀ = 0", style::black, lectures::level_line(theta, offset, 0));
  figure.add("θ·x + θ₀ = +1", style::dashed_blue, lectures::level_line(theta, offset, 1));
  figure.add("θ·x + θ₀ = −1", style::dashed_red, lectures::level_line(theta, offset, -1));
  return figure.add(circled, style::circled, Points(data.x(rows, Eigen::indexing::all)));
}

std::vector<Index> both(std::vector<Index> rows, const std::vector<Index>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

/// Draws Figure 1 for an arbitrary classifier. Prints margins for it, and for the same classifier
/// with ‖θ‖ twice as large.
void figure_1(const Gallery& gallery, const Data& data) {
  const linea::Vector<double> theta{{0.8, 0.6}};
  std::printf("\nFigure 1: the same boundary, theta = (0.8, 0.6) and twice that\n%8s%10s%12s%12s\n",
              "|theta|", "margin", "violating", "mean hinge");
  for (const double factor : {1.0, 2.0}) {
    const linea::Vector<double> scaled = factor * theta;
    const auto margins = linea::margins(scaled, 0.0, data.x, data.y);
    std::printf("%8.1f%10.2f%12zu%12.3f\n", scaled.norm(), margins.reference,
                margins.violating.size(),
                linea::objective_value(svm_objective(0), data.x, data.y, scaled, 0.0));
  }
  const auto margins = linea::margins(theta, 0.0, data.x, data.y);
  gallery.draw(plane("svm_margins", "Figure 1: decision and margin boundaries", data, theta, 0,
                     "hinge loss > 0", margins.violating));
}

/// Prints the exact minimum for five λ, with the corresponding C. Draws Figure 2 for a small and a
/// large λ.
void figure_2(const Gallery& gallery, const Data& data) {
  std::printf("\nFigure 2: the quadratic program for lambda and for C = 1/(lambda n)\n");
  std::printf("%8s%9s%9s%9s%9s%12s%11s%10s\n", "lambda", "C", "|theta|", "margin", "F",
              "mean slack", "violating", "on margin");
  double difference = 0;
  double gap = 0;
  const auto n = static_cast<double>(data.x.rows());
  for (const double lambda : {0.001, 0.01, 0.1, 1.0, 10.0}) {
    const auto svm = solve(data, lambda);
    const auto margins = linea::margins(svm, data.x, data.y);
    std::printf("%8.3f%9.3f%9.3f%9.3f%9.3f%12.3f%11zu%10zu\n", lambda,
                linea::c_from_lambda(lambda, data.x.rows()), svm.weights.norm(), margins.reference,
                svm.objective, svm.slacks.sum() / n, margins.violating.size(),
                margins.touching.size());
    const Eigen::ArrayXd hinge = (1 - margins.agreements.array()).max(0);
    difference = std::max(difference, (svm.slacks.array() - hinge).abs().maxCoeff());
    gap = std::max(gap, *svm.gap / svm.objective);
    const auto circled = both(margins.violating, margins.touching);
    if (lambda == 0.001)
      gallery.draw(plane("svm_small_lambda", "Figure 2 a: λ = 0.001", data, svm.weights, svm.offset,
                         "violating or on the margin", circled));
    if (lambda == 1)
      gallery.draw(plane("svm_large_lambda", "Figure 2 b: λ = 1", data, svm.weights, svm.offset,
                         "violating or on the margin", circled));
  }
  std::printf("slacks are the hinge losses, to within 1e-8: %s; F is least, to within 1e-8: %s\n",
              difference < 1e-8 ? "yes" : "no", gap < 1e-8 ? "yes" : "no");
}

/// Compares Algorithm 1 with the minimum, for η = 1/t, as in the notes, and for η = 1/(λt).
void pegasos(const Gallery& gallery, const Data& data) {
  constexpr double lambda = 0.1;
  const double least = solve(data, lambda, false).objective;
  std::printf("\nPegasos without offset, lambda = %.1f: the least F is %.4f\n%9s%18s%18s\n", lambda,
              least, "epochs", "step 1/t", "step 1/(lambda t)");
  Points printed(14, 2);
  Points scaled(14, 2);
  const auto objective = svm_objective(lambda);
  for (Index k = 0; k < printed.rows(); ++k) {
    const Index epochs = Index{1} << k;
    const auto by_print =
        linea::LecturePegasos{.epochs = epochs, .tolerance = 0, .offset = false, .seed = 1}
            .minimize(objective, data.x, data.y);
    const auto by_paper =
        linea::BasicPegasos<linea::InverseLambda, linea::WithReplacement>{
            .epochs = epochs, .tolerance = 0, .offset = false, .seed = 1}
            .minimize(objective, data.x, data.y);
    printed.row(k) << static_cast<double>(epochs), by_print.objective - least;
    scaled.row(k) << static_cast<double>(epochs), by_paper.objective - least;
    if (k % 4 == 0 || k == printed.rows() - 1)
      std::printf("%9td%18.4f%18.4f\n", epochs, by_print.objective, by_paper.objective);
  }
  gallery.draw(Figure("svm_pegasos", "Pegasos nears the minimum of the quadratic program", "epochs",
                      "F of the best iterate above the minimum")
                   .with("set logscale xy")
                   .with("set format y '%h'")
                   .add("η = 1/t, Algorithm 1", style::blue, printed)
                   .add("η = 1/(λt)", style::orange, scaled));
}

double degrees_between(const linea::Vector<double>& a, const linea::Vector<double>& b) {
  return std::acos(std::min(1.0, a.dot(b) / (a.norm() * b.norm()))) * 180 / 3.141592653589793;
}

/// Draws Figure 3, and the same samples with one label flipped.
void figure_3(const Gallery& gallery) {
  const Data data = lectures::two_clouds(30, {1.6, 1.2}, 0.8, 4);
  const linea::MaximumMargin maximum_margin;
  const auto separator = maximum_margin.fit(data.x, data.y);
  const auto margins = linea::margins(separator, data.x, data.y);
  std::printf("\nFigure 3: maximum margin %.3f, %zu support vectors, %zu samples on the margin\n",
              separator.margin, separator.support.size(), margins.touching.size());
  gallery.draw(plane("svm_maximum_margin", "Figure 3: maximum margin linear separator", data,
                     separator.weights, separator.offset, "support vectors", separator.support));

  // Find the flip that leaves the smallest margin, and count the flips that make the data
  // inseparable.
  Data closest = data;
  double least = separator.margin;
  Index inseparable = 0;
  for (Index i = 0; i < data.x.rows(); ++i) {
    Data flipped = data;
    flipped.y[i] = -flipped.y[i];
    const auto found = maximum_margin.fit(flipped.x, flipped.y);
    inseparable += found.separability == linea::Separability::not_separable;
    if (found.separability == linea::Separability::separable && found.margin < least) {
      least = found.margin;
      closest = flipped;
    }
  }
  std::printf("one label flipped: %td of %td times the data are not separable, and it says so\n",
              inseparable, data.x.rows());
  const auto moved = maximum_margin.fit(closest.x, closest.y);
  std::printf("else the separator turns by up to %.0f degrees, its margin falls to %.3f\n",
              degrees_between(separator.weights, moved.weights), moved.margin);
  Figure flipped = plane("svm_one_flipped", "The same samples with one label flipped", closest,
                         moved.weights, moved.offset, "support vectors", moved.support);
  gallery.draw(flipped.add("as it was before", style::grey,
                           lectures::level_line(separator.weights, separator.offset, 0)));
  const auto soft = solve(data, 0.1);
  const auto soft_moved = solve(closest, 0.1);
  std::printf(
      "the support vector machine with lambda = 0.1 turns by %.1f degrees, its margin is %.2f\n",
      degrees_between(soft.weights, soft_moved.weights), 1 / soft_moved.weights.norm());
}

/// Returns n points of ten coordinates, at a distance of at least `gap` from a hyperplane through
/// the origin. The label of a point is its side of the hyperplane.
Data separable(Index n, double gap) {
  linea::Random random(1);
  Data data{linea::Matrix<double>(n, 10), linea::Vector<double>(n)};
  for (Index i = 0; i < n;) {
    for (Index j = 0; j < 10; ++j) data.x(i, j) = lectures::normal(random);
    const double distance = (data.x(i, 0) - data.x(i, 1) + data.x(i, 2) - data.x(i, 3)) / 2;
    data.y[i] = distance > 0 ? 1 : -1;
    i += std::abs(distance) >= gap;  // a point that is too near is drawn again
  }
  return data;
}

/// Counts the mistakes of the perceptron until the first 100 samples are all correct, and then
/// those on 1000 new samples, each learnt when it arrives.
void perceptron_bound() {
  std::printf("Perceptron without offset: at most (R/gamma)^2 mistakes on all samples\n");
  std::printf("%8s%8s%14s%12s%12s\n", "R", "gamma", "(R/gamma)^2", "training", "afterwards");
  for (const double gap : {1.5, 1.0, 0.5, 0.1}) {
    const Data all = separable(1100, gap);
    const double gamma = linea::MaximumMargin{.offset = false}.fit(all.x, all.y).margin;
    const double radius = all.x.rowwise().norm().maxCoeff();

    const linea::Matrix<double> first = all.x.topRows(100);
    const linea::Vector<double> labels = all.y.head(100);
    auto learner = linea::Perceptron{.offset = false}.start<double>(10);
    for (Index before = -1; before < learner.mistakes();) {
      before = learner.mistakes();
      learner.epoch(first, labels);
    }
    const Index training = learner.mistakes();
    for (Index i = 100; i < all.x.rows(); ++i) learner.update(all.x.row(i), all.y[i]);
    std::printf("%8.2f%8.2f%14.0f%12td%12td\n", radius, gamma, std::pow(radius / gamma, 2),
                training, learner.mistakes() - training);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Gallery gallery(argc, argv);
  perceptron_bound();
  const auto mixed = lectures::two_clouds(60, {1.2, 0.9}, 1, 2);
  figure_1(gallery, mixed);
  figure_2(gallery, mixed);
  pegasos(gallery, mixed);
  figure_3(gallery);
}

// Output:
//   Perceptron without offset: at most (R/gamma)^2 mistakes on all samples
//          R   gamma   (R/gamma)^2    training  afterwards
//       5.54    1.50            14           2           2
//       5.54    1.00            31           6           0
//       5.48    0.51           117           7           4
//       5.72    0.11          2542          16          39
//
//   Figure 1: the same boundary, theta = (0.8, 0.6) and twice that
//    |theta|    margin   violating  mean hinge
//        1.0      1.00          18       0.156
//        2.0      0.50          10       0.089
//
//   Figure 2: the quadratic program for lambda and for C = 1/(lambda n)
//     lambda        C  |theta|   margin        F  mean slack  violating on margin
//      0.001   16.667    3.640    0.275    0.062       0.055          3         3
//      0.010    1.667    2.134    0.469    0.095       0.073          6         3
//      0.100    0.167    1.167    0.857    0.201       0.133         15         3
//      1.000    0.017    0.572    1.749    0.443       0.279         36         2
//     10.000    0.002    0.149    6.726    0.889       0.779         60         0
//   slacks are the hinge losses, to within 1e-8: yes; F is least, to within 1e-8: yes
//
//   Pegasos without offset, lambda = 0.1: the least F is 0.2014
//      epochs          step 1/t step 1/(lambda t)
//           1            0.2074            0.2029
//          16            0.2021            0.2021
//         256            0.2016            0.2014
//        4096            0.2014            0.2014
//        8192            0.2014            0.2014
//
//   Figure 3: maximum margin 0.819, 2 support vectors, 2 samples on the margin
//   one label flipped: 22 of 30 times the data are not separable, and it says so
//   else the separator turns by up to 37 degrees, its margin falls to 0.056
//   the support vector machine with lambda = 0.1 turns by 0.8 degrees, its margin is 1.16
