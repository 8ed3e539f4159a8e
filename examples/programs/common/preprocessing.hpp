// SPDX-License-Identifier: MIT
#pragma once
/// \file Converts a table or sparse rows to features. The model stores the parameters of the
/// conversion, so that prediction can read files like the training file.
#include <linea/core/types.hpp>
#include <linea/features/standardise.hpp>
#include <linea/io/encoder.hpp>
#include <optional>
#include <string>

#include "programs/common/table.hpp"

namespace program {

struct PreprocessingOptions {
  std::string missing{"refuse"};  ///< refuse, mean or zero
  bool standardise{false};
  bool centre{true};  ///< with `standardise`: true only if the model has an offset
  int degree{1};      ///< the degree of polynomial features
  int hash_bits{0};   ///< 0: no hashing, else there are 2^bits features
};

/// Converted samples, and the values in them that the model does not know.
struct Encoded {
  Entries x{};                     ///< (n × d)
  linea::UnknownValues unknown{};  ///< entries of new features, and cells with new texts
};

/// The steps of preprocessing, in this order. First the encoder converts the columns of a table; of
/// sparse rows, only names are hashed. Then products are added if the degree is above 1. Then
/// features are scaled, with `standardise`, to mean 0 and deviation 1. They are scaled to root mean
/// square 1 instead without `centre`, with hashing, and for sparse rows that store fewer than half
/// of the entries. Features of 0 or 1 for text (without products) keep their scale.
struct Preprocessing {
  linea::Encoder encoder{};  ///< of a table; for sparse rows only `hash_bits` counts
  bool has_entries{true};
  bool zero_based{false};
  /// For lists of entries: the number of features of the training file.
  linea::Index width{0};
  int degree{1};
  linea::Standardisation<double> scaling{};  ///< (d) if standardised, else empty

  /// Determines the preprocessing from a table. Means and deviations are weighted if the table has
  /// sample weights, which must be > 0. Throws std::invalid_argument as Encoder::fit does, and if
  /// there are no features or more than an index can count.
  static Preprocessing learn(const Table& table, bool zero_based,
                             const PreprocessingOptions& options);

  /// Returns x (n × d) for the rows of a table. Throws std::invalid_argument as Encoder::apply does.
  Encoded apply(const Table& table) const;

  /// Prepares a model without an encoder for a table. Its columns are found by the model's names, or
  /// else by position, with or without the target at the end.
  void take_columns(const Table& table);

  /// Returns the column of sample weights, or none.
  std::optional<std::size_t> weights_in(const Table& table) const {
    return table.has_entries ? std::nullopt : encoder.find(table, linea::ColumnRole::weights);
  }

  bool is_scaled() const { return scaling.scale.size() > 0; }
  linea::Index features() const;              ///< d
  std::string name_of(linea::Index j) const;  ///< returns the name of feature j, for output

 private:
  linea::Index raw_features() const;
  std::string raw_name(linea::Index j) const;
  Entries encode(const Table& table, linea::UnknownValues& unknown) const;
  linea::SparseMatrix<double> hash_entries(const Table& table) const;
  linea::SparseMatrix<double> scaled(const EntriesView& x) const;
  void learn_scales(const EntriesView& x, const linea::Vector<double>& weights, bool may_centre);
};

}  // namespace program
