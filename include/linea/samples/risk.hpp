// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss over all samples: one pass, in blocks, for one linear function or several.
#include <algorithm>  // clamp, fill, min
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
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

/// (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) of every candidate, over rows that have passed the door; sample_weights empty: all 1.
/// One pass: rows are scored by all candidates while they are in the cache. Summed in double, block by block, so
/// that the bits depend neither on the workers, whatever their number, nor on the other candidates. No memory beyond the
/// blocks' sums and some scores.
template <Loss L, class Rows, class T>
std::vector<double> risks_of_rows(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                                  const std::vector<Candidate<T>>& candidates,
                                  Workers* workers = nullptr) {
  // The sums of pieces go on through a stretch; those of stretches make up a block's.
  constexpr Index block = risk_block;
  constexpr Index stretch = Rows::is_packed ? 256 : block;  // columns want long ones
  constexpr Index cached_bytes = 65536;
  const Index n = rows.rows();
  const std::size_t count = candidates.size();
  Index piece = stretch;
  if (count > 1)
    piece = Rows::is_packed
                ? std::clamp<Index>(cached_bytes / std::max<Index>(rows.row_bytes(), 1), 1, stretch)
                : 256;
  const Index blocks = (n + block - 1) / block;
  struct Sums {
    double losses{0};
    double weights{0};

    void operator+=(const Sums& other) {
      losses += other.losses;
      weights += other.weights;
    }
  };
  std::vector<Sums> sums(static_cast<std::size_t>(blocks) * count);
  const auto evaluate = [&](Index share, Index shares) {
    const auto [first_block, last_block] = share_of(blocks, share, shares);
    const Index end = std::min(last_block * block, n);
    Vector<T> scores(piece);
    std::vector<Sums> parts(count);
    for (Index begin = first_block * block; begin < end; begin += stretch) {
      const Index last = std::min(begin + stretch, end);
      std::fill(parts.begin(), parts.end(), Sums{});
      for (Index first = begin; first < last; first += piece) {
        const Index size = std::min(piece, last - first);
        for (std::size_t c = 0; c < count; ++c) {
          const T offset = candidates[c].offset;
          const T* y = candidates[c].y->data() + first;
          const T* s = sample_weights.size() ? sample_weights.data() + first : nullptr;
          rows.scores(first, size, *candidates[c].weights, scores.data());
          Sums part = parts[c];
          for (Index k = 0; k < size; ++k) {
            const double weight = s ? static_cast<double>(s[k]) : 1.0;
            part.losses += weight * static_cast<double>(loss.value(scores[k] + offset, y[k]));
            part.weights += weight;
          }
          parts[c] = part;
        }
      }
      for (std::size_t c = 0; c < count; ++c)
        sums[static_cast<std::size_t>(begin / block) * count + c] += parts[c];
    }
  };
  if (workers)
    workers->run([&](Index k) { evaluate(k, workers->count()); });
  else
    evaluate(0, 1);
  std::vector<double> risks;
  for (std::size_t c = 0; c < count; ++c) {
    Sums all;
    for (std::size_t k = c; k < sums.size(); k += count) all += sums[k];
    risks.push_back(all.losses / all.weights);
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

}  // namespace linea::samples
