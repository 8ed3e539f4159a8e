// SPDX-License-Identifier: MIT
/// \file Fits models with the recipes: classification, regression, class weights, scaling, and λ by
/// cross-validation.
#include <cstdio>
#include <iostream>
#include <linea/all.hpp>
#include <vector>

int main() {
  using namespace linea;
  const auto tumours = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  const auto patients = read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const Matrix<double> x = tumours.x;
  const std::vector<int> y(tumours.y.begin(), tumours.y.end());  // labels may be integers

  // Classify samples of two classes.
  const auto svm = LinearSvm{.lambda = 1e-2}.fit(x, y);
  std::printf("LinearSvm: F %.4f, %s, by %s\n", svm.objective,
              svm.is_proven(1e-6) ? "proven to a millionth" : "not proven", svm.optimizer.data());
  const auto logistic = LogisticRegression{.class_weights = balanced}.fit(x, y);
  const std::vector<double> sample(x.row(0).begin(), x.row(0).end());
  std::printf("LogisticRegression: of one sample, label %g and probability %.3f\n",
              logistic.predict_one(sample), logistic.probability(x.row(0)));
  std::printf("predict(x.row(0)) has %td label\n", logistic.predict(x.row(0)).size());

  // Convert the C of LIBLINEAR and scikit-learn to λ.
  const double lambda = lambda_from_c(1, x.rows());  // 1/(C·n)
  const auto same = LinearSvm{.lambda = lambda}.fit(x, y);
  std::printf("C = 1: lambda %.5f, F %.4f\n", lambda, same.objective);

  // Columns are scaled within each fold, and λ is selected by cross-validation.
  const auto chosen = CrossValidation{.folds = 5}.choose(Standardised{LogisticRegression{}},
                                                         {1e-1, 1e-2, 1e-3}, x, y);
  std::printf("CrossValidation: lambda %g, error %.3f%s\n",
              chosen.lambdas[static_cast<std::size_t>(chosen.best)], chosen.mean[chosen.best],
              chosen.is_at_edge ? ", at the edge of the list" : "");

  // Classify samples of several classes.
  const auto softmax = SoftmaxRegression{}.fit(flowers.x, flowers.y);
  const auto each = OneVsRest{LinearSvm{.threads = 2}}.fit(flowers.x, flowers.y);
  std::printf("iris: accuracy %.3f by softmax, %.3f one against the rest\n",
              accuracy(softmax.predict(flowers.x), flowers.y),
              accuracy(each.predict(flowers.x), flowers.y));

  // Predict numbers.
  const auto lasso = Standardised{Lasso{.lambda = 2}}.fit(patients.x, patients.y);
  std::printf("Lasso: %td of %td weights are not 0\n", (lasso.weights.array() != 0).count(),
              lasso.weights.size());
  const auto high = QuantileRegression{.loss = {.level = 0.9}}.fit(patients.x, patients.y);
  const auto below = (patients.y.array() <= high.predict(patients.x).array()).count();
  std::printf("QuantileRegression: %.2f of the targets lie below the 0.9-quantile\n",
              static_cast<double>(below) / static_cast<double>(patients.y.size()));

  // Use the other recipes.
  const auto squared_hinge = SquaredHingeSvm{.lambda = 1e-2}.fit(x, y);
  const auto few = Standardised{SparseLogisticRegression{.lambda = 1e-2}}.fit(x, y);
  const auto shared = SparseSoftmaxRegression{.lambda = 1e-2}.fit(flowers.x, flowers.y);
  const auto averaged = PerceptronClassifier{.average = true}.fit(x, y);
  std::printf("features that matter: %td of %td\n", (few.weights.array() != 0).count(),
              few.weights.size());
  const auto ridge = Standardised{RidgeRegression{.lambda = 0.1}}.fit(patients.x, patients.y);
  const auto tuned = RidgeRegressionCv{.lambdas = {1, 0.1, 0.01}}.fit(patients.x, patients.y);
  const auto linear = LinearRegression{}.fit(patients.x, patients.y);
  const auto elastic =
      ElasticNetRegression{.lambda = 0.1, .l1_ratio = 0.7}.fit(patients.x, patients.y);
  const auto robust = HuberRegression{.loss = {.delta = 50}}.fit(patients.x, patients.y);
  const auto tube = SupportVectorRegression{.loss = {.epsilon = 10}}.fit(patients.x, patients.y);
  const auto counts = Standardised{PoissonRegression{}}.fit(patients.x, patients.y);
  const auto shares = Standardised{GeneralisedLinearModel{CrossEntropy{}, Sigmoid{}}}.fit(
      patients.x, patients.y / 400);
  for (const bool is_proven : {squared_hinge.is_proven(1e-6), elastic.is_proven(1e-6),
                               robust.is_proven(1e-6), tube.is_proven(1e-6), counts.is_proven(1e-6),
                               shares.is_proven(1e-6), shared.is_proven(1e-6)})
    if (!is_proven) std::puts("not proven");

  // Print a report of the fit, and metrics.
  std::cout << LinearRegression{}.fit(patients.x, patients.y)
            << evaluate(softmax, flowers.x, flowers.y);
}

// Output:
//   LinearSvm: F 0.0990, proven to a millionth, by DualCoordinateAscent
//   LogisticRegression: of one sample, label -1 and probability 0.000
//   predict(x.row(0)) has 1 label
//   C = 1: lambda 0.00176, F 0.0859
//   CrossValidation: lambda 0.01, error 0.021
//   iris: accuracy 0.980 by softmax, 0.967 one against the rest
//   Lasso: 5 of 10 weights are not 0
//   QuantileRegression: 0.90 of the targets lie below the 0.9-quantile
//   features that matter: 9 of 30
//   linear model: 10 weights, 10 not 0; offset -334.567
//     largest: column 8 68.4831, column 1 -22.8596, column 7 6.53383, column 2 5.60296, column 3 1.11681
//     squared + l2 (lambda = 0): 1429.85
//     by Ridge, converged: least squares have a closed form
//   150 samples of 3 labels
//   accuracy                 0.98 (standard error 0.01143)
//   balanced accuracy        0.98
//   F1, mean of labels       0.98
//   ROC AUC, mean of labels  0.9993
//   log loss                 0.04338
//   Brier score              0.02576
//   label  precision  recall      F1  support
//       0          1       1       1       50
//       1     0.9796    0.96  0.9697       50
//       2     0.9608    0.98  0.9703       50
//   true \ predicted   0   1   2
//                  0  50   0   0
//                  1   0  48   2
//                  2   0   1  49
