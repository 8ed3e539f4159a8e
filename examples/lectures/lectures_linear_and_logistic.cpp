// SPDX-License-Identifier: MIT
/// \file Linear and logistic learners (Poole and Mackworth, "Artificial Intelligence", section
/// 7.3.2): the sigmoid, Examples 7.11 to 7.13, variants of descent, and several classes by
/// indicator variables. Writes figures to the folder in the first argument, by default `figures`.
#include <algorithm>  // max
#include <cmath>
#include <cstdio>
#include <lectures/classes.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/losses/absolute.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipes.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <string>
#include <vector>

using lectures::Figure, lectures::Gallery, lectures::Points;
using linea::Index;
using Samples = linea::Matrix<double>;
using Targets = linea::Vector<double>;
namespace style = lectures::style;

namespace {

/// The squared error of the output q of the sigmoid. Its gradient contains the factor q(1 − q).
const linea::Objective squared_error{linea::Composed{linea::Squared{}, linea::Sigmoid{}},
                                     linea::NoPenalty{}};
const linea::Objective log_loss{linea::SigmoidCrossEntropy{}, linea::NoPenalty{}};

/// Returns the learner of the book's Figure 7.10, which starts from zero and makes a fixed number
/// of sweeps with a constant step. With the order Cyclic it is incremental gradient descent; with a
/// random order it is stochastic gradient descent.
template <class Order = linea::Cyclic>
linea::BasicSgd<linea::ConstantStep, Order> learner(Index sweeps, double step) {
  return {.epochs = sweeps,
          .tolerance = 0,
          .step = {step},
          .iterate = linea::Iterate::last,
          .retries = 0,
          .seed = 1};
}

Targets sigmoid(const Targets& scores) {
  return scores.unaryExpr([](double score) { return linea::Sigmoid{}.value(score); });
}

void figure_7_9(const Gallery& gallery) {
  constexpr Index count = 201;
  Points value(count, 2);
  Points slope(count, 2);
  for (Index k = 0; k < count; ++k) {
    const double x = static_cast<double>(k - 100) / 10;
    value.row(k) << x, linea::Sigmoid{}.value(x);
    slope.row(k) << x, linea::Sigmoid{}.derivative(x);
  }
  gallery.draw(Figure("logistic_sigmoid", "Figure 7.9: the sigmoid", "x", "sigmoid(x)")
                   .add("1/(1 + exp(−x))", style::blue, value)
                   .add("its derivative, sigmoid·(1 − sigmoid)", style::dashed, slope));
}

template <class Solution>
void print_reading(const char* name, const Solution& solution) {
  std::printf("%-28s%8.2f", name, solution.offset);
  for (const double weight : solution.weights) std::printf("%8.2f", weight);
  std::printf("\n");
}

/// Learns Example 7.11. The book does not use Home as a feature; with Home the weights differ.
void example_7_11(const Gallery& gallery) {
  const auto reading = linea::read_csv<double>(LINEA_EXAMPLES_DATA "/reading.csv");
  Samples x(reading.x.rows(), 3);  // the columns of the file are Known, New, Short, Home
  x << reading.x.col(2), reading.x.col(1), reading.x.col(0);
  Samples with_home(x.rows(), 4);
  with_home << x, reading.x.col(3);

  std::vector<double> squares_by_sweep;
  std::vector<double> log_by_sweep;
  const auto learn = learner(3000, 0.05);
  const auto squares = learn.minimize(squared_error, x, reading.y, [&](const linea::Progress& p) {
    squares_by_sweep.push_back(p.objective());
  });
  const auto logistic = learn.minimize(log_loss, x, reading.y, [&](const linea::Progress& p) {
    log_by_sweep.push_back(p.objective());
  });
  std::printf("Example 7.11: 3000 sweeps over 18 examples, step 0.05\n%-28s%8s%8s%8s%8s%8s\n", "",
              "offset", "Short", "New", "Known", "Home");
  print_reading("squared error", squares);
  print_reading("squared error, with Home", learn.minimize(squared_error, with_home, reading.y));
  print_reading("log loss", logistic);

  const auto signs = learn.minimize(linea::Objective{linea::Log{}, linea::NoPenalty{}}, x,
                                    Targets(2 * reading.y.array() - 1));
  const double apart = std::max((signs.weights - logistic.weights).cwiseAbs().maxCoeff(),
                                std::abs(signs.offset - logistic.offset));
  std::printf("targets -1 and +1 give the same weights, to within 1e-9: %s\n",
              apart < 1e-9 ? "yes" : "no");

  int agreed = 0;
  for (int k = 0; k < 8; ++k) {
    const bool is_short = k & 1;
    const bool is_new = k & 2;
    const bool is_known = k & 4;
    const Eigen::Vector3d sample(is_short, is_new, is_known);
    const bool reads = is_short && (is_new || is_known);
    agreed += (squares.weights.dot(sample) + squares.offset > 0) == reads;
    agreed += (logistic.weights.dot(sample) + logistic.offset > 0) == reads;
  }
  std::printf("of the 8 kinds of articles, both say \"Short and (New or Known)\" on %d\n",
              agreed / 2);

  gallery.draw(
      Figure("logistic_reading", "Example 7.11: what each descent minimises", "sweeps",
             "mean error")
          .with("set logscale xy")
          .with("set format y '%h'")
          .add("½ squared error of the sigmoid", style::blue, lectures::numbered(squares_by_sweep))
          .add("log loss of the sigmoid", style::red, lectures::numbered(log_by_sweep)));
}

/// Returns all corners of the unit square or cube, (2^d × d).
Samples corners(Index d) {
  Samples x(Index{1} << d, d);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < d; ++j) x(i, j) = static_cast<double>(i >> (d - 1 - j) & 1);
  return x;
}

/// Returns the edges of the unit cube as one path, which visits some of them twice.
Points cube_edges() {
  Points path(17, 3);
  path << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1,
      1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0;
  return path;
}

/// Prints whether a Boolean function is linearly separable, and the log loss of a logistic learner
/// after 100, 1000 and 10,000 sweeps. Draws the function.
template <class Function>
void boolean(const Gallery& gallery, const char* name, const char* file, Index d,
             const Function& function) {
  const Samples x = corners(d);
  Targets y(x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    y[i] = function(x(i, 0) > 0, x(i, 1) > 0, d > 2 && x(i, d - 1) > 0) ? 1 : 0;
  const auto separator = linea::MaximumMargin{}.fit(x, 2 * y.array() - 1);
  const std::string_view separable = linea::name_of(separator.separability);
  std::printf("%-22s%-15.*s%6.2f", name, static_cast<int>(separable.size()), separable.data(),
              separator.margin);
  for (const Index sweeps : {100, 1000, 10000})
    std::printf("%10.3f", learner(sweeps, 0.5).minimize(log_loss, x, y).objective);
  std::printf("\n");

  Figure figure(file, std::string("Figure 7.11: ") + name, d == 2 ? "x₁" : "x",
                d == 2 ? "x₂" : "y");
  if (d == 2) {
    figure.with("set size ratio -1").with("set xrange [-0.5:1.5]").with("set yrange [-0.5:1.5]");
    figure.with("set tics 1");
  } else {
    figure.with("set zlabel 'z'")
        .with("set xyplane at 0")
        .with("set view 65,25")
        .with("set border 0");
    figure.with("set tics 1").with("set xrange [-0.1:1.1]").with("set yrange [-0.1:1.1]");
    figure.with("set zrange [0:1.1]").with("unset grid").add("", style::grey, cube_edges());
  }
  lectures::add_classes(figure, x, y, "true", "false");
  if (separator.separability == linea::Separability::separable)
    figure.add("linear separator", style::dashed,
               lectures::level_line(separator.weights, separator.offset, 0));
  gallery.draw(figure);
}

void example_7_12(const Gallery& gallery) {
  std::printf("\nExample 7.12: the log loss of a logistic learner after so many sweeps\n");
  std::printf("%-22s%-15s%6s%10d%10d%10d\n", "function", "", "margin", 100, 1000, 10000);
  boolean(gallery, "or", "logistic_or", 2, [](bool a, bool b, bool) { return a || b; });
  boolean(gallery, "and", "logistic_and", 2, [](bool a, bool b, bool) { return a && b; });
  boolean(gallery, "exclusive or", "logistic_xor", 2, [](bool a, bool b, bool) { return a != b; });
  boolean(gallery, "if x then y else z", "logistic_if_then_else", 3,
          [](bool a, bool b, bool c) { return a ? b : c; });
}

void example_7_13() {
  const auto holidays = linea::read_csv<double>(LINEA_EXAMPLES_DATA "/holidays.csv");
  const auto found = learner(10000, 0.05).minimize(squared_error, holidays.x, holidays.y);
  const auto rounded = [](double weight) {
    return std::abs(weight) < 0.05 ? std::round(100 * weight) / 100 : std::round(10 * weight) / 10;
  };
  const Targets book_weights = found.weights.unaryExpr(rounded);
  const Targets lin = (holidays.x * found.weights).array() + found.offset;
  const Targets book_lin = (holidays.x * book_weights).array() + rounded(found.offset);
  const Targets prediction = sigmoid(lin);
  const Targets book_prediction = sigmoid(book_lin);

  std::printf("\nExample 7.13: 10,000 sweeps over 19 holidays, squared error, step 0.05\nlin = ");
  for (Index j = 0; j < 5; ++j)
    std::printf("%.3f %s + ", found.weights[j],
                holidays.feature_names[static_cast<std::size_t>(j)].c_str());
  std::printf("%.3f\n%52s\n", found.offset, "with the weights rounded");
  for (const auto& name : holidays.feature_names) std::printf("%-8s", name.c_str());
  std::printf("%-5s%8s%8s%10s%10s\n", "Likes", "lin", "Likes^", "lin", "Likes^");
  for (Index i = 0; i < holidays.x.rows(); ++i) {
    for (Index j = 0; j < 5; ++j) std::printf("%-8.0f", holidays.x(i, j));
    std::printf("%-5.0f%8.2f%8.3f%10.2f%10.5f\n", holidays.y[i], lin[i], prediction[i], book_lin[i],
                book_prediction[i]);
  }
  int unsure = 0;
  int right = 0;
  for (Index i = 0; i < lin.size(); ++i) {
    const double wrong = std::abs(prediction[i] - holidays.y[i]);
    unsure += std::abs(prediction[i] - 0.5) < 0.05;
    right += wrong < 0.15;
  }
  const auto separability = linea::name_of(
      linea::MaximumMargin{}.fit(holidays.x, 2 * holidays.y.array() - 1).separability);
  std::printf("%d are predicted well, %d at about one half; the data are %.*s\n", right, unsure,
              static_cast<int>(separability.size()), separability.data());
}

/// Compares variants of descent on the mean squared error of a linear function, with the same
/// constant step. Then compares three conditions that end a run.
void descents(const Gallery& gallery) {
  linea::Random random(4);
  constexpr Index n = 64;
  Samples x(n, 2);
  Targets y(n);
  for (Index i = 0; i < n; ++i) {
    x.row(i) << lectures::normal(random), lectures::normal(random);
    y[i] = 1 + 2 * x(i, 0) - x(i, 1) + lectures::normal(random);
  }
  const linea::Objective objective{linea::Squared{}, linea::NoPenalty{}};
  const double least =
      linea::BasicSgd<linea::ConstantStep, linea::Cyclic>{
          .epochs = 2000, .tolerance = 0, .step = {0.3}, .batch = linea::all_samples}
          .minimize(objective, x, y)
          .objective;

  Figure figure("logistic_descents", "Mean squared error by the way of descending, step 0.1",
                "sweeps through the samples", "above the least error");
  figure.with("set logscale y").with("set format y '%h'").with("set yrange [1e-9:10]");
  std::printf("\nLinear regression, step 0.1: half the mean squared error, above the least\n%-34s",
              "sweeps");
  constexpr Index shown[] = {1, 5, 20, 40, 80};
  for (const Index sweep : shown) std::printf("%10td", sweep);
  std::printf("\n");
  const auto run = [&](const char* name, std::string_view look, auto descent) {
    Points course(descent.epochs, 2);
    (void)descent.minimize(objective, x, y, [&](const linea::Progress& progress) {
      course.row(progress.epoch - 1) << static_cast<double>(progress.epoch),
          std::max(progress.objective() - least, 1e-12);
    });
    std::printf("%-34s", name);
    for (const Index sweep : shown) std::printf("%10.1e", course(sweep - 1, 1));
    std::printf("\n");
    figure.add(name, look, std::move(course));
  };
  const auto incremental = learner(80, 0.1);
  auto batched = incremental;
  batched.batch = 8;
  auto growing = incremental;
  growing.batch_growth = 1.15;
  auto gradient = incremental;
  gradient.batch = linea::all_samples;
  run("incremental, in listed order", style::blue, incremental);
  run("stochastic, drawn at random", style::grey, learner<linea::WithReplacement>(80, 0.1));
  run("batches of 8", style::green, batched);
  run("batches growing by 15 % a sweep", style::orange, growing);
  run("gradient descent, all samples", style::black, gradient);
  gallery.draw(figure);

  const auto end = [&](const char* name, const auto& descent) {
    const auto solution = descent.minimize(objective, x, y);
    const std::string_view status = linea::name_of(solution.status);
    std::printf("  %-32s%4td epochs%6td updates   %.*s\n", name, solution.epochs, solution.updates,
                static_cast<int>(status.size()), status.data());
  };
  auto counted = batched;
  counted.max_updates = 100;
  auto low_enough = batched;
  low_enough.target_objective = least + 2e-3;
  auto settled = batched;
  settled.change_tolerance = 1e-6;
  std::printf("batches of 8, ended by\n");
  end("100 updates", counted);
  end("an error 0.002 above the least", low_enough);
  end("a sweep that moves little", settled);
}

/// Fits one line by absolute error and one by squared error. One point in ten is an outlier.
void absolute_and_squared_error(const Gallery& gallery) {
  linea::Random random(6);
  constexpr Index n = 40;
  Samples x(n, 1);
  Targets y(n);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = static_cast<double>(i) / 10 - 2;
    y[i] = 1 + 2 * x(i, 0) + 0.3 * lectures::normal(random) + (i % 10 == 8 ? 12 : 0);
  }
  const linea::BasicSgd<linea::InverseScaling, linea::Shuffled> sgd{
      .epochs = 2000, .tolerance = 0, .step = {0.1, 0.5}};
  const auto absolute = sgd.minimize(linea::Objective{linea::Absolute{}, linea::NoPenalty{}}, x, y);
  const auto squared = sgd.minimize(linea::Objective{linea::Squared{}, linea::NoPenalty{}}, x, y);
  std::printf("\nA line through y = 2x + 1 with four targets 12 too high\n");
  std::printf("absolute error finds y = %.1fx + %.1f\n", absolute.weights[0], absolute.offset);
  std::printf("squared error finds  y = %.1fx + %.1f\n", squared.weights[0], squared.offset);
  const auto errors = [&](const char* name, const auto& solution) {
    const Targets predicted = (x * solution.weights).array() + solution.offset;
    std::printf("%-22s%18.0f%18.0f\n", name, linea::sum_of_absolute_errors(predicted, y),
                linea::sum_of_squared_errors(predicted, y));
  };
  std::printf("%-22s%18s%18s\n", "", "absolute errors", "squared errors");
  errors("sums of the first", absolute);
  errors("sums of the second", squared);
  const auto line = [](const auto& solution) {
    Points ends(2, 2);
    ends << -2, -2 * solution.weights[0] + solution.offset, 2,
        2 * solution.weights[0] + solution.offset;
    return ends;
  };
  Points samples(n, 2);
  samples << x, y;
  gallery.draw(Figure("logistic_absolute", "Absolute error does not follow outliers", "x", "y")
                   .with("set xrange [-2.2:2.2]")
                   .add("samples", style::dots, samples)
                   .add("absolute error", style::blue, line(absolute))
                   .add("squared error", style::red, line(squared)));
}

/// Learns an indicator variable for each species, separately.
void several_classes(const Gallery& gallery) {
  const auto iris = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  const Samples petals = Samples(iris.x).rightCols(2);
  const auto species =
      linea::OneVsRest{linea::LogisticRegression{.lambda = 1e-3}}.fit(petals, iris.y);
  const Samples q = species.probabilities(petals);
  const Targets mode = species.predict(petals);

  std::printf("\nThree species of iris from petal length and width, q_i over the sum of all\n");
  std::printf("%6s%6s%9s%12s%11s%12s%8s\n", "length", "width", "setosa", "versicolor", "virginica",
              "mode", "truth");
  for (const Index i : {0, 50, 70, 133, 149})
    std::printf("%6.1f%6.1f%9.2f%12.2f%11.2f%12.0f%8.0f\n", petals(i, 0), petals(i, 1), q(i, 0),
                q(i, 1), q(i, 2), mode[i], iris.y[i]);
  std::printf("the mode is right for %.2f of %td flowers\n", linea::accuracy(mode, iris.y),
              petals.rows());

  Figure figure("logistic_iris", "Three classes by indicator variables: where each has q = ½",
                "petal length, cm", "petal width, cm");
  figure.with("set xrange [0.5:7.5]").with("set yrange [0:2.8]");
  const char* names[] = {"setosa", "versicolor", "virginica"};
  const std::string_view marks[] = {style::positive, style::dots, style::negative};
  const std::string_view lines[] = {style::dashed_blue, style::dashed, style::dashed_red};
  for (std::size_t k = 0; k < 3; ++k)
    figure.add(names[k], marks[k], lectures::rows_where(petals, [&](Index i) {
                 return iris.y[i] == static_cast<double>(k);
               }));
  for (std::size_t k = 0; k < 3; ++k)
    figure.add(std::string(names[k]) + " or not", lines[k],
               lectures::level_line(species.models[k].weights, species.models[k].offset, 0));
  gallery.draw(figure);
}

}  // namespace

int main(int argc, char** argv) {
  const Gallery gallery(argc, argv);
  figure_7_9(gallery);
  example_7_11(gallery);
  example_7_12(gallery);
  example_7_13();
  descents(gallery);
  absolute_and_squared_error(gallery);
  several_classes(gallery);
}

// Output:
//   Example 7.11: 3000 sweeps over 18 examples, step 0.05
//                                 offset   Short     New   Known    Home
//   squared error                  -8.17    6.88    3.20    2.94
//   squared error, with Home       -7.98    6.89    3.01    3.06   -0.51
//   log loss                      -16.49   13.71    6.49    6.08
//   targets -1 and +1 give the same weights, to within 1e-9: yes
//   of the 8 kinds of articles, both say "Short and (New or Known)" on 8

//   Example 7.12: the log loss of a logistic learner after so many sweeps
//   function                             margin       100      1000     10000
//   or                    separable        0.35     0.046     0.005     0.000
//   and                   separable        0.35     0.075     0.008     0.001
//   exclusive or          not-separable    0.00     0.708     0.708     0.708
//   if x then y else z    not-separable    0.00     0.361     0.354     0.353

//   Example 7.13: 10,000 sweeps over 19 holidays, squared error, step 0.05
//   lin = 2.291 Culture + 0.013 Fly + -9.116 Hot + -4.469 Music + 6.778 Nature + 0.008
//                               with the weights rounded
//   Culture Fly     Hot     Music   Nature  Likes     lin  Likes^       lin    Likes^
//   0       0       1       0       0       0       -9.11   0.000     -9.09   0.00011
//   0       1       1       0       0       0       -9.10   0.000     -9.08   0.00011
//   1       1       1       1       1       0       -4.49   0.011     -4.48   0.01121
//   0       1       1       1       1       0       -6.79   0.001     -6.78   0.00113
//   0       1       1       0       1       0       -2.32   0.090     -2.28   0.09279
//   1       0       0       1       1       1        4.61   0.990      4.61   0.99015
//   0       0       0       0       0       0        0.01   0.502      0.01   0.50250
//   0       0       0       1       1       1        2.32   0.910      2.31   0.90970
//   1       1       1       0       0       0       -6.80   0.001     -6.78   0.00113
//   1       1       0       1       1       1        4.62   0.990      4.62   0.99024
//   1       1       0       0       0       1        2.31   0.910      2.32   0.91052
//   1       0       1       0       1       1       -0.04   0.490      0.01   0.50250
//   0       0       0       1       0       0       -4.46   0.011     -4.49   0.01110
//   1       0       1       1       0       0      -11.29   0.000    -11.29   0.00001
//   1       1       1       1       0       0      -11.27   0.000    -11.28   0.00001
//   1       0       0       1       0       0       -2.17   0.103     -2.19   0.10065
//   1       1       1       0       1       0       -0.03   0.494      0.02   0.50500
//   0       0       0       0       1       1        6.79   0.999      6.81   0.99890
//   0       1       0       0       0       1        0.02   0.505      0.02   0.50500
//   15 are predicted well, 4 at about one half; the data are not-separable

//   Linear regression, step 0.1: half the mean squared error, above the least
//   sweeps                                     1         5        20        40        80
//   incremental, in listed order         4.4e-02   4.4e-02   4.4e-02   4.4e-02   4.4e-02
//   stochastic, drawn at random          1.8e-03   1.1e-01   1.1e-01   9.3e-02   1.5e-01
//   batches of 8                         5.8e-01   1.1e-03   5.3e-04   5.3e-04   5.3e-04
//   batches growing by 15 % a sweep      4.4e-02   4.4e-02   2.2e-03   2.9e-05   3.6e-09
//   gradient descent, all samples        2.7e+00   1.1e+00   5.5e-02   1.5e-03   2.9e-06
//   batches of 8, ended by
//     100 updates                       13 epochs   100 updates   epoch-limit
//     an error 0.002 above the least     5 epochs    40 updates   converged
//     a sweep that moves little         22 epochs   176 updates   settled

//   A line through y = 2x + 1 with four targets 12 too high
//   absolute error finds y = 2.0x + 1.0
//   squared error finds  y = 2.3x + 2.2
//                            absolute errors    squared errors
//   sums of the first                     57               591
//   sums of the second                    86               526

//   Three species of iris from petal length and width, q_i over the sum of all
//   length width   setosa  versicolor  virginica        mode   truth
//      1.4   0.2     0.82        0.18       0.00           0       0
//      4.7   1.4     0.00        0.81       0.19           1       1
//      4.8   1.8     0.00        0.32       0.68           2       1
//      5.1   1.5     0.00        0.52       0.48           1       2
//      5.1   1.8     0.00        0.31       0.69           2       2
//   the mode is right for 0.96 of 150 flowers
