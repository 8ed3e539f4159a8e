// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss over all samples: one pass, in blocks, for one linear function or several.
#include <algorithm>  // clamp, fill_n, min
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::samples {

/// Rows whose losses are added up by themselves, and by one thread.
inline constexpr Index risk_block = 4096;

/// The rows of a set, scored with w = 0: all scores are 0, and x is not read.
template <class Rows>
struct RowsAtZero : Rows {
  void scores(Index, Index count, const auto&, auto* s) const { std::fill_n(s, count, 0); }
};

/// A linear function, w (d) and b, with the targets y (n) that it is to meet.
template <class T>
struct Candidate {
  const Vector<T>* weights;
  T offset;
  const Vector<T>* y;
};

/// Rows [begin, end) for `count` candidates: all of them score a piece, as many as there is room
/// for scores, while it is in the cache. Adds Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) and Σᵢ sᵢ of candidate c
/// to sums[2c] and sums[2c + 1].
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
        losses += weight > 0 ? part : 0.0;  // a loss without weight may be infinite
        weights += weight;
      }
      sums[2 * c] = losses;
      sums[2 * c + 1] = weights;
    }
  }
}

/// Sets risks[c] to (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) of each of `count` candidates, over validated
/// rows, those of all rows; sample_weights empty: all 1. One pass, summed in double, block by
/// block, so that the bits depend neither on the workers, whatever their number, nor on the other
/// candidates. No memory beyond the blocks' sums and some scores.
template <Loss L, class Rows, class T>
void find_risks(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                const Candidate<T>* candidates, Index count, double* risks,
                Workers* workers = nullptr) {
  // The sums of pieces go on through a stretch; those of stretches make up a block's.
  constexpr Index stretch = Rows::is_packed ? 256 : risk_block;  // columns want long ones
  constexpr Index cached_bytes = 65536;
  const Index n = rows.rows();
  Index piece = stretch;
  if (count > 1)
    piece = Rows::is_packed
                ? std::clamp<Index>(cached_bytes / std::max<Index>(rows.row_bytes(), 1), 1, stretch)
                : 256;
  const Index blocks = (n + risk_block - 1) / risk_block;
  const Index width = 2 * count;
  Vector<double> sums = core::filled(blocks * width, 0.0);
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

/// That of a single candidate.
template <Loss L, class Rows, class T>
double risk_of_rows(const L& loss, const Rows& rows, const Vector<T>& y,
                    const Vector<T>& sample_weights, const Vector<T>& weights, T offset,
                    Workers* workers = nullptr) {
  const Candidate<T> one{&weights, offset, &y};
  double risk = 0;
  find_risks(loss, rows, sample_weights, &one, 1, &risk, workers);
  return risk;
}

/// That of a set.
template <Loss L, class Rows, class T>
double risk_of(const L& loss, const TrainingSet<Rows>& set, const Vector<T>& weights, T offset,
               Workers* workers = nullptr) {
  return risk_of_rows(loss, set.rows, set.y, set.weights, weights, offset, workers);
}

}  // namespace linea::samples
