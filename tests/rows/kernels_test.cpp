// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/rows/kernels.hpp>
#include <linea/rows/rows_of.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/random_place.hpp"
#include "support/refusal.hpp"
#include "support/synthetic.hpp"

namespace kernels_test {

using namespace linea;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

template <class X>
std::string entries_refusal(const X& x) {
  const auto rows = rows_of(x);
  const std::string message = test::refusal_of([&] { detail::rows::require_entries("f", rows); });
  // If all_in_range is wrongly false, require_entries still passes, but scans x again.
  CHECK(rows.all_in_range() == message.empty());
  return message;
}
template <class X>
std::string distinct_refusal(const X& x, bool ascending = true) {
  const auto rows = rows_of(x);
  CHECK(rows.all_ascending() == ascending);
  return test::refusal_of([&] { detail::rows::require_distinct("f", rows); });
}

/// Returns the errors for x in every layout. The memory around the entries of x contains `around`.
template <class T>
std::set<std::string> refusals_of_layouts(const Matrix<T>& x, T around) {
  using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Index n = x.rows();
  const Index d = x.cols();
  std::set<std::string> refusals{entries_refusal(x), entries_refusal(Columns(x)),
                                 entries_refusal(in_double(x))};
  const auto part_of = [&](auto wide) {
    wide.setConstant(around);
    wide.block(1, 2, n, d) = x;
    refusals.insert(entries_refusal(wide.block(1, 2, n, d)));
  };
  part_of(Matrix<T>(n + 2, d + 3));
  part_of(Columns(n + 2, d + 3));
  const auto strided = [&](auto matrix, Index outer) {
    std::vector<T> memory(static_cast<std::size_t>(2 * n * (2 * d + 1)), around);
    Eigen::Map<decltype(matrix), 0, Strides> map(memory.data(), n, d, Strides(outer, 2));
    map = x;
    refusals.insert(entries_refusal(map));
  };
  strided(Matrix<T>(), 2 * d + 1);
  strided(Columns(), 2 * n + 1);

  const SparseMatrix<T> sparse = x.sparseView();
  refusals.insert(entries_refusal(sparse));
  const SparseMatrix<T, Index> large = sparse;
  refusals.insert(entries_refusal(large));
  SparseMatrix<T> padded(n + 4, d);
  padded.middleRows(2, n) = sparse;
  padded.coeffRef(0, 0) = padded.coeffRef(n + 3, d - 1) = around;
  padded.makeCompressed();
  refusals.insert(entries_refusal(padded.middleRows(2, n)));
  SparseMatrix<T> gaps(n, d);
  gaps.reserve(Eigen::VectorXi::Constant(static_cast<int>(n), static_cast<int>(d) + 2));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j)
      if (x(i, j) != T(0)) gaps.insert(i, j) = x(i, j);
  for (Index i = 0; i < n; ++i)
    for (Index k = gaps.outerIndexPtr()[i] + gaps.innerNonZeroPtr()[i];
         k < gaps.outerIndexPtr()[i + 1]; ++k)
      gaps.valuePtr()[k] = around;
  refusals.insert(entries_refusal(gaps));
  return refusals;
}

template <class T>
void names_any_bad_entry() {
  for (const Index d : {1, 2, 3, 7, 16, 33}) {
    const Matrix<T> good = synthetic::features<T>(5, d, 1, 0.7);
    CHECK(refusals_of_layouts(good, not_a_number<T>) == std::set<std::string>{""});
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < d; ++j)
        for (const T bad : {infinity<T>, -infinity<T>, not_a_number<T>, -not_a_number<T>}) {
          Matrix<T> x = good;
          x(i, j) = bad;
          x(4, d - 1) = bad;  // the error names the first bad entry
          const std::string message =
              "f: x(" + std::to_string(i) + ", " + std::to_string(j) + ") is not finite";
          CHECK(refusals_of_layouts(x, T(1)) == std::set<std::string>{message});
        }
  }
}

/// Sparse rows, given as lists of columns. All values are 1. With `gapped`, two unused places
/// follow each row; their column is 0.
template <class I>
struct Listed {
  std::vector<I> columns{};
  std::vector<I> starts{0};
  std::vector<I> counts{};  // empty if rows are adjacent
  std::vector<double> values{};
  Index cols;

  Listed(const std::vector<std::vector<int>>& rows, Index d, bool gapped = false) : cols(d) {
    for (const auto& row : rows) {
      for (const int j : row) columns.push_back(static_cast<I>(j));
      if (gapped) columns.insert(columns.end(), 2, I(0));
      if (gapped) counts.push_back(static_cast<I>(row.size()));
      starts.push_back(static_cast<I>(columns.size()));
    }
    values.assign(columns.size(), 1.0);
  }
  /// Returns a map of the rows without the first and last `skipped` rows.
  Eigen::Map<const SparseMatrix<double, I>> map(std::size_t skipped = 0) const {
    return {static_cast<Index>(starts.size() - 1 - 2 * skipped),
            cols,
            static_cast<Index>(values.size()),
            starts.data() + skipped,
            columns.data(),
            values.data(),
            counts.empty() ? nullptr : counts.data() + skipped};
  }
};

/// Returns the error that require_distinct must give, computed with sets.
std::string expected_refusal(const std::vector<std::vector<int>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::set<int> seen;
    for (const int j : rows[i])
      if (!seen.insert(j).second)
        return "f: row " + std::to_string(i) + " of x names column " + std::to_string(j) + " twice";
  }
  return {};
}

std::set<std::string> refusals_of_lists(const std::vector<std::vector<int>>& rows, Index d) {
  const bool ascending = std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
  });
  auto padded = rows;
  padded.insert(padded.begin(), {1, 1});
  padded.push_back({0, 0});
  return {distinct_refusal(Listed<int>(rows, d).map(), ascending),
          distinct_refusal(Listed<Index>(rows, d).map(), ascending),
          distinct_refusal(Listed<short>(rows, d).map(), ascending),
          distinct_refusal(Listed<int>(rows, d, true).map(), ascending),
          distinct_refusal(Listed<Index>(rows, d, true).map(), ascending),
          distinct_refusal(Listed<int>(padded, d).map(1), ascending),
          distinct_refusal(Listed<int>(padded, d, true).map(1), ascending)};
}

}  // namespace

TEST_CASE("require_entries: names an invalid entry at any position, in every layout", "[rows]") {
  names_any_bad_entry<double>();
  names_any_bad_entry<float>();
}

TEST_CASE("require_entries: take numbers up to 1e150, all of float, and empty samples", "[rows]") {
  const auto check = [](auto most) {
    using T = decltype(most);
    using Limits = std::numeric_limits<T>;
    for (const T value :
         {most, -most, Limits::min(), Limits::denorm_min(), -Limits::denorm_min(), -T(0), T(1)}) {
      const Matrix<T> x = Matrix<T>::Constant(3, 40, value);
      CHECK(entries_refusal(x) == "");
      CHECK(entries_refusal(SparseMatrix<T>(x.sparseView(T(0), T(-1)))) == "");
    }
    for (const auto& [n, d] : {std::pair{0, 3}, {3, 0}, {0, 0}, {3, 3}}) {
      CHECK(entries_refusal(Matrix<T>(Matrix<T>::Zero(n, d))) == "");
      CHECK(entries_refusal(SparseMatrix<T>(n, d)) == "");
      CHECK(distinct_refusal(SparseMatrix<T>(n, d)) == "");
    }
  };
  check(1e150);
  check(std::numeric_limits<float>::max());
  for (const double beyond : {std::nextafter(1e150, 2e150), 1e200, 1.7e308}) {
    const Matrix<double> x{{1, 2, 3}, {4, -5, -beyond}};
    CHECK_THAT(*refusals_of_layouts(x, 1.0).begin(), ContainsSubstring("f: x(1, 2) is -"));
    CHECK(refusals_of_layouts(x, 1.0).size() == 1);
  }
  CHECK(refusals_of_layouts(Matrix<double>{{1e200, 1, 1}, {1, 1, 1}}, 1.0) ==
        std::set<std::string>{"f: x(0, 0) is 1e+200" + test::above});
}

TEST_CASE("require_distinct: names the first row and column, in the order of rows", "[rows]") {
  using Lists = std::vector<std::vector<int>>;
  const auto only = [](const std::string& message) { return std::set<std::string>{message}; };
  CHECK(refusals_of_lists({{0, 2, 5}, {1, 2}, {}, {}, {0}, {9}}, 10) == only(""));
  // A row may begin with the column at which the previous row ends, or with any other.
  CHECK(refusals_of_lists({{}, {3}, {3}, {}, {3, 4}, {4}, {0, 1}, {}}, 5) == only(""));
  // Columns may be in any order.
  CHECK(refusals_of_lists({{2, 0, 1}, {1, 0}, {0, 2, 1}}, 3) == only(""));
  CHECK(refusals_of_lists({{0}, {1, 1}, {2, 2}}, 3) == only("f: row 1 of x names column 1 twice"));
  CHECK(refusals_of_lists({{2, 1, 2}, {0}}, 3) == only("f: row 0 of x names column 2 twice"));
  // There are as many descents as row ends, but one of the descents is within a row.
  const Lists balanced{{0, 5}, {6, 9, 9}, {1}};
  CHECK(refusals_of_lists(balanced, 10) == only("f: row 1 of x names column 9 twice"));
}

TEST_CASE("require_distinct: agrees with sets for random rows", "[rows]") {
  Random random(7);
  int refused = 0;
  for (int turn = 0; turn < 400; ++turn) {
    const Index d = 40;
    std::vector<std::vector<int>> rows(1 + test::random_place(random, 9));
    for (auto& row : rows) {
      std::set<int> columns;
      for (auto left = random.below(30); left > 0; --left)
        columns.insert(static_cast<int>(random.below(40)));
      row.assign(columns.begin(), columns.end());
    }
    auto& one = rows[test::random_place(random, rows.size())];
    const auto size = one.size();
    if (turn % 2 && size > 1) {  // change a column, possibly to a duplicate
      const auto from = test::random_place(random, size);
      one[from] = turn % 4 == 1 ? one[test::random_place(random, size)]
                                : static_cast<int>(random.below(40));
    }
    const std::string expected = expected_refusal(rows);
    refused += !expected.empty();
    CHECK(refusals_of_lists(rows, d) == std::set<std::string>{expected});
  }
  CHECK((50 < refused && refused < 350));
}

TEST_CASE("require_distinct: names a column out of range, before anything is changed", "[rows]") {
  using Lists = std::vector<std::vector<int>>;
  const auto refuses = [](const Lists& rows, int bad) {
    for (const bool sorted : {true, false}) {
      Lists changed = rows;
      auto& row = changed[2];
      row.insert(bad < 0 ? row.begin() : row.end(), bad);
      if (!sorted) std::swap(row.front(), row.back());
      const std::string message =
          "f: row 2 of x names column " + std::to_string(bad) + ", but x has 10 columns";
      CHECK(distinct_refusal(Listed<int>(changed, 10).map(), false) == message);
      CHECK(distinct_refusal(Listed<short>(changed, 10).map(), false) == message);
      CHECK(distinct_refusal(Listed<Index>(changed, 10).map(), false) == message);
      CHECK(distinct_refusal(Listed<int>(changed, 10, true).map(), false) == message);
      CHECK(distinct_refusal(in_double(Listed<int>(changed, 10).map()), false) == message);
    }
  };
  for (const int bad : {-30000, -1, 10, 30000}) {
    refuses({{0, 9}, {}, {2, 5}, {1}, {}}, bad);
    refuses({{0, 9}, {}, {}, {1}, {}}, bad);
    refuses({{}, {3}, {4}}, bad);
  }
  // The first and the last column of x are within the range.
  CHECK(refusals_of_lists({{0}, {0, 9}, {9}}, 10) == std::set<std::string>{""});
}

TEST_CASE("require_distinct: refuses rows that are not in order in the arrays", "[rows]") {
  const auto refusal_of = [](std::vector<int> starts, bool good = false) {
    const std::vector<int> columns{0, 1, 2, 0, 1, 2};
    const std::vector<double> values(6, 1.0);
    return distinct_refusal(
        Eigen::Map<const SparseMatrix<double>>(static_cast<Index>(starts.size()) - 1, 3, 6,
                                               starts.data(), columns.data(), values.data()),
        good);
  };
  const auto misplaced = [](int i) {
    return "f: row " + std::to_string(i) +
           " of x overlaps the row before it, or ends behind the last entry";
  };
  CHECK(refusal_of({0, 3, 6}, true) == "");
  CHECK(refusal_of({0, 0, 3, 3, 6}, true) == "");
  CHECK(refusal_of({3, 6, 6}, true) == "");
  CHECK(refusal_of({0, 6000000, 6}) == misplaced(0));
  CHECK(refusal_of({0, 3, 2000000}) == misplaced(1));
  CHECK(refusal_of({0, 3, 2, 6}) == misplaced(1));
  CHECK(refusal_of({-3, 0, 3}) == misplaced(0));

  Listed<int> gapped({{0, 1}, {2}, {1}}, 3, true);
  gapped.counts[1] = -1;
  CHECK(distinct_refusal(gapped.map(), false) == misplaced(1));
  gapped.counts[1] = 4;  // makes the row extend into the next one
  CHECK(distinct_refusal(gapped.map(), false) == misplaced(2));
}

}  // namespace kernels_test
