// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of any storage behind virtual functions, one call for each block of rows: the code
/// that reads them is compiled once for all types of rows.
#include <algorithm>  // max, min
#include <concepts>   // same_as
#include <cstddef>    // size_t
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/order.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/row_block.hpp>
#include <memory>   // unique_ptr
#include <utility>  // move

namespace linea::detail::samples {

/// The parts of divided samples, see all_rows.hpp. The functions of this class are for one part.
class Parts {
 public:
  Parts() = default;
  Parts(const Parts&) = delete;
  virtual ~Parts() = default;

  virtual void sum(double*, Index) const {}  ///< replaces numbers by their sums over the parts
  virtual Index count() const { return 1; }

  double sum(double own) const {
    sum(&own, 1);
    return own;
  }
  virtual double largest(double own) const { return own; }  ///< maximum over the parts
};

/// The rows of x (n × d), read in double. In `scores`, `add_up` and the other functions of a block,
/// v may have more than d entries; only the first d count.
class RowBlocks : public Parts {
 public:
  using Reals = Vector<double>;

  Index rows() const { return rows_; }            ///< n, in this process
  Index cols() const { return cols_; }            ///< d
  Index entries() const { return entries_; }      ///< number of stored entries
  Index row_bytes() const { return row_bytes_; }  ///< mean number of bytes of a row
  bool is_packed() const { return is_packed_; }   ///< can a pass skip single rows?
  Index all_rows() const { return all_rows_; }    ///< rows of all parts
  Index first_row() const { return first_row_; }  ///< index of row 0 among the rows of all parts

  /// Sets p[k] = ⟨x_{first+k}, v⟩ for `count` rows. If is_packed(), skips the rows where
  /// wanted[k] = 0, unless `wanted` is null.
  virtual void scores(Index first, Index count, const Reals& v, const double* wanted,
                      double* p) const = 0;
  /// Sets sum ← sum + Σₖ c[k]·x_{first+k}. May skip rows with c[k] = 0.
  virtual void add_up(Index first, Index count, const double* c, Reals& sum) const = 0;
  /// Sets squares[k] = ‖x_{first+k}‖² for `count` rows.
  virtual void squares(Index first, Index count, double* squares) const = 0;
  /// Sets `block` to `count` rows. Dense rows of doubles are in place, without a copy.
  virtual void read(Index first, Index count, RowBlock& block) const = 0;
  /// Returns the rows `members`, copied unless is_packed(). This object and `members` must outlive
  /// them.
  virtual std::unique_ptr<RowBlocks> selected(const Sequence& members) const = 0;

 protected:
  template <class Rows>
  explicit RowBlocks(const Rows& of)
      : rows_(of.rows()),
        cols_(of.cols()),
        entries_(of.entries()),
        row_bytes_(of.row_bytes()),
        is_packed_(Rows::is_packed),
        all_rows_(count_of_all(of)),
        first_row_(first_of_all(of)) {}

  /// Makes this object have `count` rows, with as many entries in a row as before.
  void resize(Index count) {
    entries_ = entries_ * count / std::max<Index>(rows_, 1);
    rows_ = all_rows_ = count;
  }

 private:
  Index rows_, cols_, entries_, row_bytes_;
  bool is_packed_;
  Index all_rows_, first_row_;
};

inline Index block_of(const RowBlocks& rows) {
  return block_of(rows.row_bytes(), rows.is_packed());
}

/// Returns the scores ⟨xᵢ, v⟩ (n) of this process.
inline Vector<double> scores_of(const RowBlocks& rows, const Vector<double>& v) {
  Vector<double> scores(rows.rows());
  for_each_block(rows, [&](Index first, Index count) {
    rows.scores(first, count, v, nullptr, scores.data() + first);
  });
  return scores;
}

/// Returns Σᵢ cᵢ·xᵢ (d) for c (n), over all parts.
inline Vector<double> weighted_sum(const RowBlocks& rows, const Vector<double>& c) {
  Vector<double> sum = detail::filled(rows.cols(), 0.0);
  for_each_block(
      rows, [&](Index first, Index count) { rows.add_up(first, count, c.data() + first, sum); });
  rows.sum(sum.data(), sum.size());
  return sum;
}

/// Returns the mean number of stored entries of a row.
inline double mean_entries(const RowBlocks& rows) {
  return static_cast<double>(rows.entries()) / static_cast<double>(std::max<Index>(rows.rows(), 1));
}

/// The blocks of rows of type Rows, whose scalar is double.
template <class Rows>
class RowBlocksOf : public RowBlocks {
 public:
  explicit RowBlocksOf(const Rows& rows)
      : RowBlocks(rows), of_(rows), ahead_(4096 / std::max<Index>(rows.row_bytes(), 1) + 1) {}

  void sum(double* numbers, Index count) const override { all_of(of_).sum(numbers, count); }
  double largest(double own) const override { return all_of(of_).largest(own); }
  Index count() const override { return all_of(of_).parts(); }

  void scores(Index first, Index count, const Reals& v, const double* wanted,
              double* p) const override {
    if constexpr (Rows::is_packed) {
      for (Index k = 0; k < count; ++k)
        if (!wanted || wanted[k] != 0)
          p[k] = of_.dot(row(first + k), v, row(std::min(first + k + ahead_, rows() - 1)));
    } else {
      of_.scores(first, count, v, p);
    }
  }
  void add_up(Index first, Index count, const double* c, Reals& sum) const override {
    if constexpr (Rows::is_packed) {
      for (Index k = 0; k < count; ++k)
        if (c[k] != 0) of_.add(row(first + k), c[k], sum);
    } else {
      of_.add_up(first, count, c, sum);
    }
  }
  void squares(Index first, Index count, double* squares) const override {
    for (Index k = 0; k < count; ++k) squares[k] = of_.squared_norm(row(first + k));
  }
  void read(Index first, Index count, RowBlock& block) const override {
    block.count = count;
    block.columns = cols();
    block.is_sparse = Rows::is_sparse;
    if constexpr (Rows::is_sparse)
      read_stored(first, block);
    else if (!finds_in_place(first, block))
      copy_all(first, block);
  }
  std::unique_ptr<RowBlocks> selected(const Sequence& members) const override;

 private:
  Index row(Index k) const {
    return members_ ? static_cast<Index>((*members_)[static_cast<std::size_t>(k)]) : k;
  }

  void read_stored(Index first, RowBlock& block) const {
    block.entries.clear();
    block.places.clear();
    block.starts.assign(1, 0);
    for (Index k = 0; k < block.count; ++k) {
      of_.for_each(row(first + k), [&](Index j, double entry) {
        block.places.push_back(j);
        block.entries.push_back(entry);
      });
      block.starts.push_back(static_cast<Index>(block.entries.size()));
    }
  }
  bool finds_in_place(Index first, RowBlock& block) const {
    if constexpr (requires {
                    { of_.in_place(first) } -> std::same_as<const double*>;
                  }) {
      if (members_ && block.count > 1) return false;
      block.rows = of_.in_place(row(first));
      block.row_stride = block.count > 1 ? of_.in_place(first + 1) - block.rows : 0;
      return block.rows != nullptr;
    }
    return false;
  }
  void copy_all(Index first, RowBlock& block) const {
    block.entries.resize(static_cast<std::size_t>(block.count * cols()));
    block.rows = block.entries.data();
    block.row_stride = cols();
    if constexpr (requires { of_.read(first, first, [](const auto&) {}); })
      if (block.count > 1)
        return of_.read(first, block.count, [&](const auto& rows) {
          Eigen::Map<Matrix<double>>(block.entries.data(), block.count, cols()) = rows;
        });
    for (Index k = 0; k < block.count; ++k)
      of_.for_each(row(first + k), [to = block.entries.data() + k * cols()](Index j, double entry) {
        to[j] = entry;
      });
  }

  Rows of_;
  Index ahead_;
  const Sequence* members_{nullptr};  // row k is row members[k] of of_; null: all rows
};

/// The blocks of a dense matrix that this object owns.
class CopiedRows final : public RowBlocksOf<rows::DenseRows<double, true>> {
 public:
  explicit CopiedRows(std::unique_ptr<const Matrix<double>> x)
      : RowBlocksOf(rows::DenseRows<double, true>(*x)), x_(std::move(x)) {}

 private:
  std::unique_ptr<const Matrix<double>> x_;
};

template <class Rows>
std::unique_ptr<RowBlocks> RowBlocksOf<Rows>::selected(const Sequence& members) const {
  const auto size = static_cast<Index>(members.size());
  if constexpr (Rows::is_packed) {
    auto blocks = std::make_unique<RowBlocksOf>(of_);
    blocks->members_ = &members;
    blocks->resize(size);
    return blocks;
  } else {
    Sequence places(members.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<std::uint32_t>(k);
    auto copy = std::make_unique<Matrix<double>>(size, cols());
    of_.pack(members, places, *copy);
    return std::make_unique<CopiedRows>(std::move(copy));
  }
}

}  // namespace linea::detail::samples
