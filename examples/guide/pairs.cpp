// SPDX-License-Identifier: MIT
/// \file Ranks the items of queries by learning from pairs of items: each sample is the difference
/// of two items of one query, of which the first is preferred. The differences are not stored.
#include <cstdio>
#include <linea/linea.hpp>
#include <linea/rows/rows_from.hpp>
#include <utility>  // pair
#include <vector>

using namespace linea;

namespace {

constexpr Index queries = 200, items = 6, d = 4;

struct Items {
  Matrix<double> x{Matrix<double>(queries * items, d)};
  Vector<double> rating{Vector<double>(queries * items)};
};

/// Made-up items. Every query has a level that raises the first column and lowers all ratings, so
/// ratings of different queries cannot be compared.
Items made_up(std::uint64_t seed) {
  Random random(seed);
  Items made;
  for (Index i = 0; i < queries * items; ++i) {
    const double level = static_cast<double>(i / items % 10);
    for (Index j = 0; j < d; ++j) made.x(i, j) = random.uniform() + (j == 0 ? level : 0);
    made.rating[i] = made.x(i, 0) - made.x(i, 1) + 0.2 * random.uniform() - 3 * level;
  }
  return made;
}

using Pairs = std::vector<std::pair<Index, Index>>;

/// Returns all pairs of items of the same query, with the higher rating first.
Pairs pairs_of(const Vector<double>& rating) {
  Pairs pairs;
  for (Index i = 0; i < rating.size(); ++i)
    for (Index k = i / items * items; k < (i / items + 1) * items; ++k)
      if (rating[i] > rating[k]) pairs.emplace_back(i, k);
  return pairs;
}

double share_in_order(const Vector<double>& scores, const Pairs& pairs) {
  double count = 0;
  for (const auto& [first, second] : pairs) count += scores[first] > scores[second] ? 1 : 0;
  return count / static_cast<double>(pairs.size());
}

}  // namespace

int main() {
  const auto [x, rating] = made_up(1);
  const auto [other_x, other_rating] = made_up(2);
  const auto other_pairs = pairs_of(other_rating);

  const auto pairs = pairs_of(rating);
  const auto size = static_cast<Index>(pairs.size());
  const auto differences = rows_from<double>(size, d, [&x = x, &pairs](Index k, auto&& entry) {
    const auto [first, second] = pairs[static_cast<std::size_t>(k)];
    for (Index j = 0; j < d; ++j) entry(j, x(first, j) - x(second, j));
  });
  const auto solution = Sgd{.epochs = 20, .offset = false}.minimize(
      Objective{Hinge{}, L2{1e-3}}, differences, Vector<double>::Ones(size));
  std::printf("pairs in order, learned from pairs: %.3f\n",
              share_in_order(other_x * solution.weights, other_pairs));

  const auto ridge = RidgeRegression{}.fit(x, rating);
  std::printf("pairs in order, learned from ratings: %.3f\n",
              share_in_order(ridge.predict(other_x), other_pairs));
}

// Output:
//   pairs in order, learned from pairs: 0.952
//   pairs in order, learned from ratings: 0.381
