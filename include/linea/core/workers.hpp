// SPDX-License-Identifier: MIT
#pragma once
/// \file Threads that wait for work between the parallel parts of a run.
#include <barrier>
#include <exception>
#include <functional>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <thread>
#include <utility>  // exchange, pair
#include <vector>

namespace linea {

/// The calling thread and count − 1 others, which live as long as this object. With count = 1 no
/// thread is started and everything runs in place.
///
/// Where the system has not as many threads, or not the memory for them, fewer are started, if need
/// be none, and each does the work of several: what is computed depends on count alone.
class Workers {
 public:
  explicit Workers(Index count)
      : errors_(static_cast<std::size_t>(count)), start_(count), done_(count) {
    threads_.reserve(errors_.size());
    try {
      while (threads() < count) start_thread(threads());
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
      for (Index missing = count - threads(); missing > 0; --missing) {
        start_.arrive_and_drop();
        done_.arrive_and_drop();
      }
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    task_ = nullptr;
    if (!threads_.empty()) start_.arrive_and_wait();
  }

  Index count() const { return static_cast<Index>(errors_.size()); }

  /// How many threads work, with the calling one: count, or less where no more could be started.
  Index threads() const { return static_cast<Index>(threads_.size()) + 1; }

  /// task(k) for every k < count, each on its own thread if there are as many; returns when all are
  /// done. No task may wait for another. What the task of the lowest k throws is thrown again.
  void run(const std::function<void(Index)>& task) {
    task_ = &task;
    if (!threads_.empty()) start_.arrive_and_wait();
    perform_all(0);
    if (!threads_.empty()) done_.arrive_and_wait();
    for (auto& error : errors_)
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

 private:
  void start_thread(Index thread) {
    threads_.emplace_back([this, thread] {
      for (;;) {
        start_.arrive_and_wait();
        if (!task_) return;
        perform_all(thread);
        done_.arrive_and_wait();
      }
    });
  }

  /// The tasks of one thread.
  void perform_all(Index thread) {
    for (Index k = thread; k < count(); k += threads()) perform(k);
  }

  void perform(Index k) {
    auto& error = errors_[static_cast<std::size_t>(k)];
    error = nullptr;
    try {
      (*task_)(k);
    } catch (...) {
      error = std::current_exception();
    }
  }

  const std::function<void(Index)>* task_{nullptr};
  std::vector<std::exception_ptr> errors_;
  std::barrier<> start_;
  std::barrier<> done_;
  std::vector<std::jthread> threads_{};  // last: they end before what they use
};

/// Refuses no threads, and more than a machine could have. `function` is named in the message.
inline void require_threads(std::string_view function, Index threads) {
  require(threads >= 1 && threads <= 1024, function, ": ", threads,
          " threads, but from 1 to 1024 can be had");
}

/// [first, last) of share k of n things among `count`, as even as whole numbers are.
inline std::pair<Index, Index> share_of(Index n, Index k, Index count) {
  return {n * k / count, n * (k + 1) / count};
}

}  // namespace linea
