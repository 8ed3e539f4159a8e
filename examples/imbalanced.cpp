// SPDX-License-Identifier: MIT
/// \file A rare class: why accuracy is misleading, and how class weights and the threshold trade
/// recall against precision. Writes the figure to the folder in the first argument, by default
/// `figures`.
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

#include "lectures/figure.hpp"

using namespace linea;

namespace {

/// Returns the tumours with only every tenth malignant one (label -1).
LabelledRows<double> rare() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  LabelledRows<double> kept{Matrix<double>(file.x), file.y};
  Index count = 0, malignant = 0;
  for (Index i = 0; i < file.y.size(); ++i)
    if (file.y[i] > 0 || malignant++ % 10 == 0) {
      kept.x.row(count) = kept.x.row(i).eval();
      kept.y[count++] = file.y[i];
    }
  return {kept.x.topRows(count), kept.y.head(count)};
}

void show(const char* what, const Vector<double>& predicted, const Vector<double>& y) {
  std::printf("%-22s  accuracy %.3f  recall %.2f  precision %.2f\n", what, accuracy(predicted, y),
              recall(predicted, y, -1), precision(predicted, y, -1));
}

}  // namespace

int main(int argc, char** argv) {
  const auto [x, y] = rare();
  const auto [train, test] = split(x, y, {.test_fraction = 0.5, .stratify = true});
  show("always benign", Vector<double>::Ones(test.y.size()), test.y);

  // Use the mean texture alone: with all thirty columns the task would be too easy.
  const auto columns = [](const Matrix<double>& of) { return Matrix<double>(of.middleCols(1, 1)); };
  const Standardised plain{LogisticRegression{.lambda = 1e-3}};
  const auto model = plain.fit(columns(train.x), train.y);
  show("equal sample weights", model.predict(columns(test.x)), test.y);

  const Standardised weighted{LogisticRegression{.lambda = 1e-3, .class_weights = balanced}};
  show("balanced classes", weighted.fit(columns(train.x), train.y).predict(columns(test.x)),
       test.y);

  // Alternatively predict the rare class where its probability is 5 % or more.
  const Vector<double> rare_probability = 1 - model.probabilities(columns(test.x)).array();
  const Vector<double> at_threshold =
      (rare_probability.array() >= 0.05).select(Vector<double>::Constant(test.y.size(), -1), 1.0);
  show("threshold 5 %", at_threshold, test.y);
  std::printf("ROC AUC %.3f\n", roc_auc(rare_probability, test.y, -1));

  const auto curve = ranking_curve(rare_probability, test.y, -1);
  lectures::Figure figure("imbalanced", "A rare class: recall against false positives",
                          "false-positive rate", "recall");
  figure.with("set xrange [0:1]").with("set yrange [0:1.02]");
  figure.add("thresholds", lectures::style::blue,
             lectures::points_of(curve.false_positive_rate, curve.recall));
  figure.add("chance", lectures::style::dashed,
             lectures::points_of(Eigen::Vector2d(0, 1), Eigen::Vector2d(0, 1)));
  lectures::Gallery(argc, argv).draw(figure);
}

// Output:
//   always benign           accuracy 0.942  recall 0.00  precision nan
//   equal sample weights    accuracy 0.942  recall 0.00  precision nan
//   balanced classes        accuracy 0.779  recall 0.73  precision 0.17
//   threshold 5 %           accuracy 0.700  recall 0.82  precision 0.14
//   ROC AUC 0.765
