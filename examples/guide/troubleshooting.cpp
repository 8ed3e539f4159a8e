// SPDX-License-Identifier: MIT
/// \file The code of docs/troubleshooting.md: errors and their fixes.
#include <iostream>
#include <limits>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <stdexcept>

using namespace linea;

/// Prints the error message of the call, or "not refused".
template <class Call>
void show_refusal(const Call& call) {
  try {
    call();
    std::cout << "not refused\n";
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << '\n';
  }
}

void input(const Matrix<double>& x, const Vector<double>& y) {
  const Matrix<double> columns = x.transpose();
  show_refusal([&] { (void)LogisticRegression{}.fit(columns, y); });
  const Matrix<double> rows = columns.transpose();
  (void)LogisticRegression{}.fit(rows, y);

  const Vector<double> zero_or_one = (y.array() + 1) / 2;
  const Objective objective{Hinge{}, L2{1e-3}};
  show_refusal([&] { (void)Sgd{}.minimize(objective, x, zero_or_one); });
  const ClassLabels labels(zero_or_one);
  const auto svm = DualCoordinateAscent{}.minimize(objective, x, labels.encode(zero_or_one));

  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  show_refusal([&] { (void)LogisticRegression{}.fit(flowers.x, flowers.y); });
  const auto softmax = SoftmaxRegression{}.fit(flowers.x, flowers.y);
  const auto each = OneVsRest{LinearSvm{}}.fit(flowers.x, flowers.y);

  Matrix<double> holes = x;
  holes(17, 4) = std::numeric_limits<double>::quiet_NaN();
  show_refusal([&] { (void)LogisticRegression{}.fit(holes, y); });
  Matrix<double> far = x;
  far(17, 4) = 1e200;
  show_refusal([&] { (void)LogisticRegression{}.fit(far, y); });
  for (Index j = 0; j < holes.cols(); ++j) {
    const auto column = holes.col(j).array();
    const double known = (!column.isNaN()).cast<double>().sum();
    const double mean = column.isNaN().select(0.0, column).sum() / known;
    holes.col(j) = column.isNaN().select(mean, column).eval();
  }
  (void)LogisticRegression{}.fit(holes, y);

  const auto model = LogisticRegression{}.fit(x, y);
  const Matrix<double> narrow = x.leftCols(29);
  show_refusal([&] { (void)model.predict(narrow); });
}

void scores(const Matrix<double>& x, const Vector<double>& y) {
  const auto constant = Standardised{LogisticRegression{.lambda = 1e3}}.fit(x, y);
  std::cout << "labels from " << constant.predict(x).minCoeff() << " to "
            << constant.predict(x).maxCoeff() << '\n';
  const auto chosen =
      CrossValidation{}.choose(Standardised{LogisticRegression{}}, log_spaced(1e-1, 1e-6, 6), x, y);
  std::cout << "lambda " << chosen.recipe.recipe.lambda << '\n';

  const auto balanced_model = Standardised{LogisticRegression{.class_weights = balanced}}.fit(x, y);
}

void statuses(const Matrix<double>& x, const Vector<double>& y) {
  const Objective objective{Log{}, L2{1e-3}};
  const auto raw = Sgd{.epochs = 20}.minimize(objective, x, y);
  const auto z = standardise(x).apply(x);
  const auto scaled = Sgd{.epochs = 20}.minimize(objective, z, y);
  const auto newton = Newton{}.minimize(objective, x, y);
  std::cout << name_of(raw.status) << ", F " << raw.objective << '\n'
            << name_of(scaled.status) << ", F " << scaled.objective << " of scaled columns\n"
            << name_of(newton.status) << ", F " << newton.objective << '\n';

  std::cout << (raw.gap ? "a gap" : "no gap") << ", "
            << (raw.is_proven(1e-3) ? "proven" : "not proven") << '\n';
  const auto certificate = certify(objective, scaled, z, y);
  std::cout << "at most " << certificate.relative_gap() << " of F above the minimum\n";

  const Objective squared{Squared{}, L2{1e-3}};
  const auto too_long = BasicSgd<ConstantStep>{.step = {10}, .retries = 0}.minimize(squared, z, y);
  const auto automatic = Sgd{}.minimize(squared, z, y);
  std::cout << name_of(too_long.status) << ", then F " << automatic.objective << '\n';

  const Matrix<double> far = x.array() + 1e6;
  const Matrix<float> rounded = far.cast<float>();
  const Matrix<float> centred = (far.rowwise() - far.colwise().mean()).cast<float>();
  const Vector<float> targets = y.cast<float>();
  const auto poor = LinearSvm{.lambda = 1e-6}.fit(rounded, targets);
  const auto good = LinearSvm{.lambda = 1e-6}.fit(centred, targets);
  std::cout << name_of(poor.status) << ", then " << name_of(good.status) << '\n';
}

void penalties(const Matrix<double>& x, const Vector<double>& y) {
  show_refusal([&] { (void)LinearSvm{.lambda = 0}.fit(x, y); });
  const auto unpenalised = LinearSvm{.lambda = 0}.with(InteriorPoint{}).fit(x, y);

  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  const Matrix<double> two = Matrix<double>(flowers.x).topRows(100);
  const Vector<double> kinds = flowers.y.head(100);
  const auto endless = LogisticRegression{.lambda = 0}.fit(two, kinds);
  const auto penalised = LogisticRegression{.lambda = 1e-3}.fit(two, kinds);
  std::cout << "norm " << endless.weights.norm() << ", then " << penalised.weights.norm() << '\n';
}

void files() {
  show_refusal([] { (void)parse_csv<double>("a;b\n1,5;2\n", "mine.csv", {.separator = ';'}); });
  show_refusal([] { (void)parse_csv<double>("a,b\n,2\n", "mine.csv"); });
  const std::string text = "a,b\n1,2\nNA,4\n";
  const auto table = parse_csv<double>(text, "mine.csv", {.missing_values = {"NA", ""}});
  show_refusal([] { (void)parse_libsvm<double>("1 0:2 1:3\n", "mine.svm"); });
  const auto from_zero = parse_libsvm<double>("1 0:2 1:3\n", "mine.svm", {.zero_based = true});
}

int main() {
  const auto tumours = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const Matrix<double> x = tumours.x;
  const Vector<double> y = tumours.y;
  std::cout.precision(3);
  input(x, y);
  scores(x, y);
  statuses(x, y);
  penalties(x, y);
  files();
}

// Output:
//   LogisticRegression::fit: x has 30 rows but y has 569: a sample is a row of x, so pass x.transpose()
//   Sgd::minimize: y(0) = 0 is no target of hinge, which takes -1 or +1: ClassLabels(y).encode(y) turns two labels into these; recipes and OneVsRest take any labels
//   LogisticRegression::fit: two classes are needed, but y has 3; OneVsRest takes more than two
//   Newton::minimize: x(17, 4) is not finite
//   Newton::minimize: x(17, 4) is 1e+200, but magnitudes above 1e150 are refused: use a larger unit
//   LinearModel::scores: x has 29 columns but the model has 30 weights
//   labels from 1 to 1
//   lambda 0.01
//   epoch-limit, F 0.18
//   epoch-limit, F 0.0607 of scaled columns
//   converged, F 0.0909
//   no gap, not proven
//   at most 0.0138 of F above the minimum
//   diverged, then F 0.108
//   precision-limit, then converged
//   Auto::minimize: lambda = 0, but the dual method needs lambda > 0: call InteriorPoint or, for a recipe, .with(InteriorPoint{})
//   norm 160, then 4.24
//   mine.csv:2:1: the cell is not a number, got '1,5'
//   mine.csv:2:1: the cell is empty, got nothing
//   mine.svm:1:3: feature indices begin at 1 unless LibsvmOptions::zero_based, got '0:2'
