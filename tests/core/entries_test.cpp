// SPDX-License-Identifier: MIT
#include <algorithm>  // sort
#include <array>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/numbers.hpp>
#include <span>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("filled: n times a value, and nothing for n = 0", "[core]") {
  CHECK(detail::filled(3, 1.5) == Vector<double>::Constant(3, 1.5));
  CHECK(detail::filled<float>(2, 0) == Vector<float>::Zero(2));
  CHECK(detail::filled<Index>(4, 7) == Vector<Index>::Constant(4, 7));
  CHECK(detail::filled(0, 1.0).size() == 0);
}

TEST_CASE("all_finite: detects a single entry that is not finite", "[core]") {
  using Limits = std::numeric_limits<double>;
  CHECK(detail::all_finite(Vector<double>{}));
  Matrix<double> rows = Matrix<double>::Constant(3, 4, Limits::max());
  detail::ColumnMatrix<float> columns = detail::ColumnMatrix<float>::Zero(2, 3);
  CHECK(detail::all_finite(rows));
  CHECK(detail::all_finite(columns));
  for (const double bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    for (Index k = 0; k < rows.size(); ++k) {
      rows.data()[k] = bad;
      CHECK_FALSE(detail::all_finite(rows));
      rows.data()[k] = Limits::denorm_min();
    }
    columns(1, 2) = static_cast<float>(bad);
    CHECK_FALSE(detail::all_finite(columns));
    columns(1, 2) = 0;
  }
}

TEST_CASE("stable_sort: keeps the order of equal elements, for any number of them", "[core]") {
  for (int count = 0; count < 40; ++count) {
    std::vector<int> sorted;
    for (int k = 0; k < count; ++k) sorted.push_back(100 * (k * 7 % 5) + k);
    std::vector<int> expected = sorted;
    std::sort(expected.begin(), expected.end());
    detail::stable_sort(sorted, [](int a, int b) { return a / 100 < b / 100; });
    CHECK(sorted == expected);
  }
}

static_assert(Numbers<std::vector<int>> && Numbers<std::span<const float>> &&
              Numbers<std::array<double, 3>> && Numbers<std::vector<bool>> && Numbers<int[4]> &&
              Numbers<Vector<double>> && Numbers<Eigen::RowVectorXi>);
static_assert(!Numbers<std::string_view*> && !Numbers<std::vector<std::string>> &&
              !Numbers<Matrix<double>> && !Numbers<double> && !NumberRange<Vector<double>>);

TEST_CASE("Numbers: lists convert to vectors, in place if possible", "[core]") {
  const std::vector<int> whole{3, 1, 2};
  const auto& view = detail::vector_of(whole);
  CHECK(view.data() == whole.data());
  CHECK(view == Eigen::Vector3i(3, 1, 2));
  const double plain[] = {0.5, -1};
  CHECK(detail::vector_of(plain) == Eigen::Vector2d(0.5, -1));
  CHECK(detail::vector_of(std::span(whole).subspan(1)) == Eigen::Vector2i(1, 2));
  const std::vector<bool> bits{true, false, true};
  CHECK(detail::vector_of(bits).cast<int>() == Eigen::Vector3i(1, 0, 1));
  CHECK(detail::vector_of(std::vector<float>{}).size() == 0);
  const Vector<double> vector = Eigen::Vector3d(1, 2, 3);
  CHECK(&detail::vector_of(vector) == &vector);
}
