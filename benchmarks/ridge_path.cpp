// SPDX-License-Identifier: MIT
/// \file Compares ridge regression for a hundred λ, with and without leave-one-out errors, with one
/// fit of Ridge.
#include <filesystem>
#include <linea/features/standardise.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>

#include "support/data.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  std::string file;
  long rows{0};
  long columns{54};
  long turns{5};
};

void measure(const std::string& shape, const linea::Matrix<double>& x,
             const linea::Vector<double>& y, std::optional<bench::Bar> bar, long count) {
  const std::vector<double> one{1e-3};
  const std::vector<double> hundred = linea::log_spaced(10, 1e-4, 100);
  double sum = 0;
  const auto take = [&](const std::vector<double>& lambdas, bool leave_one_out) {
    const linea::RidgePath path{.lambdas = lambdas, .leave_one_out = leave_one_out};
    sum += path.fit(x, y).objectives[0];
  };
  bench::Turns turns;
  turns.add_timed("Ridge", [&] {
    const linea::Objective objective{linea::Squared{}, linea::L2{one[0]}};
    sum += linea::Ridge{}.minimize(objective, x, y).objective;
  });
  turns.add_timed("1", [&] { take(one, false); });
  turns.add_timed("100", [&] { take(hundred, false); });
  turns.add_timed("1, left out", [&] { take(one, true); });
  turns.add_timed("100, left out", [&] { take(hundred, true); });
  turns.take(count);
  bench::keep(sum);

  const std::string work = "RidgePath, " + shape + ", 100 λ: time over that of ";
  bench::print_row(work + "one Ridge", bar, turns.ratio("100", "Ridge"));
  bench::print_row(work + "1 λ", {}, turns.ratio("100", "1"));
  bench::print_row(work + "one Ridge, with leave-one-out", {},
                   turns.ratio("100, left out", "Ridge"));
  bench::print_row(work + "1 λ, both with leave-one-out", {},
                   turns.ratio("100, left out", "1, left out"));
}

/// Measures uniform entries. The targets depend on all columns, with noise.
void measure(Index n, Index d, std::optional<bench::Bar> bar, long turns) {
  const linea::Matrix<double> x = bench::random_rows<double>(n, d);
  linea::Vector<double> y = x * Eigen::VectorXd::LinSpaced(d, -1, 1);
  y += bench::random_targets<double>(n);
  measure(std::to_string(n) + " × " + std::to_string(d) + " double", x, y, bar, turns);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "Ridge regression for a hundred penalties against one",
      {{"--file", &settings.file, "samples in LIBSVM's format, to be standardised"},
       {"--rows", &settings.rows, "samples; without them 60000 × 784, 20640 × 8 and 500 × 5000"},
       {"--columns", &settings.columns, "features"},
       {"--turns", &settings.turns, "turns that are counted"}});
  return bench::run([&] {
    bench::print_head();
    if (!settings.file.empty()) {
      const auto data = linea::read_libsvm<double>(settings.file);
      const linea::Matrix<double> x = data.x;
      return measure(std::filesystem::path(settings.file).stem().string(),
                     linea::standardise(x).apply(x), data.y, {}, settings.turns);
    }
    if (settings.rows > 0) return measure(settings.rows, settings.columns, {}, settings.turns);
    measure(60000, 784, bench::at_most(1.3), settings.turns);
    measure(20640, 8, {}, settings.turns);
    measure(500, 5000, {}, settings.turns);
  });
}
