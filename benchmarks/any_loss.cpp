// SPDX-License-Identifier: MIT
/// \file Measures the cost of a loss selected at run time. Compares an epoch of Sgd and of dual
/// coordinate ascent with the same epoch for the static loss, on dense rows and on files of two
/// classes.
#include <linea/losses/any_loss.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/data.hpp"
#include "support/epoch.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

template <class Any, class L, class X>
void measure(const std::string& data, const X& x, const linea::Vector<double>& y, long turns) {
  bench::Turns times;
  const auto add = [&](const std::string& kind, const auto& loss) {
    const linea::Objective objective{loss, linea::L2{1e-4}};
    const linea::BasicSgd<linea::ConstantStep> sgd{.step = {1e-3}};
    times.add_timed("Sgd" + kind, bench::epoch(objective, sgd, x, y));
    times.add_timed("DualCoordinateAscent" + kind, [&x, &y, objective] {
      bench::keep(linea::DualCoordinateAscent{.epochs = 1}.minimize(objective, x, y).dual);
    });
  };
  add("", L{});
  add(", any", Any(L{}));
  times.take(turns);
  for (const std::string name : {"Sgd", "DualCoordinateAscent"})
    bench::print_row("an epoch of " + name + ", " + std::string(L::name) + ", " + data +
                         ": chosen at run time over static, time",
                     bench::at_most(1.2), times.ratio(name + ", any", name));
}

template <class X>
void measure_losses(const std::string& data, const X& x, const linea::Vector<double>& y,
                    long turns) {
  measure<linea::AnyKinkedLoss, linea::Hinge>(data, x, y, turns);
  measure<linea::AnySmoothLoss, linea::Log>(data, x, y, turns);
  measure<linea::AnySmoothLoss, linea::SquaredHinge>(data, x, y, turns);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  long rows = 581012;
  long turns = 5;
  bench::read_options(argc, argv, "The cost of a loss that is chosen at run time",
                      {{"files", &files, "LIBSVM files of two classes"},
                       {"--rows", &rows, "of the made-up dense samples"},
                       {"--turns", &turns, "turns that are counted"}});
  return bench::run([&] {
    bench::counts_processor_time = true;
    bench::print_head();
    const linea::Matrix<double> x = bench::random_rows<double>(rows, 54);
    measure_losses("dense " + std::to_string(rows) + " x 54", x,
                   bench::random_targets<double>(rows), turns);
    for (const auto& file : files) {
      const auto data = bench::two_classes<double>(file);
      measure_losses(bench::name_of_file(file), data.x, data.y, turns);
    }
  });
}
