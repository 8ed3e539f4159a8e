// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <linea/features.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

/// K₀ = 1, the square of the first entry, the norm, how many are not zero.
const auto four = feature_functions(
    [](const auto&) { return 1; }, [](const auto& x) { return x[0] * x[0]; },
    [](const auto& x) { return x.norm(); }, [](const auto& x) { return (x.array() != 0).count(); });

template <class T>
Matrix<T> expected_of(const Matrix<T>& x) {
  Matrix<T> result(x.rows(), 4);
  for (Index i = 0; i < x.rows(); ++i) {
    const Vector<T> row = x.row(i);
    result.row(i) << T(1), row[0] * row[0], row.norm(),
        static_cast<T>((row.array() != T(0)).count());
  }
  return result;
}

using Function = std::function<double(const Vector<double>&)>;

}  // namespace

TEST_CASE("Feature functions: a column for each function, in every layout", "[features]") {
  const auto x = synthetic::features(9, 4, 1, 0.6);
  const auto expected = expected_of(x);
  const Eigen::MatrixXd columns = x;
  CHECK(four.size() == 4);
  CHECK(four.apply(x) == expected);
  CHECK(four.apply(columns) == expected);
  CHECK(four.apply(columns.middleRows(2, 5)) == expected.middleRows(2, 5));
  CHECK(four.apply(x.row(3)) == expected.row(3));
  const Matrix<float> narrow = x.cast<float>();
  const auto of_narrow = four.apply(narrow);
  static_assert(std::is_same_v<decltype(of_narrow), const Matrix<float>>);
  CHECK(of_narrow == expected_of(narrow));
  CHECK(four.apply(Matrix<double>(0, 4)) == Matrix<double>(0, 4));
  CHECK(feature_functions().apply(x) == Matrix<double>(9, 0));
}

TEST_CASE("Feature functions: a sparse row is seen whole, and nothing of the row before it",
          "[features]") {
  const auto x = synthetic::features(20, 5, 2, 0.3);
  const auto expected = expected_of(x);
  SparseMatrix<double> sparse = x.sparseView();
  CHECK(four.apply(sparse) == expected);
  CHECK(four.apply(SparseMatrix<double, Index>(sparse)) == expected);
  CHECK(four.apply(sparse.middleRows(4, 7)) == expected.middleRows(4, 7));
  sparse.reserve(Eigen::VectorXi::Constant(20, 5));
  REQUIRE_FALSE(sparse.isCompressed());
  CHECK(four.apply(sparse) == expected);

  // Out of order, with a stored zero.
  const double values[] = {3, 0, 4, 1};
  const int columns[] = {2, 1, 0, 1};
  const int starts[] = {0, 3, 4};
  const Eigen::Map<const SparseMatrix<double>> untidy(2, 3, 4, starts, columns, values);
  CHECK(four.apply(untidy) == (Matrix<double>(2, 4) << 1, 16, 5, 2, 1, 0, 1, 1).finished());
}

TEST_CASE("Feature functions: a list made at run time is the same map", "[features]") {
  const auto x = synthetic::features(6, 3, 3, 0.7);
  std::vector<Function> list;
  for (Index j = 0; j < 3; ++j) list.push_back([j](const Vector<double>& v) { return v[j]; });
  const auto sum = [](const auto& v) { return v.sum(); };
  list.emplace_back(sum);
  const FeatureFunctions map{list};
  REQUIRE(map.size() == 4);
  Matrix<double> expected(6, 4);
  for (Index i = 0; i < 6; ++i) {
    const Vector<double> row = x.row(i);
    expected.row(i) << x.row(i), row.sum();
  }
  CHECK(map.apply(x) == expected);
  CHECK(map.apply(synthetic::sparse(x)) == expected);
  CHECK(feature_functions(sum).apply(x) == expected.rightCols(1));
  CHECK(FeatureFunctions{std::vector<Function>{}}.apply(x) == Matrix<double>(6, 0));
}

TEST_CASE("Feature functions: each is called once a row, in order", "[features]") {
  std::string calls;
  const auto named = [&calls](char name) {
    return [&calls, name](const Vector<double>& v) {
      calls += name + std::to_string(static_cast<int>(v[0])) + ' ';
      return 0.0;
    };
  };
  const Matrix<double> x = Vector<double>::LinSpaced(3, 1, 3);
  feature_functions(named('f'), named('g')).apply(x);
  CHECK(calls == "f1 g1 f2 g2 f3 g3 ");
}

TEST_CASE("Feature functions: refuse an answer that is not finite, though x need not be",
          "[features]") {
  Matrix<double> x = Matrix<double>::Ones(3, 2);
  x(1, 1) = nan_value;
  const auto is_known = [](const auto& v) { return std::isnan(v[1]) ? 0.0 : 1.0; };
  CHECK(feature_functions(is_known).apply(x) == (Matrix<double>(3, 1) << 1, 0, 1).finished());
  const auto second = [](const auto& v) { return v[1]; };
  const auto map = feature_functions(is_known, second);
  REQUIRE_THROWS_AS(map.apply(x), std::invalid_argument);
  REQUIRE_THROWS_WITH(map.apply(x), "FeatureFunctions::apply: function 1 of row 1 is not finite");
  REQUIRE_THROWS_WITH(map.apply(synthetic::sparse(x)),
                      "FeatureFunctions::apply: function 1 of row 1 is not finite");
  x(1, 1) = 0;
  const auto logarithm = [](const auto& v) { return std::log(v[1]); };
  REQUIRE_THROWS_WITH(FeatureFunctions{std::vector<Function>{logarithm}}.apply(x),
                      "FeatureFunctions::apply: function 0 of row 1 is not finite");
  // Finite where the function computes, but not as a float.
  const auto huge = [](const auto&) { return 1e300; };
  REQUIRE_NOTHROW(feature_functions(huge).apply(x));
  REQUIRE_THROWS_WITH(feature_functions(huge).apply(Matrix<float>(1, 1)),
                      "FeatureFunctions::apply: function 0 of row 0 is not finite");
}

TEST_CASE("Feature functions: refuse a sparse row that names a column twice", "[features]") {
  const double values[] = {1, 2};
  const int columns[] = {1, 1};
  const int starts[] = {0, 2};
  const Eigen::Map<const SparseMatrix<double>> doubled(1, 2, 2, starts, columns, values);
  REQUIRE_THROWS_WITH(four.apply(doubled),
                      "FeatureFunctions::apply: row 0 of x names column 1 twice");
}

TEST_CASE("Feature functions: are what answers a number for a vector", "[features]") {
  const auto name = [](const Vector<double>&) { return std::string(); };
  const auto of_two = [](const Vector<double>&, double) { return 1.0; };
  const auto rounded = [](const Vector<float>&) { return 1; };
  STATIC_REQUIRE(FeatureFunction<Function, double>);
  STATIC_REQUIRE(FeatureFunction<decltype(rounded), float>);
  STATIC_REQUIRE_FALSE(FeatureFunction<decltype(of_two), double>);
  STATIC_REQUIRE_FALSE(FeatureFunction<decltype(name), double>);
}
