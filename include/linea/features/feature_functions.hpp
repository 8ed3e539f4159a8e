// SPDX-License-Identifier: MIT
#pragma once
/// \file Arbitrary functions of a sample as features.
#include <concepts>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/rows_of.hpp>
#include <string_view>
#include <tuple>
#include <utility>  // move

namespace linea {

/// A function that maps a sample, a dense vector (d), to a number.
template <class F, class T>
concept FeatureFunction = requires(const F& function, const Vector<T>& sample) {
  { function(sample) } -> std::convertible_to<T>;
};

/// The map from x to K₁(x), …, Kₘ(x). `Functions` is a std::tuple of feature functions, or a list
/// of functions made at run time: std::vector<std::function<double(const linea::Vector<double>&)>>.
///
/// A feature K₀ = 1 is not needed because its weight is the offset b. If you want a constant
/// feature with a penalised weight, add the function [](const auto&) { return 1.0; }.
template <class Functions>
struct FeatureFunctions {
  Functions functions;

  Index size() const {
    if constexpr (is_list)
      return static_cast<Index>(functions.size());
    else
      return static_cast<Index>(std::tuple_size_v<Functions>);
  }

  /// Returns the features (n × m) of x (n × d), dense even if x is sparse. Copies each row into a
  /// dense vector (d) and calls each function once with this vector. A function must not read
  /// beyond the d entries of the vector; this is not checked. Entries of x need not be finite.
  /// Throws std::invalid_argument if a function returns a number that is not finite or above 1e150,
  /// and if a sparse row has a column twice. Messages count functions from 0. Cost: the calls,
  /// O(non-zeros), and O(d).
  template <Samples X>
  Matrix<scalar_t<X>> apply(const X& x) const {
    using T = scalar_t<X>;
    const auto rows = detail::rows::valid_rows(name, x);
    Matrix<T> features(x.rows(), size());
    Vector<T> sample = Vector<T>::Zero(x.cols());
    for (Index i = 0; i < x.rows(); ++i) {
      rows.for_each(i, [&](Index j, T value) { sample[j] = value; });
      Index k = 0;
      const auto evaluate = [&]<FeatureFunction<T> F>(const F& function) {
        features(i, k) = static_cast<T>(function(sample));
        detail::require_in_range(name, static_cast<double>(features(i, k)), "function ", k,
                                 " of row ", i);
        ++k;
      };
      if constexpr (is_list)
        for (const auto& function : functions) evaluate(function);
      else
        std::apply([&](const auto&... function) { (evaluate(function), ...); }, functions);
      if constexpr (decltype(rows)::is_sparse)
        rows.for_each(i, [&](Index j, T) { sample[j] = T(0); });
    }
    return features;
  }

 private:
  static constexpr std::string_view name = "FeatureFunctions::apply";
  static constexpr bool is_list = requires(const Functions& list) { list.begin(); };
};

template <class Functions>
FeatureFunctions(Functions) -> FeatureFunctions<Functions>;

/// Returns the map of the functions f, g, …: its result has one column for each function.
template <class... F>
FeatureFunctions<std::tuple<F...>> feature_functions(F... functions) {
  return {{std::move(functions)...}};
}

}  // namespace linea
