// SPDX-License-Identifier: MIT
/// \file Time until F = mean loss + λ/2·‖w‖², without offset, is proven to be within a relative gap
/// of its minimum, checks of the input included: linea's optimizers against LIBLINEAR's for the
/// same problem, each at the largest tolerance whose F is as near, which LIBLINEAR itself cannot
/// know.
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
  std::vector<std::string> files{};
  double lambda{1e-4};
  double gap{1e-3};
  long turns{5};
};

class TimeToGap {
 public:
  TimeToGap(const std::string& file, const Settings& settings)
      : name_(bench::name_of_file(file)), settings_(settings), data_(bench::classes<double>(file)) {
    std::printf("\n%s: %td samples, %td features, %td non-zeros\n\n", name_.c_str(), data_.x.rows(),
                data_.x.cols(), data_.x.nonZeros());
    bench::print_head();
  }

  /// `solvers`: LIBLINEAR's for this loss.
  template <class L>
  void measure(const L& loss, const std::vector<int>& solvers) {
    const linea::Objective objective{loss, linea::L2{settings_.lambda}};
    const std::string what = name_ + ", " + std::string(L::name);
    bench::Turns turns;
    std::vector<std::string> ours;
    double minimum = 0;  // a bound that nothing is below
    const auto add = [&](const char* name, auto optimizer) {
      optimizer.offset = false;
      const auto solution = optimizer.minimize(objective, data_.x, data_.y);
      const auto proof =
          certify(objective, solution, data_.x, data_.y, {.offset = false, .epochs = 0});
      minimum = std::max({minimum, proof.dual, solution.objective - solution.gap.value_or(1e300)});
      if (!(solution.gap && *solution.gap <= settings_.gap * solution.objective)) {
        std::printf("| %s, %s: the gap is not proven | | | |\n", what.c_str(), name);
        return;
      }
      ours.emplace_back(name);
      turns.add_timed(name, [=, this] { optimizer.minimize(objective, data_.x, data_.y); });
    };
    add("DualCoordinateAscent", linea::DualCoordinateAscent{.tolerance = settings_.gap});
    add("Auto", linea::Auto{.tolerance = settings_.gap});
    if constexpr (linea::SmoothLoss<L>) {
      add("Newton", linea::Newton{.tolerance = settings_.gap});
      add("Lbfgs", linea::Lbfgs{.tolerance = settings_.gap});
    }
    const auto sharp =
        linea::DualCoordinateAscent{
            .epochs = 20000, .tolerance = settings_.gap / 100, .offset = false}
            .minimize(objective, data_.x, data_.y);
    minimum = std::max(minimum, sharp.dual);
#ifdef LINEA_HAS_LIBLINEAR
    std::vector<std::string> peers;
    for (const int solver : solvers) {
      const double epsilon =
          liblinear_.largest_epsilon(solver, settings_.lambda, [&](const Eigen::VectorXd& w) {
            const double value = linea::objective_value(objective, data_.x, data_.y, w, 0.0);
            return value - minimum <= settings_.gap * value;
          });
      char text[48];
      static_cast<void>(
          std::snprintf(text, sizeof text, "LIBLINEAR -s %d -e %.2g", solver, epsilon));
      peers.emplace_back(text);
      turns.add(text,
                [=, this] { return liblinear_.fit(solver, settings_.lambda, epsilon).seconds; });
    }
    turns.take(settings_.turns);
    const auto faster = [&](const std::vector<std::string>& names) {
      return *std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return turns.time(a).median < turns.time(b).median;
      });
    };
    const std::string peer = faster(peers);
    for (const auto& name : ours)
      bench::print_row(what + ", " + name + " over " + peer + ", time",
                       name == faster(ours) ? std::optional(bench::at_most(0.5)) : std::nullopt,
                       turns.ratio(name, peer));
#else
    static_cast<void>(solvers);
    turns.take(settings_.turns);
    for (const auto& name : ours)
      bench::print_row(what + ", " + name + " over " + ours.front() + ", time", {},
                       turns.ratio(name, ours.front()));
#endif
  }

 private:
  std::string name_;
  Settings settings_;
  linea::LabelledData<double> data_;
#ifdef LINEA_HAS_LIBLINEAR
  bench::Liblinear liblinear_{data_.x, data_.y};
#endif
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "Time to a proven relative gap for hinge and log loss + L2",
      {{"files", &settings.files, "LIBSVM files; of more than two labels, odd against even"},
       {"--lambda", &settings.lambda, "strength of the penalty"},
       {"--gap", &settings.gap, "relative duality gap to reach"},
       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
    for (const auto& file : settings.files) {
      TimeToGap data(file, settings);
      data.measure(linea::Hinge{}, {3});
      data.measure(linea::Log{}, {0, 7});
    }
  });
}
