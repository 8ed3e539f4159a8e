// SPDX-License-Identifier: MIT
#pragma once
/// \file Measures the times of several works in turn, so that disturbances affect all of them, and
/// computes the ratios of the times.
#include <algorithm>  // sort
#include <chrono>
#include <cmath>  // exp, log
#include <cstdio>
#include <ctime>  // clock_gettime
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>  // move
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace bench {

/// Runs the program's `work`. Returns exit code 2 for an error, and for a build without
/// optimisation, which is refused. Freed memory stays with the program, up to a size, so that the
/// time of a work hardly depends on what earlier works allocated.
inline int run(const std::function<void()>& work) {
#if !defined(NDEBUG) || (defined(__GNUC__) && !defined(__OPTIMIZE__))
  static_cast<void>(work);
  std::fputs("a debug build measures nothing: use -DCMAKE_BUILD_TYPE=Release\n", stderr);
  return 2;
#else
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // bytes; the adaptive limit of the C library ends here, too
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
#endif
}

/// Is the processor time of this thread measured, instead of the clock's? This helps for works of
/// one thread on a busy machine.
inline bool counts_processor_time = false;

inline double now() {
  if (counts_processor_time) {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds(const auto& work) {
  const double start = now();
  (void)work();
  return now() - start;
}

/// Prevents the compiler from removing the computation of the value.
inline void keep(double value) {
  static volatile double kept = 0;
  kept = value;
  static_cast<void>(kept);
}

/// The median of several values, and their quartiles.
struct Spread {
  double median{0};
  double low{0};
  double high{0};
};

inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values[(last + 1) / 2], values[last / 4], values[last - last / 4]};
}

/// Returns the spread of the geometric mean of several ratios, computed in each turn. All ratios
/// have the same number of turns.
inline Spread geometric_mean(const std::vector<std::vector<double>>& ratios) {
  std::vector<double> means(ratios.front().size(), 0.0);
  for (const auto& turns : ratios)
    for (std::size_t turn = 0; turn < means.size(); ++turn) means[turn] += std::log(turns[turn]);
  for (double& mean : means) mean = std::exp(mean / static_cast<double>(ratios.size()));
  return spread_of(std::move(means));
}

/// Runs works that return their own times in seconds, each once in every turn.
class Turns {
 public:
  using Work = std::function<double()>;

  void add(std::string name, Work work) {
    names_.push_back(std::move(name));
    works_.push_back(std::move(work));
    times_.emplace_back();
  }

  /// Adds a work whose time this class measures.
  void add_timed(std::string name, std::function<void()> work) {
    add(std::move(name), [work = std::move(work)] { return seconds(work); });
  }

  /// Runs the turns, after a first one that warms up caches and clocks and is not counted.
  void take(long turns) {
    for (long turn = 0; turn <= std::max(turns, 1L); ++turn)
      for (std::size_t k = 0; k < works_.size(); ++k) {
        const double time = works_[k]();
        if (turn > 0) times_[k].push_back(time);
      }
  }

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t k) const { return names_[k]; }
  Spread time(const std::string& name) const { return spread_of(times_.at(place_of(name))); }

  /// Returns the ratio of the times of two works, computed in each turn.
  Spread ratio(const std::string& above, const std::string& below) const {
    return spread_of(ratios(above, below));
  }
  std::vector<double> ratios(const std::string& above, const std::string& below) const {
    std::vector<double> ratios = times_.at(place_of(above));
    const auto& others = times_.at(place_of(below));
    for (std::size_t turn = 0; turn < ratios.size(); ++turn) ratios[turn] /= others[turn];
    return ratios;
  }

 private:
  std::size_t place_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  std::vector<std::string> names_;
  std::vector<Work> works_;
  std::vector<std::vector<double>> times_;
};

/// A limit that the README states for a ratio.
struct Bar {
  double value;
  bool at_least;
};
inline Bar at_least(double value) { return {value, true}; }
inline Bar at_most(double value) { return {value, false}; }

inline std::string text_of(double value) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.1f", value));
  return text;
}

inline void print_head() { std::puts("| work | bar | measured | |\n|---|---|---|---|"); }

/// Prints a line of the README's tables. The last cell states whether the limit holds.
inline void print_row(const std::string& work, std::optional<Bar> bar, const Spread& ratio) {
  std::string bar_text;
  std::string verdict;
  if (bar) {
    bar_text = (bar->at_least ? "≥ " : "≤ ") + text_of(bar->value);
    verdict = (bar->at_least ? ratio.median >= bar->value : ratio.median <= bar->value)
                  ? "holds"
                  : "falls short";
  }
  std::printf("| %s | %s | %s (%s–%s) | %s |\n", work.c_str(), bar_text.c_str(),
              text_of(ratio.median).c_str(), text_of(ratio.low).c_str(),
              text_of(ratio.high).c_str(), verdict.c_str());
  std::fflush(stdout);
}

}  // namespace bench
