// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <linea/features.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/sparse_arrays.hpp"
#include "support/synthetic.hpp"

namespace feature_functions_test {

using namespace linea;
using namespace linea::test;

namespace {

/// Four features of a row x: 1, x₀², the norm of x, and the number of its non-zero entries.
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
  const auto x = synthetic::features(20, 5, 2, 0.3);
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
  CHECK(feature_functions().apply(x) == Matrix<double>(20, 0));
  // The functions receive all entries of a sparse row, and no entries of the previous row.
  SparseMatrix<double> sparse = x.sparseView();
  CHECK(four.apply(sparse) == expected);
  CHECK(four.apply(SparseMatrix<double, Index>(sparse)) == expected);
  CHECK(four.apply(sparse.middleRows(4, 7)) == expected.middleRows(4, 7));
  sparse.reserve(Eigen::VectorXi::Constant(20, 5));
  REQUIRE_FALSE(sparse.isCompressed());
  CHECK(four.apply(sparse) == expected);
  CHECK(four.apply(untidy_rows()) == Matrix<double>{{1, 4, std::sqrt(38.0), 3}, {1, 0, 0, 0}});
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
  for (Index i = 0; i < 6; ++i) expected.row(i) << x.row(i), Vector<double>(x.row(i)).sum();
  CHECK(map.apply(x) == expected);
  CHECK(map.apply(synthetic::sparse(x)) == expected);
  CHECK(feature_functions(sum).apply(x) == expected.rightCols(1));
  CHECK(FeatureFunctions{std::vector<Function>{}}.apply(x) == Matrix<double>(6, 0));
}

TEST_CASE("Feature functions: each is called once for each row, in order", "[features]") {
  std::string calls;
  const auto named = [&calls](char name) {
    return [&calls, name](const Vector<double>& v) {
      calls += name + std::to_string(static_cast<int>(v[0])) + ' ';
      return 0.0;
    };
  };
  feature_functions(named('f'), named('g')).apply(Matrix<double>{{1}, {2}, {3}});
  CHECK(calls == "f1 g1 f2 g2 f3 g3 ");
}

TEST_CASE("Feature functions: refuse a result that is not finite, though x need not be",
          "[features]") {
  const std::string name = "FeatureFunctions::apply: ";
  Matrix<double> x{{1, 1}, {1, not_a_number}, {1, 1}};
  const auto is_known = [](const auto& v) { return std::isnan(v[1]) ? 0.0 : 1.0; };
  CHECK(feature_functions(is_known).apply(x) == Matrix<double>{{1}, {0}, {1}});
  const auto map = feature_functions(is_known, [](const auto& v) { return v[1]; });
  REQUIRE_THROWS_AS(map.apply(x), std::invalid_argument);
  REQUIRE_THROWS_WITH(map.apply(x), name + "function 1 of row 1 is not finite");
  REQUIRE_THROWS_WITH(map.apply(synthetic::sparse(x)), name + "function 1 of row 1 is not finite");
  x(1, 1) = 0;
  const auto logarithm = [](const auto& v) { return std::log(v[1]); };
  REQUIRE_THROWS_WITH(FeatureFunctions{std::vector<Function>{logarithm}}.apply(x),
                      name + "function 0 of row 1 is not finite");
  const auto huge = feature_functions([](const auto&) { return -1e200; });
  REQUIRE_THROWS_WITH(huge.apply(x), name + "function 0 of row 0 is -1e+200" + above);
  // In float, this feature is not finite.
  REQUIRE_THROWS_WITH(huge.apply(Matrix<float>(1, 1)), name + "function 0 of row 0 is not finite");
  REQUIRE_THROWS_WITH(four.apply(doubled_row()), name + "row 0 of x names column 1 twice");
}

TEST_CASE("Feature functions: callables that return a number for a vector", "[features]") {
  const auto name = [](const Vector<double>&) { return std::string(); };
  const auto of_two = [](const Vector<double>&, double) { return 1.0; };
  const auto rounded = [](const Vector<float>&) { return 1; };
  STATIC_REQUIRE(FeatureFunction<Function, double>);
  STATIC_REQUIRE(FeatureFunction<decltype(rounded), float>);
  STATIC_REQUIRE_FALSE(FeatureFunction<decltype(of_two), double>);
  STATIC_REQUIRE_FALSE(FeatureFunction<decltype(name), double>);
}

}  // namespace feature_functions_test
