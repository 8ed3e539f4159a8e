// SPDX-License-Identifier: MIT
#pragma once
/// \file Runs dlib's dual coordinate descent on a copy of the samples in dlib's format.
#include <dlib/svm/sparse_kernel.h>
#include <dlib/svm/svm_c_linear_dcd_trainer.h>

#include <linea/core/objective.hpp>
#include <linea/rows/rows_of.hpp>
#include <utility>
#include <vector>

#include "support/peer_fit.hpp"
#include "support/turns.hpp"

namespace bench {

/// Minimises λ/2·‖w‖² + mean hinge loss without offset: C = 1/(λn) for each sample.
class Dlib {
 public:
  /// Copies x (n × d) and y (n) of −1 and +1.
  template <linea::Samples X, class T>
  Dlib(const X& x, const linea::Vector<T>& y) : targets_(y.begin(), y.end()), columns_(x.cols()) {
    const auto rows = linea::rows_of(x);
    samples_.resize(static_cast<std::size_t>(rows.rows()));
    for (linea::Index i = 0; i < rows.rows(); ++i)
      rows.for_each(i, [&](linea::Index j, T value) {
        samples_[static_cast<std::size_t>(i)].emplace_back(j, value);
      });
  }

  PeerFit fit(double lambda) const {
    dlib::svm_c_linear_dcd_trainer<Kernel> trainer;
    trainer.include_bias(false);
    trainer.set_c(linea::c_from_lambda(lambda, static_cast<linea::Index>(samples_.size())));
    PeerFit fit;
    fit.weights.setZero(columns_);
    dlib::decision_function<Kernel> function;
    fit.seconds = seconds([&] { function = trainer.train(samples_, targets_); });
    for (const auto& [j, value] : function.basis_vectors(0))
      fit.weights[static_cast<linea::Index>(j)] = value;
    return fit;
  }

 private:
  using Sample = std::vector<std::pair<unsigned long, double>>;
  using Kernel = dlib::sparse_linear_kernel<Sample>;

  std::vector<Sample> samples_;
  std::vector<double> targets_;
  linea::Index columns_;
};

}  // namespace bench
