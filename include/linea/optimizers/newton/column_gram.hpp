// SPDX-License-Identifier: MIT
#pragma once
/// \file Entries of the curvature matrix of a quadratic model, for joint steps on many weights.
#include <algorithm>  // min
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/columns.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// C = Σᵢ hᵢ(xᵢ − m)(xᵢ − m)ᵀ for the requested columns, where m is the mean under h, or 0 without
/// centring. The entries are the covariance updates of Friedman, Hastie and Tibshirani (Journal of
/// Statistical Software 33 (2010), section 2.2). Memory: 8·k² bytes for k columns.
class ColumnGram {
 public:
  /// Holds at most `most` columns at once. The columns must outlive this object.
  ColumnGram(const samples::Columns& columns, bool centred, Index most)
      : columns_(columns), centred_(centred), most_(most) {
    clear();
  }

  /// Discards all entries. Call it when h changes.
  void clear() {
    places_.assign(static_cast<std::size_t>(columns_.cols()), -1);
    listed_.clear();
    couplings_.resize(0, 0);
  }

  /// Computes the missing entries of the columns in `working`, for h (n) with Σᵢ hᵢ = total.
  /// `working` holds at most `most` columns. If there would be more than `most` columns in all,
  /// discards all entries first. Returns the number of visits to columns.
  Index prepare(const std::vector<Index>& working, const Vector<double>& h, double total) {
    if (size() + unknown(working) > most_) clear();
    const Index known = size();
    for (const Index j : working)
      if (place(j) < 0) {
        places_[at(j)] = size();
        listed_.push_back(j);
      }
    return size() > known ? compute(known, h, total) : 0;
  }

  /// Returns how many columns of the list are not yet computed.
  Index unknown(const std::vector<Index>& list) const {
    Index unknown = 0;
    for (const Index j : list) unknown += place(j) < 0 ? 1 : 0;
    return unknown;
  }
  /// Returns the largest number of columns held at once.
  Index most() const { return most_; }

  /// Returns Σᵢ hᵢ(xᵢⱼ − mⱼ)(xᵢₖ − mₖ) of two computed columns.
  double coupling(Index j, Index k) const { return couplings_(place(j), place(k)); }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  Index size() const { return static_cast<Index>(listed_.size()); }
  Index place(Index j) const { return places_[at(j)]; }

  /// Computes the means and entries of the columns listed from `first` on. Returns the number of
  /// visits to columns.
  Index compute(Index first, const Vector<double>& h, double total) {
    means_.resize(at(size()));
    for (Index p = first; p < size(); ++p)
      means_[at(p)] = centred_ ? columns_.dot(listed_[at(p)], h) / total : 0;
    Index visits = size() - first;
    auto fresh = linear_algebra::zeros<detail::ColumnMatrix<double>>(size(), size() - first);
    Vector<double> block = detail::filled(4 * h.size(), 0.0);  // four columns, interleaved
    for (Index p = first; p < size(); p += 4) {
      const Index count = std::min<Index>(4, size() - p);
      double sums[4] = {0, 0, 0, 0}, dots[4];
      for (Index c = 0; c < count; ++c) {
        const Vector<double> weighted = weighted_column(p + c, h);
        for (Index i = 0; i < h.size(); ++i) sums[c] += block[4 * i + c] = weighted[i];
      }
      for (Index q = 0; q < p + count; ++q) {
        const double mean = means_[at(q)];
        columns_.four_dots(listed_[at(q)], block.data(), dots);
        for (Index c = 0; c < count; ++c) fresh(q, p + c - first) = dots[c] - mean * sums[c];
      }
      visits += p + count;
    }
    detail::ColumnMatrix<double> all(size(), size());
    for (Index p = 0; p < size(); ++p)
      for (Index q = 0; q <= p; ++q)
        all(q, p) = all(p, q) = p < first ? couplings_(q, p) : fresh(q, p - first);
    couplings_ = std::move(all);
    return visits;
  }

  /// Returns hᵢ(xᵢ − m) (n) for the column at this place of the list.
  Vector<double> weighted_column(Index place, const Vector<double>& h) const {
    Vector<double> weighted = detail::filled(h.size(), 0.0);
    columns_.add(listed_[at(place)], 1, h, weighted);
    linear_algebra::add(-means_[at(place)], h, weighted);
    return weighted;
  }

  const samples::Columns& columns_;
  bool centred_;
  Index most_;
  std::vector<Index> places_{};  // place of each column in listed_; −1: not computed
  std::vector<Index> listed_{};
  std::vector<double> means_{};  // m of the listed columns
  detail::ColumnMatrix<double> couplings_{};
};

}  // namespace linea::detail::newton
