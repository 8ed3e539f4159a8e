// SPDX-License-Identifier: MIT
#pragma once
/// \file The processes among which the rows of a problem are divided.
#include <algorithm>  // copy, fill
#include <concepts>   // same_as
#include <cstddef>    // ptrdiff_t
#include <cstdint>
#include <linea/mpi/communicator.hpp>
#include <memory>   // make_shared, shared_ptr
#include <numeric>  // accumulate
#include <stdexcept>
#include <string>
#include <type_traits>  // remove_cvref
#include <vector>

namespace linea {

/// The processes among which the rows of a problem are divided. A Processes object refers to a
/// communicator of any type, which must outlive it. Without a communicator, or with one of size 1,
/// there is only this process, and an exchange costs no more than the test of a pointer.
///
/// Every exchange begins with a short exchange: all ranks state whether they have failed, and which
/// exchange they make next. An exception on one rank inside `in_step` is therefore thrown on all
/// ranks at their next exchange, and ranks that are out of step throw instead of waiting forever.
/// Only one thread at a time may use an object and its copies.
class Processes {
 public:
  Processes() = default;

  template <class C>
    requires(!std::same_as<std::remove_cvref_t<C>, Processes> && Communicator<C>)
  Processes(C& communicator) {
    if (communicator.size() > 1) communicator_ = std::make_shared<CommunicatorOf<C>>(communicator);
  }

  Index rank() const { return communicator_ ? communicator_->rank() : 0; }
  Index size() const { return communicator_ ? communicator_->size() : 1; }

  /// Replaces numbers by their sums over all ranks.
  void sum(double* numbers, Index count) const {
    if (communicator_ && count > 0) communicator_->agree(3 * static_cast<double>(count), false);
    if (communicator_ && count > 0) communicator_->sum(numbers, count);
  }
  double sum(double number) const {
    sum(&number, 1);
    return number;
  }
  Index sum(Index number) const { return static_cast<Index>(sum(static_cast<double>(number))); }

  /// Replaces the entries of a contiguous dense vector or matrix by their sums over all ranks. Sums
  /// of floats are in double.
  template <class V>
  void sum_entries(V& numbers) const {
    if (!communicator_) return;
    if constexpr (std::same_as<typename V::Scalar, double>) {
      sum(numbers.data(), numbers.size());
    } else {
      auto wide = numbers.template cast<double>().eval();
      sum(wide.data(), wide.size());
      numbers = wide.template cast<typename V::Scalar>();
    }
  }

  /// Replaces each number by its largest value over all ranks.
  void largest(double* numbers, Index count) const {
    if (communicator_ && count > 0) communicator_->agree(3 * static_cast<double>(count) + 1, false);
    if (communicator_ && count > 0) communicator_->largest(numbers, count);
  }
  double largest(double number) const {
    largest(&number, 1);
    return number;
  }
  bool any(bool one) const { return communicator_ ? largest(one ? 1 : 0) > 0 : one; }
  /// Returns whether this is the lowest rank with `own` = true.
  bool is_first(bool own) const {
    const auto place = static_cast<double>(size() - rank());
    return largest(own ? place : 0) == place && own;
  }
  Index parts() const { return size(); }

  /// Returns the weighted mean over the ranks, for example of accuracies with the number of rows as
  /// weight. Some weights may be 0, but not all.
  double mean(double own, double weight) const {
    double sums[2] = {weight > 0 ? weight * own : 0, weight};
    sum(sums, 2);
    return sums[0] / sums[1];
  }

  /// A numbering of items across ranks, in rank order.
  struct Numbering {
    Index first;  ///< index of this rank's first item: the number of items of lower ranks
    Index all;    ///< number of items of all ranks
  };
  Numbering numbering(Index own) const {
    if (!communicator_) return {0, own};
    std::vector<double> counts(static_cast<std::size_t>(size()), 0.0);
    counts[static_cast<std::size_t>(rank())] = static_cast<double>(own);
    sum(counts.data(), size());
    const auto mine = counts.begin() + static_cast<std::ptrdiff_t>(rank());
    const double before = std::accumulate(counts.begin(), mine, 0.0);
    const double all = std::accumulate(mine, counts.end(), before);
    return {static_cast<Index>(before), static_cast<Index>(all)};
  }

  /// Returns the numbers of all ranks, concatenated in rank order.
  Vector<double> joined(const Vector<double>& own) const {
    if (!communicator_) return own;
    const auto [first, count] = numbering(own.size());
    Vector<double> all(count);
    std::fill(all.data(), all.data() + count, 0.0);
    std::copy(own.data(), own.data() + own.size(), all.data() + first);
    sum_entries(all);
    return all;
  }

  /// Returns, on all ranks, whether all ranks have the same numbers. No number may be NaN.
  bool are_same(const std::vector<double>& numbers) const {
    if (!communicator_) return true;
    const auto count = static_cast<double>(numbers.size());
    double ends[2] = {count, -count};
    largest(ends, 2);
    if (ends[0] != -ends[1]) return false;
    std::vector<double> both = numbers;
    for (const double number : numbers) both.push_back(-number);
    std::vector<double> most = both;
    largest(most.data(), static_cast<Index>(most.size()));
    return !any(most != both);
  }

  /// Calls run() and waits until all ranks have finished run(). If run() throws on one rank, all
  /// ranks throw. If the exception is a std::invalid_argument, all ranks throw
  /// std::invalid_argument, with the rank in the message unless run() failed on all ranks.
  /// Otherwise the failed rank throws its own exception, and the others throw std::runtime_error. A
  /// nested call only calls run().
  template <class F>
  auto in_step(F&& run) const {
    if (!communicator_ || communicator_->is_in_step) return run();
    communicator_->is_in_step = true;
    communicator_->has_failed = false;
    try {
      auto result = run();
      communicator_->agree(5, false);
      communicator_->is_in_step = false;
      return result;
    } catch (const std::invalid_argument& error) {
      communicator_->end(error.what(), true);
      throw;
    } catch (const std::exception& error) {
      communicator_->end(error.what(), false);
      throw;
    } catch (...) {
      communicator_->end("an exception of a type of its own", false);
      throw;
    }
  }

 private:
  struct AnyCommunicator {
    bool is_in_step{false};
    bool has_failed{false};  // do all ranks know that one has failed, or is out of step?

    virtual ~AnyCommunicator() = default;
    virtual Index rank() = 0;
    virtual Index size() = 0;
    virtual void sum(double* numbers, Index count) = 0;
    virtual void largest(double* numbers, Index count) = 0;
    virtual void broadcast(char* bytes, Index count, Index from) = 0;

    /// Announces the next exchange by its code `exchange`, or a failure. Throws
    /// std::invalid_argument on all ranks if the announced exchanges differ. If ranks have failed,
    /// throws with the message of the lowest of them: std::invalid_argument if that is its
    /// exception, else Own on that rank and std::runtime_error on the others.
    void agree(double exchange, bool fails, const std::string& what = {}, bool is_refusal = true) {
      double notes[4] = {fails ? static_cast<double>(size() - rank()) : 0.0, exchange, -exchange,
                         fails ? 0.0 : 1.0};
      largest(notes, 4);
      if (notes[0] == 0 && notes[1] == -notes[2]) return;
      has_failed = true;
      if (notes[0] == 0)
        throw std::invalid_argument(
            "linea: the ranks are out of step: options, columns of x and kind of samples must be "
            "the same on all");
      const Index from = size() - static_cast<Index>(notes[0]);
      std::string text = what;
      if (notes[3] > 0)  // not all ranks have failed
        text += " (rank " + std::to_string(from) + " of " + std::to_string(size()) + ")";
      std::int64_t facts[2] = {static_cast<std::int64_t>(text.size()), is_refusal ? 1 : 0};
      broadcast(reinterpret_cast<char*>(facts), sizeof facts, from);
      text.resize(static_cast<std::size_t>(facts[0]));
      broadcast(text.data(), static_cast<Index>(text.size()), from);
      if (facts[1] == 1) throw std::invalid_argument(text);
      if (from != rank()) throw std::runtime_error(text);
      throw Own{};
    }

    /// Informs the other ranks of an exception on this rank, unless they know about it already.
    void end(const std::string& what, bool is_refusal) {
      is_in_step = false;
      if (has_failed) return;
      try {
        agree(6, true, what, is_refusal);
      } catch (const Own&) {  // the caller rethrows its own exception
      }
    }

    struct Own {};
  };

  template <class C>
  struct CommunicatorOf : AnyCommunicator {
    explicit CommunicatorOf(C& communicator) : communicator_(communicator) {}
    Index rank() override { return static_cast<Index>(communicator_.rank()); }
    Index size() override { return static_cast<Index>(communicator_.size()); }
    void sum(double* numbers, Index count) override { communicator_.sum(numbers, count); }
    void largest(double* numbers, Index count) override { communicator_.largest(numbers, count); }
    void broadcast(char* bytes, Index count, Index from) override {
      communicator_.broadcast(bytes, count, from);
    }
    C& communicator_;
  };

  std::shared_ptr<AnyCommunicator> communicator_{};
};

}  // namespace linea
