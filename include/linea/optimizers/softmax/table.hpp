// SPDX-License-Identifier: MIT
#pragma once
/// \file Tables with one number for each class in a row, and some rows of x, as the products read
/// them.
#include <algorithm>  // copy_n, fill, fill_n
#include <concepts>   // same_as
#include <linea/core/types.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::softmax {

/// A row for each sample (scores, probabilities) or each feature (weights), a column for each
/// class. Columns that fill up the last vector register are 0.
using Table = Matrix<double>;

/// The columns of a table for so many classes: 2, 4 or a multiple of 8.
inline Index stride_of(Index classes) {
  if (classes <= 4) return classes <= 2 ? 2 : 4;
  return (classes + 7) / 8 * 8;
}

/// Some rows of x in double: all entries row by row, or only those that are stored.
class RowBlock {
 public:
  /// Rows of so many columns. `as_stored`: keep only the entries that are stored.
  RowBlock(Index columns, bool as_stored) : columns_(columns), as_stored_(as_stored) {}

  Index count() const { return count_; }
  Index columns() const { return columns_; }
  bool is_sparse() const { return as_stored_; }
  /// The entries of row i; of rows that are not sparse.
  const double* row(Index i) const { return first_row_ + i * row_stride_; }
  /// From one row to the next.
  Index row_stride() const { return row_stride_; }
  /// Entries [start(i), start(i + 1)) are of row i; of rows that are sparse.
  const double* entries() const { return entries_.data(); }
  Index start(Index i) const { return starts_[static_cast<std::size_t>(i)]; }
  const Index* column() const { return places_.data(); }

  /// Reads rows [first, first + count). Those without weight are read as zeros, whatever they hold.
  template <class Rows>
  void read(const samples::TrainingSet<Rows>& set, Index first, Index count) {
    count_ = count;
    const auto is_there = [&](Index i) {
      return set.weights.size() == 0 || set.weights[first + i] != 0;
    };
    if (as_stored_)
      read_stored(set.rows, first, is_there);
    else if (!finds_in_place(set, first))
      read_all(set.rows, first, is_there);
  }

  /// Entries are replaced by their squares.
  void square() {
    if (!as_stored_ && first_row_ != entries_.data()) {  // they are not its own
      entries_.resize(static_cast<std::size_t>(count_ * columns_));
      for (Index i = 0; i < count_; ++i)
        std::copy_n(row(i), columns_, entries_.data() + i * columns_);
      own();
    }
    for (double& entry : entries_) entry *= entry;
  }

 private:
  /// Rows of doubles that lie side by side are read where they are.
  template <class Rows>
  bool finds_in_place(const samples::TrainingSet<Rows>& set, Index first) {
    if constexpr (Rows::is_packed && requires {
                    { set.rows.start(first) } -> std::same_as<const double*>;
                  }) {
      const auto& s = set.weights;
      if (set.origin || (s.size() > 0 && !(s.segment(first, count_).minCoeff() > 0))) return false;
      first_row_ = set.rows.start(first);
      row_stride_ = count_ > 1 ? set.rows.start(first + 1) - first_row_ : 0;
      return true;
    }
    return false;
  }

  void own() {
    first_row_ = entries_.data();
    row_stride_ = columns_;
  }

  template <class Rows, class IsThere>
  void read_stored(const Rows& rows, Index first, const IsThere& is_there) {
    entries_.clear();
    places_.clear();
    starts_.assign(1, 0);
    for (Index i = 0; i < count_; ++i) {
      if (is_there(i))
        rows.for_each(first + i, [&](Index j, double entry) {
          places_.push_back(static_cast<Index>(j));
          entries_.push_back(entry);
        });
      starts_.push_back(static_cast<Index>(entries_.size()));
    }
  }

  template <class Rows, class IsThere>
  void read_all(const Rows& rows, Index first, const IsThere& is_there) {
    entries_.resize(static_cast<std::size_t>(count_ * columns_));
    own();
    double* const entries = entries_.data();
    if constexpr (!Rows::is_packed && requires { rows.read(first, first, [](const auto&) {}); }) {
      rows.read(first, count_, [&](const auto& block) {
        Eigen::Map<Matrix<double>>(entries, count_, columns_) = block;
      });
    } else {
      if constexpr (Rows::is_sparse) std::fill(entries_.begin(), entries_.end(), 0.0);
      for (Index i = 0; i < count_; ++i)
        if (is_there(i))
          rows.for_each(first + i,
                        [to = entries + i * columns_](Index j, double entry) { to[j] = entry; });
    }
    for (Index i = 0; i < count_; ++i)
      if (!is_there(i)) std::fill_n(entries + i * columns_, columns_, 0.0);
  }

  Index columns_;
  bool as_stored_;
  Index count_{0};
  const double* first_row_{nullptr};
  Index row_stride_{0};
  std::vector<double> entries_{};
  std::vector<Index> places_{};
  std::vector<Index> starts_{};
};

}  // namespace linea::softmax
