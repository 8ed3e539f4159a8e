// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over the processes of one machine in shared memory.
#include <algorithm>  // copy_n, min
#include <atomic>
#include <cstddef>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/mpi/c_interface.hpp>
#include <linea/mpi/shared_memory.hpp>

namespace linea::mpi {

/// Sets numbers[j] = part(0)[j] + … + part(ranks − 1)[j], added in this order. A part may be
/// `numbers` itself.
template <class Part>
void add_in_order(Index ranks, const Part& part, double* numbers, Index count) {
  constexpr Index block = 512;
  double sums[block];
  for (Index first = 0; first < count; first += block) {
    const Index length = std::min(block, count - first);
    std::copy_n(part(0) + first, length, sums);
    for (Index k = 1; k < ranks; ++k) {
      const double* more = part(k) + first;
      for (Index j = 0; j < length; ++j) sums[j] += more[j];
    }
    std::copy_n(sums, length, numbers + first);
  }
}

/// Sums over ranks through shared memory. Each rank copies its numbers to this memory, sums one
/// slice, and reads the slices of the other ranks. All ranks work piece by piece, so that all data
/// stay in the cache. This avoids messages, which the kernel would copy.
class SharedSums {
 public:
  /// Every process of `world` must construct a SharedSums, and `world` must outlive this object.
  /// Takes 512 KiB of shared memory for each process.
  explicit SharedSums(MPI_Comm world)
      : world_(world),
        rank_(of(world, MPI_Comm_rank)),
        size_(of(world, MPI_Comm_size)),
        memory_(world, static_cast<std::size_t>(2 * piece * size_) * sizeof(double)) {}

  /// Returns, on all ranks, whether there is shared memory, which requires all ranks on one
  /// machine.
  bool is_available() const { return memory_.data() != nullptr; }

  /// Replaces numbers by their sums over all ranks, added in rank order. Requires shared memory.
  void sum(double* numbers, Index count) {
    for (Index first = 0; first < count; first += piece)
      sum_piece(numbers + first, std::min(piece, count - first));
  }

 private:
  static constexpr Index piece = 32768;

  static Index of(MPI_Comm world, int (*ask)(MPI_Comm, int*)) {
    int answer = 0;
    ask(world, &answer);
    return answer;
  }

  /// Sums one piece. Two buffers alternate: a rank writes this buffer again only two pieces later,
  /// when all ranks have finished this piece and no rank reads the buffer any more.
  void sum_piece(double* numbers, Index count) {
    turn_ = 1 - turn_;
    const auto part = [&](Index k) {
      return static_cast<double*>(memory_.data()) + (2 * k + turn_) * piece;
    };
    const auto [first, last] = share_of(count, rank_, size_);
    double* own = part(rank_);
    std::copy_n(numbers, first, own);
    std::copy_n(numbers + last, count - last, own + last);
    synchronise();
    const auto slice = [&, begin = first](Index k) {
      return k == rank_ ? numbers + begin : part(k) + begin;
    };
    add_in_order(size_, slice, numbers + first, last - first);
    std::copy_n(numbers + first, last - first, own + first);
    synchronise();
    for (Index k = 0; k < size_; ++k) {
      const auto [from, to] = share_of(count, k, size_);
      if (k != rank_) std::copy_n(part(k) + from, to - from, numbers + from);
    }
  }

  /// Waits for all ranks. Afterwards each rank can read what the other ranks have written before.
  void synchronise() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    MPI_Barrier(world_);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  MPI_Comm world_;
  Index rank_;
  Index size_;
  SharedMemory memory_;  // for each rank two buffers of a piece
  Index turn_{0};
};

}  // namespace linea::mpi
