// SPDX-License-Identifier: MIT
#pragma once
/// \file What optimizers answer to hard problems.
#include <cmath>     // isfinite
#include <concepts>  // same_as
#include <linea/core/certificate.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

#include "support/long_double_objective.hpp"

namespace linea::test {

/// One optimizer's answer.
struct Answer {
  std::string optimizer{};
  std::string storage{};
  Status status{};
  double tolerance{0};    ///< what `converged` means
  double epsilon{0};      ///< the rounding of its sums
  bool of_floats{false};  ///< the weights are rounded to floats
  RealPoint point{};
  double objective{0};
  std::optional<double> gap{};

  bool is_finite() const {
    bool finite = std::isfinite(point.offset) && std::isfinite(objective);
    for (const Real w : point.weights) finite = finite && std::isfinite(w);
    return finite;
  }
};

/// x in every storage that linea reads.
struct Storages {
  explicit Storages(const HardProblem& problem)
      : rows(problem.x),
        columns(problem.x),
        sparse(problem.x.sparseView()),
        float_rows(problem.x.cast<float>()),
        float_columns(problem.x.cast<float>()) {}

  Matrix<double> rows;
  core::ColumnMatrix<double> columns;
  SparseMatrix<double> sparse;
  Matrix<float> float_rows;
  core::ColumnMatrix<float> float_columns;
};

/// The answers to one problem.
class Answers {
 public:
  Answers(const HardProblem& problem, std::vector<Answer>& all) : problem_(problem), all_(all) {}

  const HardProblem& problem() const { return problem_; }

  /// Asks the optimizer for the minimum. `epsilon` is the rounding of its sums, `tolerance` what its
  /// `converged` promises.
  template <class Optimizer, class O, class X>
  auto ask(const Optimizer& optimizer, const O& objective, const X& x, const char* storage,
           double tolerance, double epsilon = 0x1p-52) {
    using T = scalar_t<X>;
    Extras<T> extras;
    extras.sample_weights = problem_.weights.template cast<T>();
    const Vector<T> y = problem_.y.template cast<T>();
    auto solution = optimizer.minimize(objective, x, y, extras);
    add(Optimizer::name, storage, solution, tolerance, epsilon);
    return solution;
  }

  template <class T>
  void add(std::string_view optimizer, const char* storage, const Solution<T>& solution,
           double tolerance, double epsilon = 0x1p-52) {
    Answer answer{.optimizer = std::string(optimizer), .storage = storage};
    answer.status = solution.status;
    answer.tolerance = tolerance;
    answer.epsilon = epsilon;
    answer.of_floats = std::same_as<T, float>;
    answer.objective = solution.objective;
    answer.gap = solution.gap;
    for (const T w : solution.weights) answer.point.weights.push_back(static_cast<Real>(w));
    answer.point.offset = static_cast<Real>(solution.offset);
    answer.point.value = objective_at(problem_, answer.point);
    all_.push_back(std::move(answer));
  }

  /// What certify says of a solution.
  void certify(const char* storage, Solution<double> solution, const Certificate& certificate) {
    solution.status = Status::epoch_limit;
    solution.objective = certificate.primal;
    solution.gap = certificate.gap();
    add("certify", storage, solution, 0);
  }

 private:
  const HardProblem& problem_;
  std::vector<Answer>& all_;
};

}  // namespace linea::test
