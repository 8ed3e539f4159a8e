// SPDX-License-Identifier: MIT
/// \file Measures the cost of a whole run in addition to its visits, and the cost of a step in
/// addition to the necessary sweep over a row.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/dense.hpp>

#include "support/data.hpp"
#include "support/epoch.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  std::vector<std::string> files{};
  long rows{60000};
  long turns{5};
};

/// Prints the ratio of the time of a run of k epochs to the time of its visits alone.
template <class X, class Y, class L>
void measure_runs(const std::string& name, const X& x, const Y& y, const L& loss,
                  const Settings& settings) {
  const linea::Objective objective{loss, linea::L2{1e-4}};
  for (const Index epochs : {5, 10, 25, 100}) {
    bench::Turns turns;
    const linea::Sgd sgd{.epochs = epochs, .tolerance = 0};
    turns.add_timed("run", [&] { bench::keep(sgd.minimize(objective, x, y).objective); });
    turns.add("visits", [&] {
      const auto epoch = bench::epoch(objective, sgd, x, y);  // starts from zero, like a run
      return bench::seconds([&] {
        for (Index k = 0; k < epochs; ++k) epoch();
      });
    });
    turns.take(settings.turns);
    bench::print_row("Sgd of " + std::to_string(epochs) + " epochs over its visits, time, " + name,
                     epochs < 25 ? std::nullopt : std::optional(bench::at_most(1.15)),
                     turns.ratio("run", "visits"));
  }
}

/// Prints the ratio of the time of steps on cached rows, in order, to the time of sweeps that add
/// one row and score the next.
void measure_steps(Index d, const Settings& settings) {
  constexpr Index n = 4096;
  constexpr Index epochs = 500;
  const linea::Matrix<double> x = bench::random_rows<double>(n, d);
  const linea::Vector<double> y = bench::random_targets<double>(n);
  bench::Turns turns;
  const auto add = [&](const std::string& name, const auto& loss, const auto& optimizer) {
    const auto epoch = bench::epoch(linea::Objective{loss, linea::L2{1e-4}}, optimizer, x, y);
    turns.add_timed(name, [epoch] {
      for (Index k = 0; k < epochs; ++k) epoch();
    });
  };
  using InOrder = linea::BasicSgd<linea::AutomaticStep, linea::Cyclic>;
  turns.add_timed("sweeps", [&] {
    const linea::detail::rows::DenseRows<double, true> rows(x);
    linea::Vector<double> w = linea::Vector<double>::Zero(d);
    double score = 0;
    for (Index k = 0; k < epochs; ++k)
      for (Index i = 1; i < n; ++i)
        score = rows.add_then_dot(i - 1, 1e-9 * (score + 1), w, i, i);  // uses the previous score
    bench::keep(score);
  });
  add("Sgd, hinge", linea::Hinge{}, InOrder{});
  add("Sgd, log", linea::Log{}, InOrder{});
  add("Sgd, hinge, averaged", linea::Hinge{}, InOrder{.iterate = linea::Iterate::average});
  add("Pegasos, hinge", linea::Hinge{}, linea::BasicPegasos<linea::InverseLambda, linea::Cyclic>{});
  turns.take(settings.turns);
  for (std::size_t k = 1; k < turns.size(); ++k)
    bench::print_row("a step over its sweep, time, " + turns.name(k) + ", d = " + std::to_string(d),
                     {}, turns.ratio(turns.name(k), "sweeps"));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "Runs over their visits, and steps over their sweeps",
                      {{"files", &settings.files, "LIBSVM files, read as sparse float"},
                       {"--rows", &settings.rows, "made-up rows of a run"},
                       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
    bench::print_head();
    for (const Index d : {8, 20, 54}) measure_steps(d, settings);
    const linea::Matrix<double> x = bench::random_rows<double>(settings.rows, 54);
    const linea::Vector<double> y = (x.col(0).array() + x.col(1).array() > 0)
                                        .select(linea::Vector<double>::Ones(x.rows()), -1.0);
    measure_runs("hinge, made-up, d = 54", x, y, linea::Hinge{}, settings);
    measure_runs("log, made-up, d = 54", x, y, linea::Log{}, settings);
    for (const auto& file : settings.files) {
      const auto data = bench::two_classes<float>(file);
      measure_runs("hinge, " + bench::name_of_file(file), data.x, data.y, linea::Hinge{}, settings);
    }
  });
}
