// SPDX-License-Identifier: MIT
#include <linea/losses.hpp>
#include <linea/optimizers.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace resume_test {

using namespace linea;
using namespace synthetic;

namespace {

/// Extras whose observer ends the run after `epoch`; 0: never.
template <class T>
Extras<T> observed(Index epoch, RunState* state = nullptr) {
  Extras<T> extras;
  extras.observer = [epoch](const Progress& progress) {
    return progress.epoch == epoch ? Control::stop : Control::proceed;
  };
  extras.state = state;
  return extras;
}

/// run(extras) must answer with the same bits whether it is stopped and taken up, once or at each
/// epoch on the way, or not; and a run that is stopped with what it answers without a state.
/// `epochs`: as many as it has at least.
template <class T, class Run>
void require_resumes(const Run& run, Index epochs) {
  const auto whole = run(observed<T>(0));
  INFO("status " << name_of(whole.status) << ", epochs " << whole.epochs);
  REQUIRE(whole.epochs >= epochs);
  const auto require_same = [](const auto& one, const auto& other) {
    REQUIRE(same_bits(one.weights, other.weights));
    REQUIRE(same_bits(one.offset, other.offset));
    REQUIRE(same_bits(one.objective, other.objective));
    REQUIRE(one.status == other.status);
    REQUIRE(one.iterate == other.iterate);
    REQUIRE(one.epochs == other.epochs);
    REQUIRE(one.updates == other.updates);
    REQUIRE(one.gap.has_value() == other.gap.has_value());
    if (one.gap) REQUIRE(same_bits(*one.gap, *other.gap));
  };
  RunState state;
  for (Index epoch = 1; epoch < epochs; ++epoch) {
    INFO("stopped after epoch " << epoch);
    RunState fresh;
    const auto stopped = run(observed<T>(epoch, &fresh));
    require_same(stopped, run(observed<T>(epoch)));
    REQUIRE(stopped.status == Status::stopped);
    require_same(run(observed<T>(0, &fresh)), whole);
    run(observed<T>(epoch, &state));  // goes on from epoch − 1
    REQUIRE(state.bytes.size() > 8);
  }
  require_same(run(observed<T>(0, &state)), whole);
  // A run that is at its end has nothing more to do.
  const std::string at_end = state.bytes;
  require_same(run(observed<T>(0, &state)), whole);
  REQUIRE(state.bytes == at_end);
}

struct Data {
  Matrix<double> x = synthetic::features(120, 7, 1, 0.6);
  Matrix<float> single = x.cast<float>();
  SparseMatrix<double> sparse = x.sparseView();
  Vector<double> y = signs(x, 2, 0.3);
};

}  // namespace

TEST_CASE("RunState: Sgd goes on to the bits of a run that nobody stopped", "[optimizers]") {
  const Data data;
  const Objective hinge{Hinge{}, L2{0.01}};
  const auto with = [&](const auto& sgd, const auto& objective, const auto& x, Index epochs) {
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    require_resumes<T>(
        [&](const Extras<T>& extras) { return sgd.minimize(objective, x, data.y, extras); },
        epochs);
  };
  SECTION("dense, until it has settled") {
    with(Sgd{.tolerance = 1e-2, .seed = 3}, hinge, data.x, 14);
  }
  SECTION("sparse") { with(Sgd{.epochs = 7, .tolerance = 0}, hinge, data.sparse, 7); }
  SECTION("float, its average") {
    with(Sgd{.epochs = 6, .iterate = Iterate::average}, hinge, data.single, 6);
  }
  SECTION("threads and growing batches") {
    with(Sgd{.epochs = 6, .batch = 2, .batch_growth = 1.5, .threads = 2}, hinge, data.x, 6);
  }
  SECTION("updates that end within an epoch") {
    with(Sgd{.max_updates = 500, .tolerance = 0}, hinge, data.x, 5);
  }
  SECTION("an L1 part") {
    const Objective sparse{Log{}, ElasticNet{.l1 = 0.02, .l2 = 0.01}};
    with(Sgd{.epochs = 6, .iterate = Iterate::average}, sparse, data.sparse, 6);
  }
  SECTION("steps so long that it is rolled back") {
    const BasicSgd<ConstantStep, WithReplacement> sgd{.epochs = 12, .tolerance = 0, .step = {40.0}};
    const Objective squared{Squared{}, L2{0.01}};
    REQUIRE(sgd.minimize(squared, data.x, data.y).restarts > 0);
    with(sgd, squared, data.x, 12);
  }
}

TEST_CASE("RunState: so do Pegasos, GradientDescent and Perceptron", "[optimizers]") {
  const Data data;
  const Objective hinge{Hinge{}, L2{0.05}};
  require_resumes<double>(
      [&](const auto& extras) {
        return Pegasos{.epochs = 6, .tolerance = 0}.minimize(hinge, data.sparse, data.y, extras);
      },
      6);
  require_resumes<double>(
      [&](const auto& extras) {
        return GradientDescent{.epochs = 6}.minimize(Objective{Log{}, L2{0.05}}, data.x, data.y,
                                                     extras);
      },
      6);
  const Vector<double> separable = signs(data.x, 5, 0.0);
  require_resumes<double>(
      [&](const auto& extras) { return Perceptron{.epochs = 1000}.fit(data.x, separable, extras); },
      4);
}

TEST_CASE("RunState: so do DualCoordinateAscent, Newton and Lbfgs", "[optimizers]") {
  const Data data;
  require_resumes<double>(
      [&](const auto& extras) {
        return DualCoordinateAscent{.tolerance = 1e-6}.minimize(Objective{Hinge{}, L2{0.01}},
                                                                data.sparse, data.y, extras);
      },
      9);  // the last of which are rounds of Newton's method
  require_resumes<double>(
      [&](const auto& extras) {
        return DualCoordinateAscent{.tolerance = 1e-8}.minimize(Objective{Log{}, L2{0.01}}, data.x,
                                                                data.y, extras);
      },
      8);
  require_resumes<float>(
      [&](const auto& extras) {
        return DualCoordinateAscent{.tolerance = 1e-4, .offset = false}.minimize(
            Objective{Hinge{}, L2{0.01}}, data.single, data.y, extras);
      },
      5);
  // Epochs of these two are passes; three iterations have more.
  const Objective log{Log{}, L2{1e-3}};
  require_resumes<double>(
      [&](const auto& extras) { return Newton{}.minimize(log, data.x, data.y, extras); }, 4);
  require_resumes<double>(
      [&](const auto& extras) { return Lbfgs{.memory = 3}.minimize(log, data.x, data.y, extras); },
      7);
}

TEST_CASE("RunState: so does CoordinateDescent", "[optimizers]") {
  const Data data;
  const auto with = [&](const auto& objective, const auto& x, const CoordinateDescent& descent,
                        Index iterations) {
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    require_resumes<T>(
        [&](const Extras<T>& extras) {
          Extras<T> warm = extras;
          if (!descent.offset) warm.start_weights = Vector<T>::Constant(x.cols(), T(0.25));
          return descent.minimize(objective, x, data.y, warm);
        },
        iterations);
  };
  SECTION("log loss, whose moments change with each model") {
    with(Objective{Log{}, L1{1e-3}}, data.x, {.tolerance = 1e-12}, 5);
  }
  SECTION("squared loss, which knows them from before; no offset, from a start") {
    with(Objective{Squared{}, ElasticNet{.l1 = 0.02, .l2 = 1e-6}}, data.sparse,
         {.offset = false, .tolerance = 1e-13}, 4);
  }
  SECTION("float, without a penalty of strength, until the iterations are used up") {
    with(Objective{Log{}, NoPenalty{}}, data.single, {.tolerance = 0, .iterations = 4}, 4);
  }
}

TEST_CASE("RunState: a state of another run of CoordinateDescent is refused", "[optimizers]") {
  const Data data;
  const Objective objective{Log{}, L1{1e-3}};
  const CoordinateDescent descent{.tolerance = 1e-10};
  RunState state;
  (void)descent.minimize(objective, data.x, data.y, observed<double>(2, &state));
  const std::string bytes = state.bytes;
  const auto refused = [&](const CoordinateDescent& other, const auto& of, const auto& x,
                           const std::string& why) {
    REQUIRE_THROWS_WITH(
        other.minimize(of, x, data.y, observed<double>(0, &state)),
        ContainsSubstring("CoordinateDescent::minimize: the state is ") && ContainsSubstring(why));
    REQUIRE(state.bytes == bytes);
  };
  refused({.tolerance = 1e-9}, objective, data.x, "a tolerance = 1e-10, but this one has 1e-09");
  refused({.offset = false, .tolerance = 1e-10}, objective, data.x, "an offset = 1");
  refused({.tolerance = 1e-10, .iterations = 7}, objective, data.x, "a limit of iterations = 1000");
  refused(descent, Objective{Log{}, L1{1.5e-3}}, data.x,
          "a penalty of weights from 1 to 2 = 0.0105");
  refused(descent, objective, Matrix<double>(2 * data.x), "slopes at its start");
  state.bytes.resize(bytes.size() / 2);
  REQUIRE_THROWS_WITH(descent.minimize(objective, data.x, data.y, observed<double>(0, &state)),
                      ContainsSubstring("the state is damaged"));
  state.bytes.clear();
  (void)Newton{}.minimize(Objective{Log{}, L2{1e-3}}, data.x, data.y, observed<double>(2, &state));
  REQUIRE_THROWS_WITH(descent.minimize(objective, data.x, data.y, observed<double>(0, &state)),
                      ContainsSubstring("an optimizer = Newton"));
  const auto whole = ProvenAuto{}.minimize(objective, data.x, data.y);
  state.bytes.clear();
  (void)ProvenAuto{}.minimize(objective, data.x, data.y, observed<double>(2, &state));
  const auto resumed =
      ProvenAuto{}.minimize(objective, data.x, data.y, observed<double>(0, &state));
  REQUIRE(resumed.optimizer == "CoordinateDescent");
  REQUIRE(same_bits(resumed.weights, whole.weights));
  REQUIRE(resumed.updates == whole.updates);
}

TEST_CASE("RunState: so does SoftmaxNewton", "[optimizers]") {
  const Data data;
  Vector<double> classes(data.y.size());
  for (Index i = 0; i < classes.size(); ++i) classes[i] = data.x(i, 0) > 0.5 ? 2 : data.y[i] > 0;
  const auto with = [&](const auto& penalty, const auto& x, const SoftmaxNewton& newton,
                        Index updates) {
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    require_resumes<T>(
        [&](const Extras<T>& extras) { return newton.minimize(penalty, x, classes, extras); },
        updates);
  };
  SECTION("steps from factors of the second derivative") {
    with(L2{1e-4}, data.x, {.tolerance = 1e-12}, 4);
  }
  SECTION("steps by conjugate gradients, until the iterations are used up") {
    with(L2{1e-6}, data.x, {.tolerance = 0, .iterations = 4, .exact_up_to = 0}, 4);
  }
  SECTION("float, no penalty and no offset") {
    with(NoPenalty{}, data.single, {.offset = false, .threads = 2}, 4);
  }
}

TEST_CASE("RunState: a state of another run of SoftmaxNewton is refused", "[optimizers]") {
  const Data data;
  Vector<double> classes(data.y.size());
  for (Index i = 0; i < classes.size(); ++i) classes[i] = static_cast<double>(i % 3);
  const SoftmaxNewton newton{.tolerance = 1e-12};
  RunState state;
  (void)newton.minimize(L2{1e-4}, data.x, classes, observed<double>(2, &state));
  const std::string bytes = state.bytes;
  const auto refused = [&](const SoftmaxNewton& other, double lambda, const Matrix<double>& x,
                           const Vector<double>& y, const std::string& why) {
    REQUIRE_THROWS_WITH(
        other.minimize(L2{lambda}, x, y, observed<double>(0, &state)),
        ContainsSubstring("SoftmaxNewton::minimize: the state is ") && ContainsSubstring(why));
    REQUIRE(state.bytes == bytes);
  };
  refused({.tolerance = 1e-11}, 1e-4, data.x, classes, "a tolerance = 1e-12, but this one has");
  refused({.offset = false, .tolerance = 1e-12}, 1e-4, data.x, classes, "an offset = 1");
  refused({.tolerance = 1e-12, .exact_up_to = 3}, 1e-4, data.x, classes, "exact_up_to = 200");
  refused({.tolerance = 1e-12, .iterations = 7}, 1e-4, data.x, classes, "iterations = 100, but");
  refused(newton, 2e-4, data.x, classes, "lambda = 0.0001, but this one has 0.0002");
  refused(newton, 1e-4, 2 * data.x, classes, "slopes there that sum up to");
  refused(newton, 1e-4, data.x, (classes.array() < 2).select(classes, 0.0), "classes = 3");
  refused(newton, 1e-4, data.x, classes.reverse(), "slopes there that sum up to");
  state.bytes[bytes.size() / 2] = static_cast<char>(state.bytes[bytes.size() / 2] ^ 1);
  REQUIRE_THROWS_WITH(newton.minimize(L2{1e-4}, data.x, classes, observed<double>(0, &state)),
                      ContainsSubstring("the state is damaged"));
}

TEST_CASE("RunState: a state of another run is refused", "[optimizers]") {
  const Data data;
  const Objective hinge{Hinge{}, L2{0.01}};
  RunState state;
  (void)Sgd{}.minimize(hinge, data.x, data.y, observed<double>(2, &state));
  const std::string bytes = state.bytes;
  const auto refused = [&](const auto& optimizer, const auto& objective, const auto& x,
                           const auto& y, const std::string& why) {
    REQUIRE_THROWS_WITH(optimizer.minimize(objective, x, y, observed<double>(0, &state)),
                        ContainsSubstring(why));
    REQUIRE(state.bytes == bytes);
  };
  refused(Pegasos{}, hinge, data.x, data.y, "an optimizer = Sgd, but this one has Pegasos");
  refused(DualCoordinateAscent{}, hinge, data.x, data.y, "but this one has DualCoordinateAscent");
  refused(Sgd{}, hinge, Matrix<double>(data.x.leftCols(6)), data.y, "features = 7");
  refused(Sgd{}, hinge, Matrix<double>(data.x.topRows(100)), Vector<double>(data.y.head(100)),
          "a number of samples = 120, but this one has 100");
  refused(Sgd{}, Objective{Log{}, L2{0.01}}, data.x, data.y, "F at its start");
  refused(Sgd{.threads = 2}, hinge, data.x, data.y, "a number of threads = 1");
  refused(Sgd{}, Objective{Hinge{}, L2{0.02}}, data.x, data.y,
          "lambda = 0.01, but this one has lambda = 0.02");
  refused(Sgd{.tolerance = 0.5}, hinge, data.x, data.y, "a tolerance = ");
  state.bytes[20] = static_cast<char>(state.bytes[20] ^ 1);
  REQUIRE_THROWS_WITH(Sgd{}.minimize(hinge, data.x, data.y, observed<double>(0, &state)),
                      ContainsSubstring("the state is damaged"));
}

TEST_CASE("RunState: the state of a run of another goal, or other samples, is refused",
          "[optimizers]") {
  const Data data;
  const auto check = [&data](auto optimizer) {
    const Objective objective{Log{}, L2{0.01}};
    RunState state;
    (void)optimizer.minimize(objective, data.x, data.y, observed<double>(2, &state));
    const auto refused = [&](const auto& by, const auto& of, const Matrix<double>& x,
                             const Vector<double>& y, const std::string& why) {
      REQUIRE_THROWS_WITH(by.minimize(of, x, y, observed<double>(0, &state)),
                          ContainsSubstring("the state is of a run with " + why));
    };
    refused(optimizer, Objective{Log{}, L2{1e-4}}, data.x, data.y,
            "lambda = 0.01, but this one has 0.0001");
    refused(optimizer, objective, 3 * data.x, data.y, "samples of the checksum = ");
    Vector<double> y = data.y;
    y[5] = -y[5];
    refused(optimizer, objective, data.x, y, "samples of the checksum = ");
    auto finer = optimizer;
    finer.tolerance /= 100;
    refused(finer, objective, data.x, data.y, "a tolerance = ");
    auto through_origin = optimizer;
    through_origin.offset = !optimizer.offset;
    refused(through_origin, objective, data.x, data.y, "an offset = ");
  };
  check(DualCoordinateAscent{});
  check(Newton{});
  check(Lbfgs{});
}

TEST_CASE("RunState: so does InteriorPoint", "[optimizers]") {
  const Data data;
  const Vector<double> real = numbers(data.x, 3);
  const auto with = [&](const auto& objective, const auto& x, const auto& y, Index epochs) {
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    require_resumes<T>(
        [&](const Extras<T>& extras) { return InteriorPoint{}.minimize(objective, x, y, extras); },
        epochs);
  };
  with(Objective{Hinge{}, L2{1e-3}}, data.x, data.y, 6);
  with(Objective{Hinge{}, L2{1e-3}}, data.single, data.y.cast<float>().eval(), 6);
  // Linear programs: with an absolute penalty; and with none where, two columns being the same,
  // there are minima far off and the search has several rounds.
  with(Objective{Absolute{}, L1{1e-2}}, data.sparse, real, 6);
  Matrix<double> twice(data.x.rows(), 8);
  twice << data.x, data.x.col(0);
  with(Objective{Hinge{}, L1{0}}, Matrix<double>(1e-3 * twice), signs(twice, 2, 0), 6);
}

TEST_CASE("RunState: a state of another run of InteriorPoint is refused, and Auto takes one up",
          "[optimizers]") {
  const Data data;
  const Objective objective{Hinge{}, L2{1e-3}};
  RunState state;
  (void)InteriorPoint{}.minimize(objective, data.x, data.y, observed<double>(2, &state));
  const auto refused = [&](const InteriorPoint& by, const auto& of, const Vector<double>& y,
                           const std::string& why) {
    REQUIRE_THROWS_WITH(by.minimize(of, data.x, y, observed<double>(0, &state)),
                        ContainsSubstring("the state is of a run with " + why));
  };
  refused({}, Objective{Hinge{}, L2{1e-2}}, data.y, "lambda = 0.001, but this one has 0.01");
  refused({}, Objective{Hinge{}, ElasticNet{1e-3, 1e-3}}, data.y, "l1 = 0, but this one has 0.001");
  refused({}, Objective{SmoothHinge{}, L2{1e-3}}, data.y, "n F at its start = ");
  refused({.offset = false}, objective, data.y, "an offset = ");
  refused({.tolerance = 1e-3}, objective, data.y, "a tolerance = ");
  refused({}, objective, -data.y, "samples of the checksum = ");

  // Auto climbs the dual first, and goes to the interior point where that is not enough.
  const Objective hard{Hinge{}, L2{1e-9}};
  const Matrix<double> x = synthetic::features(450, 50, 1, 0.6) * 100;
  const Vector<double> y = signs(x, 2, 0.3);
  const auto fit = [&](Index epoch, RunState* kept) {
    return ProvenAuto{.tolerance = 0}.minimize(hard, x, y, observed<double>(epoch, kept));
  };
  const auto whole = fit(0, nullptr);
  REQUIRE(whole.optimizer == "InteriorPoint");
  REQUIRE_THAT(whole.reason, ContainsSubstring("more than dual ascent reaches in 200 epochs"));
  RunState kept;
  for (const Index epoch : {3, 5, 2, 4, 6}) fit(epoch, &kept);  // of both
  REQUIRE(core::is_state_of(InteriorPoint::name, &kept));
  const auto resumed = fit(0, &kept);
  REQUIRE(same_bits(resumed.weights, whole.weights));
  REQUIRE(resumed.optimizer == whole.optimizer);
  REQUIRE(resumed.reason == whole.reason);
}

TEST_CASE("RunState: who keeps none refuses it, and Auto leaves it empty", "[optimizers]") {
  const Data data;
  RunState state;
  const auto extras = observed<double>(0, &state);
  const std::string why =
      "keeps no state: Sgd, Pegasos, GradientDescent, Perceptron, "
      "DualCoordinateAscent, CoordinateDescent, InteriorPoint, Newton, SoftmaxNewton and Lbfgs do";
  const Objective squared{Squared{}, L2{0.01}};
  REQUIRE_THROWS_WITH(Ridge{}.minimize(squared, data.x, data.y, extras),
                      "Ridge::minimize " + why + ", for one target");
  REQUIRE_THROWS_WITH(MaximumMargin{}.fit(data.x, data.y, extras), ContainsSubstring(why));
  REQUIRE_THROWS_WITH(
      Sgd{}.minimize_each(squared, data.x, Matrix<double>(data.y.replicate(1, 2)), extras),
      ContainsSubstring(why));
  (void)ProvenAuto{}.minimize(squared, data.x, data.y, extras);
  REQUIRE(state.empty());
  const auto newton = ProvenAuto{}.minimize(Objective{Log{}, L2{1e-4}}, data.x, data.y, extras);
  REQUIRE(newton.optimizer == "Newton");
  REQUIRE(!state.empty());
  REQUIRE_THROWS_WITH(ProvenAuto{}.minimize(squared, data.x, data.y, extras),
                      "Auto: the state is of another problem: this one goes to an optimizer that "
                      "keeps none");
}

}  // namespace resume_test
