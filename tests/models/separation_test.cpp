// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/separation.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace separation_test {

using namespace linea;
using Flags = std::vector<bool>;

namespace {

/// Samples of whole numbers in two columns, and the directions in which their scores may change:
/// +1, −1, or 0 for none.
struct Problem {
  Matrix<double> x;
  Vector<double> ways;
};

/// Returns a problem of small numbers, so that many samples are collinear. With `bound`, the scores
/// of some samples may not change in either direction.
Problem whole_numbers(Random& random, bool bound) {
  const auto n = static_cast<Index>(5 + random.below(10));
  Problem p{Matrix<double>(n, 2), Vector<double>(n)};
  const auto entry = [&] { return static_cast<double>(random.below(5)) - 2; };
  const double a = entry();
  const double b = entry();
  const double c = entry();
  for (Index i = 0; i < n; ++i) {
    p.x.row(i) << entry(), entry();
    const double score = a * p.x(i, 0) + b * p.x(i, 1) + c;
    const double drawn = random.below(2) ? 1 : -1;
    p.ways[i] = score > 0 ? 1 : score < 0 ? -1 : drawn;
    if (random.below(12) == 0) p.ways[i] = drawn;
    if (bound && random.below(3) == 0) p.ways[i] = 0;
  }
  return p;
}

/// Finds the separated samples by enumeration, without rounding. These are the samples whose score
/// changes along a valid direction (w, b) that keeps the scores of two samples. The result is empty
/// if all samples are collinear.
Flags by_enumeration(const Problem& p) {
  using Row = std::array<std::int64_t, 3>;
  std::vector<Row> rows;
  const Index n = p.x.rows();
  for (Index i = 0; i < n; ++i)
    rows.push_back({static_cast<std::int64_t>(p.x(i, 0)), static_cast<std::int64_t>(p.x(i, 1)), 1});
  const auto dot = [](const Row& a, const Row& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  Flags separated(rows.size(), false);
  bool has_rank = false;
  for (const Row& a : rows)
    for (const Row& b : rows) {
      const Row v{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
      bool is_direction = true;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int64_t score = dot(v, rows[i]);
        const auto way = static_cast<std::int64_t>(p.ways[static_cast<Index>(i)]);
        has_rank = has_rank || score != 0;
        is_direction = is_direction && (way == 0 ? score == 0 : way * score >= 0);
      }
      for (std::size_t i = 0; i < rows.size() && is_direction; ++i)
        separated[i] = separated[i] || dot(v, rows[i]) != 0;
    }
  return has_rank ? separated : Flags{};
}

template <class X>
Flags found(const X& x, const Vector<double>& ways, const Vector<scalar_t<X>>& weights = {},
            bool has_offset = true) {
  const Vector<double> y = Vector<double>::Zero(x.rows());
  auto set = detail::samples::admit_in_double("test", Squared{}, x, y, weights);
  return detail::Separation(std::move(set), ways, has_offset).find().value_or(Flags{});
}

}  // namespace

TEST_CASE("Separation: agrees with enumeration for whole numbers", "[models]") {
  Random random(7);
  int some = 0;
  int none = 0;
  for (int k = 0; k < 600; ++k) {
    const Problem p = whole_numbers(random, k % 2 == 1);
    const Flags expected = by_enumeration(p);
    if (expected.empty()) continue;
    CAPTURE(k, p.x, p.ways.transpose());
    ++(std::count(expected.begin(), expected.end(), true) > 0 ? some : none);
    REQUIRE(found(p.x, p.ways) == expected);
    Matrix<double> scaled = p.x;
    scaled.col(0) *= 1e8;
    scaled.col(1) *= 1e-8;
    REQUIRE(found(scaled, p.ways) == expected);
    REQUIRE(found(Matrix<float>(p.x.cast<float>()), p.ways) == expected);
    REQUIRE(found(synthetic::sparse(p.x), p.ways) == expected);
    REQUIRE(found(Matrix<double>(p.x.array() + 1e6), p.ways) == expected);
    // A sample of weight 0 is no constraint.
    Problem more{Matrix<double>(p.x.rows() + 2, 2), Vector<double>(p.x.rows() + 2)};
    more.x << p.x, -p.x.topRows(2);
    more.ways << p.ways, p.ways.head(2);
    Vector<double> weights = Vector<double>::Ones(more.x.rows());
    weights.tail(2).setZero();
    Flags longer = expected;
    longer.resize(expected.size() + 2, false);
    REQUIRE(found(more.x, more.ways, weights) == longer);
  }
  CHECK(some > 100);
  CHECK(none > 100);
}

TEST_CASE("Separation: units and shifts of the columns change nothing", "[models]") {
  Random random(11);
  for (int k = 0; k < 100; ++k) {
    const Problem p = whole_numbers(random, k % 2 == 1);
    const Flags expected = by_enumeration(p);
    if (expected.empty()) continue;
    for (const double shift : {0.0, 1.0, 10.0, 547.0, 1e4, -1e6})
      for (const double scale : {1e-5, 0.3, 1.0, 1e5}) {
        Matrix<double> x = p.x;
        x.col(0).array() += shift;
        x.col(0) *= scale;
        x.col(1).array() -= 3 * shift;
        x.col(1) /= scale;
        CAPTURE(k, shift, scale, p.x, p.ways.transpose());
        REQUIRE(found(x, p.ways) == expected);
      }
  }
}

TEST_CASE("Separation: of rows that are equal but for rounding, with scores bound from both sides",
          "[models]") {
  // Only column 1 separates samples: the last three. The scores of the first two may not change.
  const Matrix<double> x{{0, 0}, {0, 0},   {-1, 0}, {1, 0}, {-1, 0},
                         {1, 0}, {-1, -1}, {1, -1}, {0, -1}};
  const Vector<double> ways{{0, 0, -1, -1, -1, -1, -1, -1, -1}};
  const Flags expected{false, false, false, false, false, false, true, true, true};
  for (const double shift : {0.0, 10.0, 100.0, 547.0, 1e4, 1e8}) {
    Matrix<double> moved = x;
    moved.col(0) *= 100;
    moved.col(1).array() += shift;
    CAPTURE(shift);
    CHECK(found(moved, ways) == expected);
    CHECK(found(synthetic::sparse(moved), ways) == expected);
  }
}

TEST_CASE("Separation: finds a combination of many columns", "[models]") {
  Matrix<double> x = synthetic::features(300, 12, 5);
  const Vector<double> ways = synthetic::signs(x, 6, 1.0);
  CHECK(found(x, ways) == Flags(300, false));
  // ⟨v, xᵢ⟩ is 0 except for 30 samples, where it has the sign of ways[i].
  Vector<double> v = Vector<double>::LinSpaced(12, -1, 2);
  Flags expected(300, false);
  for (Index i = 0; i < 300; ++i) {
    const bool is_separated = i % 10 == 3;
    const double wanted = is_separated ? ways[i] * (0.1 + 0.01 * static_cast<double>(i)) : 0;
    x.row(i) += (wanted - x.row(i).dot(v)) / v.squaredNorm() * v.transpose();
    expected[static_cast<std::size_t>(i)] = is_separated;
  }
  CHECK(found(x, ways) == expected);
  CHECK(found(synthetic::sparse(x), ways) == expected);
  CHECK(found(x, ways, {}, false) == expected);
  Matrix<double> scaled = x;
  scaled.col(2) *= 1e8;
  scaled.col(5) *= 1e-8;
  CHECK(found(scaled, ways) == expected);
  // With a single opposite sample, however small its score, no sample is separated.
  for (const double against : {1e-2, 1e-6, 1e-9}) {
    Matrix<double> near = x;
    near.row(0) -= against * ways[0] / v.squaredNorm() * v.transpose();
    CAPTURE(against);
    CHECK(found(near, ways) == Flags(300, false));
  }
}

TEST_CASE("Separation: returns nothing if rounding hides it", "[models]") {
  // Column 0 separates the last four samples, unless a value of the other class opposes it.
  Matrix<double> x(16, 2);
  Vector<double> ways(16);
  Flags last(16, false);
  for (Index i = 0; i < 16; ++i) {
    x.row(i) << static_cast<double>(i >= 12), static_cast<double>(i % 3) - 1;
    ways[i] = i >= 12 || i % 2 == 0 ? 1 : -1;
    last[static_cast<std::size_t>(i)] = i >= 12;
  }
  CHECK(found(x, ways) == last);
  x(1, 0) = 1e-13;
  CHECK(found(x, ways) == Flags{});
  x(1, 0) = 1e-9;
  CHECK(found(x, ways) == Flags(16, false));
}

TEST_CASE("Separation: of one column, by the values where the classes meet", "[models]") {
  const auto of = [](std::vector<double> values, std::vector<double> ways) {
    const Matrix<double> x =
        Eigen::Map<Vector<double>>(values.data(), static_cast<Index>(values.size()));
    return found(x, Eigen::Map<Vector<double>>(ways.data(), static_cast<Index>(ways.size())));
  };
  CHECK(of({1, 2, 3, 4}, {-1, -1, 1, 1}) == Flags{true, true, true, true});
  // The classes share one value: the samples with other values are separated.
  CHECK(of({1, 2, 2, 4}, {-1, -1, 1, 1}) == Flags{true, false, false, true});
  CHECK(of({1, 2.000001, 2, 4}, {-1, -1, 1, 1}) == Flags{false, false, false, false});
  CHECK(of({1, 2, 2.000001, 4}, {-1, -1, 1, 1}) == Flags{true, true, true, true});
  // All samples are of one class.
  CHECK(of({1, 2, 3}, {1, 1, 1}) == Flags{true, true, true});
}

}  // namespace separation_test
