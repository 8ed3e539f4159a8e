// SPDX-License-Identifier: MIT
#include <linea/losses.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <linea/samples/present_columns.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"

namespace present_columns_test {

using namespace linea;

namespace {

constexpr Index columns = 1000;
/// Columns on both sides of the borders between words of 64 bits.
const std::vector<Index> present{0, 5, 63, 64, 127, 640, 999};

/// Four samples, and the same without the columns that none of them stores.
template <class T>
struct Few {
  SparseMatrix<T> x{4, columns};
  SparseMatrix<T> narrow{4, static_cast<Index>(present.size())};
  Vector<double> y{{1, -1, 1, -1}};

  explicit Few(T level = 0) {
    const Matrix<T> entries{
        {1, 0, 2, 0, 3, 0, 5}, {0, 2, 0, 1, 1, 0, 5}, {2, 0, 1, 0, 0, 1, 5}, {0, 1, 0, 3, 0, 2, 6}};
    for (Index i = 0; i < entries.rows(); ++i)
      for (Index k = 0; k < entries.cols(); ++k) {
        const T value = entries(i, k) + (k == 6 ? level : 0);  // every row has the last column
        if (value == 0) continue;
        x.insert(i, present[static_cast<std::size_t>(k)]) = value;
        narrow.insert(i, k) = value;
      }
  }
};

template <class T>
Vector<T> widened(const Vector<T>& weights) {
  Vector<T> all = Vector<T>::Zero(columns);
  for (Index k = 0; k < weights.size(); ++k) all[present[static_cast<std::size_t>(k)]] = weights[k];
  return all;
}

}  // namespace

TEST_CASE("Present columns: only these stay, in their order", "[samples]") {
  const Few<double> few;
  auto set = detail::samples::admit("test", Hinge{}, few.x, few.y);
  detail::samples::keep_present_columns(set);
  REQUIRE(set.columns);
  CHECK(set.columns->columns == present);
  CHECK(set.columns->all == columns);
  REQUIRE(set.rows.cols() == 7);
  const auto expected = rows_of(few.narrow);
  for (Index i = 0; i < 4; ++i) {
    const auto entries = [&](const auto& rows) {
      std::vector<std::pair<Index, double>> found;
      rows.for_each(i, [&](Index j, double value) { found.emplace_back(j, value); });
      return found;
    };
    CHECK(entries(set.rows) == entries(expected));
  }
}

TEST_CASE("Present columns: samples with two entries for each column, or none, stay", "[samples]") {
  SparseMatrix<double> x(4, 7);
  const auto stays = [&] {
    auto set = detail::samples::admit("test", Hinge{}, x, Vector<double>{{1, -1, 1, -1}});
    detail::samples::keep_present_columns(set);
    return set.rows.cols() == 7 && !set.columns;
  };
  CHECK(stays());  // no entries
  for (Index k = 0; k < 14; ++k) x.insert(k % 4, k / 4) = 1;
  CHECK(stays());
  x.coeffRef(0, 0) = 0;
  x.prune(0.0);  // 13 entries
  CHECK(!stays());
}

TEMPLATE_TEST_CASE("Present columns: a fit is that of the samples without the others",
                   "[optimizers]", double, float) {
  using T = TestType;
  const bool offset = GENERATE(true, false);
  const T level = GENERATE(T(0), T(4000));  // 4000: runs with an offset centre the column
  const Few<T> few(level);
  const auto is_same = [&](const auto& objective, const auto& optimizer, const auto& x) {
    const auto expected = optimizer.minimize(objective, few.narrow, few.y);
    Index seen = 0;
    const auto found = optimizer.minimize(objective, x, few.y, [&](const Progress& progress) {
      seen = progress.iterate().weights.size();
      return Control::proceed;
    });
    CHECK(same_bits(found.weights, widened(expected.weights)));
    CHECK(found.offset == expected.offset);
    CHECK(found.objective == expected.objective);
    CHECK(found.gap == expected.gap);
    CHECK(found.updates == expected.updates);
    CHECK(seen == columns);
  };
  const Eigen::SparseMatrix<T> by_column = few.x;
  const L2 penalty{0.1};
  is_same(Objective{Hinge{}, penalty}, DualCoordinateAscent{.offset = offset}, few.x);
  is_same(Objective{Hinge{}, penalty}, DualCoordinateAscent{.offset = offset}, by_column);
  is_same(Objective{Log{}, penalty}, Newton{.offset = offset}, few.x);
  is_same(Objective{Log{}, penalty}, Lbfgs{.offset = offset}, few.x);
}

TEST_CASE("Present columns: start weights and penalty factors name all columns", "[optimizers]") {
  const Few<double> few;
  const Objective objective{Log{}, L2{0.1}};
  const auto plain = Newton{.tolerance = 1e-10}.minimize(objective, few.x, few.y);
  Vector<double> start = Vector<double>::Ones(columns);
  const auto started = Newton{.tolerance = 1e-10}.minimize(objective, few.x, few.y,
                                                           Extras<double>{.start_weights = start});
  CHECK_THAT(started.objective, WithinRel(plain.objective, 1e-9));
  CHECK_THAT(started.weights.cwiseAbs().maxCoeff(),
             WithinRel(plain.weights.cwiseAbs().maxCoeff(), 1e-4));
  CHECK(std::abs(started.weights[1]) < 1e-4);  // no row stores column 1

  const Objective factored{Log{}, PenaltyFactors{L2{0.1}, Vector<double>::Ones(columns).eval()}};
  const auto same = Newton{.tolerance = 1e-10}.minimize(factored, few.x, few.y);
  CHECK_THAT(same.objective, WithinRel(plain.objective, 1e-9));
}

}  // namespace present_columns_test
