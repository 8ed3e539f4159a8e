// SPDX-License-Identifier: MIT
// The golden values are those of sklearn.preprocessing (scikit-learn 1.2.1), for x with the rows
// (2, 3, 5) and (-1, 0.5, 0):
//   PolynomialFeatures(degree=3, include_bias=False).fit_transform(x)
//   PolynomialFeatures(degree=2, interaction_only=True).fit_transform(x)
#include <cmath>
#include <limits>
#include <linea/features.hpp>
#include <string>
#include <utility>  // pair

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/sparse_arrays.hpp"
#include "support/synthetic.hpp"

namespace polynomial_test {

using namespace linea;

namespace {

constexpr int index_bits = 8 * sizeof(Index);

/// Calls f with every map of degree 0 to 4, with and without a constant, with all products and with
/// interactions only.
template <class F>
void every_map(const F& f) {
  for (int degree = 0; degree <= 4; ++degree)
    for (const bool constant : {false, true})
      for (const bool interactions_only : {false, true}) {
        CAPTURE(degree, constant, interactions_only);
        f(Polynomial{degree, constant, interactions_only});
      }
}

/// Returns the binomial coefficient n over k, by Pascal's triangle.
Index choose(Index n, Index k) {
  return k == 0 ? 1 : n == 0 ? 0 : choose(n - 1, k - 1) + choose(n - 1, k);
}

/// Returns the columns of the map, each as the product of its factors.
template <class T>
Matrix<T> by_factors(const Polynomial& map, const Matrix<T>& x) {
  Matrix<T> result(x.rows(), map.columns(x.cols()));
  for (Index j = 0; j < result.cols(); ++j) {
    const auto factors = map.factors(j, x.cols());
    result.col(j).setOnes();
    // Start at the last factor, because the library rounds products in this order.
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
      result.col(j).array() *= x.col(*factor).array();
  }
  return result;
}

template <SparseSamples X, class T = scalar_t<X>>
void agrees_with_dense(const Polynomial& map, const X& sparse, const Matrix<T>& x) {
  using Products = SparseMatrix<T, typename X::StorageIndex>;
  const Products products = map.apply(sparse);
  REQUIRE(products.isCompressed());
  REQUIRE(Matrix<T>(products) == map.apply(x));
  Index stored = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    stored += map.columns((x.row(i).array() != T(0)).count());
    Index before = -1;
    for (typename Products::InnerIterator entry(products, i); entry; ++entry) {
      REQUIRE(before < entry.col());
      before = entry.col();
    }
  }
  REQUIRE(products.nonZeros() == stored);
}

}  // namespace

TEST_CASE("Polynomial: agrees with scikit-learn's columns, in its order", "[features]") {
  const Matrix<double> x{{2, 3, 5}, {-1, 0.5, 0}};
  Matrix<double> cubic(2, 19);
  cubic << 2, 3, 5, 4, 6, 10, 9, 15, 25, 8, 12, 20, 18, 30, 50, 27, 45, 75, 125,  //
      -1, 0.5, 0, 1, -0.5, 0, 0.25, 0, 0, -1, 0.5, 0, -0.25, 0, 0, 0.125, 0, 0, 0;
  CHECK(Polynomial{.degree = 3}.apply(x) == cubic);
  Matrix<double> interactions(2, 7);
  interactions << 1, 2, 3, 5, 6, 10, 15, 1, -1, 0.5, 0, -0.5, 0, 0;
  const Polynomial map{.degree = 2, .constant = true, .interactions_only = true};
  CHECK(map.apply(x) == interactions);
}

TEST_CASE("Polynomial: has one column for each product", "[features]") {
  for (Index d = 0; d <= 7; ++d)
    for (int degree = 0; degree <= 5; ++degree) {
      CAPTURE(d, degree);
      Index interactions = 0;
      for (Index t = 1; t <= degree; ++t) interactions += choose(d, t);
      CHECK(Polynomial{degree}.columns(d) == choose(d + degree, degree) - 1);
      CHECK(Polynomial{degree, true}.columns(d) == choose(d + degree, degree));
      CHECK(Polynomial{degree, false, true}.columns(d) == interactions);
    }
  CHECK(Polynomial{.degree = 1'000'000}.columns(1) == 1'000'000);
  CHECK(Polynomial{.degree = 1'000'000, .interactions_only = true}.columns(10) == 1023);
  // The counts are math.comb(66, 33) and math.comb(32, 16) of Python. Products in their computation
  // exceed the largest Index unless common divisors are removed first.
  if constexpr (index_bits == 64)
    CHECK(Polynomial{.degree = 33, .constant = true}.columns(33) == 7'219'428'434'016'265'740);
  CHECK(Polynomial{.degree = 16, .constant = true}.columns(16) == 601'080'390);
}

TEST_CASE("Polynomial: factors are ordered by degree, then from left to right", "[features]") {
  every_map([](const Polynomial& map) {
    for (Index d = 0; d <= 6; ++d) {
      std::vector<Index> before;
      for (Index j = 0; j < map.columns(d); ++j) {
        const auto factors = map.factors(j, d);
        if (j == 0 && map.constant) {
          REQUIRE(factors.empty());
          continue;
        }
        REQUIRE(factors.size() >= 1);
        REQUIRE(static_cast<int>(factors.size()) <= map.degree);
        for (std::size_t k = 0; k < factors.size(); ++k) {
          REQUIRE((0 <= factors[k] && factors[k] < d));
          if (k > 0)
            REQUIRE((factors[k - 1] < factors[k] ||
                     (factors[k - 1] == factors[k] && !map.interactions_only)));
        }
        REQUIRE(std::pair(before.size(), before) < std::pair(factors.size(), factors));
        before = factors;
      }
    }
  });
}

TEST_CASE("Polynomial: every column is the product of its factors, in every dense layout",
          "[features]") {
  every_map([](const Polynomial& map) {
    for (Index d = 1; d <= 6; ++d) {
      const auto x = synthetic::features(5, d, static_cast<std::uint64_t>(d));
      const auto products = map.apply(x);
      REQUIRE(products == by_factors(map, x));
      const Eigen::MatrixXd columns = x;
      REQUIRE(map.apply(columns) == products);
      REQUIRE(map.apply(columns.middleRows(1, 3)) == products.middleRows(1, 3));
      REQUIRE(map.apply(x.row(2)) == products.row(2));
      REQUIRE(map.apply(x.array()) == products);
      const Matrix<float> narrow = x.cast<float>();
      REQUIRE(map.apply(narrow) == by_factors(map, narrow));
    }
  });
}

TEST_CASE("Polynomial: sparse samples have the same products and store no others", "[features]") {
  every_map([](const Polynomial& map) {
    for (Index d = 1; d <= 6; ++d) {
      auto x = synthetic::features(12, d, static_cast<std::uint64_t>(10 + d), 0.5);
      x.row(4).setZero();
      SparseMatrix<double> sparse = x.sparseView();
      agrees_with_dense(map, sparse, x);
      CHECK(Matrix<double>(map.apply(sparse.middleRows(3, 5))) == map.apply(x).middleRows(3, 5));
      sparse.reserve(Eigen::VectorXi::Constant(12, static_cast<int>(d)));
      REQUIRE_FALSE(sparse.isCompressed());
      agrees_with_dense(map, sparse, x);
      const Matrix<float> narrow = x.cast<float>();
      agrees_with_dense(map, SparseMatrix<float, Index>(narrow.sparseView()), narrow);
    }
  });
  // A stored zero counts as 0, and the order of entries does not matter.
  agrees_with_dense(Polynomial{.degree = 3}, test::untidy_rows(),
                    Matrix<double>{{2, 0, 3, 5}, {0, 0, 0, 0}});
}

TEST_CASE("Polynomial: the cost of sparse rows depends on their entries, not on the columns",
          "[features]") {
  constexpr Index d = index_bits == 64 ? 100'000 : 1'000;
  SparseMatrix<double, Index> x(2, d);
  x.insert(0, 7) = 2;
  x.insert(0, 500) = 3;
  x.insert(0, d - 1) = 5;
  x.insert(1, 99) = -1;
  const Polynomial quadratic{};
  const SparseMatrix<double, Index> products = quadratic.apply(x);
  constexpr Index columns = d + d * (d + 1) / 2;
  REQUIRE(products.cols() == columns);
  REQUIRE(products.nonZeros() == 9 + 2);
  CHECK(products.coeff(0, columns - 1) == 25);
  // The column of x₈² follows the d columns of degree 1 and the products with x₁, …, x₇ as first
  // factor, of which there are d, …, d − 6.
  CHECK(products.coeff(0, d + 7 * d - 21) == 4);
  for (const Polynomial& map : {quadratic, Polynomial{3}, Polynomial{3, true, true}}) {
    const SparseMatrix<double, Index> all = map.apply(x);
    for (Index i = 0; i < 2; ++i)
      for (decltype(x)::InnerIterator entry(all, i); entry; ++entry) {
        double product = 1;
        for (const Index factor : map.factors(entry.col(), d)) product *= x.coeff(i, factor);
        CHECK(entry.value() == product);
      }
  }
}

TEST_CASE("Polynomial: no rows, no columns, no degree, and one beyond d", "[features]") {
  const Matrix<double> x = synthetic::features(4, 3, 30);
  const Polynomial all{std::numeric_limits<int>::max(), false, true};
  CHECK(all.columns(3) == 7);
  CHECK(all.apply(x) == Polynomial{3, false, true}.apply(x));
  agrees_with_dense(all, synthetic::sparse(x), x);
  CHECK(Polynomial{.degree = 0}.apply(x) == Matrix<double>(4, 0));
  CHECK(Polynomial{.degree = 0, .constant = true}.apply(x) == Matrix<double>::Ones(4, 1));
  CHECK(Polynomial{.degree = 1}.apply(x) == x);
  CHECK(Polynomial{}.apply(Matrix<double>(0, 2)) == Matrix<double>(0, 5));
  CHECK(Polynomial{}.apply(Matrix<double>(3, 0)) == Matrix<double>(3, 0));
  CHECK(Polynomial{}.apply(SparseMatrix<double>(0, 2)).cols() == 5);
  CHECK(Matrix<double>(Polynomial{2, true}.apply(SparseMatrix<double>(3, 0))) ==
        Matrix<double>::Ones(3, 1));
}

TEST_CASE("Polynomial: refuses sizes that overflow", "[features]") {
  CHECK_THROWS_AS(Polynomial{.degree = -1}.columns(3), std::invalid_argument);
  CHECK_THROWS_WITH(Polynomial{.degree = -1}.columns(3), "Polynomial::columns: degree -1");
  CHECK_THROWS_WITH(Polynomial{}.columns(-2), "Polynomial::columns: -2 features");
  CHECK_THROWS_WITH(Polynomial{}.factors(5, 2), "Polynomial::factors: column 5 of 5");
  CHECK_THROWS_WITH(Polynomial{}.factors(-1, 2), "Polynomial::factors: column -1 of 5");
  constexpr Index most = std::numeric_limits<Index>::max();
  const std::string largest = std::to_string(most);
  const std::string beyond =
      " columns, but indices of " + std::to_string(index_bits) + " bits count to " + largest;
  CHECK_THROWS_WITH(
      Polynomial{.degree = 33}.columns(34),
      "Polynomial::columns: 34 features to degree 33 make at least " + largest + beyond);
  CHECK_THROWS_WITH(Polynomial{}.columns(most), ContainsSubstring(beyond));
  CHECK_THROWS_WITH(Polynomial{}.columns(most - 1), ContainsSubstring(beyond));
  // There are d (d + 3)/2 columns, which is about the largest Index for this d.
  const auto full_square = static_cast<Index>(std::sqrt(2.0 * static_cast<double>(most)));
  CHECK_THROWS_WITH(Polynomial{}.columns(full_square + 10), ContainsSubstring(beyond));
  CHECK(Polynomial{}.columns(full_square - 10) > most - 20 * full_square);
  CHECK_THROWS_WITH(Polynomial{.degree = 9}.columns(100'000'000), ContainsSubstring(beyond));
  const Polynomial interactions{.degree = 70, .interactions_only = true};
  CHECK_THROWS_WITH(interactions.columns(70), ContainsSubstring(beyond));
  CHECK(interactions.columns(index_bits - 2) == (Index{1} << (index_bits - 2)) - 1);

  SparseMatrix<double> wide(1, 100'000);
  const std::string columns =
      index_bits == 64 ? "5000150000 columns, but indices of 32 bits count to 2147483647: use a "
                         "SparseMatrix<T, std::int64_t>"
                       : "at least 2147483647" + beyond;
  CHECK_THROWS_WITH(Polynomial{}.apply(wide),
                    "Polynomial::apply: 100000 features to degree 2 make " + columns);
  // There are few enough columns, but too many products in two rows.
  const SparseMatrix<float> full = Matrix<float>::Ones(2, 65'000).sparseView();
  CHECK_THROWS_WITH(Polynomial{}.apply(full),
                    "Polynomial::apply: rows 0 to 1 have more than 2147483647 products of "
                    "non-zeros, which the index type of x cannot count");
}

TEST_CASE("Polynomial: refuses samples and products that are not finite, and duplicate columns",
          "[features]") {
  Matrix<double> x = Matrix<double>::Ones(3, 2);
  x.col(1).setZero();
  const auto refused = [&](const std::string& message) {
    CHECK_THROWS_WITH(Polynomial{.degree = 3}.apply(x), message);
    CHECK_THROWS_WITH(Polynomial{.degree = 3}.apply(synthetic::sparse(x)), message);
  };
  x(1, 0) = 1e149;
  refused("Polynomial::apply: row 1, column 2 of the products is 1e+298" + test::above);
  x(1, 0) = 1e200;
  refused("Polynomial::apply: x(1, 0) is 1e+200" + test::above);
  x(1, 0) = 1;
  x(2, 1) = -test::infinity;
  refused("Polynomial::apply: x(2, 1) is not finite");

  CHECK_THROWS_WITH(Polynomial{}.apply(test::doubled_row()),
                    "Polynomial::apply: row 0 of x names column 1 twice");
}

}  // namespace polynomial_test
