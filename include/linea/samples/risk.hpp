// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss over all samples, for one or more linear functions, in one pass.
#include <algorithm>  // clamp, copy_n, fill_n, min
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::detail::samples {

/// The number of rows of a block. One thread sums the losses of a block.
inline constexpr Index risk_block = 4096;

/// Rows whose scores are all 0, those of w = 0, or `known` scores (n). Computing the scores does
/// not read x.
template <class Rows>
struct RowsAtZero : Rows {
  const typename Rows::Scalar* known{nullptr};

  void scores(Index first, Index count, const auto&, auto* s) const {
    if (known)
      std::copy_n(known + first, count, s);
    else
      std::fill_n(s, count, 0);
  }
};

/// A linear function, w (d) and b, and its targets y (n).
template <class T>
struct Candidate {
  const Vector<T>* weights;
  T offset;
  const Vector<T>* y;
};

/// For each candidate c < count, adds Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) over rows i in [begin, end) to
/// sums[2c], and Σᵢ sᵢ to sums[2c + 1]. All candidates score a piece of scores.size() rows while it
/// is in the cache.
template <Loss L, class Rows, class T>
void add_losses(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                const Candidate<T>* candidates, Index count, Index begin, Index end,
                Vector<T>& scores, double* sums) {
  const Index piece = scores.size();
  for (Index first = begin; first < end; first += piece) {
    const Index size = std::min(piece, end - first);
    for (Index c = 0; c < count; ++c) {
      const T offset = candidates[c].offset;
      const T* y = candidates[c].y->data() + first;
      const T* s = sample_weights.size() ? sample_weights.data() + first : nullptr;
      rows.scores(first, size, *candidates[c].weights, scores.data());
      double losses = sums[2 * c];
      double weights = sums[2 * c + 1];
      for (Index k = 0; k < size; ++k) {
        const double weight = s ? static_cast<double>(s[k]) : 1.0;
        const double part = weight * static_cast<double>(loss.value(scores[k] + offset, y[k]));
        losses += weight > 0 ? part : 0.0;  // the loss of a sample of weight 0 may be infinite
        weights += weight;
      }
      sums[2 * c] = losses;
      sums[2 * c + 1] = weights;
    }
  }
}

/// Sets risks[c] to (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) for each candidate c < count, with S = Σᵢ sᵢ,
/// over all parts of validated rows. Without sample weights all weights are 1. Makes one pass and
/// sums in double, block by block: the bits depend neither on the number of workers nor on the
/// other candidates.
template <Loss L, class Rows, class T>
void find_risks(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                const Candidate<T>* candidates, Index count, double* risks,
                Workers* workers = nullptr) {
  // The sum of a stretch continues over its pieces, so that their size does not change the bits.
  // The sum of a block adds up the sums of its stretches.
  constexpr Index stretch =
      Rows::is_packed ? 256 : risk_block;  // column-major x: long stretches are faster
  constexpr Index cached_bytes = 65536;
  const Index n = rows.rows();
  Index piece = stretch;
  if (count > 1)
    piece = Rows::is_packed
                ? std::clamp<Index>(cached_bytes / std::max<Index>(rows.row_bytes(), 1), 1, stretch)
                : 256;
  const Index blocks = (n + risk_block - 1) / risk_block;
  const Index width = 2 * count;
  Vector<double> sums = detail::filled(blocks * width, 0.0);
  for_each_part(workers, blocks, [&](Index block) {
    const Index end = std::min((block + 1) * risk_block, n);
    Vector<T> scores(piece);
    Vector<double> parts(width);
    for (Index begin = block * risk_block; begin < end; begin += stretch) {
      for (double& part : parts) part = 0;
      add_losses(loss, rows, sample_weights, candidates, count, begin,
                 std::min(begin + stretch, end), scores, parts.data());
      for (Index k = 0; k < width; ++k) sums[block * width + k] += parts[k];
    }
  });
  for (Index c = 0; c < count; ++c) {
    double both[2] = {0, 0};
    for (Index block = 0; block < blocks; ++block)
      for (Index k = 0; k < 2; ++k) both[k] += sums[block * width + 2 * c + k];
    all_of(rows).sum(both, 2);
    risks[c] = both[0] / both[1];
  }
}

/// Returns the risk of one candidate.
template <Loss L, class Rows, class T>
double risk_of_rows(const L& loss, const Rows& rows, const Vector<T>& y,
                    const Vector<T>& sample_weights, const Vector<T>& weights, T offset,
                    Workers* workers = nullptr) {
  const Candidate<T> one{&weights, offset, &y};
  double risk = 0;
  find_risks(loss, rows, sample_weights, &one, 1, &risk, workers);
  return risk;
}

/// Returns the risk of (weights, offset) on a training set.
template <Loss L, class Rows, class T>
double risk_of(const L& loss, const TrainingSet<Rows>& set, const Vector<T>& weights, T offset,
               Workers* workers = nullptr) {
  return risk_of_rows(loss, set.rows, set.y, set.weights, weights, offset, workers);
}

}  // namespace linea::detail::samples
