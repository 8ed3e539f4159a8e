// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over the processes of one machine, in memory that they share.
#include <algorithm>  // copy_n, min
#include <cstddef>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/mpi/c_interface.hpp>
#include <vector>

namespace linea::mpi {

/// numbers[j] ← Σ over k = 0, …, ranks − 1 of part(k)[j], in this order. One of the parts may be
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

/// Each rank lays what it has before the others, adds up a slice of it, and takes the other slices
/// from them: piece by piece, so that all stays in the cache. No message has to be sent, which
/// would be copied by the kernel.
class SharedSums {
 public:
  /// Every process of `world` has to make one. There is none where they are not all on one machine,
  /// or get no memory to share: 512 KiB for each of them.
  explicit SharedSums(MPI_Comm world) {
    MPI_Comm_rank(world, &rank_);
    MPI_Comm_size(world, &size_);
    int here = 0;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine_);
    MPI_Comm_size(machine_, &here);
    if (size_ > 1 && here == size_ && has_got_memory()) begin();
  }
  SharedSums(const SharedSums&) = delete;
  SharedSums& operator=(const SharedSums&) = delete;
  ~SharedSums() {
    if (is_there()) MPI_Win_unlock_all(window_);
    if (is_there()) MPI_Win_free(&window_);
    MPI_Comm_free(&machine_);
  }

  bool is_there() const { return !parts_.empty(); }  ///< the same on all ranks

  /// Numbers become their sums over all ranks, added up in the order of the ranks.
  void sum(double* numbers, Index count) {
    for (Index first = 0; first < count; first += piece)
      sum_piece(numbers + first, std::min(piece, count - first));
  }

 private:
  static constexpr Index piece = 32768;

  /// Asks for the memory on all ranks, and whether all got it.
  bool has_got_memory() {
    MPI_Comm_set_errhandler(machine_, MPI_ERRORS_RETURN);
    MPI_Info apart = MPI_INFO_NULL;  // each rank's memory near to it
    MPI_Info_create(&apart);
    MPI_Info_set(apart, "alloc_shared_noncontig", "true");
    double* own = nullptr;
    const auto bytes = static_cast<MPI_Aint>(2 * piece * static_cast<Index>(sizeof(double)));
    int got = MPI_Win_allocate_shared(bytes, sizeof(double), apart, machine_, &own, &window_) ==
              MPI_SUCCESS;
    MPI_Info_free(&apart);
    int all_got = 0;
    MPI_Comm_set_errhandler(machine_, MPI_ERRORS_ARE_FATAL);
    MPI_Allreduce(&got, &all_got, 1, MPI_INT, MPI_MIN, machine_);
    return all_got != 0;
  }

  void begin() {
    parts_.resize(static_cast<std::size_t>(size_));
    for (int k = 0; k < size_; ++k) {
      MPI_Aint bytes = 0;
      int unit = 0;
      MPI_Win_shared_query(window_, k, &bytes, &unit, &parts_[static_cast<std::size_t>(k)]);
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }

  /// Two places take turns: whoever lays the piece after the next has met all after this one, so
  /// that nobody reads the place any more.
  void sum_piece(double* numbers, Index count) {
    turn_ = 1 - turn_;
    const auto part = [&](Index k) { return parts_[static_cast<std::size_t>(k)] + turn_ * piece; };
    const Index rank = rank_;
    const auto [first, last] = share_of(count, rank, size_);
    double* own = part(rank);
    std::copy_n(numbers, first, own);
    std::copy_n(numbers + last, count - last, own + last);
    meet();
    const auto slice = [&, begin = first](Index k) {
      return k == rank ? numbers + begin : part(k) + begin;
    };
    add_in_order(size_, slice, numbers + first, last - first);
    std::copy_n(numbers + first, last - first, own + first);
    meet();
    for (Index k = 0; k < size_; ++k) {
      const auto [from, to] = share_of(count, k, size_);
      if (k != rank) std::copy_n(part(k) + from, to - from, numbers + from);
    }
  }

  /// What each rank has written before, all can read afterwards.
  void meet() {
    MPI_Win_sync(window_);
    MPI_Barrier(machine_);
    MPI_Win_sync(window_);
  }

  MPI_Comm machine_{MPI_COMM_NULL};
  MPI_Win window_{MPI_WIN_NULL};
  int rank_{0};
  int size_{1};
  Index turn_{0};
  std::vector<double*> parts_{};  // of each rank: two places of a piece
};

}  // namespace linea::mpi
