// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/data/folds.hpp>
#include <vector>

#include "support/catch.hpp"

using linea::fold_indices;
using linea::Folds;
using linea::Index;

namespace {

/// Every row is held out once; the rest of a fold is all that it does not hold out; both ascend.
void check_deal(const Folds& folds, Index n) {
  std::vector<Index> all;
  for (Index k = 0; k < folds.size(); ++k) {
    const auto held_out = folds.held_out(k);
    const auto rest = folds.rest(k);
    CHECK(std::is_sorted(held_out.begin(), held_out.end()));
    CHECK(std::is_sorted(rest.begin(), rest.end()));
    std::vector<Index> both = held_out;
    both.insert(both.end(), rest.begin(), rest.end());
    std::sort(both.begin(), both.end());
    REQUIRE(static_cast<Index>(both.size()) == n);
    for (Index i = 0; i < n; ++i) REQUIRE(both[static_cast<std::size_t>(i)] == i);
    all.insert(all.end(), held_out.begin(), held_out.end());
  }
  std::sort(all.begin(), all.end());
  REQUIRE(static_cast<Index>(all.size()) == n);
  for (Index i = 0; i < n; ++i) REQUIRE(all[static_cast<std::size_t>(i)] == i);
}

/// How much the numbers of samples that count differ between folds, at most.
template <class Counts>
Index spread(const Folds& folds, const Counts& counts) {
  std::vector<Index> numbers;
  for (const auto& rows : folds.rows)
    numbers.push_back(std::count_if(rows.begin(), rows.end(), counts));
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  return *most - *least;
}

}  // namespace

TEST_CASE("fold_indices: holds every sample out once, in folds of one size but for one sample",
          "[data]") {
  for (const Index n : {2, 5, 23, 100})
    for (const Index count : {2, 3, 5}) {
      if (count > n) continue;
      const Folds folds = fold_indices(n, {.folds = count, .seed = 3});
      REQUIRE(folds.size() == count);
      check_deal(folds, n);
      CHECK(spread(folds, [](Index) { return true; }) <= 1);
    }
}

TEST_CASE("fold_indices: stratified, deals out each class evenly", "[data]") {
  const Index n = 83;
  Eigen::VectorXi y(n);
  for (Index i = 0; i < n; ++i) y[i] = i < 7 ? 4 : i < 40 ? -1 : 2;
  const Folds folds = fold_indices(y, {.folds = 4, .seed = 1, .stratify = true});
  check_deal(folds, n);
  CHECK(spread(folds, [](Index) { return true; }) <= 1);
  for (const int label : {4, -1, 2})
    CHECK(spread(folds, [&](Index i) { return y[i] == label; }) <= 1);
  const Folds plain = fold_indices(y, {.folds = 4, .seed = 1});
  CHECK(plain.rows == fold_indices(n, {.folds = 4, .seed = 1}).rows);
  CHECK(plain.rows != folds.rows);
}

TEST_CASE("fold_indices: the same for the same seed, and another for another", "[data]") {
  const auto rows = [](std::uint64_t seed) { return fold_indices(50, {.seed = seed}).rows; };
  CHECK(rows(1) == rows(1));
  CHECK(rows(1) != rows(2));
  // Shuffled: the first fold does not hold out every fifth row.
  CHECK(rows(1).front() != std::vector<Index>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45});
}

TEST_CASE("fold_indices: refuses what cannot be dealt", "[data]") {
  CHECK_THROWS_WITH(fold_indices(9, {.folds = 1}),
                    "fold_indices: 1 folds, but two at least are needed");
  CHECK_THROWS_WITH(fold_indices(9, {.folds = 10}), "fold_indices: 10 folds of 9 samples");
  CHECK_THROWS_WITH(fold_indices(9, {.stratify = true}),
                    "fold_indices: stratify needs the targets rather than their number");
  CHECK_THROWS_WITH(fold_indices(Eigen::VectorXd(0), {.stratify = true}),
                    "fold_indices: 5 folds of 0 samples");
}
