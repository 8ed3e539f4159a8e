// SPDX-License-Identifier: MIT
/// \file Every law of an optimizer fails on an optimizer that breaks it, and none on one that does
/// not.
#include <algorithm>  // any_of, find
#include <atomic>
#include <cmath>
#include <functional>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <type_traits>

#include "support/catch.hpp"
#include "support/laws/optimizer.hpp"

using namespace linea;

namespace {

/// What is wrong with an optimizer; empty: nothing.
using Fault = std::string_view;

std::atomic<int> calls{0};

/// Lbfgs for F = mean of ½(⟨w, x⟩ + b − y)² + λ/2·‖w‖², with at most one fault.
struct Planted {
  Fault fault{};
  bool offset{true};
  std::uint64_t seed{0};
  Index epochs{60};
  double tolerance{1e-12};

  bool has(Fault one) const { return fault == one; }

  template <class X, class Y, class T>
  Solution<T> minimize(const Objective<Squared, L2>& objective, const X& x, const Y& y,
                       const Extras<T>& extras) const {
    admit(objective, x, y, extras);
    Extras<double> more;
    more.sample_weights = extras.sample_weights.template cast<double>();
    more.observer = extras.observer;
    more.start_weights = extras.start_weights.template cast<double>();
    more.start_offset = extras.start_offset;
    Matrix<double> rows;
    bool is_sparse = false;
    constexpr bool is_view = SampleView<X>;
    constexpr bool is_long = requires { requires sizeof(typename X::StorageIndex) == 8; }
    &&!DenseExpression<X>;
    if constexpr (is_view) {
      rows = x.matrix().template cast<double>();
    } else {
      rows = x.template cast<double>();
      is_sparse = SparseExpression<X>;
    }
    if (is_sparse && has("passes_over_a_sparse_column")) rows.col(0).setZero();
    const Solution<double> found =
        run(objective.penalty.lambda, rows, y.template cast<double>(), more);
    Solution<T> solution;
    solution.weights = found.weights.template cast<T>();
    solution.offset = static_cast<T>(found.offset);
    solution.objective = found.objective;
    solution.gap = found.gap;
    solution.status = found.status;
    solution.epochs = found.epochs;
    if ((is_view && has("rounds_in_double")) || (is_long && has("rounds_long_indices")))
      solution.weights[0] *= T(1 + 1e-14);
    return solution;
  }

 private:
  template <class... Parts>
  void demand(bool holds, Fault blind_to, const Parts&... parts) const {
    if (holds || (!blind_to.empty() && has(blind_to))) return;
    if (has("another_exception")) throw std::runtime_error("Planted::minimize: no");
    if (has("no_facts")) refuse("Planted::minimize: no");
    refuse(has("another_name") ? "Other::minimize: " : "Planted::minimize: ", parts...);
  }

  template <class X, class Y, class T>
  void admit(const Objective<Squared, L2>& objective, const X& x, const Y& y,
             const Extras<T>& extras) const {
    const double lambda = objective.penalty.lambda;
    demand(lambda >= 0, "takes_any_lambda", "lambda = ", lambda);
    demand(tolerance >= 0, "takes_any_tolerance", "tolerance = ", tolerance);
    demand(epochs >= 0, "", epochs, " epochs");
    const Index n = x.rows();
    const Index d = x.cols();
    demand(n > 0 && d > 0, "takes_empty", "(", n, " x ", d, ")");
    demand(n == y.size(), "takes_sizes_that_differ", n, " rows, ", y.size(), " targets");
    admit_rows(rows_of(x));
    if (has("changes_y")) const_cast<Y&>(y)[0] += 1;
    for (Index i = 0; i < y.size(); ++i)
      demand(std::isfinite(y[i]), "takes_infinite_y", "y(", i, ") = ", y[i]);
    const auto& s = extras.sample_weights;
    demand(s.size() == 0 || s.size() == n, "takes_wrong_weight_sizes", s.size(), " for ", n);
    for (Index i = 0; i < s.size(); ++i)
      demand(s[i] >= 0 && std::isfinite(s[i]), "takes_negative_weights", i, ": ", s[i]);
    demand(s.size() == 0 || s.maxCoeff() > 0, "takes_zero_weights", "all zero");
    const auto& w = extras.start_weights;
    demand(w.size() == 0 || w.size() == d, "takes_any_start", w.size(), " for ", d);
    demand(w.allFinite() && std::isfinite(extras.start_offset), "takes_infinite_starts",
           "not finite");
    demand(extras.start_offset == 0 || (offset && w.size() > 0), "takes_any_start", "start_offset");
    demand(extras.start_multipliers.size() == 0, "takes_any_start", "multipliers");
  }

  template <class Rows>
  void admit_rows(const Rows& rows) const {
    for (Index i = 0; i < rows.rows(); ++i) {
      std::vector<Index> seen;
      rows.for_each(i, [&](Index j, auto value) {
        demand(std::isfinite(value),
               Rows::is_sparse ? "takes_infinite_sparse_x" : "takes_infinite_x", "x(", i, ", ", j,
               ") = ", value);
        demand(std::find(seen.begin(), seen.end(), j) == seen.end(), "takes_columns_twice", "row ",
               i, " names column ", j, " twice");
        demand(seen.empty() || seen.back() < j || !has("refuses_columns_out_of_order"), "", "row ",
               i);
        seen.push_back(j);
      });
    }
  }

  /// What Lbfgs finds, with the faults of the minimum. Where it refuses, w = 0.
  Solution<double> run(double lambda, Matrix<double> x, Vector<double> y,
                       Extras<double> extras) const {
    const Index d = x.cols();
    Vector<double>& weights = extras.sample_weights;
    if (weights.size() != y.size()) weights.resize(0);
    if (has("squares_weights")) weights = weights.cwiseAbs2().eval();
    if (has("counts_absent_samples")) weights = weights.cwiseMax(0.01).eval();
    if (has("keeps_the_scale_of_weights") && weights.size() > 0)
      lambda *= static_cast<double>(y.size()) / weights.sum();
    if (y.size() > 0 && has("depends_on_the_seed")) y[0] += static_cast<double>(seed);
    if (y.size() > 0 && has("counts_its_calls")) y[0] += 1e-9 * static_cast<double>(++calls);
    const bool has_start = extras.start_weights.size() > 0;
    const bool penalises = has("penalises_the_offset") && offset && x.rows() > 0;
    if (penalises) {  // as the weight of a column of ones
      x.conservativeResize(Eigen::NoChange, d + 1);
      x.col(d).setOnes();
      if (has_start) {
        extras.start_weights.conservativeResize(d + 1);
        extras.start_weights[d] = extras.start_offset;
        extras.start_offset = 0;
      }
    }
    if (extras.observer) extras.observer = observer_of(extras.observer);
    const Lbfgs lbfgs{.offset = (offset && !penalises) || has("moves_a_fixed_offset"),
                      .tolerance = tolerance,
                      .iterations = has("stops_early")          ? 1
                                    : has("converges_too_soon") ? 2
                                                                : epochs};
    Solution<double> found;
    try {
      found = lbfgs.minimize(Objective{Squared{}, L2{lambda}}, x, y, extras);
    } catch (const std::invalid_argument&) {
      found.weights = Vector<double>::Zero(x.cols());
    }
    if (penalises) {
      found.offset = found.weights[d];
      found.weights = found.weights.head(d).eval();
    }
    if (has_start && has("leaves_its_start")) found.weights.array() += 1;
    if (has("reports_the_risk")) found.objective -= lambda / 2 * found.weights.squaredNorm();
    if (has("negative_gap")) found.gap = -1e-300;
    if (has("gap_too_small")) found.gap = 0.01 * *found.gap;
    if (has("converges_too_soon")) found.status = Status::converged;
    if (has("hides_stop") && found.status == Status::stopped) found.status = Status::epoch_limit;
    if (has("misreports_extremes") && x.rows() == 1) found.objective += 1;
    if (has("claims_not_a_number") && x.col(0).squaredNorm() == 0) {
      found.weights[0] = std::nan("");
      found.status = Status::converged;
    }
    return found;
  }

  /// What the observer is told, and what becomes of its answer.
  std::function<Control(const Progress&)> observer_of(
      const std::function<Control(const Progress&)>& observer) const {
    if (has("never_tells")) return {};
    struct Run final : ObservedRun {
      double objective() const override { return value; }
      double gap() const override { return bound; }
      Point<double> iterate(Index) const override { return point; }
      double value, bound;
      Point<double> point;
    };
    return [this, observer](const Progress& told) {
      Run run;
      run.value = told.objective();
      run.bound = has("tells_a_gap_too_small") ? 0 : told.gap();
      run.point = told.iterate();
      if (has("shows_another_iterate")) run.point.offset = 1;
      Progress progress = told;
      progress.run = &run;
      if (has("counts_from_zero")) --progress.epoch;
      try {
        return observer(progress) == Control::stop && !has("ignores_stop") ? Control::stop
                                                                           : Control::proceed;
      } catch (...) {
        if (!has("swallows")) throw;
        return Control::stop;
      }
    };
  }
};

const Objective objective{Squared{}, L2{0.25}};
const auto problem = check::optimizer_problem(Squared{}, 30, 4);

std::vector<check::Violation> violations(Fault fault, check::Start start = check::Start::weights) {
  const Planted right;
  check::OptimizerOptions options{.minima = {1e-10, 1e-5}, .gap_tolerance = 1e-11};
  options.start = start;
  options.lowest = right.minimize(objective, problem.x, problem.y, Extras<double>{}).objective;
  return check::optimizer<check::Layouts::all>("Planted::minimize", Planted{.fault = fault},
                                               objective, problem, options);
}

bool breaks(Fault fault, const std::string& law) {
  const auto found = violations(fault);
  for (const auto& violation : found) UNSCOPED_INFO(violation);
  return std::any_of(found.begin(), found.end(),
                     [&](const auto& violation) { return violation.law == law; });
}

struct Throws {
  template <class X, class Y, class T>
  Solution<T> minimize(const Objective<Squared, L2>&, const X&, const Y&, const Extras<T>&) const {
    throw std::runtime_error("out of luck");
  }
};

}  // namespace

TEST_CASE("check::optimizer: finds nothing wrong with a right optimizer", "[check]") {
  CHECK(violations("") == std::vector<check::Violation>{});
}

TEST_CASE("check::optimizer: each law of the minimum fails on an optimizer that breaks it",
          "[check]") {
  CHECK(breaks("stops_early", "reaches_the_minimum"));
  CHECK(breaks("passes_over_a_sparse_column", "same_minimum_in_every_layout"));
  CHECK(breaks("rounds_in_double", "same_bits_in_alike_layouts"));
  CHECK(breaks("rounds_long_indices", "same_bits_in_alike_layouts"));
  CHECK(breaks("squares_weights", "weights_count_as_repeats"));
  CHECK(breaks("counts_absent_samples", "weights_count_as_repeats"));
  CHECK(breaks("keeps_the_scale_of_weights", "weights_have_no_scale"));
  CHECK(breaks("penalises_the_offset", "offset_follows_targets"));
  CHECK(breaks("penalises_the_offset", "offset_follows_columns"));
  CHECK(breaks("moves_a_fixed_offset", "offset_can_stay_zero"));
}

TEST_CASE("check::optimizer: each law of a run fails on an optimizer that breaks it", "[check]") {
  CHECK(breaks("reports_the_risk", "reported_objective_is_so"));
  CHECK(breaks("negative_gap", "gap_bounds_the_distance"));
  CHECK(breaks("gap_too_small", "gap_bounds_the_distance"));
  CHECK(breaks("converges_too_soon", "gap_bounds_the_distance"));
  CHECK(breaks("counts_its_calls", "same_bits_again"));
  CHECK(breaks("depends_on_the_seed", "seeds_share_the_minimum"));
  CHECK(breaks("never_tells", "observer_is_told"));
  CHECK(breaks("counts_from_zero", "observer_is_told"));
  CHECK(breaks("tells_a_gap_too_small", "observer_is_told"));
  CHECK(breaks("shows_another_iterate", "observer_is_told"));
  CHECK(breaks("ignores_stop", "observer_can_stop"));
  CHECK(breaks("hides_stop", "observer_can_stop"));
  CHECK(breaks("swallows", "observer_can_stop"));
  CHECK(breaks("leaves_its_start", "warm_start_is_no_worse"));
  const auto needless = violations("", check::Start::none);
  REQUIRE(needless.size() == 1);  // it takes a start, and is said to need none
  CHECK(needless[0].law == "needless_start_is_ignored");
  CHECK(breaks("claims_not_a_number", "extremes_are_met_honestly"));
  CHECK(breaks("misreports_extremes", "extremes_are_met_honestly"));
}

TEST_CASE("check::optimizer: each law of the door fails on an optimizer that breaks it",
          "[check]") {
  CHECK(breaks("takes_empty", "refuses_empty_samples"));
  CHECK(breaks("takes_sizes_that_differ", "refuses_sizes_that_differ"));
  CHECK(breaks("takes_wrong_weight_sizes", "refuses_sizes_that_differ"));
  CHECK(breaks("takes_infinite_x", "refuses_what_is_not_finite"));
  CHECK(breaks("takes_infinite_sparse_x", "refuses_what_is_not_finite"));
  CHECK(breaks("takes_infinite_y", "refuses_what_is_not_finite"));
  CHECK(breaks("takes_negative_weights", "refuses_sample_weights"));
  CHECK(breaks("takes_zero_weights", "refuses_sample_weights"));
  CHECK(breaks("takes_any_start", "refuses_starts"));
  CHECK(breaks("takes_infinite_starts", "refuses_starts"));
  CHECK(breaks("takes_any_lambda", "refuses_parameters"));
  CHECK(breaks("takes_any_tolerance", "refuses_parameters"));
  CHECK(breaks("takes_columns_twice", "refuses_columns_named_twice"));
  CHECK(breaks("refuses_columns_out_of_order", "refuses_columns_named_twice"));
  for (const Fault fault : {"another_name", "no_facts", "another_exception", "changes_y"}) {
    CHECK(breaks(fault, "refuses_what_is_not_finite"));
  }
}

TEST_CASE("check::optimizer: a target that the loss does not take must be refused", "[check]") {
  // The objective is that of Hinge, the optimizer one that takes any target.
  const auto deaf = [](const auto&, const auto& x, const auto& y, const auto& extras) {
    return Planted{}.minimize(objective, x, y, extras);
  };
  const Objective hinge{Hinge{}, L2{0.25}};
  const auto found = check::optimizer_door<check::Layouts::rows>(
      "Planted::minimize", deaf, hinge, check::optimizer_problem(Hinge{}, 30, 4));
  REQUIRE(found.size() == 2);
  CHECK(found[0].law == "refuses_targets_of_other_losses");
  CHECK(found[0].message == "Planted::minimize: a target that the loss does not take: not refused");
  CHECK(found[1].law == "refuses_parameters");
}

namespace {

/// What an optimizer that starts at multipliers takes though it should not, or calls by no name.
enum class Taken { nothing, other_sizes, not_finite, weights };

std::vector<check::Violation> violations_of_multipliers(Taken taken) {
  const auto climbs = [taken](const auto& f, const auto& x, const auto& y, auto extras) {
    // Beside an offset nothing is taken: a law must come without one.
    const bool careful = extras.start_offset != 0;
    const auto& a = extras.start_multipliers;
    const auto demand = [&](bool holds, Taken fault, const char* fact) {
      if (!holds && (careful || taken != fault)) refuse("Planted::minimize: ", fact);
    };
    demand(a.size() == 0 || a.size() == y.size(), Taken::other_sizes, "size of multipliers");
    demand(a.allFinite(), Taken::not_finite, "multipliers");
    demand(extras.start_weights.size() == 0, Taken::weights, "no weights: multipliers");
    if (careful) refuse("Planted::minimize: no start_offset beside multipliers");
    extras.start_multipliers.resize(0);
    return Planted{}.minimize(f, x, y, extras);
  };
  check::OptimizerOptions options;
  options.start = check::Start::multipliers;
  auto found = check::optimizer_door<check::Layouts::rows>("Planted::minimize", climbs, objective,
                                                           problem, options);
  std::erase_if(found, [](const auto& violation) { return violation.law != "refuses_starts"; });
  return found;
}

}  // namespace

TEST_CASE("check::optimizer: the law of starts fails where wrong multipliers are taken",
          "[check]") {
  CHECK(violations_of_multipliers(Taken::nothing) == std::vector<check::Violation>{});
  const auto message = [](Taken taken) {
    const auto found = violations_of_multipliers(taken);
    return found.size() == 1 ? found[0].message : "";
  };
  CHECK(message(Taken::other_sizes) == "Planted::minimize: a start of another size: not refused");
  CHECK(message(Taken::not_finite) == "Planted::minimize: a start that is not finite: not refused");
  CHECK(message(Taken::weights) == "Planted::minimize: weights for a start: not refused");
}

TEST_CASE("check::optimizer: what an optimizer throws in a legal call is a violation", "[check]") {
  const auto found = check::optimizer<check::Layouts::rows>("Throws", Throws{}, objective, problem);
  REQUIRE(found.size() > 5);
  CHECK(found[0].law == "reaches_the_minimum");
  CHECK(found[0].message == "Throws: throws \"out of luck\"");
}

TEST_CASE("check::objective_value: is the weighted mean of the losses plus the penalty",
          "[check]") {
  const Matrix<double> x{{1, 2}, {0, -1}, {3, 0}};
  const Vector<double> y{{1, -1, 1}}, w{{0.5, -1}}, weights{{1, 0, 3}};
  // Scores with b = 0.25 are −1.25, 1.25 and 1.75, hinge losses 2.25, 2.25 and 0; ‖w‖² = 1.25.
  const Objective hinge{Hinge{}, L2{0.8}};
  CHECK(check::objective_value(hinge, x, y, w, 0.25) == 2.0);
  CHECK(check::objective_value(hinge, x, y, w, 0.25, weights) == 1.0625);
  CHECK_THAT(check::objective_value(hinge, x, y, w, 0.25, 0.3 * weights), WithinRel(1.0625, 1e-15));
  // A sample of weight 0 does not count, not even where its loss is infinite.
  const Matrix<double> far{{1, 2}, {1e300, 0}, {3, 0}};
  CHECK(check::objective_value(Objective{Squared{}, L2{0}}, far, y, w, 0, weights) ==
        (3.125 + 3 * 0.125) / 4);
  // The offset is not penalised.
  CHECK(check::objective_value(hinge, x, y, Vector<double>::Zero(2), 7) == 8.0 / 3);
}
