// SPDX-License-Identifier: MIT
/// \file Empirical risk and stochastic subgradient descent (MIT 6.S064, lecture 3), for classes
/// that no line separates. Writes figures to the folder in the first argument, by default
/// `figures`.
#include <algorithm>  // min
#include <cstdio>
#include <lectures/classes.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/step_size.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <vector>

using lectures::Gallery, lectures::Figure, lectures::Points;
using linea::Index;
namespace style = lectures::style;

namespace {

int rises(const std::vector<double>& values) {
  int count = 0;
  for (std::size_t k = 1; k < values.size(); ++k) count += values[k] > values[k - 1];
  return count;
}

/// Draws the zero-one loss, equation (4) of the notes, and the hinge loss, equation (5), as
/// functions of the agreement z.
void losses(const Gallery& gallery) {
  const linea::ZeroOne zero_one;
  const linea::Hinge hinge;
  std::printf("Losses of the agreement z\n%6s%10s%8s\n", "z", "zero-one", "hinge");
  for (const double z : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5})
    std::printf("%6.1f%10.0f%8.1f\n", z, zero_one.value(z, 1.0), hinge.value(z, 1.0));

  constexpr Index count = 4001;
  Points zero_one_curve(count, 2);
  Points hinge_curve(count, 2);
  int above = 0;
  for (Index k = 0; k < count; ++k) {
    const double z = static_cast<double>(k - 2000) / 1000;
    zero_one_curve.row(k) << z, zero_one.value(z, 1.0);
    hinge_curve.row(k) << z, hinge.value(z, 1.0);
    above += zero_one_curve(k, 1) > hinge_curve(k, 1);
  }
  std::printf("zero-one is above hinge at %d of %td agreements from -2 to 2\n", above, count);
  gallery.draw(Figure("risk_losses", "Losses of the agreement", "agreement z = y θ·x", "loss")
                   .add("zero-one", style::red, zero_one_curve)
                   .add("hinge", style::blue, hinge_curve));
}

void perceptron(const Gallery& gallery, const linea::LabelledRows<double>& data) {
  std::vector<double> errors;
  std::printf("\nPerceptron on %td points that no line separates\n%6s%10s%16s\n", data.x.rows(),
              "epoch", "mistakes", "training error");
  const auto solution = linea::Perceptron{.epochs = 1000, .offset = false}.fit(
      data.x, data.y, [&](const linea::Progress& progress) {
        errors.push_back(progress.objective());
        if (progress.epoch == 1 || progress.epoch == 10 || progress.epoch == 100 ||
            progress.epoch >= 998)
          std::printf("%6td%10td%16.3f\n", progress.epoch, progress.mistakes, progress.objective());
      });
  const std::string_view status = linea::name_of(solution.status);
  std::printf("after %td mistakes it has not settled: %.*s\n", solution.mistakes,
              static_cast<int>(status.size()), status.data());
  errors.resize(100);
  gallery.draw(
      Figure("risk_perceptron", "The perceptron does not settle where nothing separates", "epoch",
             "training error")
          .with("set yrange [0:]")
          .add("share of mistakes after the epoch", style::red, lectures::numbered(errors)));
}

const linea::Objective hinge_risk{linea::Hinge{}, linea::NoPenalty{}};

/// Returns an optimizer for the hinge risk without a penalty: descent whose step k has the size η =
/// 1/(k + 1).
template <class Order>
linea::BasicSgd<linea::InverseTime, Order> descent(Index batch, Index epochs) {
  return {.epochs = epochs,
          .tolerance = 0,
          .offset = false,
          .step = {1, 1},
          .batch = batch,
          .retries = 0,
          .seed = 3};
}

/// Compares equation (8) of the notes, where a step uses all samples, with equation (11), where a
/// step uses one random sample.
void subgradient_descent(const Gallery& gallery, const linea::LabelledRows<double>& data) {
  std::printf("\nSubgradient descent on the hinge risk, step 1/(k + 1)\n%6s%18s%18s%18s\n", "epoch",
              "all samples (8)", "one sample (11)", "its best so far");
  constexpr Index epochs = 1000;
  std::vector<double> batch;
  std::vector<double> current;
  std::vector<double> best;
  (void)descent<linea::Cyclic>(linea::all_samples, epochs)
      .minimize(hinge_risk, data.x, data.y,
                [&](const linea::Progress& progress) { batch.push_back(progress.objective()); });
  const auto solution = descent<linea::WithReplacement>(1, epochs).minimize(
      hinge_risk, data.x, data.y, [&](const linea::Progress& progress) {
        current.push_back(progress.objective());
        best.push_back(best.empty() ? current.back() : std::min(best.back(), current.back()));
      });
  for (const std::size_t epoch : {1U, 2U, 3U, 5U, 10U, 100U, 1000U})
    std::printf("%6zu%18.3f%18.3f%18.3f\n", epoch, batch[epoch - 1], current[epoch - 1],
                best[epoch - 1]);
  std::printf("one sample: the current risk rose %d times, the best so far %d times\n",
              rises(current), rises(best));
  const linea::Vector<double> scores = data.x * solution.weights;
  std::printf("hinge risk %.3f and training error %.2f at (%.2f, %.2f), the best\n",
              linea::empirical_risk(linea::Hinge{}, scores, data.y),
              linea::empirical_risk(linea::ZeroOne{}, scores, data.y), solution.weights[0],
              solution.weights[1]);
  Figure plane("risk_boundary", "The boundary of least hinge risk", "x₁", "x₂");
  plane.with("set size ratio -1").with("set xrange [-16:16]").with("set yrange [-12:12]");
  lectures::add_classes(plane, data.x, data.y);
  gallery.draw(plane.add("decision boundary θ·x = 0", style::black,
                         lectures::level_line(solution.weights, 0, 0)));

  // Repeat equation (11) with one update at a time, to record the risk after each step k. In
  // equation (8) an epoch is one step.
  std::vector<double> by_step;
  std::vector<double> best_by_step;
  auto learner = descent<linea::WithReplacement>(1, 1).start<double>(hinge_risk, data.x.cols());
  linea::Random random(3);
  for (Index k = 1; k <= epochs; ++k) {
    const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(data.x.rows())));
    learner.update(data.x.row(i), data.y[i]);
    by_step.push_back(linea::empirical_risk(
        linea::Hinge{}, linea::Vector<double>(data.x * learner.solution().weights), data.y));
    best_by_step.push_back(k == 1 ? by_step.back() : std::min(best_by_step.back(), by_step.back()));
  }
  gallery.draw(
      Figure("risk_descent", "Hinge risk after each step of size 1/(k + 1)", "step k", "hinge risk")
          .with("set logscale x")
          .with("set yrange [0.3:0.9]")
          .add("one sample a step (11), current", style::grey, lectures::numbered(by_step))
          .add("one sample a step (11), best so far", style::blue, lectures::numbered(best_by_step))
          .add("all samples a step (8)", style::orange, lectures::numbered(batch)));
}

/// Prints which step sizes satisfy the conditions of Robbins and Monro: Ση = ∞, so that descent
/// reaches the minimum from any start, and Ση² < ∞, so that the noise dies out.
void step_sizes() {
  std::printf("\nSteps and the condition of Robbins and Monro\n%-10s%14s%24s%8s\n", "step",
              "sum infinite", "sum of squares finite", "both");
  const auto said = [](bool is) { return is ? "yes" : "no"; };
  const auto row = [&](const char* name, const linea::StepSeries auto& step) {
    std::printf("%-10s%14s%24s%8s\n", name, said(step.sum_diverges()),
                said(step.sum_of_squares_converges()), said(linea::satisfies_robbins_monro(step)));
  };
  row("1/(k + 1)", linea::InverseTime{1, 1});
  row("constant", linea::ConstantStep{0.1});
  row("1/sqrt(k)", linea::InverseScaling{1, 0.5});
  row("k^-0.75", linea::InverseScaling{1, 0.75});
}

}  // namespace

int main(int argc, char** argv) {
  const Gallery gallery(argc, argv);
  const auto data = lectures::two_clouds(100, {3.6, 2.4}, 4, 1);
  losses(gallery);
  perceptron(gallery, data);
  subgradient_descent(gallery, data);
  step_sizes();
}

// Output:
//   Losses of the agreement z
//        z  zero-one   hinge
//     -2.0         1     3.0
//     -1.0         1     2.0
//     -0.5         1     1.5
//      0.0         1     1.0
//      0.5         0     0.5
//      1.0         0     0.0
//      1.5         0     0.0
//   zero-one is above hinge at 0 of 4001 agreements from -2 to 2

//   Perceptron on 100 points that no line separates
//    epoch  mistakes  training error
//        1        25           0.300
//       10        23           0.160
//      100        19           0.210
//      998        22           0.200
//      999        23           0.330
//     1000        25           0.180
//   after 22724 mistakes it has not settled: epoch-limit

//   Subgradient descent on the hinge risk, step 1/(k + 1)
//    epoch   all samples (8)   one sample (11)   its best so far
//        1             0.813             0.452             0.452
//        2             0.770             0.406             0.406
//        3             0.743             0.413             0.406
//        5             0.707             0.403             0.403
//       10             0.660             0.404             0.402
//      100             0.519             0.402             0.402
//     1000             0.421             0.402             0.402
//   one sample: the current risk rose 488 times, the best so far 0 times
//   hinge risk 0.402 and training error 0.16 at (0.28, 0.24), the best

//   Steps and the condition of Robbins and Monro
//   step        sum infinite   sum of squares finite    both
//   1/(k + 1)            yes                     yes     yes
//   constant             yes                      no      no
//   1/sqrt(k)            yes                      no      no
//   k^-0.75              yes                     yes     yes
