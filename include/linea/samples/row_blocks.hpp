// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of any storage behind virtual functions, one call for each block of rows: the code
/// that reads them is compiled once for all types of rows.
#include <algorithm>  // max, min
#include <cstddef>    // size_t
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <linea/samples/all_rows.hpp>
#include <memory>   // unique_ptr
#include <utility>  // move
#include <vector>

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

/// The columns and the values of the first `count` entries of a row.
struct RowEntries {
  std::vector<Index> columns{};
  std::vector<double> values{};
  std::size_t count{0};

  void resize(std::size_t size) {
    columns.resize(size);
    values.resize(size);
  }
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
  /// Sets sum ← sum + Σₖ c[k]·x_{first+k}∘x_{first+k}.
  virtual void add_squares(Index first, Index count, const double* c, Reals& sum) const = 0;
  /// Sets `entries` to the stored entries of row i.
  virtual void read(Index i, RowEntries& entries) const = 0;
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
  void add_squares(Index first, Index count, const double* c, Reals& sum) const override {
    if constexpr (Rows::is_packed)
      for (Index k = 0; k < count; ++k) {
        const double a = c[k];
        of_.for_each(row(first + k), [&](Index j, double x) { sum[j] += a * x * x; });
      }
    else
      of_.read(first, count, [&](const auto& block) {
        const Eigen::Map<const Reals> weights(c, count);
        sum.head(cols()) +=
            (weights.asDiagonal() * block).cwiseProduct(block).colwise().sum().transpose();
      });
  }
  void read(Index i, RowEntries& entries) const override {
    std::size_t k = 0;
    of_.for_each(row(i), [&](Index j, double x) {
      if (k == entries.columns.size()) entries.resize(2 * k + 64);
      entries.columns[k] = j;
      entries.values[k++] = x;
    });
    entries.count = k;
  }
  std::unique_ptr<RowBlocks> selected(const Sequence& members) const override;

 private:
  Index row(Index k) const {
    return members_ ? static_cast<Index>((*members_)[static_cast<std::size_t>(k)]) : k;
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
