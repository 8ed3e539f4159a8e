// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>
#include <tuple>
#include <type_traits>

#include "support/catch.hpp"
#include "support/exact_minimum.hpp"
#include "support/sanitizer.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

template <class L>
constexpr bool takes_signs =
    std::is_same_v<L, Log> || std::is_same_v<L, SquaredHinge> || std::is_same_v<L, SmoothHinge>;
template <class L>
constexpr bool takes_numbers = std::is_same_v<L, Squared> || std::is_same_v<L, Huber>;

struct Drawn {
  Matrix<double> x;
  Vector<double> y, weights;
  bool offset;
  double lambda;
};

double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) *
         std::cos(2 * std::acos(-1.0) * random.uniform());
}

/// A number between low and high, each power of ten as likely.
double size_between(Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

/// Few or many samples, with columns of any mean and scale, or zero, constant, double.
Matrix<double> draw_samples(Random& random, double most_mean) {
  const auto n = static_cast<Index>(2 + random.uniform() * (random.uniform() < 0.3 ? 8 : 100));
  const auto d = static_cast<Index>(1 + random.uniform() * 15);
  const bool has_means = random.uniform() < 0.5;
  const bool has_scales = random.uniform() < 0.5;
  Matrix<double> x(n, d);
  for (Index j = 0; j < d; ++j) {
    const double mean =
        has_means && random.uniform() < 0.6 ? size_between(random, 0.1, most_mean) : 0;
    const double scale = has_scales ? size_between(random, 1e-8, 1e8) : 1;
    for (double& entry : x.col(j)) entry = scale * (mean + normal(random));
  }
  const double special = random.uniform();
  if (special < 0.1) x.col(0).setZero();
  if (special > 0.1 && special < 0.2) x.col(0).setConstant(size_between(random, 1e-3, 1e6));
  if (special > 0.2 && special < 0.3) x.col(0) = x.col(d - 1);
  return x;
}

template <class L>
Drawn draw(std::uint64_t seed, double most_mean) {
  Random random(seed);
  Drawn drawn{draw_samples(random, most_mean), {}, {}, random.uniform() < 0.75, 0};
  const Index n = drawn.x.rows();
  drawn.y = Vector<double>::Zero(n);
  for (Index j = 0; j < drawn.x.cols(); ++j) {
    const Vector<double> column = drawn.x.col(j).array() - drawn.x.col(j).mean();
    if (column.norm() > 0)
      drawn.y += column * (normal(random) / column.norm() * std::sqrt(static_cast<double>(n)));
  }
  const double target_mean = random.uniform() < 0.4 ? size_between(random, 1, 2e9) : 0;
  for (double& y : drawn.y) {
    const double p = y + normal(random);
    if constexpr (takes_signs<L>)
      y = p > 0 ? 1 : -1;
    else if constexpr (takes_numbers<L>)
      y = target_mean + p;
    else if constexpr (std::is_same_v<L, PoissonOfExponential>)
      y = 1 + std::floor(std::exp(std::min(p, 6.0)));
    else
      y = random.uniform();
  }
  if (random.uniform() < 0.4) {
    drawn.weights.resize(n);
    for (double& weight : drawn.weights) weight = random.uniform() < 0.2 ? 0 : random.uniform();
    drawn.weights[0] = 1;
    for (Index i = 1; i < n; ++i)  // nobody asks what is in there
      if (drawn.weights[i] == 0) drawn.x.row(i).setConstant(1e15);
  }
  const double lambdas[]{0, 1e-10, 1e-3, 10};
  drawn.lambda = lambdas[seed % 4];
  return drawn;
}

/// Holds what an optimizer has answered against a run of its own in long double.
template <class L, class S>
void judge(const ExactProblem<L>& problem, const S& solution, double tolerance) {
  const auto constant = problem.constant();
  const LongVector w = solution.weights.template cast<double>().template cast<Long>();
  const auto b = static_cast<Long>(static_cast<double>(solution.offset));
  const auto here = problem.at(w, b);
  const Long least =
      std::min(problem.descend(constant.w, constant.b).value, problem.descend(w, b).value);
  const auto value = static_cast<double>(here.value);
  const auto above = static_cast<double>(here.value - least);
  const auto rounding = static_cast<double>(4 * here.rounding + 1e-15L * constant.value);
  CAPTURE(solution.optimizer, name_of(solution.status), value, above, rounding);
  CHECK_THAT(solution.objective, WithinAbs(value, rounding));
  // With one class alone the best constant is infinite, and its F of 0 an infimum.
  CHECK(value <= static_cast<double>(constant.value) * (1 + tolerance) + rounding + 1e-16);
  if (solution.gap) CHECK(*solution.gap >= above - rounding);
  if (solution.status != Status::converged) return;
  CHECK(above <= tolerance * value + rounding);
  if (solution.gap) CHECK(*solution.gap <= tolerance * value + rounding);
}

/// `convert` makes of samples and targets those that are minimised on.
template <class L, class Convert>
void compare(const L& loss, int problems, double most_mean, const Convert& convert) {
  int converged = 0;
  for (int k = 0; k < problems; ++k) {
    const auto seed = static_cast<std::uint64_t>(k) + 1;
    const Drawn drawn = draw<L>(seed, most_mean);
    CAPTURE(name_of(loss), seed, drawn.offset, drawn.lambda);
    const auto [x, y, weights] = convert(drawn);
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    const Vector<T> s = weights.size() ? weights : Vector<T>::Ones(y.size()).eval();
    const ExactProblem<L> exact{
        loss,
        drawn.lambda,
        drawn.offset,
        LongMatrix(Matrix<double>(drawn.x.cast<T>().template cast<double>()).cast<Long>()),
        y.template cast<Long>(),
        s.template cast<Long>()};
    for_both(drawn.offset, 1e-6,
             [&, &x = x, &y = y, &weights = weights](const std::string&, const auto& optimizer) {
               const auto solution =
                   optimizer.minimize(Objective{loss, L2{drawn.lambda}}, x, y, weights);
               judge(exact, solution, 1e-6);
               converged += solution.status == Status::converged;
             });
  }
  CHECK(converged >= problems);  // of twice as many runs: the others have no minimum, say
}

}  // namespace

TEST_CASE("Newton and Lbfgs: F, gap and convergence are true on problems of every kind",
          "[optimizers]") {
  const int problems = is_watched ? 20 : 40;
  const auto as_they_are = [](const Drawn& drawn) {
    return std::tuple{drawn.x, drawn.y, drawn.weights};
  };
  compare(Log{}, problems, 1e6, as_they_are);
  compare(Squared{}, problems, 1e6, as_they_are);
  compare(Huber{0.7}, problems, 1e6, as_they_are);
  compare(SquaredHinge{}, problems, 1e6, as_they_are);
  compare(SmoothHinge{0.5}, problems, 1e6, as_they_are);
  compare(PoissonOfExponential{}, problems, 1e6, as_they_are);
  compare(SigmoidCrossEntropy{}, problems, 1e6, as_they_are);
}

TEST_CASE("Newton and Lbfgs: and in every layout and type", "[optimizers]") {
  compare(Log{}, 20, 1e6, [](const Drawn& drawn) {
    return std::tuple{Eigen::MatrixXd(drawn.x), drawn.y, drawn.weights};
  });
  compare(Log{}, 20, 1e6, [](const Drawn& drawn) {
    return std::tuple{synthetic::sparse(drawn.x), drawn.y, drawn.weights};
  });
  compare(Log{}, 20, 1e3, [](const Drawn& drawn) {
    return std::tuple{Matrix<float>(drawn.x.cast<float>()), Vector<float>(drawn.y.cast<float>()),
                      Vector<float>(drawn.weights.cast<float>())};
  });
  compare(Squared{}, 20, 1e3, [](const Drawn& drawn) {
    return std::tuple{synthetic::sparse(Matrix<float>(drawn.x.cast<float>())),
                      Vector<float>(drawn.y.cast<float>()),
                      Vector<float>(drawn.weights.cast<float>())};
  });
}
