// SPDX-License-Identifier: MIT
/// \file Prints facts about each loss for the documentation as JSON: its properties and members,
/// and the optimizers that support it. With a folder as argument, also draws each loss.
#include <cstdio>
#include <lectures/figure.hpp>
#include <linea/core/loss.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers.hpp>
#include <optional>
#include <string>

namespace {

using X = linea::Matrix<double>;
using Y = linea::Vector<double>;

/// Whether optimizer M supports loss L with penalty P.
template <class M, class L, class P>
constexpr bool takes = linea::detail::Takes<M, linea::Objective<L, P>, X, Y>;

class Words {
 public:
  Words& add(bool is_so, const char* word) {
    if (is_so) text_ += (text_.empty() ? "\"" : ", \"") + std::string(word) + '"';
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

template <class L>
std::string optimizers_of() {
  using linea::L2, linea::ElasticNet;
  Words words;
  words.add(takes<linea::Sgd, L, L2>, "Sgd")
      .add(takes<linea::Pegasos, L, L2>, "Pegasos")
      .add(takes<linea::GradientDescent, L, L2>, "GradientDescent")
      .add(takes<linea::DualCoordinateAscent, L, L2>, "DualCoordinateAscent")
      .add(takes<linea::InteriorPoint, L, L2>, "InteriorPoint")
      .add(takes<linea::CoordinateDescent, L, ElasticNet>, "CoordinateDescent")
      .add(takes<linea::Newton, L, L2>, "Newton")
      .add(takes<linea::Lbfgs, L, L2>, "Lbfgs")
      .add(takes<linea::Ridge, L, L2>, "Ridge")
      .add(takes<linea::SvmQuadraticProgram, L, L2>, "SvmQuadraticProgram")
      .add(takes<linea::Auto, L, L2>, "Auto");
  return words.text();
}

template <class L>
std::string facts_of() {
  Words words;
  words.add(linea::is_convex_loss<L>, "convex in the score")
      .add(linea::DifferentiableLoss<L>, "`derivative`")
      .add(linea::DifferentiableLoss<L> && linea::is_smooth_loss<L>, "no kinks")
      .add(linea::SmoothLoss<L>, "`curvature_bound`")
      .add(linea::CurvedLoss<L>, "`second_derivative`")
      .add(linea::ProximalLoss<L>, "`proximal`")
      .add(linea::ConjugateLoss<L>, "`conjugate`")
      .add(linea::BoxLoss<L>, "`dual_boxes`");
  return words.text();
}

/// Draws the loss, and its derivative if it has one, for one target, as functions of the score.
template <class L>
void draw(const lectures::Gallery& gallery, const char* name, const char* title, const L& loss,
          double target) {
  constexpr linea::Index points = 801;  // the grid contains 0 and ±1
  lectures::Points value(points, 2);
  lectures::Points slope(points, 2);
  for (linea::Index k = 0; k < points; ++k) {
    const double p = -4 + 0.01 * static_cast<double>(k);
    value.row(k) << p, loss.value(p, target);
    if constexpr (linea::DifferentiableLoss<L>) slope.row(k) << p, loss.derivative(p, target);
  }
  lectures::Figure figure(
      std::string("loss_") + name,
      std::string(title) + " for the target y = " + std::to_string(static_cast<int>(target)),
      "score p", "");
  figure.with("set termoption font 'Helvetica,21'");  // large enough to be readable on a phone
  figure.with("set xrange [-4:4]").with("set yrange [-2.5:5]").with("set xtics 1");
  figure.add("loss", lectures::style::blue, value);
  if constexpr (linea::DifferentiableLoss<L>)
    figure.add("its derivative", lectures::style::dashed_red, slope);
  gallery.draw(figure);
}

class Pages {
 public:
  explicit Pages(std::optional<lectures::Gallery> gallery) : gallery_(std::move(gallery)) {}
  ~Pages() { std::printf("\n}\n"); }

  /// Adds a loss. If the loss has parameters, `title` is its name in the picture.
  template <class L>
  void add(const char* name, const L& loss, double target, const char* title = nullptr) {
    std::printf("%s  \"%s\": {\"optimizers\": [%s], \"facts\": [%s]}", first_ ? "{\n" : ",\n", name,
                optimizers_of<L>().c_str(), facts_of<L>().c_str());
    first_ = false;
    if (gallery_) draw(*gallery_, name, title ? title : name, loss, target);
  }

 private:
  std::optional<lectures::Gallery> gallery_;
  bool first_{true};
};

}  // namespace

int main(int argc, char** argv) {
  using namespace linea;
  Pages pages(argc > 1 ? std::optional(lectures::Gallery(argc, argv)) : std::nullopt);
  pages.add("Hinge", Hinge{}, 1);
  pages.add("SquaredHinge", SquaredHinge{}, 1);
  pages.add("SmoothHinge", SmoothHinge{}, 1);
  pages.add("Log", Log{}, 1);
  pages.add("PerceptronLoss", PerceptronLoss{}, 1);
  pages.add("ZeroOne", ZeroOne{}, 1);
  pages.add("Squared", Squared{}, 1);
  pages.add("Absolute", Absolute{}, 1);
  pages.add("Huber", Huber{}, 1);
  pages.add("EpsilonInsensitive", EpsilonInsensitive{.epsilon = 0.5}, 1, "EpsilonInsensitive{0.5}");
  pages.add("Quantile", Quantile{.level = 0.8}, 1, "Quantile{0.8}");
  pages.add("ThresholdError", ThresholdError{}, 1);
  pages.add("CrossEntropy", Composed{CrossEntropy{}, Sigmoid{}}, 1, "CrossEntropy of Sigmoid");
  pages.add("Poisson", Composed{Poisson{}, Exponential{}}, 2, "Poisson of Exponential");
  pages.add("Composed", Composed{Squared{}, Sigmoid{}}, 1, "Squared of Sigmoid");
}
