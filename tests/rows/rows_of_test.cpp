// SPDX-License-Identifier: MIT
#include <concepts>
#include <cstdint>
#include <linea/rows.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

static_assert(RowsOf<rows::SparseRows<float, int, double>, double>);

static_assert(RowsOf<rows::DenseRows<float, false, double>, double> &&
              RowsOf<rows::DenseRows<float, true>, float>);

namespace {

/// Small whole numbers with zeros, so that every sum is exact in any order; row 2 is empty.
template <class T>
Matrix<T> numbers(Index n, Index d) {
  Matrix<T> x(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) x(i, j) = static_cast<T>(i == 2 ? 0 : (7 * i + 3 * j) % 5 - 2);
  return x;
}

/// All that a view of rows answers, against the matrix it should be.
template <class Rows, class T = typename Rows::Scalar>
void agrees(const Rows& rows, const std::type_identity_t<Matrix<T>>& expected) {
  const Index d = expected.cols();
  REQUIRE(rows.rows() == expected.rows());
  REQUIRE(rows.cols() == d);
  const Vector<T> w = Vector<T>::LinSpaced(d, T(1), static_cast<T>(d));
  for (Index i = 0; i < expected.rows(); ++i) {
    CAPTURE(i);
    CHECK(rows.dot(i, w) == expected.row(i).dot(w));
    Vector<T> sum = w;
    rows.add(i, T(-2), sum);
    CHECK(sum == w - T(2) * expected.row(i).transpose());

    Vector<T> seen = Vector<T>::Zero(d);
    rows.for_each(i, [&](Index j, T value) { seen[j] += value; });
    CHECK(seen == expected.row(i).transpose());
    for (Index first = 0; first <= d; ++first) {
      seen.setZero();
      rows.for_each_between(i, first, d - first / 2, [&](Index j, T value) { seen[j] += value; });
      Vector<T> part = expected.row(i);
      part.head(first).setZero();
      part.tail(first / 2).setZero();
      CHECK(seen == part);
    }
    const Index next = (3 * i + 1) % expected.rows();
    CHECK(rows.dot(i, w, next) == expected.row(i).dot(w));
    if constexpr (requires { rows.add_then_dot(i, T(3), sum, next, i); }) {
      sum = w;
      CHECK(rows.add_then_dot(i, T(3), sum, next, i) ==
            expected.row(next).dot(w + T(3) * expected.row(i).transpose()));
      CHECK(sum == w + T(3) * expected.row(i).transpose());
    }
  }
  for (Index first = 0; first < expected.rows(); ++first) {
    const Index count = expected.rows() - first - first / 2;
    if (count <= 0) break;
    Vector<T> scores = Vector<T>::Constant(expected.rows(), T(99));
    rows.scores(first, count, w, scores.data());
    CHECK(scores.head(count) == expected.middleRows(first, count) * w);
    CHECK((scores.tail(expected.rows() - count).array() == T(99)).all());

    // With room for a weight more, which stays as it is.
    scores = Vector<T>::LinSpaced(expected.rows(), T(-2), T(expected.rows() - 3));
    Vector<T> total = Vector<T>::Constant(expected.cols() + 1, T(7));
    rows.add_up(first, count, scores.data(), total);
    CHECK(total.head(expected.cols()) ==
          Vector<T>::Constant(expected.cols(), T(7)) +
              expected.middleRows(first, count).transpose() * scores.head(count));
    CHECK(total[expected.cols()] == T(7));
  }
}

/// And what holds as long as no entry is stored twice.
template <class Rows, class T = typename Rows::Scalar>
void agrees_in_norm(const Rows& rows, const std::type_identity_t<Matrix<T>>& expected) {
  agrees(rows, expected);
  for (Index i = 0; i < expected.rows(); ++i)
    CHECK(rows.squared_norm(i) == expected.row(i).squaredNorm());
}

template <class T>
void agree_in_every_dense_layout() {
  const Matrix<T> expected = numbers<T>(7, 5);
  using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Columns columns = expected;
  static_assert(std::same_as<decltype(rows_of(expected)), rows::DenseRows<T, true>>);
  static_assert(std::same_as<decltype(rows_of(columns)), rows::DenseRows<T, false>>);
  agrees_in_norm(rows_of(expected), expected);
  agrees_in_norm(rows_of(columns), expected);

  Matrix<T> wide = Matrix<T>::Constant(10, 9, T(50));
  wide.block(2, 3, 7, 5) = expected;
  agrees_in_norm(rows_of(wide.block(2, 3, 7, 5)), expected);
  Columns tall = wide;
  agrees_in_norm(rows_of(tall.block(2, 3, 7, 5)), expected);
  agrees_in_norm(rows_of(tall.middleRows(1, 8).block(1, 3, 7, 5)), expected);
  agrees_in_norm(rows_of(Eigen::Ref<const Columns>(tall.block(2, 3, 7, 5))), expected);
  agrees_in_norm(rows_of(columns.array()), expected);
  const Columns turned = expected.transpose();
  agrees_in_norm(rows_of(turned.transpose()), expected);

  // Every second number of every row of 11, row-major; and the same memory seen by columns.
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<T> memory(11 * 7, T(60));
  Eigen::Map<Matrix<T>, 0, Strides>(memory.data(), 7, 5, Strides(11, 2)) = expected;
  const Eigen::Map<const Matrix<T>, 0, Strides> by_rows(memory.data(), 7, 5, Strides(11, 2));
  const Eigen::Map<const Columns, 0, Strides> by_columns(memory.data(), 7, 5, Strides(2, 11));
  agrees_in_norm(rows_of(by_rows), expected);
  agrees_in_norm(rows_of(by_columns), expected);
}

/// One row given out of order, and with column 1 stored as 4 − 1.
template <class I>
struct Untidy {
  std::vector<double> values{4, 7, -1, 5, 2};
  std::vector<I> columns{1, 0, 1, 2, 0};
  std::vector<I> starts{0, 4, 4, 5};
  Matrix<double> expected = (Matrix<double>(3, 3) << 7, 3, 5, 0, 0, 0, 2, 0, 0).finished();
  auto map() const {
    return Eigen::Map<const SparseMatrix<double, I>>(3, 3, 5, starts.data(), columns.data(),
                                                     values.data());
  }
};

}  // namespace

TEST_CASE("Rows: every dense layout reads the same numbers", "[rows]") {
  agree_in_every_dense_layout<double>();
  agree_in_every_dense_layout<float>();
}

TEST_CASE("Rows: a vector is samples of one feature, and one sample to row_of", "[rows]") {
  const Vector<double> v = Vector<double>::LinSpaced(4, 1, 4);
  const Matrix<double> as_column = v;
  const Matrix<double> as_row = v.transpose();
  agrees_in_norm(rows_of(v), as_column);
  agrees_in_norm(row_of(v), as_row);
  agrees_in_norm(row_of(v.transpose()), as_row);
  agrees_in_norm(row_of(as_row), as_row);
  const Eigen::MatrixXd columns = as_row.replicate(3, 1);
  agrees_in_norm(row_of(columns.row(1)), as_row);
  agrees_in_norm(row_of(v.row(2)), Matrix<double>::Constant(1, 1, 3));  // a sample of one feature
  const Eigen::Matrix<double, 2, 4, Eigen::RowMajor> fixed = columns.topRows(2);
  agrees_in_norm(rows_of(fixed), Matrix<double>(fixed));
}

TEST_CASE("Rows: sparse rows read the same numbers, compressed or not", "[rows]") {
  const Matrix<double> expected = numbers<double>(7, 5);
  const SparseMatrix<double> sparse = expected.sparseView();
  agrees_in_norm(rows_of(sparse), expected);
  agrees_in_norm(rows_of(SparseMatrix<float>(expected.cast<float>().sparseView())),
                 Matrix<float>(expected.cast<float>()));

  SparseMatrix<double> gaps(7, 5);  // room for 5 in each row, not all of it used
  gaps.reserve(Eigen::VectorXi::Constant(7, 5));
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j)
      if (expected(i, j) != 0) gaps.insert(i, j) = expected(i, j);
  REQUIRE_FALSE(gaps.isCompressed());
  agrees_in_norm(rows_of(gaps), expected);

  const SparseMatrix<double, Index> large = sparse;
  static_assert(std::same_as<decltype(rows_of(large)), rows::SparseRows<double, Index>>);
  agrees_in_norm(rows_of(large), expected);
  for (const SparseMatrix<double>* matrix : {&sparse, &std::as_const(gaps)}) {
    agrees_in_norm(rows_of(matrix->middleRows(1, 4)), expected.middleRows(1, 4));
    agrees_in_norm(rows_of(matrix->row(3)), expected.row(3));
  }
  const Eigen::SparseMatrix<double> turned = sparse.transpose();
  agrees_in_norm(rows_of(turned.transpose()), expected);
}

TEST_CASE("Rows: relative to an origin, every member reads x - o", "[rows]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const Matrix<T> x = numbers<T>(7, 21).array() + T(4);  // no entry is 0
    Vector<T> origin = Vector<T>::LinSpaced(21, T(-10), T(10));
    const Matrix<T> expected = x.rowwise() - origin.transpose();
    const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor> columns = x;
    agrees_in_norm(rows_of(x).relative_to(origin.data()), expected);
    agrees_in_norm(rows_of(columns).relative_to(origin.data()), expected);
    agrees_in_norm(rows_of(columns.transpose().transpose()).relative_to(origin.data()), expected);
    const SparseMatrix<T> sparse = x.sparseView();
    agrees_in_norm(rows_of(sparse).relative_to(origin.data()), expected);
    const Vector<double> wide = origin.template cast<double>();
    const Matrix<double> doubles = expected.template cast<double>();
    agrees_in_norm(rows::rows_as<double>(x).relative_to(wide.data()), doubles);
    agrees_in_norm(rows::rows_as<double>(columns).relative_to(wide.data()), doubles);
    agrees_in_norm(rows::rows_as<double>(sparse).relative_to(wide.data()), doubles);
    agrees_in_norm(rows_of(x).relative_to(origin.data()).relative_to(nullptr), x);

    const std::uint32_t arrivals[] = {2, 3, 5};
    const std::uint32_t slots[] = {1, 2, 0};
    Matrix<T> packed = Matrix<T>::Constant(4, 21, T(99));
    rows_of(columns).relative_to(origin.data()).pack(arrivals, slots, packed);
    CHECK(packed.row(0) == expected.row(5));
    CHECK(packed.row(1) == expected.row(2));
    CHECK(packed.row(2) == expected.row(3));
    CHECK((packed.row(3).array() == T(99)).all());
  };
  check(0.0);
  check(0.0F);
}

TEST_CASE("Rows: sparse entries out of order or stored twice count as their sum", "[rows]") {
  const Untidy<int> untidy;
  agrees(rows_of(untidy.map()), untidy.expected);
  const Untidy<Index> large;
  agrees(rows_of(large.map()), large.expected);
}

TEST_CASE("Rows: sparse rows of any length have the squared norm of their entries", "[rows]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    Matrix<T> x = Matrix<T>::Zero(40, 45);
    for (Index i = 0; i < 40; ++i)  // row i has i entries
      for (Index k = 0; k < i; ++k) x(i, k + i % 3) = static_cast<T>((7 * i + 3 * k) % 9 - 10);
    const SparseMatrix<T> sparse = x.sparseView();
    REQUIRE(sparse.nonZeros() == 39 * 20);
    agrees_in_norm(rows_of(sparse), x);
    agrees_in_norm(rows_of(sparse.middleRows(3, 30)), x.middleRows(3, 30));
  };
  check(0.0);
  check(0.0F);
}

TEST_CASE("Rows: one sparse row from its parts", "[rows]") {
  const double values[] = {3, 4};
  const int columns[] = {0, 2};
  const int range[] = {0, 2};
  const rows::SparseRows<double, int> row(values, columns, range, 3);
  agrees_in_norm(row, Matrix<double>((Matrix<double>(1, 3) << 3, 0, 4).finished()));
}

TEST_CASE("Rows: a dense row starts where its first entry lies", "[rows]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 6);
  const Eigen::MatrixXf columns = Eigen::MatrixXf::Ones(4, 6);
  for (Index i = 0; i < 4; ++i) {
    CHECK(rows_of(x).start(i) == &x(i, 0));
    CHECK(rows_of(columns).start(i) == &columns(i, 0));
    CHECK(rows_of(in_double(columns)).start(i) == &columns(i, 0));
  }
  CHECK(rows_of(x.block(1, 2, 3, 4)).start(2) == &x(3, 2));
  CHECK(rows_of(columns.block(1, 2, 3, 4)).start(2) == &columns(3, 2));
}

TEST_CASE("Rows: as many entries as are stored in them", "[rows]") {
  CHECK(rows_of(Matrix<double>(4, 6)).entries() == 24);
  Matrix<double> x = Matrix<double>::Zero(4, 6);
  x.row(1).setOnes();
  x(3, 2) = 1;
  SparseMatrix<double> sparse = x.sparseView();
  CHECK(rows_of(sparse).entries() == 7);
  CHECK(rows_of(sparse.middleRows(1, 2)).entries() == 6);
  sparse.uncompress();
  sparse.coeffRef(0, 0) = 1;
  CHECK(rows_of(sparse).entries() == 8);
  CHECK(rows_of(SparseMatrix<double>(0, 6)).entries() == 0);
}

TEST_CASE("Rows: row_bytes is what a row takes in memory, on average if sparse", "[rows]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 6);
  CHECK(rows_of(x).row_bytes() == 48);
  CHECK(rows_of(Matrix<float>(4, 6)).row_bytes() == 24);
  CHECK(rows_of(Eigen::MatrixXd(4, 6)).row_bytes() == 48);
  Matrix<double> half = x;
  half.topRows(2).setZero();
  CHECK(rows_of(SparseMatrix<double>(half.sparseView())).row_bytes() == 3 * 12);
  const SparseMatrix<float, Index> large = half.cast<float>().sparseView();
  CHECK(rows_of(large).row_bytes() == 3 * static_cast<Index>(sizeof(float) + sizeof(Index)));
  CHECK(rows_of(SparseMatrix<double>(0, 6)).row_bytes() == 0);
}

TEST_CASE("rows_of: the mean size of rows whose bytes 32 bits do not count", "[rows]") {
  // Of the entries there is nothing but their number: who reads one crashes.
  const int starts[] = {0, 150'000'000, 300'000'000};
  const Eigen::Map<const SparseMatrix<double>> x(2, 1'000'000'000, starts[2], starts, nullptr,
                                                 nullptr);
  CHECK(rows_of(x).row_bytes() == 1'800'000'000);
}
