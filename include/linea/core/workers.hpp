// SPDX-License-Identifier: MIT
#pragma once
/// \file Threads that wait for work between the parallel parts of a run.
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <thread>
#include <utility>  // exchange, pair
#include <vector>

namespace linea {

namespace core {

/// A number that threads wait for. A wait asks for some fifty microseconds, about what it costs to
/// put a thread to sleep and to wake it, and sleeps only then: parts of a run are often shorter.
class Signal {
 public:
  /// `patient`: whether a waiting thread has a core of its own to ask on.
  explicit Signal(bool patient) : asks_(patient ? 2000 : 0) {}

  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }
  void set(std::uint32_t value) { value_.store(value, std::memory_order_release); }

  /// One more, or one less, which all that wait are told.
  void raise() {
    value_.fetch_add(1, std::memory_order_acq_rel);
    value_.notify_all();
  }
  void lower() {
    value_.fetch_sub(1, std::memory_order_acq_rel);
    value_.notify_all();
  }

  /// Returns when the value is not `old`.
  void wait_while(std::uint32_t old) const {
    for (int ask = 0; ask < asks_; ++ask) {
      if (value() != old) return;
      pause();
    }
    value_.wait(old, std::memory_order_acquire);
  }

 private:
  /// Tells the processor that this thread waits for another.
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }

  std::atomic<std::uint32_t> value_{0};
  int asks_;
};

}  // namespace core

/// The calling thread and count − 1 others, which live as long as this object. With count = 1 no
/// thread is started and everything runs in place.
///
/// Where the system has not as many threads, or not the memory for them, fewer are started, if need
/// be none, and each does the work of several: what is computed depends on count alone.
class Workers {
 public:
  explicit Workers(Index count)
      : errors_(static_cast<std::size_t>(count)), turn_(has_cores(count)), busy_(has_cores(count)) {
    threads_.reserve(errors_.size());
    try {
      while (threads() < count) start_thread(threads());
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc: do with fewer
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    task_ = nullptr;
    turn_.raise();
    for (auto& thread : threads_) thread.join();
  }

  Index count() const { return static_cast<Index>(errors_.size()); }

  /// How many threads work, with the calling one: count, or less where no more could be started.
  Index threads() const { return static_cast<Index>(threads_.size()) + 1; }

  /// task(k) for every k < count, each on its own thread if there are as many; returns when all are
  /// done. No task may wait for another. What the task of the lowest k throws is thrown again.
  void run(const std::function<void(Index)>& task) {
    task_ = &task;
    const auto others = static_cast<std::uint32_t>(threads_.size());
    busy_.set(others);
    if (others > 0) turn_.raise();
    perform_all(0);
    while (const std::uint32_t busy = busy_.value()) busy_.wait_while(busy);
    for (auto& error : errors_)
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

 private:
  /// To ask how many there are reads a file: a small fit would take half as long again.
  static bool has_cores(Index count) {
    return count == 1 || static_cast<Index>(std::thread::hardware_concurrency()) >= count;
  }

  void start_thread(Index thread) {
    threads_.emplace_back([this, thread] {
      for (std::uint32_t turn = 0;; ++turn) {
        turn_.wait_while(turn);
        if (!task_) return;
        perform_all(thread);
        busy_.lower();
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
  core::Signal turn_;  // how many tasks there were
  core::Signal busy_;  // how many threads work on this one
  std::vector<std::thread> threads_{};
};

/// Refuses no threads, and more than a machine could have. `function` is named in the message.
inline void require_threads(std::string_view function, Index threads) {
  require(threads >= 1 && threads <= 1024, function, ": ", threads,
          " threads, but from 1 to 1024 can be had");
}

/// [first, last) of share k of n things among `count`, as even as whole numbers are.
inline std::pair<Index, Index> share_of(Index n, Index k, Index count) {
  const std::int64_t wide = n;  // n·k may need more bits than an Index has
  return {static_cast<Index>(wide * k / count), static_cast<Index>(wide * (k + 1) / count)};
}

}  // namespace linea
