// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/rows.hpp>
#include <numeric>  // iota
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

using Columns = Eigen::MatrixXf;
using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

// Samples, but no matrix: whoever wants more than rows is refused by name.
static_assert(Samples<InDouble<Matrix<float>>> && Samples<InDouble<SparseMatrix<float>>>);
static_assert(!SampleMatrix<InDouble<Matrix<float>>>);
static_assert(!DenseSamples<InDouble<Matrix<float>>>);
static_assert(!SparseSamples<InDouble<SparseMatrix<float>>>);
static_assert(std::same_as<scalar_t<InDouble<Columns>>, double>);
static_assert(SampleMatrix<Matrix<float>> && SampleMatrix<SparseMatrix<float>>);

template <class X>
concept Viewable = requires(X&& x) {
  in_double(std::forward<X>(x));
};
// What owns its numbers must have a name; what points to them need not.
static_assert(Viewable<Matrix<float>&> && Viewable<const SparseMatrix<float>&>);
static_assert(!Viewable<Matrix<float>> && !Viewable<const Columns>);
static_assert(!Viewable<SparseMatrix<float>> && !Viewable<Eigen::Ref<const Columns>>);
static_assert(Viewable<Eigen::Map<const Columns>> && Viewable<Eigen::Block<Columns>>);
static_assert(Viewable<Eigen::Map<const SparseMatrix<float>>>);
static_assert(!Viewable<Eigen::MatrixXi&> && !Viewable<Eigen::SparseMatrix<float>&>);

/// Every answer of the rows `seen` against that of rows of a double copy, up to `tolerance` of
/// rounding; 0 asks for the same bits.
template <class Seen, class Copied>
void agrees(const Seen& seen, const Copied& copied, double tolerance) {
  static_assert(std::same_as<typename Seen::Scalar, double>);
  const Index n = copied.rows();
  const Index d = copied.cols();
  REQUIRE(seen.rows() == n);
  REQUIRE(seen.cols() == d);
  REQUIRE(seen.entries() == copied.entries());
  const Vector<double> w = synthetic::features(1, d, 91).row(0);
  const auto near = [&](double a, double b) {
    return tolerance == 0 ? same_bits(a, b) : std::abs(a - b) <= tolerance * (1 + std::abs(b));
  };
  const auto near_all = [&](const Vector<double>& a, const Vector<double>& b) {
    return tolerance == 0 ? same_bits(a, b) : (a - b).norm() <= tolerance * (1 + b.norm());
  };
  for (Index i = 0; i < n; ++i) {
    CAPTURE(i, d);
    const Index next = (3 * i + 1) % n;
    CHECK(near(seen.dot(i, w), copied.dot(i, w)));
    CHECK(near(seen.dot(i, w, next), copied.dot(i, w, next)));
    CHECK(near(seen.squared_norm(i), copied.squared_norm(i)));
    Vector<double> a = w;
    Vector<double> b = w;
    seen.add(i, 0.3, a);
    copied.add(i, 0.3, b);
    CHECK(near_all(a, b));
    if constexpr (requires { seen.add_then_dot(i, 0.3, a, next, i); }) {
      CHECK(near(seen.add_then_dot(i, -0.7, a, next, i), copied.add_then_dot(i, -0.7, b, next, i)));
      CHECK(near_all(a, b));
    }
    // Entries are the floats themselves, in any case.
    Vector<double> entries = Vector<double>::Zero(d);
    Vector<double> expected = entries;
    seen.for_each(i, [&](Index j, auto value) {
      static_assert(std::same_as<decltype(value), double>);
      entries[j] += value;
    });
    copied.for_each(i, [&](Index j, double value) { expected[j] += value; });
    CHECK(same_bits(entries, expected));
    entries.setZero();
    seen.for_each_between(i, 1, d - 1, [&](Index j, auto value) { entries[j] += value; });
    expected[0] = expected[d - 1] = 0;
    CHECK(same_bits(entries, expected));
  }
  Vector<double> scores = Vector<double>::Zero(n);
  Vector<double> expected = scores;
  seen.scores(1, n - 2, w, scores.data());
  copied.scores(1, n - 2, w, expected.data());
  CHECK(near_all(scores, expected));
  Vector<double> sum = w;
  Vector<double> expected_sum = w;
  seen.add_up(1, n - 2, scores.data(), sum);
  copied.add_up(1, n - 2, scores.data(), expected_sum);
  CHECK(near_all(sum, expected_sum));
}

constexpr double rounding = 1e-14;  // sums of at most a hundred products in another order

}  // namespace

TEST_CASE("in_double: rows side by side give the bits of a double copy", "[rows]") {
  for (const Index d : {1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 33, 64, 100}) {
    const Matrix<float> x = synthetic::features<float>(9, d, 1);
    const Matrix<double> copy = x.cast<double>();
    static_assert(
        std::same_as<decltype(rows_of(in_double(x))), rows::DenseRows<float, true, double>>);
    agrees(rows_of(in_double(x)), rows_of(copy), 0);
    const Eigen::Map<const Matrix<float>> map(x.data(), x.rows(), d);
    agrees(rows_of(in_double(map)), rows_of(copy), 0);
    if (d > 2)
      agrees(rows_of(in_double(x.block(1, 1, 7, d - 1))), rows_of(copy.block(1, 1, 7, d - 1)), 0);
  }
}

TEST_CASE("in_double: columns and strides give the numbers of a double copy", "[rows]") {
  for (const Index d : {1, 2, 7, 16, 33, 100}) {
    const Matrix<float> x = synthetic::features<float>(40, d, 2);
    const Matrix<double> copy = x.cast<double>();
    const Columns columns = x;
    static_assert(
        std::same_as<decltype(rows_of(in_double(columns))), rows::DenseRows<float, false, double>>);
    agrees(rows_of(in_double(columns)), rows_of(copy), rounding);
    const Matrix<float> wide = x.replicate(1, 2);
    const Eigen::Map<const Matrix<float>, 0, Strides> every_second(wide.data(), 40, d,
                                                                   Strides(2 * d, 2));
    const Matrix<double> seconds = every_second.cast<double>();
    agrees(rows_of(in_double(every_second)), rows_of(seconds), rounding);
  }
}

TEST_CASE("in_double: sparse rows give the bits of a double copy", "[rows]") {
  for (const double density : {0.1, 0.5, 1.0}) {
    const auto x = synthetic::sparse(synthetic::features<float>(30, 90, 3, density));
    const SparseMatrix<double> copy = x.cast<double>();
    static_assert(
        std::same_as<decltype(rows_of(in_double(x))), rows::SparseRows<float, int, double>>);
    agrees(rows_of(in_double(x)), rows_of(copy), 0);
    agrees(rows_of(in_double(x.middleRows(3, 20))), rows_of(copy.middleRows(3, 20)), 0);
    const SparseMatrix<float, Index> large = x;
    agrees(rows_of(in_double(large)), rows_of(copy), 0);
    SparseMatrix<float> gaps = x;
    gaps.uncompress();
    gaps.coeffRef(4, 4) = 2.5F;
    const SparseMatrix<double> filled = gaps.cast<double>();
    agrees(rows_of(in_double(gaps)), rows_of(filled), 0);
  }
}

TEST_CASE("in_double: double samples are what they are", "[rows]") {
  const auto x = synthetic::features(5, 17, 4);
  static_assert(std::same_as<decltype(rows_of(in_double(x))), rows::DenseRows<double, true>>);
  agrees(rows_of(in_double(x)), rows_of(x), 0);
}

TEST_CASE("in_double: one sample is a row, a column vector, or a row of a matrix", "[rows]") {
  const Matrix<float> x = synthetic::features<float>(4, 19, 5);
  const Columns columns = x;
  const Vector<float> sample = x.row(2);
  const Vector<double> w = synthetic::features(1, 19, 6).row(0);
  const double expected = x.row(2).cast<double>().dot(w);
  static_assert(SingleSample<InDouble<Vector<float>>, double>);
  static_assert(!SingleSample<InDouble<Vector<float>>, float>);
  const auto score = [&](const auto& row) {
    REQUIRE(row.rows() == 1);
    REQUIRE(row.cols() == 19);
    return row.dot(0, w);
  };
  CHECK_THAT(score(row_of(in_double(sample))), WithinRel(expected, 1e-13));
  CHECK_THAT(score(row_of(in_double(x.row(2)))), WithinRel(expected, 1e-13));
  CHECK_THAT(score(row_of(in_double(columns.row(2)))), WithinRel(expected, 1e-13));
  const auto sparse = synthetic::sparse(x);
  CHECK_THAT(score(row_of(in_double(sparse.row(2)))), WithinRel(expected, 1e-13));
}

TEST_CASE("in_double: columns are packed as doubles, in any order", "[rows]") {
  const Columns x = synthetic::features<float>(70, 21, 7);
  std::vector<std::uint32_t> arrivals(60);
  std::iota(arrivals.begin(), arrivals.begin() + 40, 30U);  // a long run, then rows on their own
  for (std::uint32_t k = 40; k < 60; ++k) arrivals[k] = 59 - k;
  std::vector<std::uint32_t> slots(60);
  for (std::uint32_t k = 0; k < 60; ++k) slots[k] = k * 7 % 60;
  Matrix<double> packed = Matrix<double>::Constant(60, 21, 99);
  rows_of(in_double(x)).pack(arrivals, slots, packed);
  for (std::size_t k = 0; k < 60; ++k)
    CHECK(packed.row(slots[k]) == x.row(arrivals[k]).cast<double>());
}

TEST_CASE("in_double: row_bytes is what an epoch reads, in place or packed", "[rows]") {
  const Matrix<float> x = Matrix<float>::Ones(4, 6);
  const Columns columns = x;
  const SparseMatrix<float> sparse = x.sparseView();
  CHECK(rows_of(in_double(x)).row_bytes() == 6 * 4);
  CHECK(rows_of(in_double(columns)).row_bytes() == 6 * 8);
  CHECK(rows_of(in_double(sparse)).row_bytes() == 6 * 8);
}

TEST_CASE("in_double: a long sum keeps what float loses", "[rows]") {
  // Each addition to a float sum is rounded, by the same amount many times over: a relative error
  // of 1e-5.
  const Matrix<float> x = Matrix<float>::Constant(1, 20000, 0.1F);
  const double exact = 20000 * static_cast<double>(0.1F) * static_cast<double>(0.1F);
  const Vector<float> w = x.row(0);
  const Vector<double> v = w.cast<double>();
  const double in_float = static_cast<double>(rows_of(x).dot(0, w));
  CHECK(std::abs(in_float / exact - 1) > 1e-6);
  CHECK(std::abs(rows_of(in_double(x)).dot(0, v) / exact - 1) < 1e-13);
  CHECK(std::abs(rows_of(in_double(x)).squared_norm(0) / exact - 1) < 1e-13);
  const SparseMatrix<float> sparse = x.sparseView();
  CHECK(std::abs(rows_of(in_double(sparse)).dot(0, v) / exact - 1) < 1e-13);
}

TEST_CASE("in_double: what overflows in float does not", "[rows]") {
  const Matrix<float> x = Matrix<float>::Constant(3, 5, 1e30F);
  CHECK_FALSE(std::isfinite(rows_of(x).squared_norm(0)));
  CHECK(std::isfinite(rows_of(in_double(x)).squared_norm(0)));
  REQUIRE_NOTHROW(rows::require_finite("f", rows_of(in_double(x))));
}
