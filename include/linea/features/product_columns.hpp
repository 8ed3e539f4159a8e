// SPDX-License-Identifier: MIT
#pragma once
/// \file In which column Polynomial has which product of features.
#include <algorithm>  // min
#include <limits>
#include <linea/core/types.hpp>
#include <numeric>  // gcd
#include <vector>

namespace linea::features {

/// The products of features that Polynomial makes, in the order of its columns. The members are its
/// options.
struct ProductColumns {
  int degree;
  bool constant;
  bool interactions_only;

  /// Stands for numbers that an Index cannot hold.
  static constexpr Index too_many = std::numeric_limits<Index>::max();

  /// The factors of column j among d features, 0 ≤ j < count(d), as Polynomial::factors has them.
  std::vector<Index> factors(Index j, Index d) const {
    std::vector<Index> result;
    if (constant && j == 0) return result;
    if (constant) --j;
    Index remaining = 1;  // factors to find: the degree of the product, to begin with
    for (; j >= of_degree(d, remaining); ++remaining) j -= of_degree(d, remaining);
    Index later = of_degree(d, remaining) - 1 - j;  // products of the same degree after column j
    for (; remaining > 0; --remaining) {
      Index rest = 0;  // the most columns that have no more than `later` products
      for (Index high = d - 1; rest < high;) {
        const Index middle = high - (high - rest) / 2;
        if (of_degree(middle, remaining) <= later)
          rest = middle;
        else
          high = middle - 1;
      }
      result.push_back(d - 1 - rest);
      later -= of_degree(rest, remaining);
    }
    return result;
  }

  /// n over k, or too_many.
  static Index choose(Index n, Index k) {
    if (k > n) return 0;
    k = std::min(k, n - k);
    Index result = 1;
    for (Index i = 1; i <= k; ++i) {
      const Index factor = n - k + i;
      if ((result | factor) < Index{1} << (4 * sizeof(Index) - 1)) [[likely]] {  // half of its bits
        result = result * factor / i;
        continue;
      }
      // The quotient is whole: i divides result·factor, so i over gcd(result, i) divides factor.
      const Index common = std::gcd(result, i);
      const Index rest = factor / (i / common);
      if (result / common > too_many / rest) return too_many;
      result = result / common * rest;
    }
    return result;
  }

  /// How many products of exactly t ≥ 1 factors a columns have, or too_many. With repetition they
  /// are as many as the sets of t among a + t − 1.
  Index of_degree(Index a, Index t) const { return choose(interactions_only ? a : a + (t - 1), t); }

  /// The number of columns for d features, or too_many. A d beyond 2³² stops it at the second
  /// degree, before d + t overflows.
  Index count(Index d) const {
    Index sum = constant ? 1 : 0;
    for (Index t = 1; t <= degree; ++t) {
      const Index more = of_degree(d, t);
      if (more == 0) break;
      if (more >= too_many - sum) return too_many;
      sum += more;
    }
    return sum;
  }

  /// Calls f(t, entry, from, count, to) for degrees t and entries of a row, both ascending:
  /// products to, to + 1, … are products from, from + 1, … (count of them, of degree t − 1) times
  /// the entry. Product 0 is the constant.
  ///
  /// An entry is multiplied with the products of degree t − 1 that begin with it or with a later
  /// entry. They are the last ones of their degree. The column of a product follows from those of
  /// its factors: after column j come d − 1 − j others, so the first product of degree t that
  /// begins with column j stands of_degree(d, t) − of_degree(d − 1 − j, t) behind the first of its
  /// degree; the rest is the position of the other factors among the products of degree t − 1.
  template <class F>
  void for_each_block(Index entries, F&& f) const {
    std::vector<Index> first(static_cast<std::size_t>(entries) + 1, 0);  // that may follow entry j
    Index end = 1;
    for (Index t = 1; t <= degree; ++t) {
      const Index end_below = end;
      for (std::size_t j = 0; j + 1 < first.size(); ++j) {
        const Index from = first[interactions_only ? j + 1 : j];
        first[j] = end;
        f(t, static_cast<Index>(j), from, end_below - from, end);
        end += end_below - from;
      }
      if (end == end_below) break;
      first.back() = end;
    }
  }
};

}  // namespace linea::features
