// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

std::vector<detail::linear_algebra::VectorLevel> offered_levels() {
  std::vector<detail::linear_algebra::VectorLevel> levels;
  for (const auto level :
       {detail::linear_algebra::VectorLevel::baseline, detail::linear_algebra::VectorLevel::avx2,
        detail::linear_algebra::VectorLevel::avx512})
    if (detail::linear_algebra::is_offered(level)) levels.push_back(level);
  return levels;
}

Matrix<double> numbers(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix<double> a(n, d);
  for (double& entry : a.reshaped()) entry = random.uniform() - 0.4;
  return a;
}

detail::linear_algebra::PackedRows packed_with_room(const Matrix<double>& a, Index capacity) {
  detail::linear_algebra::PackedRows rows(capacity, a.cols());
  for (Index i = 0; i < capacity; ++i)
    for (Index j = 0; j < a.cols(); ++j)
      rows(i, j) = i < a.rows() ? a(i, j) : std::numeric_limits<double>::quiet_NaN();
  return rows;
}

detail::linear_algebra::Product lower(const detail::linear_algebra::PackedRows& rows, Index count,
                                      Eigen::Ref<Eigen::MatrixXd> c) {
  return {rows,     rows,           count, detail::linear_algebra::Product::Part::lower,
          c.data(), c.outerStride()};
}

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE(
    "Symmetric product: every vector level agrees with the definition, and the best is supported",
    "[optimizers]") {
  REQUIRE(detail::linear_algebra::is_offered(detail::linear_algebra::VectorLevel::baseline));
  REQUIRE(detail::linear_algebra::is_offered(detail::linear_algebra::best_vector_level()));
  for (const detail::linear_algebra::VectorLevel level : offered_levels())
    for (Index columns = 1; columns <= 101; columns += columns < 56 ? 1 : 15)
      for (const Index rows : {0, 1, 2, 7, 64, 129}) {
        CAPTURE(static_cast<int>(level), columns, rows);
        const auto a = numbers(rows, columns, 1);
        // c is a part of a larger matrix, and only its lower triangle may change. The other entries
        // of the matrix are −0, which even an added 0 would change. The rows of `block` from `rows`
        // on are NaN.
        Eigen::MatrixXd before = Eigen::MatrixXd::Constant(columns + 5, columns + 5, -0.0);
        before.block(2, 3, columns, columns).triangularView<Eigen::Lower>() =
            numbers(columns, columns, 2);
        Eigen::MatrixXd after = before;
        Eigen::Ref<Eigen::MatrixXd> c = after.block(2, 3, columns, columns);
        const auto block = packed_with_room(a, rows + 3);
        detail::linear_algebra::run_at(level, lower(block, rows, c));

        const Wide product = a.cast<long double>().transpose() * a.cast<long double>();
        const Wide expected = product + before.block(2, 3, columns, columns).cast<long double>();
        const Wide error = (c.cast<long double>() - expected).cwiseAbs();
        const long double most =
            (static_cast<double>(rows) + 1) * eps * (1 + product.cwiseAbs().sum());
        REQUIRE(Wide(error.triangularView<Eigen::Lower>()).maxCoeff() <= most);
        after.block(2, 3, columns, columns).triangularView<Eigen::Lower>() =
            before.block(2, 3, columns, columns);
        REQUIRE(std::memcmp(after.data(), before.data(),
                            sizeof(double) * static_cast<std::size_t>(after.size())) == 0);
      }
}

TEST_CASE("Symmetric product: equal input gives equal bits", "[optimizers]") {
  const auto a = numbers(100, 37, 3);
  const auto first = packed_with_room(a, 100);
  const auto second = packed_with_room(a, 117);
  for (const detail::linear_algebra::VectorLevel level : offered_levels()) {
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(37, 37);
    // `part` has another stride and another alignment than c.
    Eigen::MatrixXd larger = Eigen::MatrixXd::Zero(40, 37);
    detail::linear_algebra::run_at(level, detail::linear_algebra::symmetric_product(first, 100, c));
    Eigen::Ref<Eigen::MatrixXd> part = larger.bottomRows(37);
    detail::linear_algebra::run_at(level, lower(second, 100, part));
    REQUIRE(c == part);
  }
}

TEST_CASE("Wide product: all vector levels and sizes agree", "[optimizers]") {
  for (const Index count : {0, 1, 7, 130})
    for (const Index left : {1, 5, 24, 50})
      for (const Index right : {1, 8, 25}) {
        const Eigen::MatrixXd a = numbers(count, left, 28);
        const Matrix<double> b = numbers(count, right, 29);
        const Eigen::MatrixXd expected = a.transpose() * b;
        const auto packed_a = detail::linear_algebra::packed(a);
        const auto packed_b = detail::linear_algebra::packed(b);
        Eigen::MatrixXd c;
        detail::linear_algebra::multiply(packed_a, packed_b, count, c);
        CHECK((c - expected).norm() <= 1e-14 * (1 + expected.norm()));
        for (const detail::linear_algebra::VectorLevel level : offered_levels()) {
          CAPTURE(static_cast<int>(level), count, left, right);
          c.setZero();
          detail::linear_algebra::run_at(
              level, detail::linear_algebra::Product(packed_a, packed_b, count,
                                                     detail::linear_algebra::Product::Part::whole,
                                                     c.data(), c.rows()));
          CHECK((c - expected).norm() <= 1e-14 * (1 + expected.norm()));
        }
      }
}

TEST_CASE("add_gram: adds the sum of the rows' squares, entry by entry or in blocks",
          "[optimizers]") {
  for (const Index columns : {1, 3, 23, 24, 25, 60})
    for (const Index count : {0, 1, 127, 128, 300})
      for (const bool is_full : {true, false}) {
        CAPTURE(columns, count, is_full);
        Matrix<double> x = synthetic::features(count + 1, columns, 7).topRows(count);
        if (!is_full)  // one entry in five is not 0
          for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < columns; ++j)
              if ((3 * i + j) % 5 != 0) x(i, j) = 0;
        detail::ColumnMatrix<double> matrix = Eigen::MatrixXd::Constant(columns, columns, 2.5);
        const auto row = [&](Index k, auto&& put) {
          for (Index j = 0; j < columns; ++j)
            if (x(k, j) != 0) put(j, x(k, j));
        };
        detail::linear_algebra::add_gram(matrix, count,
                                         static_cast<double>(columns) / (is_full ? 1 : 5), row);
        const Eigen::MatrixXd expected =
            Eigen::MatrixXd::Constant(columns, columns, 2.5) + x.transpose() * x;
        for (Index j = 0; j < columns; ++j)
          for (Index i = j; i < columns; ++i)
            REQUIRE_THAT(matrix(i, j),
                         WithinAbs(expected(i, j), 1e-12 * (1 + static_cast<double>(count))));
      }
}

TEST_CASE("add_gram: a row may have more entries than `in_row`", "[optimizers]") {
  detail::ColumnMatrix<double> matrix = Eigen::MatrixXd::Zero(40, 40);
  detail::linear_algebra::add_gram(matrix, 2, 0.5, [](Index k, auto&& put) {
    for (Index j = 0; j < 40; ++j) put(j, static_cast<double>(k + j));
  });
  for (Index j = 0; j < 40; ++j)
    for (Index i = j; i < 40; ++i)
      REQUIRE(matrix(i, j) == static_cast<double>(i * j + (i + 1) * (j + 1)));
}
