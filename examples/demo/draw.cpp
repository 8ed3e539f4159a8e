// SPDX-License-Identifier: MIT
#include "demo/draw.hpp"

#include <algorithm>  // max, min
#include <linea/features/standardise.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <vector>

namespace demo {

void draw(const linea::Matrix<double>& samples, const linea::Vector<double>& y,
          const lectures::Gallery& gallery) {
  const linea::Matrix<double> x = linea::standardise(samples).apply(samples);
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-3}};
  const double least =
      linea::DualCoordinateAscent{.tolerance = 1e-12}.minimize(objective, x, y).objective;
  lectures::Figure figure("demo", "Support vector machine, breast cancer: F over its minimum",
                          "epochs", "(F - min F)/min F");
  figure.with("set logscale xy").with("set format y '10^{%T}'").with("set yrange [1e-7:10]");
  figure.with("set termoption enhanced");
  const auto curve = [&](const char* label, std::string_view style, const auto& optimizer) {
    std::vector<double> seen;
    (void)optimizer.minimize(objective, x, y, [&](const linea::Progress& progress) {
      const double excess = progress.objective() / least - 1;
      seen.push_back(seen.empty() ? excess : std::min(excess, seen.back()));
    });
    lectures::Points points(static_cast<linea::Index>(seen.size()), 2);
    for (std::size_t k = 0; k < seen.size(); ++k)
      points.row(static_cast<linea::Index>(k)) << static_cast<double>(k + 1),
          std::max(seen[k], 1e-9);
    figure.add(label, style, points);
  };
  using lectures::style::blue, lectures::style::red, lectures::style::green,
      lectures::style::orange;
  curve("Pegasos", red, linea::Pegasos{.epochs = 1000, .tolerance = 0});
  curve("Sgd", orange, linea::Sgd{.epochs = 1000, .tolerance = 0});
  curve("Sgd, averaged", green,
        linea::Sgd{.epochs = 1000, .tolerance = 0, .iterate = linea::Iterate::average});
  curve("DualCoordinateAscent, which proves its gap", blue,
        linea::DualCoordinateAscent{.epochs = 1000, .tolerance = 1e-7});
  gallery.draw(figure);
}

}  // namespace demo
