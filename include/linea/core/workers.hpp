// SPDX-License-Identifier: MIT
#pragma once
/// \file Threads that wait for work between the parallel parts of a run.
#include <atomic>
#include <cstddef>  // size_t
#include <cstdint>
#include <exception>
#include <linea/core/platform.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <utility>  // exchange, pair

namespace linea {

namespace detail {

/// A number on whose change threads wait. If the signal is `patient`, a waiting thread polls before
/// it sleeps, because the parts of a run are often shorter than the time to put a thread to sleep
/// and wake it. Polling lasts about as long as that time.
class Signal {
 public:
  /// Pass `patient` = true only if every waiting thread has a core of its own.
  explicit Signal(bool patient) : polls_(patient ? 2000 : 0) {}

  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }
  void set(std::uint32_t value) { value_.store(value, std::memory_order_release); }

  /// Adds `change`, modulo 2³², and wakes all waiting threads.
  void add(std::uint32_t change) {
    sleepers_.wake_after([&] { value_.fetch_add(change, std::memory_order_acq_rel); });
  }

  /// Waits until the value differs from `old`.
  void wait_while(std::uint32_t old) {
    for (int poll = 0; poll < polls_; ++poll) {
      if (value() != old) return;
      pause();
    }
    sleepers_.sleep_until([&] { return value() != old; });
  }

 private:
  /// Tells the processor that this thread is polling.
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }

  std::atomic<std::uint32_t> value_{0};
  Sleepers sleepers_{};
  int polls_;
};

}  // namespace detail

/// The calling thread and count − 1 started threads, which live as long as this object.
///
/// If the system cannot start so many threads, there are fewer, and some threads do several tasks.
/// Results depend on count alone, not on the number of threads.
class Workers {
 public:
  explicit Workers(Index count) : count_(count), turn_(has_cores(count)), busy_(has_cores(count)) {
    if (count > 1) start();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    if (count_ > 1) stop();
  }

  Index count() const { return count_; }

  /// Returns the number of threads, including the calling thread. It is `count` unless the system
  /// could not start enough threads.
  Index threads() const { return started_ + 1; }

  /// Calls task(k) for every k < count, in parallel, and returns when all calls have returned. No
  /// task may wait for another task. If tasks throw, rethrows the exception of the lowest k.
  template <class Task>
  void run(const Task& task) {
    if (count_ == 1) return task(Index{0});
    run_all(&task, [](const void* of_all, Index k) { (*static_cast<const Task*>(of_all))(k); });
  }

 private:
  using Call = void (*)(const void*, Index);
  /// Member k is the state of task k and, for k > 0, of thread k. Thread 0 is the calling thread.
  struct Member {
    Workers* all{nullptr};
    Index number{0};
    detail::Thread thread{};
    std::exception_ptr error{};
  };

  /// Returns whether there are `count` cores. With count = 1 the function does not count the cores:
  /// counting reads a file, which would take a large part of the time of a small fit.
  static bool has_cores(Index count) { return count == 1 || detail::count_cores() >= count; }

  [[gnu::cold, gnu::noinline]] void start() {
    members_ = new Member[static_cast<std::size_t>(count_)];
    while (threads() < count_) {
      Member& next = members_[threads()];
      next.all = this;
      next.number = threads();
      if (!detail::start_thread(next.thread, &Workers::live, &next)) break;
      ++started_;
    }
  }

  [[gnu::cold, gnu::noinline]] void stop() {
    call_ = nullptr;
    turn_.add(1);
    for (Index k = 1; k < threads(); ++k) detail::join_thread(members_[k].thread);
    delete[] members_;
  }

  [[gnu::noinline]] void run_all(const void* task, Call call) {
    task_ = task;
    call_ = call;
    busy_.set(static_cast<std::uint32_t>(started_));
    if (started_ > 0) turn_.add(1);
    perform(0);
    while (const std::uint32_t busy = busy_.value()) busy_.wait_while(busy);
    for (Index k = 0; k < count_; ++k)
      if (members_[k].error) std::rethrow_exception(std::exchange(members_[k].error, nullptr));
  }

  /// The main function of a started thread. It returns when the Workers are destroyed.
  static void* live(void* member) {
    const Member& own = *static_cast<Member*>(member);
    for (std::uint32_t turn = 0;; ++turn) {
      own.all->turn_.wait_while(turn);
      if (!own.all->call_) return nullptr;
      own.all->perform(own.number);
      own.all->busy_.add(~std::uint32_t{0});
    }
  }

  void perform(Index thread) {
    for (Index k = thread; k < count_; k += threads()) {
      members_[k].error = nullptr;
      try {
        call_(task_, k);
      } catch (...) {
        members_[k].error = std::current_exception();
      }
    }
  }

  Index count_;
  Index started_{0};
  const void* task_{nullptr};
  Call call_{nullptr};
  Member* members_{nullptr};
  detail::Signal turn_;  // run_all and stop increment it to wake the started threads
  detail::Signal busy_;  // number of started threads that still work on the current call
};

/// Throws unless 1 ≤ threads ≤ 1024. The message names `function`.
inline void require_threads(std::string_view function, Index threads) {
  require(threads >= 1 && threads <= 1024, function, ": ", threads,
          " threads, but there must be 1 to 1024");
}

/// Returns the range [first, last) of share k of n items among `count` shares of about equal size.
inline std::pair<Index, Index> share_of(Index n, Index k, Index count) {
  const std::int64_t wide = n;  // n·k may need more bits than an Index has
  return std::pair<Index, Index>(wide * k / count, wide * (k + 1) / count);
}

}  // namespace linea
