// SPDX-License-Identifier: MIT
// Tests recipes, paths and reports while memory runs out.
#include <linea/core/text_stream.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/summary.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

namespace faults_models_test {

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(18, 3, 1);
const Vector<double> y = synthetic::signs(x, 2);

/// Returns a hash of the text of a report.
template <class Report>
std::uint64_t bits_of_report(const Report& report) {
  detail::TextStream text;
  text << report;
  return Bits().add(std::string_view(text.str())).sum();
}

}  // namespace

TEST_CASE("Faults: a recipe, its reason, its report and its predictions") {
  const Standardised recipe{LogisticRegression{.lambda = 0.1}};
  survives([&] {
    const auto model = recipe.fit(x, y);
    return Bits().add(bits_of_report(model)).add(model.predict(x)).sum();
  });
  const auto model = recipe.fit(x, y);
  survives([&] { return bits_of_report(evaluate(model, x, y)); });
}

TEST_CASE("Faults: OneVsRest") {
  const auto classes = synthetic::in_turn(18, 3);
  survives([&] {
    const auto model = OneVsRest{LogisticRegression{.lambda = 0.1}}.fit(x, classes);
    return Bits().add(bits_of_report(model)).add(model.predict(x)).sum();
  });
}

TEST_CASE("Faults: lambda_path and CrossValidation") {
  const Objective objective{Log{}, L2{0.1}};
  survives([&] {
    Bits bits;
    for (const auto& solution : lambda_path(Newton{}, objective, {1, 0.1}, x, y))
      bits.add(bits_of(solution));
    return bits.sum();
  });
  survives([&] {
    const auto chosen = CrossValidation{.folds = 3}.choose(Newton{}, objective, {1, 0.1}, x, y);
    return Bits().add(bits_of(chosen.solution)).sum();
  });
}

}  // namespace faults_models_test
