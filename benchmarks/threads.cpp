// SPDX-License-Identifier: MIT
/// \file Epochs of one thread against those of two: dense rows that fit the cache, and files, as
/// sparse float.
#include <cmath>  // lround
#include <linea/losses/hinge.hpp>
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
  const auto set = linea::samples::admit("threads", linea::Hinge{}, x, y);
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
    auto team = std::make_shared<linea::training::Team<T, Learner>>(std::move(learner), *workers);
    team->prepare(set, false);
    turns.add_timed("epochs, " + threads, [&set, team, epochs] {
      for (Index k = 0; k < epochs; ++k) team->run_epoch(set, linea::no_limit);
    });
    turns.add("minimize, " + threads, [&, sgd]() mutable {
      const auto time = [&](Index count) {
        sgd.epochs = count;
        return bench::seconds([&] { sgd.minimize(objective, x, y); });
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

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "Epochs of two threads",
                      {{"files", &settings.files, "LIBSVM files with two labels"},
                       {"--megabytes", &settings.megabytes, "size of the dense x"},
                       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
    bench::print_head();
    for (const Index d : {54, 784}) {
      const Index n = bench::rows_of_megabytes<double>(settings.megabytes, d);
      measure(std::to_string(std::lround(settings.megabytes)) +
                  " MB of dense double, d = " + std::to_string(d),
              bench::random_rows<double>(n, d), bench::random_targets<double>(n), settings);
    }
    for (const auto& file : settings.files) {
      const auto data = bench::two_classes<float>(file);
      measure(bench::name_of_file(file), data.x, data.y, settings);
    }
  });
}
