// SPDX-License-Identifier: MIT
#pragma once
/// \file How processes that work on one problem, each with rows of its own, exchange numbers.
///
/// | expression                | meaning, for every process calling it at the same time           |
/// |---------------------------|------------------------------------------------------------------|
/// | c.rank(), c.size()        | the number of this process, from 0, and how many there are       |
/// | c.sum(p, n)               | n doubles at p become their sums over all, added in rank order   |
/// | c.largest(p, n)           | n doubles at p become the largest of all                         |
/// | c.broadcast(p, n, from)   | n bytes at p become those of that rank                           |
/// | c.barrier()               | returns when all have called it                                  |
#include <concepts>
#include <linea/core/types.hpp>

namespace linea {

/// A way to exchange numbers between processes. Sums have the same bits on all ranks, and in every
/// run on as many.
template <class C>
concept Communicator = requires(C& c, double* numbers, char* bytes, Index count) {
  { c.rank() } -> std::convertible_to<Index>;
  { c.size() } -> std::convertible_to<Index>;
  c.sum(numbers, count);
  c.largest(numbers, count);
  c.broadcast(bytes, count, count);
  c.barrier();
};

/// The only process there is. Nothing is exchanged.
struct Alone {
  static constexpr Index rank() { return 0; }
  static constexpr Index size() { return 1; }
  static constexpr void sum(double*, Index) {}
  static constexpr void largest(double*, Index) {}
  static constexpr void broadcast(char*, Index, Index) {}
  static constexpr void barrier() {}
};
static_assert(Communicator<Alone>);

}  // namespace linea
