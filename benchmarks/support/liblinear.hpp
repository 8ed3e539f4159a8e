// SPDX-License-Identifier: MIT
#pragma once
/// \file Runs LIBLINEAR through its C functions, on a copy of the samples in its own format.
#include <dlfcn.h>
#include <linear.h>

#include <cstdlib>  // srand
#include <linea/core/objective.hpp>
#include <linea/rows/rows_of.hpp>
#include <vector>

#include "support/peer_fit.hpp"
#include "support/turns.hpp"

namespace bench {

/// Minimises λ/2·‖w‖² + mean loss without offset: bias is −1 (none) and C = 1/(λn). Solvers 5 and 6
/// have the penalty λ·‖w‖₁.
class Liblinear {
 public:
  /// Copies x (n × d) and y (n) of −1 and +1.
  template <linea::Samples X, class T>
  Liblinear(const X& x, const linea::Vector<T>& y) : targets_(y.template cast<double>()) {
    const auto rows = linea::rows_of(x);
    std::vector<std::size_t> starts;
    for (linea::Index i = 0; i < rows.rows(); ++i) {
      starts.push_back(nodes_.size());
      rows.for_each(i, [&](linea::Index j, T value) {
        if (value != T(0)) nodes_.push_back({static_cast<int>(j) + 1, static_cast<double>(value)});
      });
      nodes_.push_back({-1, 0});
    }
    for (const std::size_t start : starts) rows_.push_back(nodes_.data() + start);
    problem_ = {static_cast<int>(rows.rows()), static_cast<int>(rows.cols()), targets_.data(),
                rows_.data(), -1};
    set_print_string_function([](const char*) {});
    // One thread only: OpenBLAS would use all cores.
    if (void* const set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
      reinterpret_cast<void (*)(int)>(set_threads)(1);
  }
  Liblinear(const Liblinear&) = delete;
  Liblinear& operator=(const Liblinear&) = delete;

  /// Runs a solver, numbered as on LIBLINEAR's command line: 3 is the hinge loss's dual, 0 and 7
  /// are log loss.
  PeerFit fit(int solver, double lambda, double epsilon) const {
    parameter options{};
    options.solver_type = solver;
    options.eps = epsilon;
    options.C = linea::c_from_lambda(lambda, problem_.l);
    std::srand(1);
    model* fitted = nullptr;
    PeerFit fit;
    fit.seconds = seconds([&] { fitted = train(&problem_, &options); });
    fit.weights = Eigen::Map<const Eigen::VectorXd>(fitted->w, problem_.n);
    if (fitted->label[0] < 0) fit.weights = -fit.weights;
    free_and_destroy_model(&fitted);
    return fit;
  }

  /// Returns the largest_tolerance of LIBLINEAR's fits. LIBLINEAR ends after 1000 iterations.
  template <class F>
  std::optional<double> largest_epsilon(int solver, double lambda, double most, F&& is_near) const {
    return largest_tolerance(
        30, most, [&](double epsilon) { return fit(solver, lambda, epsilon); }, is_near);
  }

 private:
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> rows_;
  Eigen::VectorXd targets_;
  problem problem_{};
};

}  // namespace bench
