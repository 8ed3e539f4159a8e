// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss over all samples: one pass, in blocks, for one linear function or several.
#include <algorithm>  // clamp, fill, min
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::samples {

/// Rows whose losses are added up by themselves, and by one thread.
inline constexpr Index risk_block = 4096;

/// A linear function, w (d) and b, with the targets y (n) that it is to meet.
template <class T>
struct Candidate {
  const Vector<T>* weights;
  T offset;
  const Vector<T>* y;
};

/// Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) and Σᵢ sᵢ over some rows.
struct LossSums {
  double losses{0};
  double weights{0};

  void operator+=(const LossSums& other) {
    losses += other.losses;
    weights += other.weights;
  }
};

/// Rows [begin, end) for every candidate: all of them score a
/// piece, as many as there is room for scores, while it is in the cache.
template <Loss L, class Rows, class T>
void add_losses(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                const std::vector<Candidate<T>>& candidates, Index begin, Index end,
                Vector<T>& scores, std::vector<LossSums>& sums) {
  const Index piece = scores.size();
  for (Index first = begin; first < end; first += piece) {
    const Index size = std::min(piece, end - first);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const T offset = candidates[c].offset;
      const T* y = candidates[c].y->data() + first;
      const T* s = sample_weights.size() ? sample_weights.data() + first : nullptr;
      rows.scores(first, size, *candidates[c].weights, scores.data());
      LossSums sum = sums[c];
      for (Index k = 0; k < size; ++k) {
        const double weight = s ? static_cast<double>(s[k]) : 1.0;
        const double part = weight * static_cast<double>(loss.value(scores[k] + offset, y[k]));
        sum.losses += weight > 0 ? part : 0.0;  // a loss without weight may be infinite
        sum.weights += weight;
      }
      sums[c] = sum;
    }
  }
}

/// (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) of every candidate, over rows that have passed the door, those
/// of all rows; sample_weights empty: all 1. One pass, summed in double, block by block, so
/// that the bits depend neither on the workers, whatever their number, nor on the other candidates.
/// No memory beyond the blocks' sums and some scores.
template <Loss L, class Rows, class T>
std::vector<double> risks_of_rows(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                                  const std::vector<Candidate<T>>& candidates,
                                  Workers* workers = nullptr) {
  // The sums of pieces go on through a stretch; those of stretches make up a block's.
  constexpr Index stretch = Rows::is_packed ? 256 : risk_block;  // columns want long ones
  constexpr Index cached_bytes = 65536;
  const Index n = rows.rows();
  const std::size_t count = candidates.size();
  Index piece = stretch;
  if (count > 1)
    piece = Rows::is_packed
                ? std::clamp<Index>(cached_bytes / std::max<Index>(rows.row_bytes(), 1), 1, stretch)
                : 256;
  const Index blocks = (n + risk_block - 1) / risk_block;
  std::vector<LossSums> sums(static_cast<std::size_t>(blocks) * count);
  for_each_part(workers, blocks, [&](Index block) {
    const Index end = std::min((block + 1) * risk_block, n);
    Vector<T> scores(piece);
    std::vector<LossSums> parts(count);
    for (Index begin = block * risk_block; begin < end; begin += stretch) {
      std::fill(parts.begin(), parts.end(), LossSums{});
      add_losses(loss, rows, sample_weights, candidates, begin, std::min(begin + stretch, end),
                 scores, parts);
      for (std::size_t c = 0; c < count; ++c)
        sums[static_cast<std::size_t>(block) * count + c] += parts[c];
    }
  });
  std::vector<double> risks;
  for (std::size_t c = 0; c < count; ++c) {
    LossSums all;
    for (std::size_t k = c; k < sums.size(); k += count) all += sums[k];
    double both[2] = {all.losses, all.weights};
    all_of(rows).sum(both, 2);
    risks.push_back(both[0] / both[1]);
  }
  return risks;
}

/// That of a single candidate.
template <Loss L, class Rows, class T>
double risk_of_rows(const L& loss, const Rows& rows, const Vector<T>& y,
                    const Vector<T>& sample_weights, const Vector<T>& weights, T offset,
                    Workers* workers = nullptr) {
  const std::vector<Candidate<T>> one{{&weights, offset, &y}};
  return risks_of_rows(loss, rows, sample_weights, one, workers).front();
}

/// That of a set.
template <Loss L, class Rows, class T>
double risk_of(const L& loss, const TrainingSet<Rows>& set, const Vector<T>& weights, T offset,
               Workers* workers = nullptr) {
  return risk_of_rows(loss, set.rows, set.y, set.weights, weights, offset, workers);
}

}  // namespace linea::samples
