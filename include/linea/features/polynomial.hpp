// SPDX-License-Identifier: MIT
#pragma once
/// \file Products of features up to a degree, with which a linear function is a polynomial.
#include <algorithm>  // min, sort
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/rows_of.hpp>
#include <numeric>  // gcd
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea {

/// The map of x (d) to all products of 1 to `degree` of its entries, the quadratic model of x being a
/// linear one of Polynomial{}.apply(x). Nothing is learnt: the same value serves training and test.
///
/// Columns are ordered by degree, then by their factors: x₁, x₂, x₁², x₁x₂, x₂², x₁³, …, the order of
/// PolynomialFeatures in scikit-learn. The offset b already is the weight of a constant; `constant`
/// adds another, whose weight is penalised like any, where the 1 is wanted among the features.
struct Polynomial {
  int degree{2};                  ///< ≥ 0; 0 leaves nothing but the constant
  bool constant{false};           ///< the empty product, 1, as column 0
  bool interactions_only{false};  ///< no column more than once in a product: x₁x₂ but not x₁²

  /// How many columns d of them become: C(d + degree, degree) − 1 of all products, and one for the
  /// constant. Throws std::invalid_argument when an Index cannot count them.
  Index columns(Index d) const { return columns_of<Index>("Polynomial::columns", d); }

  /// The columns of x (m × d), ascending and from 0, whose product is column j; none for the constant.
  /// Throws std::invalid_argument unless 0 ≤ j < columns(d). O(degree²·log d).
  std::vector<Index> factors(Index j, Index d) const {
    const Index width = columns_of<Index>("Polynomial::factors", d);
    require(0 <= j && j < width, "Polynomial::factors: column ", j, " of ", width);
    std::vector<Index> result;
    if (constant && j == 0) return result;
    if (constant) --j;
    Index left = 1;
    for (; j >= products(d, left); ++left) j -= products(d, left);
    Index later = products(d, left) - 1 - j;  // of the same degree and in columns after j
    for (; left > 0; --left) {
      Index rest = 0;  // the most columns that have no more than `later` products
      for (Index high = d - 1; rest < high;) {
        const Index middle = high - (high - rest) / 2;
        if (products(middle, left) <= later)
          rest = middle;
        else
          high = middle - 1;
      }
      result.push_back(d - 1 - rest);
      later -= products(rest, left);
    }
    return result;
  }

  /// (m × columns(d)) for x (m × d). Throws std::invalid_argument when x or a product is not finite.
  template <DenseSamples X>
  Matrix<scalar_t<X>> apply(const X& x) const {
    using T = scalar_t<X>;
    const auto rows = rows_of(x);
    const Index width = columns_of<Index>(function, x.cols());
    rows::require_finite(function, rows);
    Matrix<T> result(x.rows(), width);
    Vector<T> row(x.cols());
    Vector<T> values = Vector<T>::Ones(width + (constant ? 0 : 1));
    for (Index i = 0; i < x.rows(); ++i) {
      rows.for_each(i, [&](Index j, T value) { row[j] = value; });
      for_each_block(x.cols(), [&](Index, Index entry, Index from, Index count, Index to) {
        values.segment(to, count) = row[entry] * values.segment(from, count);
      });
      result.row(i) = values.tail(width);
      if (!result.row(i).allFinite()) [[unlikely]]
        for (Index j = 0; j < width; ++j) require_product(result(i, j), i, j);
    }
    return result;
  }

  /// The same numbers for sparse x. A row of e non-zeros costs and stores their columns(e) products,
  /// whatever d is. Throws std::invalid_argument also when the index type of x is too small for the
  /// columns or for the products stored, and when a row names a column twice.
  template <SparseSamples X>
  SparseMatrix<scalar_t<X>, typename X::StorageIndex> apply(const X& x) const {
    using T = scalar_t<X>;
    using I = typename X::StorageIndex;
    const auto rows = rows_of(x);
    const Index d = x.cols();
    SparseMatrix<T, I> result(x.rows(), columns_of<I>(function, d));
    rows::require_finite(function, rows);
    rows::require_distinct(function, rows);

    constexpr Index most = std::numeric_limits<I>::max();
    Index stored = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      Index entries = 0;
      rows.for_each(i, [&](Index, T value) { entries += value != T(0); });
      const Index more = count(entries);
      require(more <= most - stored, function, ": rows 0 to ", i, " have more than ", most,
              " products of non-zeros, which the index type of x cannot count");
      stored += more;
      result.outerIndexPtr()[i + 1] = static_cast<I>(stored);
    }
    result.resizeNonZeros(stored);

    const Index hidden = constant ? 0 : 1;
    std::vector<std::pair<Index, T>> row;
    Vector<Index> columns;  // from the constant as column 0 on, as are values
    Vector<T> values;
    for (Index i = 0; i < x.rows(); ++i) {
      row.clear();
      rows.for_each(i, [&](Index j, T value) {
        if (value != T(0)) row.emplace_back(j, value);
      });
      std::sort(row.begin(), row.end());
      const Index start = result.outerIndexPtr()[i];
      const Index size = result.outerIndexPtr()[i + 1] - start;
      columns.setZero(size + hidden);
      values.setOnes(size + hidden);
      const auto entries = static_cast<Index>(row.size());
      for_each_block(entries, [&](Index t, Index entry, Index from, Index count, Index to) {
        const auto [j, value] = row[static_cast<std::size_t>(entry)];
        const Index further = products(d, t) - products(d - 1 - j, t);
        for (Index k = 0; k < count; ++k) {
          columns[to + k] = columns[from + k] + further;
          values[to + k] = value * values[from + k];
        }
      });
      for (Index k = 0; k < size; ++k) {
        const Index j = columns[k + hidden] - hidden;
        const T value = values[k + hidden];
        require_product(value, i, j);
        result.innerIndexPtr()[start + k] = static_cast<I>(j);
        result.valuePtr()[start + k] = value;
      }
    }
    return result;
  }

 private:
  static constexpr std::string_view function = "Polynomial::apply";
  static constexpr Index too_many = std::numeric_limits<Index>::max();

  /// n over k, or too_many.
  static Index choose(Index n, Index k) {
    if (k > n) return 0;
    k = std::min(k, n - k);
    Index result = 1;
    for (Index i = 1; i <= k; ++i) {
      const Index factor = n - k + i;
      if ((result | factor) < Index{1} << 31) [[likely]] {
        result = result * factor / i;
        continue;
      }
      // The quotient is whole, so what i does not share with result it shares with factor.
      const Index common = std::gcd(result, i);
      const Index rest = factor / (i / common);
      if (result / common > too_many / rest) return too_many;
      result = result / common * rest;
    }
    return result;
  }

  /// How many products of exactly t ≥ 1 factors a columns have, or too_many. With repetition they are
  /// as many as the sets of t among a + t − 1.
  Index products(Index a, Index t) const { return choose(interactions_only ? a : a + (t - 1), t); }

  /// columns(d), or too_many. A d beyond 2³² stops it at the second degree, before d + t overflows.
  Index count(Index d) const {
    Index sum = constant ? 1 : 0;
    for (Index t = 1; t <= degree; ++t) {
      const Index more = products(d, t);
      if (more == 0) break;
      if (more >= too_many - sum) return too_many;
      sum += more;
    }
    return sum;
  }

  template <class I>
  Index columns_of(std::string_view caller, Index d) const {
    constexpr Index most = std::numeric_limits<I>::max();
    require(degree >= 0, caller, ": degree ", degree);
    require(d >= 0, caller, ": ", d, " features");
    const Index width = count(d);
    require(width <= most && width < too_many, caller, ": ", d, " features to degree ", degree,
            " make ", width == too_many ? "at least " : "", width, " columns, but indices of ",
            8 * sizeof(I), " bits count to ", most,
            sizeof(I) < sizeof(Index) ? ": use a SparseMatrix<T, std::int64_t>" : "");
    return width;
  }

  /// Calls f(t, entry, from, count, to) for degrees t and entries of a row, both ascending: products
  /// to, to + 1, … are products from, from + 1, … (count of them, of degree t − 1) times the entry.
  /// Product 0 is the constant.
  ///
  /// The products that may follow an entry are those that begin with it or with a later one: the last
  /// ones of their degree. With d − 1 − j columns after column j, the first product of degree t that
  /// column j begins stands products(d, t) − products(d − 1 − j, t) after the first of its degree; that
  /// and the place of its other factors among those of degree t − 1 make its column.
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

  template <class T>
  static void require_product(T value, Index i, Index j) {
    require(std::isfinite(value), function, ": row ", i, ", column ", j,
            " of the products is not finite");
  }
};

}  // namespace linea
