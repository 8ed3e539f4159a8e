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

/// The processes among which the rows of a problem are divided. Made from any Communicator, which
/// must outlive it; without one, or with one of size 1, there is this process only, and every
/// exchange is no more than the test of a pointer.
///
/// Every exchange begins with a short one in which all ranks say that they are well, and about to
/// make the same exchange. So what a rank throws inside `in_step` is thrown on all of them at their
/// next exchange, and ranks that are out of step with one another end by an error, not by waiting
/// for ever. An object, and its copies, serve one thread at a time.
class Processes {
 public:
  Processes() = default;

  template <class C>
    requires(!std::same_as<std::remove_cvref_t<C>, Processes> && Communicator<C>)
  Processes(C& communicator) {
    if (communicator.size() > 1) link_ = std::make_shared<LinkTo<C>>(communicator);
  }

  bool is_alone() const { return !link_; }
  Index rank() const { return link_ ? link_->rank() : 0; }
  Index size() const { return link_ ? link_->size() : 1; }

  /// Numbers become their sums over all ranks.
  void sum(double* numbers, Index count) const {
    if (link_ && count > 0) link_->agree(3 * static_cast<double>(count), false);
    if (link_ && count > 0) link_->sum(numbers, count);
  }
  double sum(double number) const {
    sum(&number, 1);
    return number;
  }
  Index sum(Index number) const { return static_cast<Index>(sum(static_cast<double>(number))); }

  /// A dense vector or matrix of doubles or floats that lies in one piece. Sums are in double.
  template <class V>
  void sum_entries(V& numbers) const {
    if (!link_) return;
    if constexpr (std::same_as<typename V::Scalar, double>) {
      sum(numbers.data(), numbers.size());
    } else {
      auto wide = numbers.template cast<double>().eval();
      sum(wide.data(), wide.size());
      numbers = wide.template cast<typename V::Scalar>();
    }
  }

  /// Numbers become the largest of all ranks.
  void largest(double* numbers, Index count) const {
    if (link_ && count > 0) link_->agree(3 * static_cast<double>(count) + 1, false);
    if (link_ && count > 0) link_->largest(numbers, count);
  }
  double largest(double number) const {
    largest(&number, 1);
    return number;
  }
  bool any(bool one) const { return link_ ? largest(one ? 1 : 0) > 0 : one; }
  /// Is this the process of the lowest rank that has one?
  bool is_first(bool own) const {
    const auto place = static_cast<double>(size() - rank());
    return largest(own ? place : 0) == place && own;
  }
  Index parts() const { return size(); }

  /// The mean of numbers that are means over `weight` each, such as accuracies over the rows of
  /// each process, of which some may have none.
  double mean(double own, double weight) const {
    double sums[2] = {weight > 0 ? weight * own : 0, weight};
    sum(sums, 2);
    return sums[0] / sums[1];
  }

  /// The matrices of all ranks, all of the same size, one below the other.
  template <class M>
  M stacked(const M& own) const {
    M all = M::Zero(size() * own.rows(), own.cols());
    all.middleRows(rank() * own.rows(), own.rows()) = own;
    sum_entries(all);
    return all;
  }

  /// Things of which each rank has some, numbered from those of rank 0 on.
  struct Numbering {
    Index first;  ///< the number of this rank's first: what the ranks before it have together
    Index all;    ///< what all have
  };
  Numbering numbering(Index own) const {
    if (!link_) return {0, own};
    std::vector<double> counts(static_cast<std::size_t>(size()), 0.0);
    counts[static_cast<std::size_t>(rank())] = static_cast<double>(own);
    sum(counts.data(), size());
    const auto mine = counts.begin() + static_cast<std::ptrdiff_t>(rank());
    const double before = std::accumulate(counts.begin(), mine, 0.0);
    const double all = std::accumulate(mine, counts.end(), before);
    return {static_cast<Index>(before), static_cast<Index>(all)};
  }

  /// The numbers of all ranks, one rank after the other.
  Vector<double> joined(const Vector<double>& own) const {
    if (!link_) return own;
    const auto [first, count] = numbering(own.size());
    Vector<double> all(count);
    std::fill(all.data(), all.data() + count, 0.0);
    std::copy(own.data(), own.data() + own.size(), all.data() + first);
    sum_entries(all);
    return all;
  }

  /// Have all ranks the same numbers? All get the same answer. None is NaN.
  bool are_same(const std::vector<double>& numbers) const {
    if (!link_) return true;
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

  /// run(), at the end of which all ranks have come to an end. What one of them throws is thrown by
  /// all: std::invalid_argument where it is one, with a text that names the rank, and
  /// std::runtime_error on the others where it is not. A call inside another's run is run().
  template <class F>
  auto in_step(F&& run) const {
    if (!link_ || link_->is_in_step) return run();
    link_->is_in_step = true;
    link_->has_failed = false;
    try {
      auto result = run();
      link_->agree(5, false);
      link_->is_in_step = false;
      return result;
    } catch (const std::invalid_argument& error) {
      link_->end(error.what(), true);
      throw;
    } catch (const std::exception& error) {
      link_->end(error.what(), false);
      throw;
    } catch (...) {
      link_->end("an exception of a type of its own", false);
      throw;
    }
  }

 private:
  struct Link {
    bool is_in_step{false};
    bool has_failed{false};  // and all ranks know

    virtual ~Link() = default;
    virtual Index rank() = 0;
    virtual Index size() = 0;
    virtual void sum(double* numbers, Index count) = 0;
    virtual void largest(double* numbers, Index count) = 0;
    virtual void broadcast(char* bytes, Index count, Index from) = 0;

    /// All are to make the exchange of this number next. Throws on all ranks if one has failed, the
    /// message being that of the lowest such rank, or if they are about to make different ones.
    void agree(double exchange, bool fails, const std::string& what = {}, bool is_refusal = true) {
      double notes[4] = {fails ? static_cast<double>(size() - rank()) : 0.0, exchange, -exchange,
                         fails ? 0.0 : 1.0};
      largest(notes, 4);
      if (notes[0] > 0) {
        const bool is_shared_by_all = notes[3] == 0;
        tell(size() - static_cast<Index>(notes[0]), is_shared_by_all, what, is_refusal);
      }
      if (notes[1] == -notes[2]) return;
      has_failed = true;
      throw std::invalid_argument(
          "linea: the ranks are out of step: options, columns of x and kind of samples must be the "
          "same on all");
    }

    /// Throws what rank `from` has to tell.
    [[noreturn]] void tell(Index from, bool is_shared_by_all, std::string text, bool is_refusal) {
      has_failed = true;
      if (!is_shared_by_all)
        text += " (rank " + std::to_string(from) + " of " + std::to_string(size()) + ")";
      std::int64_t facts[2] = {static_cast<std::int64_t>(text.size()), is_refusal ? 1 : 0};
      broadcast(reinterpret_cast<char*>(facts), sizeof facts, from);
      text.resize(static_cast<std::size_t>(facts[0]));
      broadcast(text.data(), static_cast<Index>(text.size()), from);
      if (facts[1] == 1) throw std::invalid_argument(text);
      if (from != rank()) throw std::runtime_error(text);
      throw Own{};
    }

    /// After an exception: tells the others, who may know already.
    void end(const std::string& what, bool is_refusal) {
      is_in_step = false;
      if (has_failed) return;
      try {
        agree(6, true, what, is_refusal);
      } catch (const Own&) {  // the exception of this rank is the one that counts
      }
    }

    struct Own {};
  };

  template <class C>
  struct LinkTo : Link {
    explicit LinkTo(C& communicator) : communicator_(communicator) {}
    Index rank() override { return static_cast<Index>(communicator_.rank()); }
    Index size() override { return static_cast<Index>(communicator_.size()); }
    void sum(double* numbers, Index count) override { communicator_.sum(numbers, count); }
    void largest(double* numbers, Index count) override { communicator_.largest(numbers, count); }
    void broadcast(char* bytes, Index count, Index from) override {
      communicator_.broadcast(bytes, count, from);
    }
    C& communicator_;
  };

  std::shared_ptr<Link> link_{};
};

}  // namespace linea
