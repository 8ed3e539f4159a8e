// SPDX-License-Identifier: MIT
/// \file The door of certify: its weights come in where others start.
#include <linea/core/extras.hpp>
#include <linea/optimizers/certify.hpp>

#include "optimizers/laws.hpp"

namespace laws_certify_test {

using namespace linea;

namespace {

struct CertifyCall {
  template <class O, class X, class Y, class T>
  Solution<T> minimize(const O& objective, const X& x, const Y& y, const Extras<T>& extras) const {
    Solution<T> solution;
    solution.weights = extras.start_weights;
    if (solution.weights.size() == 0) solution.weights.setZero(x.cols());
    solution.offset = extras.start_offset;
    CertifyOptions<T> options;
    options.sample_weights = extras.sample_weights;
    solution.objective = certify(objective, solution, x, y, options).primal;
    return solution;
  }
};

}  // namespace

TEST_CASE("Laws: the door of certify", "[optimizers]") {
  check::OptimizerOptions options;
  options.start = check::Start::none;  // an offset alone is one
  CHECK(check::optimizer_door("certify", CertifyCall{}, test::hinge_objective,
                              check::optimizer_problem(Hinge{}, 40, 4),
                              options) == std::vector<check::Violation>{});
}

}  // namespace laws_certify_test
