// SPDX-License-Identifier: MIT
#pragma once
/// \file What an optimizer is tried on, and what it promises.
#include <cstdint>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>

namespace linea::check {

/// Samples x (n × d) and targets y (n). The laws ask for numbers that a float holds exactly.
struct OptimizerProblem {
  Matrix<double> x{};
  Vector<double> y{};
};

/// Which extras an optimizer takes as the place to start from.
enum class Start {
  none,         ///< it needs no start: one that is given makes no difference
  weights,      ///< start_weights and start_offset
  multipliers,  ///< start_multipliers
  either,       ///< the one or the other
};

/// How near two answers are that should be one.
struct Nearness {
  double objective;  ///< their F, relative to F
  double weights;  ///< their (w, b), relative to 1 + ‖(w, b)‖; infinity: where F has many minima
};

struct OptimizerOptions {
  /// Of other ways to one minimum: samples repeated, weighted or shifted, another seed. Its
  /// `objective` is also how far F may be above the lowest one known.
  Nearness minima{1e-6, 1e-3};
  Nearness layouts{1e-9, 1e-6};  ///< of the same samples in another layout
  Nearness floats{1e-4, 1e-2};   ///< of samples in float and in double
  /// What Status::converged says of an answer with a gap: gap ≤ gap_tolerance·F.
  double gap_tolerance{std::numeric_limits<double>::infinity()};
  /// An F that some (w, b) has on the problem; infinity: none is known.
  double lowest{std::numeric_limits<double>::infinity()};
  /// The same bits from in_double(x) as from x in double, and from sparse x whatever its index.
  bool same_bits{true};
  bool takes_weights{true};      ///< sample weights
  bool weights_scale{true};      ///< multiplying all of them by any number changes nothing
  bool takes_one_class{true};    ///< false: targets that are all the same may be refused
  bool checks_parameters{true};  ///< refuses parameters out of their domain
  bool observes{true};           ///< calls the observer, once an epoch
  bool checks_start{true};       ///< refuses a start that it has no use for or that does not fit
  Start start{Start::weights};
};

namespace detail {

/// A target that `loss` takes, near `score` and different for different scores where the loss
/// allows.
template <Loss L>
double target_near(const L& loss, double score) {
  if (is_valid_target(loss, -2.25)) return score;
  if (is_valid_target(loss, -1.0)) return score >= 0 ? 1 : -1;
  if (is_valid_target(loss, 2.0)) return score >= 0 ? 2 : 1;  // a count
  return score >= 0 ? 1 : 0;
}

/// A multiple of 1/64 in [−2, 2].
inline double coarse_number(Random& random) {
  return (static_cast<double>(random.below(257)) - 128) / 64;
}

}  // namespace detail

/// n ≥ 2 samples of d ≥ 1 features, a third of the entries 0, with targets that the loss takes and
/// that the features do not determine. All numbers are multiples of 1/64, so that float holds them
/// and what the laws add to them exactly. Throws std::invalid_argument if the loss takes none of
/// −1, 0, 1 and 2.
template <Loss L>
OptimizerProblem optimizer_problem(const L& loss, Index n, Index d, std::uint64_t seed = 1) {
  require(n >= 2 && d >= 1, "check::optimizer_problem: ", n, " samples of ", d, " features");
  Random random(seed);
  OptimizerProblem problem{Matrix<double>(n, d), Vector<double>(n)};
  for (Index i = 0; i < n; ++i) {
    double score = 0.5 + detail::coarse_number(random);
    for (Index j = 0; j < d; ++j) {
      const double value = detail::coarse_number(random);
      problem.x(i, j) = random.below(3) == 0 ? 0 : value;
      score += j % 2 == 0 ? problem.x(i, j) : -0.5 * problem.x(i, j);
    }
    problem.y[i] = detail::target_near(loss, score);
    require(is_valid_target(loss, problem.y[i]), "check::optimizer_problem: ", name_of(loss),
            " takes ", targets_of(loss), ", not ", problem.y[i]);
  }
  return problem;
}

}  // namespace linea::check
