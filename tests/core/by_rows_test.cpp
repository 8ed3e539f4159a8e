// SPDX-License-Identifier: MIT
/// \file Functions that take samples accept column-major sparse samples, and give the same bits as
/// for the same samples stored by rows.
#include <cstdint>
#include <linea/all.hpp>
#include <linea/io/write_libsvm.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/shipped.hpp"

using namespace linea;

namespace {

/// Returns a sparse matrix with about a third of the entries of x. Row 3 and column 4 are empty.
template <class T>
SparseMatrix<T> thinned(const Matrix<double>& x) {
  SparseMatrix<T> sparse(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      if (i != 3 && j != 4 && (i + 2 * j) % 3 == 0) sparse.insert(i, j) = static_cast<T>(x(i, j));
  return sparse;
}

/// Calls f with x in several types of column-major matrices.
template <class T, class F>
void in_columns(const SparseMatrix<T>& x, const F& f) {
  using Columns = Eigen::SparseMatrix<T>;
  const Columns columns = x;
  f(columns);
  Columns loose = columns;
  loose.reserve(Eigen::VectorXi::Constant(static_cast<int>(x.cols()), 3));
  REQUIRE_FALSE(loose.isCompressed());
  f(std::as_const(loose));
  f(Eigen::Ref<const Columns>(columns));
  f(Eigen::Map<const Columns>(x.rows(), x.cols(), columns.nonZeros(), columns.outerIndexPtr(),
                              columns.innerIndexPtr(), columns.valuePtr()));
  Columns wider(x.rows(), x.cols() + 3);
  wider.middleCols(2, x.cols()) = columns;
  f(wider.middleCols(2, x.cols()));
  f(Eigen::SparseMatrix<T, Eigen::ColMajor, std::int64_t>(columns));
}

/// Collects scalars, vectors and matrices in one list of numbers.
struct Answers {
  std::vector<double> all{};

  template <class V>
  void operator()(const V& numbers) {
    if constexpr (std::is_arithmetic_v<V>)
      all.push_back(static_cast<double>(numbers));
    else
      for (Index j = 0; j < numbers.cols(); ++j)
        for (Index i = 0; i < numbers.rows(); ++i)
          all.push_back(static_cast<double>(numbers(i, j)));
  }
};

}  // namespace

TEST_CASE("Column-major sparse samples by rows: the same entries, columns ascending", "[rows]") {
  const SparseMatrix<double> x = thinned<double>(shipped::breast_cancer().x);
  in_columns(x, [&](const auto& columns) {
    const auto rows = detail::by_rows(columns);
    CHECK(rows.isCompressed());
    CHECK(same_bits(SparseMatrix<double>(rows), x));
    CHECK(rows_of(columns).all_ascending());
    const auto copy = rows_of(columns);  // the copy owns the rows that it reads
    const auto moved = rows_of(Eigen::SparseMatrix<double>(x)).relative_to(nullptr);
    CHECK(copy.squared_norm(7) == rows_of(x).squared_norm(7));
    CHECK(moved.squared_norm(7) == rows_of(x).squared_norm(7));
  });
  CHECK(&detail::by_rows(x) == &x);
  CHECK(detail::by_rows(Eigen::SparseMatrix<float>(0, 3)).cols() == 3);
  CHECK(detail::by_rows(Eigen::SparseMatrix<float>(2, 0)).rows() == 2);
}

TEST_CASE("Column-major sparse samples of foreign arrays are read within their bounds", "[rows]") {
  struct Case {
    int starts[3], rows[3];
    std::string refusal;
  };
  const auto [starts, rows, refusal] = GENERATE(values<Case>({
      {{0, 2, 3}, {0, 2, 1}, "rows_of: column 0 of x names row 2, but x has 2 rows"},
      {{0, 2, 3}, {0, 1, -1}, "rows_of: column 1 of x names row -1, but x has 2 rows"},
      {{0, 2, 1},
       {0, 1, 0},
       "rows_of: column 1 of x overlaps the column before it, or ends behind"},
      {{0, 2, 4},
       {0, 1, 0},
       "rows_of: column 1 of x overlaps the column before it, or ends behind"},
      {{0, 2, 3}, {1, 1, 0}, "fit: row 1 of x names column 0 twice"},
  }));
  const double values[] = {1, 2, 3};
  const Eigen::Map<const Eigen::SparseMatrix<double>> x(2, 2, 3, starts, rows, values);
  CHECK_THAT(test::refusal_of([&] { detail::samples::admit_samples("fit", x, 2, {}); }),
             Catch::Matchers::StartsWith(refusal));
}

TEST_CASE("Column-major sparse samples give the bits of row-major ones", "[rows]") {
  const auto& data = shipped::breast_cancer();
  const SparseMatrix<double> x = thinned<double>(data.x);
  const Vector<double>& y = data.y;
  const Objective objective{Log{}, L2{1e-3}};
  const auto answers = [&](const auto& samples) {
    Answers numbers;
    const auto classifier = Standardised{LogisticRegression{.lambda = 1e-3}}.fit(samples, y);
    numbers(classifier.probabilities(samples, 2));
    numbers(
        CrossValidation{.folds = 2}.choose(LogisticRegression{}, {1e-1, 1e-3}, samples, y).mean);
    const auto solution = Sgd{.epochs = 3}.minimize(objective, samples, y);
    numbers(solution.weights);
    numbers(objective_value(objective, samples, y, solution.weights, solution.offset));
    auto learner = Sgd{}.template start<double>(objective, samples.cols());
    learner.epoch(samples, y, Vector<double>(Vector<double>::LinSpaced(y.size(), 0, 2)));
    numbers(learner.solution().weights);
    const auto parts = split(samples, y);
    numbers(Matrix<double>(parts.train.x));
    numbers(Matrix<double>(Polynomial{.interactions_only = true}.apply(parts.test.x)));
    return numbers.all;
  };
  const auto text_of = [&](const auto& samples) {
    std::ostringstream text;
    write_libsvm(text, samples, y);
    return text.str();
  };
  const Eigen::SparseMatrix<double> columns = x;
  CHECK(answers(columns) == answers(x));
  CHECK(text_of(columns) == text_of(x));
}
