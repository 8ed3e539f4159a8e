// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <linea/data/folds.hpp>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace folds_test {

using linea::fold_indices;
using linea::Folds;
using linea::Index;
using Indices = std::vector<Index>;

namespace {

Indices all_of(Index n) {
  Indices all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

/// Checks that every row is held out once, that each fold trains on all other rows, that the lists
/// of rows ascend, and that the sizes of the folds differ by at most one.
void check_deal(const Folds& folds, Index n) {
  Indices all, sizes;
  for (Index k = 0; k < folds.size(); ++k) {
    const auto held_out = folds.held_out(k), rest = folds.rest(k);
    Indices both;
    std::merge(held_out.begin(), held_out.end(), rest.begin(), rest.end(),
               std::back_inserter(both));
    REQUIRE(both == all_of(n));
    all.insert(all.end(), held_out.begin(), held_out.end());
    sizes.push_back(std::ssize(held_out));
  }
  std::sort(all.begin(), all.end());
  REQUIRE(all == all_of(n));
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  CHECK(*most - *least <= 1);
}

}  // namespace

TEST_CASE("fold_indices: holds every sample out once, in folds of nearly equal sizes", "[data]") {
  for (const Index n : {2, 5, 23, 100})
    for (const Index count : {2, 3, 5}) {
      if (count > n) continue;
      const Folds folds = fold_indices(n, {.folds = count, .seed = 3});
      REQUIRE(folds.size() == count);
      check_deal(folds, n);
    }
}

TEST_CASE("fold_indices: stratified, divides each class evenly", "[data]") {
  Eigen::VectorXi y(83);
  y << Eigen::VectorXi::Constant(7, 4), Eigen::VectorXi::Constant(33, -1),
      Eigen::VectorXi::Constant(43, 2);
  const Folds folds = fold_indices(y, {.folds = 4, .seed = 1, .stratify = true});
  check_deal(folds, 83);
  for (const int label : {4, -1, 2})
    for (const auto& rows : folds.rows) {
      const double share = static_cast<double>((y.array() == label).count()) / 4;
      CHECK(std::abs(static_cast<double>((y(rows).array() == label).count()) - share) < 1);
    }
  const Folds plain = fold_indices(y, {.folds = 4, .seed = 1});
  CHECK(plain.rows == fold_indices(83, {.folds = 4, .seed = 1}).rows);
  CHECK(plain.rows != folds.rows);
}

TEST_CASE("fold_indices: shuffled, depends on the seed only", "[data]") {
  const auto rows = [](std::uint64_t seed) { return fold_indices(50, {.seed = seed}).rows; };
  CHECK(rows(1) == rows(1));
  CHECK(rows(1) != rows(2));
  CHECK(rows(1).front() != Indices{0, 5, 10, 15, 20, 25, 30, 35, 40, 45});
}

TEST_CASE("fold_indices: refuses invalid arguments", "[data]") {
  CHECK_THROWS_WITH(fold_indices(9, {.folds = 1}),
                    "fold_indices: 1 folds, but at least two are needed");
  CHECK_THROWS_WITH(fold_indices(9, {.folds = 10}), "fold_indices: 10 folds of 9 samples");
  CHECK_THROWS_WITH(fold_indices(9, {.stratify = true}),
                    "fold_indices: stratify needs the targets rather than their number");
  CHECK_THROWS_WITH(fold_indices(Eigen::VectorXd(0), {.stratify = true}),
                    "fold_indices: 5 folds of 0 samples");
}

TEST_CASE("folds_of: holds out the samples with each number", "[data]") {
  const Folds folds = linea::folds_of(std::vector<short>{1, 0, 2, 1, 0});
  CHECK(folds.samples == 5);
  CHECK(folds.rows == std::vector<Indices>{{1, 4}, {0, 3}, {2}});
  using Numbers = std::vector<double>;
  CHECK_THROWS_WITH(linea::folds_of(Numbers{0, 1, -1}),
                    "folds_of: number 2 is -1, but folds are numbered from 0");
  CHECK_THROWS_WITH(linea::folds_of(Numbers{0, 0.5, 1}),
                    "folds_of: number 1 is 0.5, but folds are numbered from 0");
  CHECK_THROWS_WITH(linea::folds_of(Numbers{0, 0, 0}),
                    "folds_of: 1 folds, but at least two are needed");
  CHECK_THROWS_WITH(linea::folds_of(Numbers{0, 2, 0}), "folds_of: fold 1 holds out no sample");
}

TEST_CASE("folds_by_group: each group is in one fold, the largest in the smallest", "[data]") {
  // Groups 7, −2, 3 and 5 have 4, 3, 2 and 1 samples. The first fold gets group 7, and the second
  // gets groups −2 and 3. Then group 5 goes to the first fold, which is smaller.
  const std::vector<int> groups{7, 3, -2, 7, 5, -2, 7, 3, -2, 7};
  CHECK(linea::folds_by_group(groups, 2).rows ==
        std::vector<Indices>{{0, 3, 4, 6, 9}, {1, 2, 5, 7, 8}});
  CHECK(linea::folds_by_group(groups, 4).size() == 4);
  CHECK_THROWS_WITH(linea::folds_by_group(groups), "folds_by_group: 5 folds of 4 groups");
  CHECK_THROWS_WITH(linea::folds_by_group(groups, 1), "folds_by_group: 1 folds of 4 groups");
}

}  // namespace folds_test
