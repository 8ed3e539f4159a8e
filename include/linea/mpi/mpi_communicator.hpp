// SPDX-License-Identifier: MIT
#pragma once
/// \file Communication by MPI, between processes of one machine or of a cluster.
#include <algorithm>  // copy_n, min
#include <linea/core/require.hpp>
#include <linea/core/workers.hpp>
#include <linea/mpi/communicator.hpp>
#include <vector>

// mpi.h without the C++ interface, which MPI 3 removed.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

namespace linea {

/// Initialises MPI, and finalises it in the destructor. Make an MpiSession at the start of main,
/// before any communicator: `linea::MpiSession session(argc, argv);`. A program that calls MPI_Init
/// itself needs no MpiSession.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv) {
    int provided = 0;
    // MPI_THREAD_FUNNELED: only this thread may call MPI. linea calls MPI in the thread of its
    // caller, so this thread must call linea.
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession() { MPI_Finalize(); }
};

/// A Communicator of all processes of an MPI communicator.
///
/// Sums do not use MPI_Allreduce because its order of additions is not specified. Each rank sums a
/// slice of the numbers in rank order, and all ranks gather the slices. This sends as many bytes as
/// the best all-reduce: for n doubles each rank sends 16·n·(size − 1)/size bytes. If there are at
/// most `few` numbers, each rank sends them to all others, and every rank computes the sums.
class MpiCommunicator {
 public:
  /// Duplicates `world`, so that other messages in `world` do not interfere. Throws
  /// std::invalid_argument if MPI is not initialised. MPI must not be finalised before this object
  /// is destroyed. Every process of `world` must construct an MpiCommunicator.
  explicit MpiCommunicator(MPI_Comm world = MPI_COMM_WORLD) {
    int has_begun = 0;
    MPI_Initialized(&has_begun);
    require(has_begun != 0, "MpiCommunicator: MPI is not initialised: make an MpiSession first");
    MPI_Comm_dup(world, &world_);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;
  ~MpiCommunicator() { MPI_Comm_free(&world_); }

  Index rank() const { return rank_; }
  Index size() const { return size_; }

  /// The next two functions return the number of calls of `sum` so far, and the number of bytes
  /// that this rank has sent. `largest` and `broadcast` count each number or byte of this rank
  /// once, however often MPI sends it.
  Index rounds() const { return rounds_; }
  Index bytes_sent() const { return bytes_sent_; }

  void sum(double* numbers, Index count) {
    ++rounds_;
    if (size_ == 1) return;
    for (Index first = 0; first < count; first += most_at_once) {
      const Index part = std::min(most_at_once, count - first);
      if (part <= few)
        sum_few(numbers + first, part);
      else
        sum_slices(numbers + first, part);
    }
  }

  void largest(double* numbers, Index count) {
    MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(count), MPI_DOUBLE, MPI_MAX, world_);
    bytes_sent_ += 8 * count;
  }

  void broadcast(char* bytes, Index count, Index from) {
    constexpr Index most = Index{1} << 30;
    for (Index first = 0; first < count; first += most)
      MPI_Bcast(bytes + first, static_cast<int>(std::min(most, count - first)), MPI_BYTE,
                static_cast<int>(from), world_);
    if (from == rank()) bytes_sent_ += count;
  }

 private:
  static constexpr Index few = 64;
  static constexpr Index most_at_once = Index{1} << 24;  // doubles: 128 MiB

  /// Sets numbers[j] = part(0)[j] + … + part(size − 1)[j], added in this order. A part may be
  /// `numbers` itself.
  template <class Part>
  void add_in_order(const Part& part, double* numbers, Index count) const {
    constexpr Index block = 512;
    double sums[block];
    for (Index first = 0; first < count; first += block) {
      const Index length = std::min(block, count - first);
      std::copy_n(part(0) + first, length, sums);
      for (Index k = 1; k < size(); ++k)
        for (Index j = 0; j < length; ++j) sums[j] += part(k)[first + j];
      std::copy_n(sums, length, numbers + first);
    }
  }

  void sum_few(double* numbers, Index count) {
    scratch_.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(size_));
    const int number = static_cast<int>(count);
    MPI_Allgather(numbers, number, MPI_DOUBLE, scratch_.data(), number, MPI_DOUBLE, world_);
    const auto part = [&](Index k) { return scratch_.data() + k * count; };
    add_in_order(part, numbers, count);
    bytes_sent_ += 8 * count * (size() - 1);
  }

  void sum_slices(double* numbers, Index count) {
    const auto ranks = static_cast<std::size_t>(size_);
    const auto me = static_cast<std::size_t>(rank_);
    std::vector<int> starts(ranks), lengths(ranks), mine(ranks), places(ranks);
    const auto [first, last] = share_of(count, rank(), size());
    const Index own = last - first;
    bytes_sent_ += 8 * (count - own) + 8 * own * (size() - 1);
    for (Index k = 0; k < size(); ++k) {
      const auto [from, to] = share_of(count, k, size());
      const auto at = static_cast<std::size_t>(k);
      starts[at] = static_cast<int>(from);
      lengths[at] = static_cast<int>(to - from);
      mine[at] = static_cast<int>(own);
      places[at] = static_cast<int>(place_of(k) * own);
    }
    lengths[me] = mine[me] = places[me] = 0;  // own numbers are not copied
    scratch_.resize(static_cast<std::size_t>(own) * (ranks - 1));
    MPI_Alltoallv(numbers, lengths.data(), starts.data(), MPI_DOUBLE, scratch_.data(), mine.data(),
                  places.data(), MPI_DOUBLE, world_);
    double* here = numbers + first;
    const auto part = [&](Index k) {
      return k == rank() ? here : scratch_.data() + place_of(k) * own;
    };
    add_in_order(part, here, own);
    lengths[me] = static_cast<int>(own);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, lengths.data(), starts.data(),
                   MPI_DOUBLE, world_);
  }
  /// Returns the position of rank k's slice in scratch_, among the slices of the other ranks.
  Index place_of(Index k) const { return k < rank() ? k : k - 1; }

  MPI_Comm world_{};
  int rank_{0};
  int size_{1};
  Index rounds_{0};
  Index bytes_sent_{0};
  std::vector<double> scratch_{};
};
static_assert(Communicator<MpiCommunicator>);

}  // namespace linea
