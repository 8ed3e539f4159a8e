// SPDX-License-Identifier: MIT
/// \file Gradient descent, Sgd and Pegasos on rows that are divided among processes: against all
/// rows on one, and against parameter mixing as it is written down.
#include <cmath>  // pow, sqrt
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_descent_test {

using namespace linea;
using namespace divided;

namespace {

constexpr Division divisions[] = {Division::even, Division::last_empty, Division::by_target};

/// A run on divided rows takes the steps of one on all of them.
template <class M, class O, class X>
void takes_the_same_steps(const M& optimizer, const O& objective, const Problem<X>& problem,
                          double tolerance = 1e-9) {
  const auto alone = optimizer.minimize(objective, problem.all_x, problem.all_y,
                                        {.sample_weights = problem.all_weights});
  const auto shared = optimizer.minimize(objective, problem.x, problem.y,
                                         {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE(shared.status == alone.status);
  REQUIRE(shared.epochs == alone.epochs);
  REQUIRE(shared.updates == alone.updates);
  REQUIRE_THAT(shared.first_step, WithinRel(alone.first_step, tolerance));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  REQUIRE_THAT(shared.offset, WithinRel(alone.offset, tolerance) || WithinAbs(0, tolerance));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, tolerance));
}

struct Mixed {
  Vector<double> w;
  double b{0};
};

/// Iterative parameter mixing of SGD on the hinge with λ/2·‖w‖², η = 1/(λt) and rows in order, by
/// its definition: every process makes an epoch from the same (w, b); the next begins at the mean
/// of where they end, each counting by the sample weights of its rows, at the t of the longest.
Mixed mixed_by_definition(const Problem<Matrix<double>>& problem, Division division, double lambda,
                          int epochs) {
  const Index n = problem.all_y.size();
  const Vector<double> s = problem.all_weights.size() > 0
                               ? Vector<double>(problem.all_weights / problem.all_weights.mean())
                               : Vector<double>(Vector<double>::Ones(n));
  Mixed at{Vector<double>::Zero(problem.all_x.cols())};
  Index t = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    Mixed mean{Vector<double>::Zero(at.w.size())};
    Index latest = t;
    for (Index rank = 0; rank < world().size(); ++rank) {
      const auto [first, last] = own_rows(n, division, rank);
      Mixed own = at;
      Index own_t = t;
      double share = 0;
      for (Index i = first; i < last; ++i) {
        const double eta = 1 / (lambda * static_cast<double>(++own_t));
        const double y = problem.all_y[i];
        const bool moves = y * (problem.all_x.row(i).dot(own.w) + own.b) <= 1;
        own.w *= 1 - eta * lambda;
        const double step = moves ? s[i] * y : 0;
        own.w += eta * step * problem.all_x.row(i).transpose();
        own.b += std::min(eta, 1 / std::sqrt(static_cast<double>(own_t))) * step;
        share += s[i] / static_cast<double>(n);
      }
      mean.w += share * own.w;
      mean.b += share * own.b;
      latest = std::max(latest, own_t);
    }
    at = mean;
    t = latest;
  }
  return at;
}

}  // namespace

TEST_CASE("GradientDescent: divided rows give the steps of all rows", "[mpi]") {
  const auto [x, y] = made_up(203, 6);
  const GradientDescent descent{.epochs = 60, .tolerance = 0};
  for (const auto division : divisions) {
    CAPTURE(division);
    takes_the_same_steps(descent, Objective{Log{}, L2{1e-2}}, divide(x, y, {}, division));
    takes_the_same_steps(descent, Objective{Log{}, ElasticNet{.l1 = 1e-2, .l2 = 1e-2}},
                         divide(x, y, made_up_weights(203), division));
  }
}

TEST_CASE("GradientDescent: sparse rows, and a step found by trial", "[mpi]") {
  const auto [x, y] = made_up(203, 6);
  const SparseMatrix<double> sparse = x.sparseView();
  // The hinge has no curvature bound. Its first step is the best of a pass over all rows.
  takes_the_same_steps(GradientDescent{.epochs = 40, .tolerance = 0}, Objective{Hinge{}, L2{1e-2}},
                       divide(sparse, y, {}, Division::by_target));
}

TEST_CASE("GradientDescent: fewer rows than ranks, and columns far from 0", "[mpi]") {
  takes_the_same_steps(GradientDescent{.epochs = 20, .tolerance = 0}, Objective{Log{}, L2{1e-1}},
                       divide(Matrix<double>{{1.0}, {2.0}, {3.0}, {-1.0}},
                              Vector<double>{{1, -1, 1, -1}}, {}, Division::last_empty));
  const auto [x, y] = made_up(203, 4, 1e4);
  takes_the_same_steps(GradientDescent{.epochs = 20, .tolerance = 0}, Objective{Log{}, L2{1e-2}},
                       divide(x, y, {}, Division::even), 1e-7);
}

TEST_CASE("Sgd: divided rows are learnt by parameter mixing", "[mpi]") {
  const auto [x, y] = made_up(97, 5);
  const double lambda = 0.05;
  for (const auto division : divisions)
    for (const bool weighted : {false, true}) {
      CAPTURE(division, weighted);
      const auto problem =
          divide(x, y, weighted ? made_up_weights(97) : Vector<double>{}, division);
      const BasicPegasos<InverseLambda, Cyclic> pegasos{
          .epochs = 4, .tolerance = 0, .iterate = Iterate::last};
      const auto found =
          pegasos.minimize(Objective{Hinge{}, L2{lambda}}, problem.x, problem.y,
                           {.sample_weights = problem.weights, .processes = world()});
      const auto expected = mixed_by_definition(problem, division, lambda, 4);
      REQUIRE(is_same_everywhere(numbers_of(found)));
      REQUIRE((found.weights - expected.w).norm() <= 1e-9 * expected.w.norm());
      REQUIRE_THAT(found.offset, WithinRel(expected.b, 1e-9));
      REQUIRE(found.updates == 4 * 97);
      REQUIRE(found.epochs == 4);
      const double f = objective_value(Objective{Hinge{}, L2{lambda}}, problem.all_x, problem.all_y,
                                       found.weights, found.offset, problem.all_weights);
      REQUIRE_THAT(found.objective, WithinRel(f, 1e-12));
    }
}

TEST_CASE("Sgd and Pegasos: divided rows come near the minimum", "[mpi]") {
  const auto [x, y] = made_up(1500, 6);
  const Objective objective{Log{}, L2{1e-2}};
  const double minimum = Newton{.tolerance = 1e-10}.minimize(objective, x, y).objective;
  for (const auto division : divisions)
    for (const Index threads : {1, 2}) {
      CAPTURE(division, threads);
      const auto problem = divide(x, y, made_up_weights(1500), division);
      const double own = Newton{.tolerance = 1e-10}
                             .minimize(objective, problem.all_x, problem.all_y,
                                       {.sample_weights = problem.all_weights})
                             .objective;
      const Extras<double> extras{.sample_weights = problem.weights, .processes = world()};
      const auto sgd = Sgd{.threads = threads}.minimize(objective, problem.x, problem.y, extras);
      REQUIRE(is_same_everywhere(numbers_of(sgd)));
      REQUIRE(sgd.objective <= own * 1.01);
      REQUIRE(sgd.status <= Status::epoch_limit);
      const auto mean = Sgd{.epochs = 30, .tolerance = 0, .iterate = Iterate::average}.minimize(
          objective, problem.x, problem.y, extras);
      REQUIRE(mean.iterate == Iterate::average);
      REQUIRE(is_same_everywhere(numbers_of(mean)));
      REQUIRE(mean.objective <= own * 1.01);
    }
  const auto problem = divide(x, y, {}, Division::even);
  const auto pegasos = Pegasos{.epochs = 20, .project = true}.minimize(
      objective, problem.x, problem.y, {.processes = world()});
  REQUIRE(is_same_everywhere(numbers_of(pegasos)));
  REQUIRE(pegasos.objective <= minimum * 1.02);
}

TEST_CASE("Sgd: max_updates is kept by all ranks together", "[mpi]") {
  const auto [x, y] = made_up(97, 5);
  const Objective objective{Hinge{}, L2{1e-2}};
  for (const auto division : divisions)
    for (const Index most : {1, 40, 130, 500}) {
      const auto problem = divide(x, y, {}, division);
      const auto found = Sgd{.max_updates = most, .tolerance = 0}.minimize(
          objective, problem.x, problem.y, {.processes = world()});
      REQUIRE(found.updates == most);
      REQUIRE(is_same_everywhere(numbers_of(found)));
    }
}

TEST_CASE("Sgd: float rows and a step that diverges at first", "[mpi]") {
  const auto [x, y] = made_up(203, 4);
  const auto problem = divide(x, y, {}, Division::last_empty);
  const Matrix<float> single = problem.x.cast<float>();
  const Vector<float> targets = problem.y.cast<float>();
  const auto found = BasicSgd<ConstantStep>{.step = ConstantStep{1e4}}.minimize(
      Objective{Squared{}, L2{1e-2}}, single, targets, Extras<float>{.processes = world()});
  REQUIRE(is_same_everywhere(numbers_of(found)));
  REQUIRE(found.restarts > 0);
  const double minimum = Newton{}.minimize(Objective{Squared{}, L2{1e-2}}, x, y).objective;
  REQUIRE(found.objective <= minimum * 1.3);
}

TEST_CASE("Sgd: each of many targets as that target alone", "[mpi]") {
  const auto [x, y] = made_up(97, 5);
  const auto problem = divide(x, y, {}, Division::last_empty);
  const Objective objective{Hinge{}, L2{1e-2}};
  Matrix<double> both(problem.y.size(), 2);
  both << problem.y, -problem.y;
  const Sgd sgd{.epochs = 7, .threads = 2};
  const auto each = sgd.minimize_each(objective, problem.x, both, {.processes = world()});
  for (Index k = 0; k < 2; ++k) {
    const auto one = Sgd{.epochs = 7}.minimize(objective, problem.x, Vector<double>(both.col(k)),
                                               {.processes = world()});
    REQUIRE(numbers_of(each[static_cast<std::size_t>(k)]) == numbers_of(one));
  }
}

TEST_CASE("Sgd: one rank has the bits of no communicator", "[mpi]") {
  const auto [x, y] = made_up(203, 6);
  MpiCommunicator self(MPI_COMM_SELF);
  const Objective objective{Log{}, L2{1e-3}};
  const auto alone = Sgd{.epochs = 8}.minimize(objective, x, y);
  const auto one = Sgd{.epochs = 8}.minimize(objective, x, y, {.processes = self});
  REQUIRE(numbers_of(alone) == numbers_of(one));
  REQUIRE(self.bytes_sent() == 0);
}

}  // namespace mpi_descent_test
