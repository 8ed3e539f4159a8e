// SPDX-License-Identifier: MIT
#pragma once
/// \file Products of a design Z (n × d) with many vectors at once, by the tiles of numerics/.
#include <algorithm>  // min
#include <linea/optimizers/numerics/product.hpp>
#include <linea/optimizers/numerics/vectors.hpp>

namespace linea::least_squares {

/// f(first, block) for all rows of Z, some at a time.
template <class Design, class F>
void for_each_filled(const Design& design, F&& f) {
  constexpr Index most = 5 * numerics::PackedRows::width;
  typename Design::Block block;
  for (Index first = 0; first < design.rows(); first += most) {
    design.fill(first, std::min(most, design.rows() - first), false, block);
    f(first, block);
  }
}

/// sums (d × k) ← sums + the transposed block times `part` (count × k).
template <class Block, class Columns>
void add_product(const Block& block, const Columns& part, Columns& sums) {
  using numerics::Product;
  numerics::run_at(numerics::best_vector_level(),
                   Product(numerics::packed(block), numerics::packed(part), block.rows(),
                           Product::Part::whole, sums.data(), sums.rows()));
}

/// Z·w for w (d × k): (n × k).
template <class Design, class Columns = typename Design::Columns>
Columns apply_to_many(const Design& design, const Columns& w) {
  const numerics::PackedRows right = numerics::packed(w);
  Columns product(design.rows(), w.cols());
  for_each_filled(design, [&](Index first, const auto& block) {
    const Columns part =
        numerics::wide_product(numerics::packed(block.transpose()), right, design.cols());
    for (Index k = 0; k < w.cols(); ++k)
      for (Index i = 0; i < block.rows(); ++i) product(first + i, k) = part(i, k);
  });
  return product;
}

/// Zᵀ·a for a (n × k): (d × k).
template <class Design, class Columns = typename Design::Columns>
Columns apply_transposed_to_many(const Design& design, const Columns& a) {
  Columns sums = Columns::Zero(design.cols(), a.cols());
  for_each_filled(design, [&](Index first, const auto& block) {
    Columns part(block.rows(), a.cols());
    for (Index k = 0; k < a.cols(); ++k)
      for (Index i = 0; i < block.rows(); ++i) part(i, k) = a(first + i, k);
    add_product(block, part, sums);
  });
  return sums;
}

/// ‖y − Zw‖² for y (n × k) and w (d × k); `gradient` becomes Zᵀ(y − Zw) (d × k). One pass.
template <class Design, class Columns = typename Design::Columns>
double residual_of_many(const Design& design, const Columns& y, const Columns& w,
                        Columns& gradient) {
  const numerics::PackedRows right = numerics::packed(w);
  Columns sums = Columns::Zero(design.cols(), w.cols());
  double squares = 0;
  for_each_filled(design, [&](Index first, const auto& block) {
    Columns left =
        numerics::wide_product(numerics::packed(block.transpose()), right, design.cols());
    for (Index k = 0; k < w.cols(); ++k)
      for (Index i = 0; i < block.rows(); ++i) left(i, k) = y(first + i, k) - left(i, k);
    squares += numerics::squares_of(left);
    add_product(block, left, sums);
  });
  gradient.swap(sums);
  return squares;
}

}  // namespace linea::least_squares
