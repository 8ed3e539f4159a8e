// SPDX-License-Identifier: MIT
/// \file Measures the time until F = mean loss + λ/2·‖w‖², without offset, has a given relative
/// duality gap, including input validation. Compares linea's Auto with LIBLINEAR's fastest solver
/// of the same problem. LIBLINEAR runs at the largest tolerance with an equally small F, which it
/// could not know by itself. Prints one table for hinge and log loss, several gaps and all files,
/// with the geometric mean of the ratios and the worst of them.
#include <algorithm>  // clamp, max, max_element, sort
#include <filesystem>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>

#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"
#ifdef LINEA_HAS_LIBLINEAR
#include "support/liblinear.hpp"
#endif

namespace {

struct Settings {
  std::vector<std::string> paths{};
  std::vector<double> gaps{1e-3, 1e-5};
  double lambda{1e-4};
  long turns{5};
  double limit{60};
  bool each{false};
};

/// The name of a row that has a result, and the ratio of the times in each turn.
struct Case {
  std::string name;
  std::vector<double> ratios;
};

std::string text_of(const char* format, double number) {
  char text[48];
  static_cast<void>(std::snprintf(text, sizeof text, format, number));
  return text;
}
std::string milliseconds(double seconds) { return text_of("%.3g", 1e3 * seconds) + " ms"; }

/// Prints a row without a result, and the reason.
void say(const std::string& what, const std::string& why) {
  std::printf("| %s | | | %s |\n", what.c_str(), why.c_str());
  std::fflush(stdout);
}

/// Measures one file and prints its rows of the table.
class TimeToGap {
 public:
  TimeToGap(const std::string& name, linea::LabelledData<double> data, const Settings& settings,
            std::vector<Case>& cases)
      : name_(name), settings_(settings), data_(std::move(data)), cases_(cases) {}

  /// Measures the loss. `solvers` are the solvers of LIBLINEAR for it.
  template <class L>
  void measure(const L& loss, const std::vector<int>& solvers) {
    const linea::Objective objective{loss, linea::L2{settings_.lambda}};
    const double least = *std::min_element(settings_.gaps.begin(), settings_.gaps.end());
    linea::AutoSolution<double> sharp;
    const double seconds = bench::seconds([&] {
      sharp = linea::Auto{.tolerance = least / 100, .offset = false}.minimize(objective, data_.x,
                                                                              data_.y);
    });
    const auto proof = certify(objective, sharp, data_.x, data_.y, {.offset = false, .epochs = 0});
    minimum_ = std::max(proof.dual, sharp.objective - sharp.gap.value_or(1e300));
    for (const double gap : settings_.gaps) {
      const std::string what = name_ + " | " + std::string(L::name) + " | " + text_of("%.0e", gap);
      if (!(sharp.objective - minimum_ <= 0.1 * gap * sharp.objective))
        say(what, "left out: the minimum is not known to a tenth of the gap");
      else if (seconds > settings_.limit)
        say(what, "left out: " + text_of("%.0f", seconds) + " s to know the minimum");
      else
        measure(what, objective, gap, solvers);
    }
  }

 private:
  template <class O>
  void measure(const std::string& what, const O& objective, double gap,
               const std::vector<int>& solvers) {
    bench::Turns turns;
    std::vector<std::string> ours;
    const auto add = [&](const char* name, auto optimizer) {
      optimizer.tolerance = gap;
      optimizer.offset = false;
      const auto fit = [=, this] { return optimizer.minimize(objective, data_.x, data_.y); };
      linea::Solution<double> solution;
      const double time = bench::seconds([&] { solution = fit(); });
      if (!solution.is_proven(gap) || !is_near(objective, solution.weights, gap))
        return say(what, std::string(name) + ": the gap is not proven");
      ours.emplace_back(std::string(name) + " (" + std::string(solution.optimizer) + ")");
      add_repeated(turns, ours.back(), time, [fit] { return bench::seconds(fit); });
    };
    add("Auto", linea::Auto{});
    if (settings_.each) add("DualCoordinateAscent", linea::DualCoordinateAscent{});
    if constexpr (linea::SmoothLoss<decltype(objective.loss)>)
      if (settings_.each) {
        add("Newton", linea::Newton{});
        add("Lbfgs", linea::Lbfgs{});
      }
    std::vector<std::string> peers;
#ifdef LINEA_HAS_LIBLINEAR
    for (const int solver : solvers) {
      const auto epsilon = liblinear_.largest_epsilon(
          solver, settings_.lambda, settings_.limit,
          [&](const Eigen::VectorXd& w) { return is_near(objective, w, gap); });
      if (!epsilon) continue;
      peers.push_back("-s " + std::to_string(solver) + " -e " + text_of("%.2g", *epsilon));
      const auto fit = [=, this] {
        return liblinear_.fit(solver, settings_.lambda, *epsilon).seconds;
      };
      add_repeated(turns, peers.back(), fit(), fit);
    }
#else
    static_cast<void>(solvers);
#endif
    if (ours.empty()) return;
    turns.take(settings_.turns);
    print(what, turns, ours, peers);
  }

  void print(const std::string& what, const bench::Turns& turns,
             const std::vector<std::string>& ours, const std::vector<std::string>& peers) {
    const auto time = [&](const std::string& name) { return turns.time(name).median; };
    for (const auto& name : ours) {
      std::string row = "| " + what + " | " + name + " " + milliseconds(time(name)) + " | ";
      if (!peers.empty()) {
        const std::string peer =
            *std::min_element(peers.begin(), peers.end(),
                              [&](const auto& a, const auto& b) { return time(a) < time(b); });
        const bench::Spread ratio = turns.ratio(name, peer);
        row += peer + " " + milliseconds(time(peer)) + " | " + bench::text_of(ratio.median) + " (" +
               bench::text_of(ratio.low) + "–" + bench::text_of(ratio.high) + ") |";
        if (name == ours.front()) cases_.push_back({what, turns.ratios(name, peer)});
      } else {
        row += " | left out: LIBLINEAR does not come as near |";
      }
      std::puts(row.c_str());
    }
    std::fflush(stdout);
  }

  template <class O>
  bool is_near(const O& objective, const Eigen::VectorXd& w, double gap) const {
    const double value = linea::objective_value(objective, data_.x, data_.y, w, 0.0);
    return value - minimum_ <= gap * value;
  }

  /// Adds a work. Short runs are repeated, so that the clock and disturbances have no effect.
  static void add_repeated(bench::Turns& turns, const std::string& name, double once,
                           const bench::Turns::Work& work) {
    const long times = std::clamp(std::lround(0.02 / once), 1L, 2000L);
    turns.add(name, [=] {
      double sum = 0;
      for (long k = 0; k < times; ++k) sum += work();
      return sum / static_cast<double>(times);
    });
  }

  std::string name_;
  const Settings& settings_;
  linea::LabelledData<double> data_;
  std::vector<Case>& cases_;
  double minimum_{0};  // a lower bound on F
#ifdef LINEA_HAS_LIBLINEAR
  bench::Liblinear liblinear_{data_.x, data_.y};
#endif
};

/// Returns the given files, and those in the given directories.
std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const auto& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

void run(const Settings& settings) {
  std::vector<Case> cases;
  std::vector<std::string> others;
  std::puts(
      "\n| file | loss | gap | linea | LIBLINEAR | linea over LIBLINEAR, time |\n"
      "|---|---|---|---|---|---|");
  for (const auto& file : files_of(settings.paths)) {
    const std::string name = bench::name_of_file(file);
    auto data = bench::one_against_rest<double>(file);
    if (!data) {
      others.push_back(name);
      continue;
    }
    TimeToGap rows(name, *std::move(data), settings, cases);
    rows.measure(linea::Hinge{}, {3});
    rows.measure(linea::Log{}, {0, 7});
  }
  for (const auto& name : others) std::printf("\n%s: not samples of classes\n", name.c_str());
  if (cases.empty()) return;
  const auto median = [](const Case& one) { return bench::spread_of(one.ratios).median; };
  const auto worst =
      std::max_element(cases.begin(), cases.end(),
                       [&](const Case& a, const Case& b) { return median(a) < median(b); });
  std::vector<std::vector<double>> ratios;
  for (const Case& one : cases) ratios.push_back(one.ratios);
  std::string worst_name = worst->name;
  for (std::size_t at; (at = worst_name.find(" |")) != std::string::npos;)
    worst_name.replace(at, 2, ",");
  std::puts("");
  bench::print_head();
  bench::print_row("proofs over LIBLINEAR's fastest, geometric mean of " +
                       std::to_string(cases.size()) + ", time",
                   bench::at_most(0.45), bench::geometric_mean(ratios));
  bench::print_row("proofs over LIBLINEAR's fastest, the worst: " + worst_name, bench::at_most(0.9),
                   bench::spread_of(worst->ratios));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "Time to a proven relative gap for hinge and log loss + L2",
      {{"paths", &settings.paths,
        "LIBSVM files, and directories of them; of more than two labels, the smallest against the "
        "rest, x divided by its largest entry"},
       {"--lambda", &settings.lambda, "strength of the penalty"},
       {"--gap", &settings.gaps, "relative duality gaps to reach"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--limit", &settings.limit,
        "seconds after which a file is left out, or LIBLINEAR's tolerance is no more looked for"},
       {"--cpu", &bench::counts_processor_time,
        "seconds of the processor instead of the clock's, where other work runs"},
       {"--each", &settings.each, "linea's other optimizers too, which do not count"}});
  return bench::run([&] { run(settings); });
}
