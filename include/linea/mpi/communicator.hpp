// SPDX-License-Identifier: MIT
#pragma once
/// \file The concept of communicators, through which processes that hold parts of the rows exchange
/// numbers.
///
/// | expression              | meaning, if every process calls it at the same time        |
/// |-------------------------|------------------------------------------------------------|
/// | c.rank(), c.size()      | the index of this process, from 0; the number of processes |
/// | c.sum(p, n)             | replaces n doubles at p by their sums, added in rank order |
/// | c.largest(p, n)         | replaces n doubles at p by the largest of all processes    |
/// | c.broadcast(p, n, from) | replaces n bytes at p by those of rank `from`              |
#include <concepts>
#include <linea/core/types.hpp>

namespace linea {

/// Exchanges numbers between processes. Sums of the same numbers have the same bits on all ranks,
/// and in every run with the same number of ranks.
template <class C>
concept Communicator = requires(C& c, double* numbers, char* bytes, Index count) {
  { c.rank() } -> std::convertible_to<Index>;
  { c.size() } -> std::convertible_to<Index>;
  c.sum(numbers, count);
  c.largest(numbers, count);
  c.broadcast(bytes, count, count);
};

/// The communicator of a single process, which exchanges nothing.
struct Alone {
  static constexpr Index rank() { return 0; }
  static constexpr Index size() { return 1; }
  static constexpr void sum(double*, Index) {}
  static constexpr void largest(double*, Index) {}
  static constexpr void broadcast(char*, Index, Index) {}
};
static_assert(Communicator<Alone>);

}  // namespace linea
