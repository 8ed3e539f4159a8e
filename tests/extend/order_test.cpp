// SPDX-License-Identifier: MIT
/// \file An order of one's own, as docs/extend.md has it.
#include <linea/losses/log.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>

#include "extend/works.hpp"

/// From the last row to the first.
struct Backwards {
  void draw(linea::Epoch& epoch, linea::Index rows, linea::Index, linea::Random&) const {
    epoch.rows = rows;
    for (linea::Index i = rows; i-- > 0;) epoch.chunks.push_back(static_cast<std::uint32_t>(i));
  }
};
static_assert(linea::Order<Backwards>);

TEST_CASE("Your own order: of visits, weighted, on sparse rows, in folds", "[extend]") {
  const linea::BasicSgd<linea::AutomaticStep, Backwards> sgd{.epochs = 20};
  linea::test::works(sgd, linea::Objective{linea::Log{}, linea::L2{0.1}});
}

TEST_CASE("Your own order: backwards is forwards through the rows turned round", "[extend]") {
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const linea::Vector<double> y = synthetic::signs(x, 2);
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  const linea::ConstantStep step{0.1};
  const auto backwards =
      linea::BasicSgd<linea::ConstantStep, Backwards>{.epochs = 2, .step = step}.minimize(objective,
                                                                                          x, y);
  const auto forwards =
      linea::BasicSgd<linea::ConstantStep, linea::Cyclic>{.epochs = 2, .step = step}.minimize(
          objective, linea::Matrix<double>(x.colwise().reverse()),
          linea::Vector<double>(y.reverse()));
  CHECK(backwards.weights == forwards.weights);
}
