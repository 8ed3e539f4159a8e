// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/descent/sampler.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/rows/rows_from.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/row_order.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace row_order_test {

using namespace linea;
using detail::samples::lie_at_random;

namespace {

constexpr Index n = 6400;
constexpr Index chunk = 100;

bool asked(const Matrix<double>& x) { return lie_at_random(rows_of(x), chunk); }

/// Returns x plus `far` times a normal number for each feature of each chunk.
Matrix<double> clustered(Matrix<double> x, double far, std::uint64_t seed) {
  Random random(seed);
  for (Index first = 0; first < x.rows(); first += chunk)
    for (Index j = 0; j < x.cols(); ++j)
      x.col(j).segment(first, chunk).array() += far * synthetic::normal(random);
  return x;
}

}  // namespace

TEST_CASE("Row order: accepts rows in random order", "[samples]") {
  Index mistaken = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto x = synthetic::features(n, 5, seed);
    mistaken += !asked(x);
    mistaken += !asked(x.array().exp().matrix());  // features with a skewed distribution
    mistaken += !asked((x.array() < -1.5).cast<double>().matrix());
  }
  CHECK(mistaken <= 1);
  const auto text = synthetic::features(n, 300, 7, 0.03);
  CHECK(asked(text));
  CHECK(lie_at_random(rows_of(synthetic::sparse(text)), chunk));
  CHECK(asked(Matrix<double>::Ones(n, 3)));
  CHECK(asked(Matrix<double>::Zero(n, 3)));
}

TEST_CASE("Row order: rejects similar adjacent rows", "[samples]") {
  const auto x = synthetic::features(n, 20, 3);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CHECK_FALSE(asked(clustered(x, 0.4, seed)));  // chunks differ by a seventh of the variance
    // Chunks differ by a four-hundredth of the variance.
    CHECK(asked(clustered(x, 0.05, seed)));
  }
  Matrix<double> drift = x;     // one of twenty columns will drift by ten deviations
  Matrix<double> sizes = x;     // rows will have mean 0 and a growing norm
  Matrix<double> constant = x;  // chunks will have equal rows
  for (Index i = 0; i < n; ++i) {
    drift(i, 4) += 10.0 * static_cast<double>(i) / n;
    sizes.row(i) *= 1 + static_cast<double>(i) / n;
    constant.row(i) = x.row(i / chunk * chunk);
  }
  CHECK_FALSE(asked(drift));
  CHECK_FALSE(asked(sizes));
  CHECK_FALSE(asked(constant));
  // The order of the rows within a chunk does not matter, because they are shuffled.
  Matrix<double> sorted = x.col(0);
  for (Index first = 0; first < n; first += chunk)
    std::sort(sorted.data() + first, sorted.data() + first + chunk);
  CHECK(asked(sorted));
  std::sort(sorted.data(), sorted.data() + n);
  CHECK_FALSE(asked(sorted));
}

TEST_CASE("Row order: is undecided for few rows", "[samples]") {
  const auto x = synthetic::features(n, 5, 1);
  for (const Index enough : {n / 16, Index{8}}) CHECK(lie_at_random(rows_of(x), enough));
  for (const Index few : {n / 15, Index{7}, Index{0}}) CHECK_FALSE(lie_at_random(rows_of(x), few));
  CHECK_FALSE(lie_at_random(rows_of(Matrix<double>(0, 5)), 8));
}

TEST_CASE("Many samples in random order are visited in long chunks", "[samples]") {
  // The rows are computed by a function. A row has 85 entries of 12 bytes, 1020 bytes in total. Its
  // numbers depend on the row, or on its chunk of 128 rows.
  const auto chunk_of = [](Index rows, bool is_clustered, bool are_targets_sorted) {
    const auto x = rows_from<double>(rows, 85, [=](Index i, auto&& entry) {
      Random random(static_cast<std::uint64_t>(is_clustered ? i / 128 : i));
      for (Index j = 0; j < 85; ++j) entry(j, random.uniform());
    });
    Vector<double> y(rows);
    for (Index i = 0; i < rows; ++i)
      y[i] = (are_targets_sorted ? i < rows / 2 : Random(static_cast<std::uint64_t>(i)).below(2))
                 ? 1
                 : -1;
    const auto set = detail::samples::admit("test", Hinge{}, x, y, {});
    detail::descent::Sampler<double, WorkingSets> sampler({});
    sampler.fit(set);
    return sampler.drawn_epoch(rows);
  };
  constexpr Index much = 67108864 / 1020;
  const auto long_chunks = chunk_of(much, false, false);
  CHECK(long_chunks.chunk_rows == 131072 / 1020);
  CHECK(long_chunks.set_bytes == 262144);
  CHECK(chunk_of(much - 1, false, false).chunk_rows == 32768 / 1020);
  CHECK(chunk_of(much, true, false).chunk_rows == 32768 / 1020);
  CHECK(chunk_of(much, false, true).chunk_rows == 1);
}

}  // namespace row_order_test
