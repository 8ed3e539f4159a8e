// SPDX-License-Identifier: MIT
/// \file Measures the time until hinge loss + λ/2·‖w‖², without offset, is within 1 % and 0.1 % of
/// its minimum. Input validation and evaluations of the objective are included. Compares linea's
/// optimizers with LIBLINEAR's dual coordinate descent at the largest sufficient tolerance.
#include <limits>
#include <linea/losses/hinge.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"
#ifdef LINEA_HAS_LIBLINEAR
#include "support/liblinear.hpp"
#endif

namespace {

struct Settings {
  std::vector<std::string> files{};
  double lambda{1e-4};
  long epochs{300};
  long turns{5};
};

using T = float;

/// An optimizer, run until the first epoch with F ≤ target.
struct Candidate {
  std::string name;
  std::function<linea::Solution<T>(double target)> fit;
};

class TimeToAccuracy {
 public:
  TimeToAccuracy(const std::string& file, const Settings& settings)
      : name_(bench::name_of_file(file)),
        settings_(settings),
        data_(bench::two_classes<T>(file)),
        objective_{linea::Hinge{}, linea::L2{settings.lambda}} {
    using linea::Iterate;
    const auto add = [&](std::string name, auto optimizer) {
      optimizer.epochs = settings.epochs;
      optimizer.tolerance = 0;
      optimizer.offset = false;
      candidates_.push_back({std::move(name), [this, optimizer](double target) {
                               auto run = optimizer;
                               run.target_objective = target;
                               return linea::Solution<T>(
                                   run.minimize(objective_, data_.x, data_.y));
                             }});
    };
    add("Sgd", linea::Sgd{});
    add("Sgd, averaged", linea::Sgd{.iterate = Iterate::average});
    add("Sgd, averaged with t³", linea::Sgd{.iterate = Iterate::average, .average_power = 3});
    add("Pegasos", linea::Pegasos{});
    add("Pegasos, averaged with t³",
        linea::Pegasos{.iterate = Iterate::average, .average_power = 3});
  }

  void measure() {
    const double minimum = least();
    std::printf("\n%s: %td samples, %td features, %td non-zeros, minimum %.6f\n\n", name_.c_str(),
                data_.x.rows(), data_.x.cols(), data_.x.nonZeros(), minimum);
    bench::print_head();
    for (const double within : {0.01, 0.001}) measure(minimum * (1 + within), within);
  }

 private:
  double value(const Eigen::VectorXd& weights) const {
    const linea::Vector<T> w = weights.template cast<T>();
    return linea::objective_value(objective_, data_.x, data_.y, w, T(0));
  }

  /// Returns the lowest objective, found by a long run.
  double least() const {
#ifdef LINEA_HAS_LIBLINEAR
    return value(liblinear_.fit(3, settings_.lambda, 1e-4).weights);
#else
    const linea::Sgd sgd{.epochs = 1000,
                         .tolerance = 1e-6,
                         .offset = false,
                         .iterate = linea::Iterate::average,
                         .average_power = 3};
    return sgd.minimize(objective_, data_.x, data_.y).objective;
#endif
  }

  void measure(double target, double within) const {
    char percent[16];
    static_cast<void>(std::snprintf(percent, sizeof percent, "%g %%", 100 * within));
    bench::Turns turns;
    std::vector<std::string> accurate;
    for (const auto& candidate : candidates_) {
      const auto solution = candidate.fit(target);
      if (!(solution.objective <= target)) {
        std::printf("| to %s, %s: not in %td epochs | | | |\n", percent, candidate.name.c_str(),
                    solution.epochs);
        continue;
      }
      accurate.push_back(candidate.name + " (" + std::to_string(solution.epochs) + " epochs)");
      turns.add_timed(accurate.back(), [fit = candidate.fit, target] { (void)fit(target); });
    }
#ifdef LINEA_HAS_LIBLINEAR
    const auto found = liblinear_.largest_epsilon(
        3, settings_.lambda, 600, [&](const Eigen::VectorXd& w) { return value(w) <= target; });
    if (!found) {
      std::printf("| to %s: LIBLINEAR does not come as near | | | |\n", percent);
      return;
    }
    const double epsilon = *found;
    char peer_text[48];
    static_cast<void>(
        std::snprintf(peer_text, sizeof peer_text, "LIBLINEAR -s 3 -e %.2g", epsilon));
    const std::string peer = peer_text;
    turns.add(peer, [=, this] { return liblinear_.fit(3, settings_.lambda, epsilon).seconds; });
    turns.take(settings_.turns);
    const auto over_peer = [&](const std::string& name) { return turns.ratio(name, peer); };
    std::string best;
    for (const auto& name : accurate) {
      std::string work{"to "};
      work.append(percent).append(", ").append(name).append(" over ").append(peer).append(", time");
      bench::print_row(work, {}, over_peer(name));
      if (best.empty() || turns.time(name).median < turns.time(best).median) best = name;
    }
    if (best.empty()) return;
    bench::print_row("**" + name_ + " to " + percent + ", the best: " + best + "**",
                     within == 0.01 ? std::optional(bench::at_most(0.7)) : std::nullopt,
                     over_peer(best));
#else
    turns.take(settings_.turns);
    for (const auto& name : accurate)
      bench::print_row(name + " over " + accurate.front() + ", time", {},
                       turns.ratio(name, accurate.front()));
#endif
  }

  std::string name_;
  Settings settings_;
  linea::LabelledData<T> data_;
  linea::Objective<linea::Hinge, linea::L2> objective_;
  std::vector<Candidate> candidates_;
#ifdef LINEA_HAS_LIBLINEAR
  bench::Liblinear liblinear_{data_.x, data_.y};
#endif
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "Time to within 1 % and 0.1 % of the minimum of hinge + L2",
                      {{"files", &settings.files, "LIBSVM files with two labels"},
                       {"--lambda", &settings.lambda, "strength of the penalty"},
                       {"--epochs", &settings.epochs, "most epochs of an optimizer"},
                       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
#ifndef LINEA_HAS_LIBLINEAR
    std::puts("LIBLINEAR is left out: it was not there when this was built");
#endif
    for (const auto& file : settings.files) TimeToAccuracy(file, settings).measure();
  });
}
