// SPDX-License-Identifier: MIT
/// \file Compares two threads with one: epochs over dense rows in the cache and over files, as
/// sparse float, and whole fits of the closed form and of folds.
#include <cmath>  // lround
#include <linea/losses/hinge.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/regressors.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>
#include <memory>

#include "support/data.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  std::vector<std::string> files{};
  double megabytes{8};
  long turns{5};
  long rows{60000};
};

template <class X>
Index non_zeros(const X& x) {
  if constexpr (linea::SparseSamples<X>)
    return x.nonZeros();
  else
    return x.size();
}

template <class X, class Y>
void measure(const std::string& name, const X& x, const Y& y, const Settings& settings) {
  using T = linea::scalar_t<X>;
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
  const auto set = linea::detail::samples::admit("threads", linea::Hinge{}, x, y);
  const Index epochs = std::max<Index>(40000000 / non_zeros(x), 1);
  linea::BasicSgd<linea::ConstantStep> sgd{.tolerance = 0, .offset = false, .step = {1e-3}};
  linea::Workers one(1);
  linea::Workers two(2);
  bench::Turns turns;
  for (linea::Workers* const workers : {&one, &two}) {
    sgd.threads = workers->count();
    const std::string threads = std::to_string(workers->count());
    auto learner = sgd.start<T>(objective, x.cols());
    using Learner = decltype(learner);
    learner.prepare(set, false);
    auto parallel =
        std::make_shared<linea::detail::descent::ParallelLearner<T, Learner>>(learner, *workers);
    turns.add_timed("epochs, " + threads, [&set, parallel, epochs] {
      for (Index k = 0; k < epochs; ++k) parallel->run_epoch(set, linea::no_limit);
    });
    turns.add("minimize, " + threads, [&, sgd]() mutable {
      const auto time = [&](Index count) {
        sgd.epochs = count;
        return bench::seconds([&] { (void)sgd.minimize(objective, x, y); });
      };
      return time(1 + epochs) - time(1);
    });
  }
  turns.take(settings.turns);
  bench::print_row("two threads' speed over one's, an epoch, " + name, bench::at_least(1.6),
                   turns.ratio("epochs, 1", "epochs, 2"));
  bench::print_row("two threads' speed over one's, an epoch of a run, looks at F included, " + name,
                   {}, turns.ratio("minimize, 1", "minimize, 2"));
}

/// Measures whole fits on dense double samples with d = 784.
void measure_fits(const Settings& settings) {
  const Index n = settings.rows;
  const Index d = 784;
  const auto x = bench::random_rows<double>(n, d);
  const auto y = bench::random_targets<double>(n);
  bench::Turns turns;
  for (const Index threads : {1, 2}) {
    const std::string count = ", " + std::to_string(threads);
    turns.add_timed("Ridge" + count, [&, threads] {
      static_cast<void>(
          linea::RidgeRegression{.lambda = 1e-2, .threads = threads}.fit(x, y).objective);
    });
    turns.add_timed("RidgePath" + count, [&, threads] {
      static_cast<void>(linea::RidgePath{.threads = threads}.fit(x, y));
    });
    turns.add_timed("CrossValidation" + count, [&, threads] {
      static_cast<void>(linea::CrossValidation{.folds = 4, .threads = threads}.choose(
          linea::RidgeRegression{}, {1e-2, 1e-4}, x, y));
    });
  }
  turns.take(settings.turns);
  for (const std::string what : {"Ridge", "RidgePath", "CrossValidation"})
    bench::print_row("two threads' speed over one's, " + what + ", " + std::to_string(n) + " x " +
                         std::to_string(d),
                     bench::at_least(1.6), turns.ratio(what + ", 1", what + ", 2"));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "Epochs of two threads",
                      {{"files", &settings.files, "LIBSVM files with two labels"},
                       {"--megabytes", &settings.megabytes, "size of the dense x"},
                       {"--rows", &settings.rows, "rows of x for whole fits"},
                       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
    bench::print_head();
    for (const Index d : {54, 784}) {
      const Index n = bench::rows_of_megabytes<double>(settings.megabytes, d);
      measure(std::to_string(std::lround(settings.megabytes)) +
                  " MB of dense double, d = " + std::to_string(d),
              bench::random_rows<double>(n, d), bench::random_targets<double>(n), settings);
    }
    measure_fits(settings);
    for (const auto& file : settings.files) {
      const auto data = bench::two_classes<float>(file);
      measure(bench::name_of_file(file), data.x, data.y, settings);
    }
  });
}
