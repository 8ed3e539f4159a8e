// SPDX-License-Identifier: MIT
/// \file Rows of samples: every member in every layout, in double, in float, and for floats read as
/// double.
#include <cmath>
#include <concepts>
#include <cstdint>
#include <linea/rows.hpp>
#include <numeric>  // iota
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

using namespace linea;

static_assert(RowsOf<detail::rows::SparseRows<float, int, double>, double>);
static_assert(RowsOf<detail::rows::DenseRows<float, false, double>, double> &&
              RowsOf<detail::rows::DenseRows<float, true>, float>);

namespace {

template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

// in_double(x) counts as samples, but not as a matrix. So functions that need a matrix refuse it.
static_assert(Samples<InDouble<Matrix<float>>> && Samples<InDouble<SparseMatrix<float>>>);
static_assert(!SampleMatrix<InDouble<Matrix<float>>> && !DenseSamples<InDouble<Matrix<float>>> &&
              !SparseSamples<InDouble<SparseMatrix<float>>>);
static_assert(std::same_as<scalar_t<InDouble<Columns<float>>>, double>);
static_assert(SampleMatrix<Matrix<float>> && SampleMatrix<SparseMatrix<float>>);

template <class X>
concept Viewable = requires(X&& x) {
  in_double(std::forward<X>(x));
};
// in_double refuses a temporary that owns its numbers, or may own them, but not a temporary view.
static_assert(Viewable<Matrix<float>&> && Viewable<const SparseMatrix<float>&>);
static_assert(!Viewable<Matrix<float>> && !Viewable<const Columns<float>> &&
              !Viewable<SparseMatrix<float>> && !Viewable<Eigen::Ref<const Columns<float>>>);
static_assert(Viewable<Eigen::Map<const Columns<float>>> &&
              Viewable<Eigen::Block<Columns<float>>> &&
              Viewable<Eigen::Map<const SparseMatrix<float>>>);
static_assert(!Viewable<Eigen::MatrixXi&> && Viewable<Eigen::SparseMatrix<float>&> &&
              !Viewable<Eigen::SparseMatrix<float>>);

// The type of the rows of a matrix of type X.
template <class X>
using RowsType = decltype(rows_of(std::declval<const X&>()));
static_assert(
    std::same_as<RowsType<Matrix<float>>, detail::rows::DenseRows<float, true>> &&
    std::same_as<RowsType<Columns<float>>, detail::rows::DenseRows<float, false>> &&
    std::same_as<RowsType<SparseMatrix<double, Index>>, detail::rows::SparseRows<double, Index>> &&
    std::same_as<RowsType<Eigen::SparseMatrix<float>>, detail::rows::SparseRows<float, int>>);
static_assert(
    std::same_as<RowsType<InDouble<Matrix<float>>>, detail::rows::DenseRows<float, true, double>> &&
    std::same_as<RowsType<InDouble<Columns<float>>>,
                 detail::rows::DenseRows<float, false, double>> &&
    std::same_as<RowsType<InDouble<SparseMatrix<float>>>,
                 detail::rows::SparseRows<float, int, double>> &&
    std::same_as<RowsType<InDouble<Matrix<double>>>, detail::rows::DenseRows<double, true>>);

/// A reference implementation of the members of rows.
template <class T>
struct PlainRows {
  const Matrix<T>& x;
  Index rows() const { return x.rows(); }
  Index cols() const { return x.cols(); }
  T dot(Index i, const Vector<T>& w, Index = 0) const { return x.row(i).dot(w); }
  T squared_norm(Index i) const { return x.row(i).squaredNorm(); }
  void add(Index i, T factor, Vector<T>& w) const { w += factor * x.row(i).transpose(); }
  void for_each_between(Index i, Index first, Index end, const auto& f) const {
    for (Index j = first; j < end; ++j) f(j, x(i, j));
  }
  void for_each(Index i, const auto& f) const { for_each_between(i, 0, cols(), f); }
  void scores(Index first, Index count, const Vector<T>& w, T* out) const {
    for (Index i = 0; i < count; ++i) out[i] = dot(first + i, w);
  }
  void add_up(Index first, Index count, const T* factors, Vector<T>& sum) const {
    sum.head(cols()) +=
        x.middleRows(first, count).transpose() * Eigen::Map<const Vector<T>>(factors, count);
  }
};

/// Returns the results of all members in one vector.
template <class T>
std::vector<T> answers_of(const auto& rows, const Vector<T>& w) {
  const Index n = rows.rows();
  const Index d = rows.cols();
  std::vector<T> answers;
  const auto add = [&](const Vector<T>& values) {
    answers.insert(answers.end(), values.begin(), values.end());
  };
  for (Index i = 0; i < n; ++i) {
    const Index next = (3 * i + 1) % n;
    Vector<T> sum = w;
    rows.add(i, T(-2), sum);
    add(sum);
    answers.insert(answers.end(), {rows.squared_norm(i), rows.dot(i, w), rows.dot(i, w, next)});
    if constexpr (requires { rows.add_then_dot(i, T(3), sum, next, i); }) {
      answers.push_back(rows.add_then_dot(i, T(3), sum, next, i));
    } else {
      rows.add(i, T(3), sum);
      answers.push_back(rows.dot(next, sum));
    }
    add(sum);
    for (Index first = 0; first <= d; first += 1 + d / 8) {
      Vector<T> seen = Vector<T>::Zero(d);
      const auto see = [&](Index j, auto value) {
        static_assert(std::same_as<decltype(value), T>);
        seen[j] += value;
      };
      first == 0 ? rows.for_each(i, see) : rows.for_each_between(i, first, d - first / 2, see);
      add(seen);
    }
  }
  for (Index first = 0; n - first - first / 2 > 0; ++first) {
    const Index count = n - first - first / 2;
    Vector<T> scores = Vector<T>::Constant(n, T(99));
    rows.scores(first, count, w, scores.data());
    add(scores);
    scores = Vector<T>::LinSpaced(n, T(-2), T(n - 3));
    Vector<T> total = Vector<T>::Constant(d + 1, T(7));  // one entry more than there are features
    rows.add_up(first, count, scores.data(), total);
    add(total);
  }
  return answers;
}

/// Compares rows of small whole numbers with `expected`. Every sum is exact in any order.
template <class Rows, class T = typename Rows::Scalar>
void agrees(const Rows& rows, const std::type_identity_t<Matrix<T>>& expected) {
  REQUIRE(rows.rows() == expected.rows());
  REQUIRE(rows.cols() == expected.cols());
  const Vector<T> w = Vector<T>::LinSpaced(rows.cols(), T(1), static_cast<T>(rows.cols()));
  CHECK(answers_of<T>(rows, w) == answers_of<T>(PlainRows<T>{expected}, w));
}

/// Compares rows of any numbers with those of a copy in double: bit for bit, or up to a
/// `tolerance`.
void same_answers(const auto& seen, const auto& copied, double tolerance = 0) {
  REQUIRE(seen.rows() == copied.rows());
  REQUIRE(seen.entries() == copied.entries());
  const Vector<double> w = synthetic::features(1, copied.cols(), 91).row(0);
  const auto a = answers_of<double>(seen, w);
  const auto b = answers_of<double>(copied, w);
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(same_bits(a[k], b[k]) || std::abs(a[k] - b[k]) <= tolerance * (1 + std::abs(b[k]))))
      FAIL("answer " << k << " of " << copied.cols() << " columns: " << a[k] << ", not " << b[k]);
}

/// Returns small whole numbers; row 2 is empty.
template <class T>
Matrix<T> numbers(Index n, Index d) {
  Matrix<T> x(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) x(i, j) = static_cast<T>(i == 2 ? 0 : (7 * i + 3 * j) % 5 - 2);
  return x;
}

/// Returns sparse rows that have capacity for all columns, part of it unused.
SparseMatrix<double> with_gaps(const Matrix<double>& x) {
  SparseMatrix<double> gaps(x.rows(), x.cols());
  gaps.reserve(Eigen::VectorXi::Constant(static_cast<int>(x.rows()), static_cast<int>(x.cols())));
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != 0) gaps.insert(i, j) = x(i, j);
  return gaps;
}

template <class T>
void agree_in_every_dense_layout() {
  const Matrix<T> expected = numbers<T>(7, 5);
  const Columns<T> columns = expected;
  agrees(rows_of(expected), expected);
  agrees(rows_of(columns), expected);
  Matrix<T> wide = Matrix<T>::Constant(10, 9, T(50));
  wide.block(2, 3, 7, 5) = expected;
  agrees(rows_of(wide.block(2, 3, 7, 5)), expected);
  Columns<T> tall = wide;
  agrees(rows_of(tall.block(2, 3, 7, 5)), expected);
  agrees(rows_of(tall.middleRows(1, 8).block(1, 3, 7, 5)), expected);
  agrees(rows_of(Eigen::Ref<const Columns<T>>(tall.block(2, 3, 7, 5))), expected);
  agrees(rows_of(columns.array()), expected);
  const Columns<T> turned = expected.transpose();
  agrees(rows_of(turned.transpose()), expected);
  // Map every second number in memory rows of 11 numbers, first by rows, then the same numbers by
  // columns.
  std::vector<T> memory(11 * 7, T(60));
  Eigen::Map<Matrix<T>, 0, Strides>(memory.data(), 7, 5, Strides(11, 2)) = expected;
  agrees(rows_of(Eigen::Map<const Matrix<T>, 0, Strides>(memory.data(), 7, 5, Strides(11, 2))),
         expected);
  agrees(rows_of(Eigen::Map<const Columns<T>, 0, Strides>(memory.data(), 7, 5, Strides(2, 11))),
         expected);
}

constexpr double rounding = 1e-14;  // sums of at most a hundred products may be in another order

}  // namespace

TEST_CASE("Rows: every dense layout reads the same numbers", "[rows]") {
  agree_in_every_dense_layout<double>();
  agree_in_every_dense_layout<float>();
}

TEST_CASE("Rows: a vector is samples of one feature, or one sample for row_of", "[rows]") {
  const Vector<double> v = Vector<double>::LinSpaced(4, 1, 4);
  const Matrix<double> as_row = v.transpose();
  agrees(rows_of(v), Matrix<double>(v));
  agrees(row_of(v), as_row);
  agrees(row_of(v.transpose()), as_row);
  agrees(row_of(as_row), as_row);
  const Eigen::MatrixXd columns = as_row.replicate(3, 1);
  agrees(row_of(columns.row(1)), as_row);
  agrees(row_of(v.row(2)), Matrix<double>::Constant(1, 1, 3));  // a sample of a single feature
  const Eigen::Matrix<double, 2, 4, Eigen::RowMajor> fixed = columns.topRows(2);
  agrees(rows_of(fixed), Matrix<double>(fixed));
  static_assert(SingleSample<InDouble<Vector<float>>, double> &&
                !SingleSample<InDouble<Vector<float>>, float>);
  const Vector<float> single = v.cast<float>();
  const Columns<float> singles = columns.cast<float>();
  const SparseMatrix<float> sparse = singles.sparseView();
  agrees(row_of(in_double(single)), as_row);
  agrees(row_of(in_double(singles.row(2))), as_row);
  agrees(row_of(in_double(sparse.row(2))), as_row);
}

TEST_CASE("Rows: sparse rows read the same numbers, compressed or not", "[rows]") {
  const Matrix<double> expected = numbers<double>(7, 5);
  const SparseMatrix<double> sparse = expected.sparseView();
  agrees(rows_of(sparse), expected);
  agrees(rows_of(SparseMatrix<float>(sparse.cast<float>())), Matrix<float>(expected.cast<float>()));
  agrees(rows_of(SparseMatrix<double, Index>(sparse)), expected);
  const SparseMatrix<double> gaps = with_gaps(expected);
  REQUIRE_FALSE(gaps.isCompressed());
  agrees(rows_of(gaps), expected);
  for (const SparseMatrix<double>* matrix : {&sparse, &gaps}) {
    agrees(rows_of(matrix->middleRows(1, 4)), expected.middleRows(1, 4));
    agrees(rows_of(matrix->row(3)), expected.row(3));
  }
  const Eigen::SparseMatrix<double> turned = sparse.transpose();
  agrees(rows_of(turned.transpose()), expected);
  const double values[] = {3, 4};  // the parts of one row
  const int columns[] = {0, 2};
  const int range[] = {0, 2};
  agrees(detail::rows::SparseRows<double, int>(values, columns, range, 3),
         Matrix<double>{{3, 0, 4}});
}

TEST_CASE("Rows: a sparse sample may be a vector, a row, a column, or a transpose", "[rows]") {
  const Matrix<double> x = numbers<double>(4, 6);
  const SparseMatrix<double> sparse = x.sparseView();
  const SparseMatrix<double> gaps = with_gaps(x);
  const Eigen::SparseMatrix<double> turned = sparse.transpose();
  const Eigen::SparseMatrix<double> turned_gaps = gaps.transpose();
  const Eigen::Map<const SparseMatrix<double>> map(4, 6, sparse.nonZeros(), sparse.outerIndexPtr(),
                                                   sparse.innerIndexPtr(), sparse.valuePtr());
  for (Index i : {0, 2, 3}) {
    const Matrix<double> expected = x.row(i);
    const Eigen::SparseVector<double> upright = turned.col(i);
    const Eigen::SparseVector<double, Eigen::RowMajor> flat = sparse.row(i);
    agrees(row_of(upright), expected);
    agrees(row_of(upright.transpose()), expected);
    agrees(row_of(Eigen::Ref<const Eigen::SparseVector<double>>(upright)), expected);
    agrees(row_of(flat), expected);
    agrees(row_of(flat.transpose()), expected);
    agrees(row_of(sparse.row(i)), expected);
    agrees(row_of(sparse.row(i).transpose()), expected);
    agrees(row_of(gaps.row(i)), expected);
    agrees(row_of(turned.col(i)), expected);
    agrees(row_of(turned.col(i).transpose()), expected);
    agrees(row_of(turned_gaps.col(i)), expected);
    agrees(row_of(map.row(i)), expected);
  }
}

TEST_CASE("Rows: sparse rows of any length, of double and of float", "[rows]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    Matrix<T> x = Matrix<T>::Zero(40, 45);
    for (Index i = 0; i < 40; ++i)  // row i has i entries
      for (Index k = 0; k < i; ++k) x(i, k + i % 3) = static_cast<T>((7 * i + 3 * k) % 9 - 10);
    const SparseMatrix<T> sparse = x.sparseView();
    REQUIRE(sparse.nonZeros() == 39 * 20);
    agrees(rows_of(sparse), x);
    agrees(rows_of(sparse.middleRows(3, 30)), x.middleRows(3, 30));
  };
  check(0.0);
  check(0.0F);
}

TEST_CASE("Rows: sparse entries out of order or stored twice count as their sum", "[rows]") {
  const auto check = [](auto zero) {  // the entry of column 1 is stored as 4 and −1
    using I = decltype(zero);
    const double values[] = {4, 7, -1, 5, 2};
    const I columns[] = {1, 0, 1, 2, 0};
    const I starts[] = {0, 4, 4, 5};
    const Eigen::Map<const SparseMatrix<double, I>> x(3, 3, 5, starts, columns, values);
    const Vector<double> w = Eigen::Vector3d(1, 2, 3);
    auto answers = answers_of<double>(rows_of(x), w);
    answers[3] = 7 * 7 + 3 * 3 + 5 * 5;  // the norm uses the stored entries, 4 and −1 among them
    const Matrix<double> expected{{7, 3, 5}, {0, 0, 0}, {2, 0, 0}};
    CHECK(answers == answers_of<double>(PlainRows<double>{expected}, w));
  };
  check(0);
  check(Index{0});
}

TEST_CASE("Rows: with an origin, every member reads x - o", "[rows]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const Matrix<T> x = numbers<T>(7, 21).array() + T(4);  // makes every entry different from 0
    const Vector<T> origin = Vector<T>::LinSpaced(21, T(-10), T(10));
    const Matrix<T> expected = x.rowwise() - origin.transpose();
    const Columns<T> columns = x;
    const SparseMatrix<T> sparse = x.sparseView();
    const Vector<double> wide = origin.template cast<double>();
    const Matrix<double> doubles = expected.template cast<double>();
    const auto in_every_scalar = [&](const auto& samples) {
      agrees(rows_of(samples).relative_to(origin.data()), expected);
      agrees(detail::rows::rows_as<double>(samples).relative_to(wide.data()), doubles);
    };
    in_every_scalar(x);
    in_every_scalar(columns);
    in_every_scalar(sparse);
    agrees(rows_of(columns.transpose().transpose()).relative_to(origin.data()), expected);
    agrees(rows_of(x).relative_to(origin.data()).relative_to(nullptr), x);

    const std::uint32_t arrivals[] = {2, 3, 5};
    const std::uint32_t slots[] = {1, 2, 0};
    Matrix<T> packed = Matrix<T>::Constant(4, 21, T(99));
    rows_of(columns).relative_to(origin.data()).pack(arrivals, slots, packed);
    for (int k = 0; k < 3; ++k) CHECK(packed.row(slots[k]) == expected.row(arrivals[k]));
    CHECK((packed.row(3).array() == T(99)).all());
  };
  check(0.0);
  check(0.0F);
}

TEST_CASE("in_double: rows give the bits of a double copy, columns and strides its numbers",
          "[rows]") {
  for (const Index d : {1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 33, 64, 100}) {
    const Matrix<float> x = synthetic::features<float>(9, d, 1);
    const Matrix<double> copy = x.cast<double>();
    same_answers(rows_of(in_double(x)), rows_of(copy));
    same_answers(rows_of(in_double(Eigen::Map<const Matrix<float>>(x.data(), 9, d))),
                 rows_of(copy));
    same_answers(rows_of(in_double(x.bottomRightCorner(7, d - d / 3))),
                 rows_of(copy.bottomRightCorner(7, d - d / 3)));
    const Columns<float> columns = x;
    same_answers(rows_of(in_double(columns)), rows_of(copy), rounding);
    const Matrix<float> wide = x.replicate(1, 2);
    const Eigen::Map<const Matrix<float>, 0, Strides> every_second(wide.data(), 9, d,
                                                                   Strides(2 * d, 2));
    same_answers(rows_of(in_double(every_second)),
                 rows_of(Matrix<double>(every_second.cast<double>())), rounding);
    same_answers(rows_of(in_double(copy)), rows_of(copy));
  }
}

TEST_CASE("in_double: sparse rows give the bits of a double copy", "[rows]") {
  for (const double density : {0.1, 0.5, 1.0}) {
    const auto x = synthetic::sparse(synthetic::features<float>(30, 90, 3, density));
    const SparseMatrix<double> copy = x.cast<double>();
    same_answers(rows_of(in_double(x)), rows_of(copy));
    same_answers(rows_of(in_double(x.middleRows(3, 20))), rows_of(copy.middleRows(3, 20)));
    const SparseMatrix<float, Index> large = x;
    same_answers(rows_of(in_double(large)), rows_of(copy));
    SparseMatrix<float> gaps = x;
    gaps.uncompress();
    gaps.coeffRef(4, 4) = 2.5F;
    const SparseMatrix<double> filled = gaps.cast<double>();
    same_answers(rows_of(in_double(gaps)), rows_of(filled));
  }
}

TEST_CASE("in_double: columns are packed as doubles, in any order", "[rows]") {
  const Columns<float> x = synthetic::features<float>(70, 21, 7);
  std::vector<std::uint32_t> arrivals(60);
  std::iota(arrivals.begin(), arrivals.begin() + 40, 30U);  // a long run, then single rows
  for (std::uint32_t k = 40; k < 60; ++k) arrivals[k] = 59 - k;
  std::vector<std::uint32_t> slots(60);
  for (std::uint32_t k = 0; k < 60; ++k) slots[k] = k * 7 % 60;
  Matrix<double> packed = Matrix<double>::Constant(60, 21, 99);
  rows_of(in_double(x)).pack(arrivals, slots, packed);
  for (std::size_t k = 0; k < 60; ++k)
    CHECK(packed.row(slots[k]) == x.row(arrivals[k]).cast<double>());
}

TEST_CASE("in_double: a long sum keeps the digits that float loses, and the range", "[rows]") {
  // Each addition to a sum in float is rounded, many times by the same amount, so the errors add
  // up.
  const Matrix<float> x = Matrix<float>::Constant(1, 20000, 0.1F);
  const double exact = 20000 * static_cast<double>(0.1F) * static_cast<double>(0.1F);
  const Vector<float> w = x.row(0);
  const Vector<double> v = w.cast<double>();
  CHECK(std::abs(static_cast<double>(rows_of(x).dot(0, w)) / exact - 1) > 1e-6);
  CHECK(std::abs(rows_of(in_double(x)).dot(0, v) / exact - 1) < 1e-13);
  CHECK(std::abs(rows_of(in_double(x)).squared_norm(0) / exact - 1) < 1e-13);
  const SparseMatrix<float> sparse = x.sparseView();
  CHECK(std::abs(rows_of(in_double(sparse)).dot(0, v) / exact - 1) < 1e-13);
  const Matrix<float> large = Matrix<float>::Constant(3, 5, 1e30F);
  CHECK_FALSE(std::isfinite(rows_of(large).squared_norm(0)));
  CHECK(std::isfinite(rows_of(in_double(large)).squared_norm(0)));
}

TEST_CASE("Rows: entries counts the stored ones, row_bytes the bytes of a row, in place or packed",
          "[rows]") {
  Matrix<double> x = Matrix<double>::Zero(4, 6);
  x.bottomRows(2).setOnes();
  const SparseMatrix<double> sparse = x.sparseView();
  const Matrix<float> floats = x.cast<float>();
  const Columns<float> columns = floats;
  const SparseMatrix<float> sparse_floats = floats.sparseView();
  const SparseMatrix<float, Index> large = sparse_floats;
  const SparseMatrix<double> none(0, 6);
  const auto check = [](const auto& rows, Index entries, Index row_bytes) {
    CHECK(rows.entries() == entries);
    CHECK(rows.row_bytes() == row_bytes);
  };
  check(rows_of(x), 24, 6 * 8);
  check(rows_of(floats), 24, 6 * 4);
  check(rows_of(Eigen::MatrixXd(x)), 24, 6 * 8);
  check(rows_of(in_double(floats)), 24, 6 * 4);
  check(rows_of(in_double(columns)), 24, 6 * 8);
  check(rows_of(sparse), 12, 3 * 12);
  check(rows_of(sparse.middleRows(1, 2)), 6, 3 * 12);
  check(rows_of(large), 12, 3 * static_cast<Index>(sizeof(float) + sizeof(Index)));
  check(rows_of(in_double(sparse_floats)), 12, 3 * 8);
  check(rows_of(none), 0, 0);
  SparseMatrix<double> gaps = sparse;
  gaps.uncompress();
  gaps.coeffRef(0, 0) = 1;
  CHECK(rows_of(gaps).entries() == 13);
  // The matrix has more bytes than 32 bits can count. Only its sizes exist: reading an entry would
  // crash.
  const int starts[] = {0, 150'000'000, 300'000'000};
  const Eigen::Map<const SparseMatrix<double>> huge(2, 1'000'000'000, starts[2], starts, nullptr,
                                                    nullptr);
  CHECK(rows_of(huge).row_bytes() == 1'800'000'000);
}
