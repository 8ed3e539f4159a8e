// SPDX-License-Identifier: MIT
/// \file Measures one epoch over dense rows that exceed the cache, for losses, optimizers, layouts
/// and orders. Compares it with a plain read of the same bytes by one thread, and with a user's
/// loop over Eigen rows. Also compares the evaluation of the objective with the epoch. For files,
/// compares an epoch over sparse rows with a loop over the same rows by hand.
#include <algorithm>  // min
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>
#include <memory>
#include <numeric>  // iota
#include <span>

#include "support/data.hpp"
#include "support/epoch.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  std::vector<std::string> files{};
  double megabytes{1000};
  long turns{5};
  bool seconds{false};
};

constexpr double lambda = 1e-4;
constexpr double step = 1e-3;

template <class L, class Optimizer, class X, class Y>
std::function<void()> epoch(const L& loss, const Optimizer& optimizer, const X& x, const Y& y) {
  return bench::epoch(linea::Objective{loss, linea::L2{lambda}}, optimizer, x, y);
}

template <class Order = linea::WorkingSets>
auto sgd() {
  return linea::BasicSgd<linea::ConstantStep, Order>{.step = {step}};
}

/// Returns an epoch as a user would write it: a loop over the rows of an Eigen matrix in random
/// order.
template <class T>
std::function<void()> eigen_loop(const linea::Matrix<T>& x, const linea::Vector<T>& y) {
  auto order = std::make_shared<std::vector<std::uint32_t>>(static_cast<std::size_t>(x.rows()));
  std::iota(order->begin(), order->end(), 0U);
  linea::Random(1).shuffle(std::span(*order));
  auto w = std::make_shared<linea::Vector<T>>(linea::Vector<T>::Zero(x.cols()));
  return [&x, &y, order, w] {
    for (const auto i : *order) {
      const T slope = linea::Hinge{}.derivative(x.row(i).dot(*w), y[i]);
      *w *= static_cast<T>(1 - step * lambda);
      if (slope != 0) *w -= static_cast<T>(step) * slope * x.row(i);
    }
  };
}

template <class T>
void measure(Index d, const Settings& settings) {
  const Index n = bench::rows_of_megabytes<T>(settings.megabytes, d);
  const linea::Matrix<T> x = bench::random_rows<T>(n, d);
  const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> columns = x;
  const linea::Vector<T> y = bench::random_targets<T>(n);
  const linea::Vector<T> w = linea::Vector<T>::Constant(d, T(0.01));
  const auto evaluation = [&](const auto& loss) {
    return [&, loss] {
      bench::keep(linea::objective_value(linea::Objective{loss, linea::L2{lambda}}, x, y, w, T(0)));
    };
  };

  bench::Turns turns;
  turns.add_timed("read", [&] { bench::keep(bench::plain_read(x.data(), x.size())); });
  turns.add_timed("fastest read", [&] { bench::keep(bench::fastest_read(x.data(), x.size())); });
  turns.add_timed("Sgd, hinge", epoch(linea::Hinge{}, sgd(), x, y));
  turns.add_timed("Pegasos, hinge", epoch(linea::Hinge{}, linea::Pegasos{}, x, y));
  turns.add_timed("Sgd, log", epoch(linea::Log{}, sgd(), x, y));
  turns.add_timed("Pegasos, log", epoch(linea::Log{}, linea::Pegasos{}, x, y));
  turns.add_timed("Sgd, hinge, random order", epoch(linea::Hinge{}, sgd<linea::Shuffled>(), x, y));
  turns.add_timed("Sgd, hinge, in order", epoch(linea::Hinge{}, sgd<linea::Cyclic>(), x, y));
  turns.add_timed("Sgd, hinge, column-major", epoch(linea::Hinge{}, sgd(), columns, y));
  turns.add_timed("Pegasos, hinge, column-major",
                  epoch(linea::Hinge{}, linea::Pegasos{}, columns, y));
  turns.add_timed("Eigen rows", eigen_loop(x, y));
  turns.add_timed("objective, hinge", evaluation(linea::Hinge{}));
  turns.add_timed("objective, log", evaluation(linea::Log{}));
  turns.take(settings.turns);

  const std::string data =
      std::string(sizeof(T) == 8 ? "double" : "float") + ", d = " + std::to_string(d);
  if (settings.seconds) {
    for (std::size_t k = 0; k < turns.size(); ++k)
      std::printf("%s, %s\t%.6f\n", turns.name(k).c_str(), data.c_str(),
                  turns.time(turns.name(k)).median);
    return;
  }
  const auto row = [&](const std::string& work, const std::string& above, const std::string& below,
                       std::optional<bench::Bar> bar = {}) {
    bench::print_row(work + ", " + data, bar, turns.ratio(above, below));
  };
  // The limits apply to double only.
  const auto bar = [](double value) {
    return sizeof(T) == 8 ? std::optional(bench::at_least(value)) : std::nullopt;
  };
  const auto speed = [&](const std::string& name, std::optional<bench::Bar> held = {}) {
    row(name + ": speed over that of a plain read", "read", name, held);
  };
  speed("Sgd, hinge", bar(0.8));
  speed("Pegasos, hinge", bar(0.8));
  speed("Sgd, log", d == 784 ? bar(0.7) : std::nullopt);
  speed("Pegasos, log", d == 784 ? bar(0.7) : std::nullopt);
  speed("Sgd, hinge, random order");
  speed("Sgd, hinge, in order");
  row("Sgd, hinge: speed over that of the fastest read", "fastest read", "Sgd, hinge");
  for (const std::string name : {"Sgd, hinge", "Pegasos, hinge"})
    row(name + ": column-major over row-major, time", name + ", column-major", name,
        bench::at_most(1.5));
  row("Sgd, hinge: speed over that of Eigen rows in random order", "Eigen rows", "Sgd, hinge",
      bar(3));
  row("Sgd, hinge, random order: speed over that of Eigen rows in random order", "Eigen rows",
      "Sgd, hinge, random order");
  for (const std::string loss : {"hinge", "log"})
    row("objective over an epoch of Sgd, time, " + loss, "objective, " + loss, "Sgd, " + loss,
        bench::at_most(1));
}

/// Returns an epoch over sparse rows by hand, in random or in given order: with four sums, weights
/// with a common factor, and a prefetch of the row that comes eight rows later.
template <class T>
std::function<void()> sparse_loop(const linea::SparseMatrix<T>& x, const linea::Vector<T>& y,
                                  bool shuffled) {
  auto order = std::make_shared<std::vector<std::uint32_t>>(static_cast<std::size_t>(x.rows()));
  std::iota(order->begin(), order->end(), 0U);
  if (shuffled) linea::Random(1).shuffle(std::span(*order));
  auto w = std::make_shared<linea::Vector<T>>(linea::Vector<T>::Zero(x.cols()));
  return [&x, &y, order, w] {
    T* const v = w->data();
    const T* const values = x.valuePtr();
    const auto* const columns = x.innerIndexPtr();
    const auto* const starts = x.outerIndexPtr();
    double scale = 1;
    for (std::size_t at = 0; at < order->size(); ++at) {
      const auto later = (*order)[std::min(at + 8, order->size() - 1)];
      for (auto k = starts[later]; k < starts[later + 1]; k += 16) {
        __builtin_prefetch(values + k);
        __builtin_prefetch(columns + k);
      }
      const auto i = (*order)[at];
      const auto first = starts[i], last = starts[i + 1];
      T sums[4]{};
      auto k = first;
      for (; k + 4 <= last; k += 4)
        for (int lane = 0; lane < 4; ++lane) sums[lane] += values[k + lane] * v[columns[k + lane]];
      for (; k < last; ++k) sums[0] += values[k] * v[columns[k]];
      const T score = static_cast<T>(scale) * ((sums[0] + sums[1]) + (sums[2] + sums[3]));
      const T slope = linea::Hinge{}.derivative(score, y[static_cast<Index>(i)]);
      scale *= 1 - step * lambda;
      if (slope == 0) continue;
      const T change = static_cast<T>(step / scale) * slope;
      for (k = first; k < last; ++k) v[columns[k]] -= change * values[k];
    }
    *w *= static_cast<T>(scale);
  };
}

template <class T>
void measure_sparse(const std::string& file, const Settings& settings) {
  const auto data = bench::two_classes<T>(file);
  const linea::Vector<T> y = data.y.template cast<T>();
  bench::Turns turns;
  turns.add_timed("loop", sparse_loop<T>(data.x, y, true));
  turns.add_timed("loop in order", sparse_loop<T>(data.x, y, false));
  turns.add_timed("Sgd", epoch(linea::Hinge{}, sgd(), data.x, y));
  turns.add_timed("Sgd, random order", epoch(linea::Hinge{}, sgd<linea::Shuffled>(), data.x, y));
  turns.add_timed("Sgd, in order", epoch(linea::Hinge{}, sgd<linea::Cyclic>(), data.x, y));
  turns.take(settings.turns);
  const auto row = [&](const std::string& name, const std::string& loop,
                       std::optional<bench::Bar> bar = {}) {
    bench::print_row(name + ", hinge: time over that of a " + loop + " by hand, " +
                         (sizeof(T) == 8 ? "double, " : "float, ") + bench::name_of_file(file),
                     bar, turns.ratio(name, loop));
  };
  row("Sgd", "loop", bench::at_most(1.1));
  row("Sgd, random order", "loop");
  row("Sgd, in order", "loop in order");
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "One epoch over rows out of cache",
      {{"files", &settings.files, "LIBSVM files, for sparse rows"},
       {"--megabytes", &settings.megabytes, "size of x"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--seconds", &settings.seconds, "print the time of each work, not ratios"}});
  return bench::run([&] {
    if (!settings.seconds) bench::print_head();
    for (const Index d : {54, 784}) {
      measure<double>(d, settings);
      measure<float>(d, settings);
    }
    for (const auto& file : settings.files) {
      measure_sparse<float>(file, settings);
      measure_sparse<double>(file, settings);
    }
  });
}
