// SPDX-License-Identifier: MIT
#pragma once
/// \file A selection of rows that an optimizer reads many times.
#include <algorithm>  // max
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>

namespace linea::detail::samples {

/// The rows `members` of x: read in place if Rows::is_packed, else from a copy. The vector v of
/// `dot` and `add` may have more than d entries; these functions use only the first d entries.
template <class Rows>
class SelectedRows {
 public:
  using Reals = Vector<typename Rows::Scalar>;

  explicit SelectedRows(const Rows& rows) : rows_(rows) {}

  /// Makes row members[k] of x row k of the selection. `members` must live until the next call.
  void take(const Sequence& members) {
    members_ = &members;
    if constexpr (!Rows::is_packed) {
      Sequence places(members.size());
      for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<std::uint32_t>(k);
      copy_.resize(static_cast<Index>(members.size()), rows_.cols());
      rows_.pack(members, places, copy_);
    }
  }

  Index size() const { return static_cast<Index>(members_->size()); }

  /// Returns the mean number of entries of a row that may be non-zero.
  double in_row() const {
    return static_cast<double>(rows_.entries()) /
           static_cast<double>(std::max<Index>(rows_.rows(), 1));
  }

  double dot(std::size_t k, const Reals& v) const {
    if constexpr (Rows::is_packed) {
      const std::size_t ahead = k + 6 < members_->size() ? k + 6 : k;
      return rows_.dot(row(k), v, row(ahead));
    } else {
      const double* entries = start(k);
      return rows::dot<double>(entries, v.data(), rows_.cols(), entries);
    }
  }

  void add(std::size_t k, double a, Reals& v) const {
    if constexpr (Rows::is_packed)
      rows_.add(row(k), a, v);
    else
      rows::add(start(k), a, v.data(), rows_.cols());
  }

  /// Calls f(j, entry) for the entries of row k that may be non-zero.
  template <class F>
  void for_each(std::size_t k, F&& f) const {
    if constexpr (Rows::is_packed)
      rows_.for_each(row(k), f);
    else
      for (Index j = 0; j < rows_.cols(); ++j) f(j, start(k)[j]);
  }

 private:
  Index row(std::size_t k) const { return static_cast<Index>((*members_)[k]); }
  const double* start(std::size_t k) const {
    return copy_.data() + static_cast<Index>(k) * copy_.cols();
  }

  Rows rows_;
  const Sequence* members_{nullptr};
  Matrix<typename Rows::Scalar> copy_{};  // (members × d), or empty
};

}  // namespace linea::detail::samples
