// SPDX-License-Identifier: MIT
/// \file Draws the decision boundaries of four losses on the same samples. Writes the figure to the
/// folder in the first argument, by default `figures`.
#include <cstdio>
#include <linea/linea.hpp>
#include <string_view>

#include "lectures/classes.hpp"
#include "lectures/figure.hpp"

using namespace linea;

int main(int argc, char** argv) {
  // The samples are two wide clouds of points. Every eighth sample is positive and lies far on the
  // correct side.
  auto [x, y] = lectures::two_clouds(80, {0, 0.9}, 0.5, 4);
  x.col(0) *= 3;
  for (Index i = 0; i < x.rows(); i += 8) x.row(i) += Eigen::RowVector2d(3.5, 5);

  lectures::Figure figure("boundaries", "Decision boundaries of four losses, λ = 0.01", "x₁", "x₂");
  figure.with("set size ratio -1").with("set xrange [-5:8]").with("set yrange [-2.5:7.5]");
  lectures::add_classes(figure, x, y);
  const auto draw = [&, &x = x, &y = y](const char* name, std::string_view style,
                                        const auto& loss) {
    const auto found = Auto{}.minimize(Objective{loss, L2{0.01}}, x, y);
    const Objective error_rate{ZeroOne{}, NoPenalty{}};
    const double wrong = 80 * objective_value(error_rate, x, y, found.weights, found.offset);
    char label[64];
    std::snprintf(label, sizeof label, "%s: %.0f of 80 misclassified", name, wrong);
    std::puts(label);
    figure.add(label, style, lectures::level_line(found.weights, found.offset, 0));
  };
  draw("Hinge", lectures::style::blue, Hinge{});
  draw("SquaredHinge", lectures::style::dashed, SquaredHinge{});
  draw("Log", lectures::style::green, Log{});
  draw("Squared", lectures::style::orange, Squared{});
  lectures::Gallery(argc, argv).draw(figure);
}

// Output:
//   Hinge: 1 of 80 misclassified
//   SquaredHinge: 0 of 80 misclassified
//   Log: 0 of 80 misclassified
//   Squared: 10 of 80 misclassified
