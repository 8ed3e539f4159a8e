// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <linea/data/split.hpp>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/same_bits.hpp"

namespace split_test {

using namespace linea;
using Indices = std::vector<Index>;

namespace {

/// Is every row in exactly one part?
bool is_partition(const SplitIndices& split, Index n) {
  Indices all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  for (Index i = 0; i < std::ssize(all); ++i)
    if (all[static_cast<std::size_t>(i)] != i) return false;
  return std::ssize(all) == n;
}

/// Does the test part have its share of every class, up to less than one sample?
bool keeps_shares(const SplitIndices& split, const Vector<double>& y) {
  const auto fraction = static_cast<double>(split.test.size()) / static_cast<double>(y.size());
  const Vector<double> test = y(split.test);
  for (const double label : y) {
    const double share = fraction * static_cast<double>((y.array() == label).count());
    if (std::abs(static_cast<double>((test.array() == label).count()) - share) >= 1) return false;
  }
  return true;
}

Matrix<double> numbered(Index n, Index d) {
  Matrix<double> x(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) x(i, j) = (i + j) % 3 ? static_cast<double>(10 * i + j) : 0.0;
  return x;
}

}  // namespace

// A separate Python program computed the expected rows. It implements splitmix64, xoshiro256++,
// Lemire's bounded numbers and the Fisher–Yates shuffle.
TEST_CASE("split_indices: a seed gives the same rows on every platform", "[data]") {
  const auto zero = split_indices(12);
  CHECK(zero.train == Indices{1, 10, 5, 8, 9, 0, 11, 4, 3});
  CHECK(zero.test == Indices{7, 2, 6});
  const auto seven = split_indices(12, {.seed = 7});
  CHECK(seven.train == Indices{6, 10, 4, 8, 9, 3, 7, 1, 0});
  CHECK(seven.test == Indices{5, 2, 11});
  const Eigen::VectorXi y{{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2}};
  const auto stratified = split_indices(y, {.test_fraction = 0.3, .seed = 5, .stratify = true});
  CHECK(stratified.train == Indices{13, 10, 11, 14, 7, 5, 0, 1, 8, 4});
  CHECK(stratified.test == Indices{12, 9, 2, 3, 6});
}

TEST_CASE("split_indices: puts every row into exactly one part", "[data]") {
  for (Index n = 2; n < 60; ++n)
    for (const double fraction : {0.25, 0.5, 0.8}) {
      CAPTURE(n, fraction);
      const double exact = fraction * static_cast<double>(n);
      if (exact < 0.5 || exact + 0.5 >= static_cast<double>(n)) continue;
      const auto split =
          split_indices(n, {.test_fraction = fraction, .seed = static_cast<std::uint64_t>(n)});
      CHECK(is_partition(split, n));
      CHECK(std::abs(static_cast<double>(split.test.size()) - exact) <= 0.5);
    }
}

TEST_CASE("split_indices: keeps the proportions of the classes if stratified", "[data]") {
  Random random(11);
  int kept_without = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Vector<double> y(80);
    for (double& label : y) label = static_cast<double>(random.below(3) * random.below(4));
    const auto split = split_indices(y, {.test_fraction = 0.3, .seed = seed, .stratify = true});
    CHECK(is_partition(split, y.size()));
    CHECK(split.test.size() == 24);
    CHECK(keeps_shares(split, y));
    kept_without += keeps_shares(split_indices(y, {.test_fraction = 0.3, .seed = seed}), y);
  }
  CHECK(kept_without < 10);  // a split that is not stratified rarely keeps the shares
  // 3 of 10 samples are for testing. The shares of the classes are 1.5, 0.9 and 0.6, with whole
  // parts 1, 0 and 0. The last two classes get one more sample each.
  const Vector<double> ten{{0, 0, 0, 0, 0, 1, 1, 1, 2, 2}};
  Vector<double> tested = ten(split_indices(ten, {.test_fraction = 0.3, .stratify = true}).test);
  std::sort(tested.begin(), tested.end());
  CHECK(tested == Vector<double>{{0, 1, 2}});
  // The product of two sizes exceeds a 32-bit int: 60,000 · 40,000 = 2.4·10⁹.
  Vector<double> many(100'000);
  for (Index i = 0; i < many.size(); ++i) many[i] = i % 5 < 3 ? 1 : -1;
  const auto half = split_indices(many, {.test_fraction = 0.4, .stratify = true});
  CHECK(half.test.size() == 40'000);
  CHECK(many(half.test).sum() == 24'000 - 16'000);
}

TEST_CASE("split: copies dense and sparse rows with their targets", "[data]") {
  const Matrix<double> x = numbered(20, 4);
  const Vector<double> y = Vector<double>::LinSpaced(20, 0, 19);
  const SplitOptions options{.seed = 4};
  const auto indices = split_indices(20, options);
  const auto [train, test] = split(x, y, options);
  STATIC_REQUIRE(std::same_as<std::remove_cv_t<decltype(train)>, LabelledRows<double>>);
  CHECK(train.x == Matrix<double>(x(indices.train, Eigen::indexing::all)));
  CHECK(train.y == Vector<double>(y(indices.train)));
  CHECK(test.x == Matrix<double>(x(indices.test, Eigen::indexing::all)));
  CHECK(test.y == Vector<double>(y(indices.test)));
  CHECK(split(Eigen::MatrixXd(x), y, options).train.x == train.x);
  const std::vector<std::int64_t> large{1, 2, (std::int64_t{1} << 53) + 1};
  CHECK_THROWS_WITH(static_cast<void>(split(x.topRows(3), large, options)),
                    ContainsSubstring("label 9007199254740993 is of 2^53 or more"));
  CHECK(split(x.leftCols(2), y, options).test.x == test.x.leftCols(2));

  SparseMatrix<double, Index> sparse = x.sparseView();
  sparse.coeffRef(indices.train[0], 0) = 0;  // a stored zero remains stored
  const auto parts = split(sparse, y, options);
  STATIC_REQUIRE(std::same_as<decltype(parts.train.x), SparseMatrix<double, Index>>);
  CHECK(parts.train.x.toDense().bottomRows(14) == train.x.bottomRows(14));
  CHECK(parts.test.x.toDense() == test.x);
  CHECK(parts.train.x.nonZeros() + parts.test.x.nonZeros() == sparse.nonZeros());
  sparse.uncompress();
  sparse.reserve(Eigen::VectorXi::Constant(20, 9));
  CHECK(same_bits(split(sparse, y, options).train, parts.train));

  // The parts of x keep its scalar type. The parts of y keep targets that this type cannot
  // represent.
  const Matrix<float> narrow = numbered(8, 2).cast<float>();
  const Eigen::VectorXi dates = Eigen::VectorXi{{1, 2, 1, 2, 1, 2, 1, 2}}.array() + 20230101;
  const auto of_floats = split(narrow, dates, {.stratify = true});
  STATIC_REQUIRE(std::same_as<decltype(of_floats.test.x), Matrix<float>>);
  CHECK(of_floats.test.y.sum() == 2 * 20230101 + 3);
  const std::vector<int> listed(dates.begin(), dates.end());
  CHECK(same_bits(split(narrow, listed, {.stratify = true}).test, of_floats.test));
}

TEST_CASE("split: refuses an empty part and arguments of different size", "[data]") {
  for (const double fraction : {0.0, 1.0, -0.5, 2.0, test::not_a_number})
    CHECK_THROWS_WITH(split_indices(10, {.test_fraction = fraction}),
                      ContainsSubstring("split: test_fraction is ") &&
                          ContainsSubstring(", but must lie between 0 and 1"));
  CHECK_THROWS_WITH(split_indices(4, {.test_fraction = 0.1}),
                    "split: of 4 samples, a test_fraction of 0.1 leaves none to test with");
  CHECK_THROWS_WITH(split_indices(4, {.test_fraction = 0.9}),
                    "split: of 4 samples, a test_fraction of 0.9 leaves none to train on");
  CHECK_THROWS_WITH(split_indices(0), ContainsSubstring("split: of 0 samples"));
  CHECK_THROWS_WITH(split_indices(4, {.stratify = true}),
                    "split_indices: stratify needs the targets rather than their number");
  CHECK_THROWS_WITH(split(numbered(3, 2), Eigen::Vector2d(1, 2)),
                    "split: x has 3 rows but y has 2: a sample is a row of x, so pass "
                    "x.transpose()");
  CHECK_THROWS_WITH(split_indices(Eigen::Vector4d(1, 2, test::not_a_number, 1), {.stratify = true}),
                    ContainsSubstring("y(2) is not finite"));
}

TEST_CASE("take_rows: of a vector or a list, gives a vector of the same numbers", "[data]") {
  const std::vector<linea::Index> rows{2, 0, 2};
  const auto taken = linea::take_rows(linea::Vector<float>{{1.5F, 2, 3}}, rows);
  STATIC_REQUIRE(std::is_same_v<decltype(taken), const linea::Vector<float>>);
  CHECK(taken == linea::Vector<float>{{3, 1.5F, 3}});
  CHECK(linea::take_rows(std::vector<int>{4, 5, 6}, rows) == Eigen::Vector3i(6, 4, 6));
  // A matrix of one column at run time remains a matrix.
  const linea::Matrix<double> column = Eigen::Vector3d(1, 2, 3);
  STATIC_REQUIRE(std::is_same_v<decltype(linea::take_rows(column, rows)), linea::Matrix<double>>);
  CHECK(linea::take_rows(column, rows) == Eigen::Vector3d(3, 1, 3));
}

}  // namespace split_test
