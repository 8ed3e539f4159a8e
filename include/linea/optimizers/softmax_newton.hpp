// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's method for multinomial logistic regression: all classes in one model.
#include <algorithm>  // max
#include <cmath>      // isfinite, round
#include <linea/core/parameters.hpp>
#include <linea/core/slip.hpp>
#include <linea/core/workers.hpp>
#include <linea/optimizers/newton/softmax_method.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Minimises, over weights w (d × k) and offset b (k) of k classes,
///
///     F(w, b) = (1/S) Σᵢ sᵢ·(ln Σₖ exp(pᵢₖ) − pᵢ,yᵢ) + λ/2·‖w‖²,   pᵢₖ = ⟨wₖ, xᵢ⟩ + bₖ,
///
/// the negative mean log-likelihood of classes with the chances exp(pᵢₖ)/Σ exp(pᵢ), for no penalty
/// or a squared one. Every class has weights. The offset is not penalised, and its sum is 0, for F
/// does not change when all offsets do by the same. It is `LogisticRegression` of scikit-learn with
/// C = 1/(λn).
///
/// Newton's method, by conjugate gradients on products with ∇²F, each one pass, preconditioned with
/// ∇²F within each class where d is at most some 1000, or with its diagonal. Scores move linearly
/// along a direction, so that the search of a line costs no pass. After each step b is moved to its
/// best for the weights.
///
/// Columns may be of different size. But samples that some rare and large entries could put right
/// beside the others, with next to no λ, make steps short, and the iterations may run out.
///
/// With λ > 0 `converged` is proven by the duality gap. With λ = 0 there is none, and the run ends
/// as settled, once half of the Newton decrement is at most tolerance·F. Separable samples have no
/// minimum then, and the run ends with epoch_limit or precision_limit. Columns far from 0 are read
/// relative to an origin where the offset is free: see samples::Frame.
///
/// Böhning, Annals of the Institute of Statistical Mathematics 44 (1992), for F and ∇²F; Lin, Weng
/// and Keerthi, JMLR 9 (2008), for the truncated method.
struct SoftmaxNewton {
  /// Weights (d × k) and offset (k).
  template <class T>
  using SolutionOf = Solution<T, Matrix<T>, Vector<T>>;

  static constexpr std::string_view name = "SoftmaxNewton";

  bool offset{true};       ///< fit b, or leave it 0
  double tolerance{1e-6};  ///< of the gap, or of the Newton decrement, relative to F
  Index iterations{100};   ///< at most
  Index threads{1};        ///< the same bits with any number

  /// x (n × d); y (n) of classes 0, 1, … k − 1, of each of which there is a sample of weight above
  /// 0, and k ≥ 2. Memory beside x: four tables of n × k doubles, k rounded up to a multiple of 8,
  /// and some of d × k, and at most 128 MiB for the preconditioner. Sums are in double for float x
  /// too. A start is not taken. Throws std::invalid_argument on input that is not well-formed.
  template <SquaredPenalty P, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SolutionOf<scalar_t<X>> minimize(const P& penalty, const X& x, const Y& y,
                                   const E& given = {}) const {
    using T = scalar_t<X>;
    return run(penalty, x, core::vector_of(y), extras_of<T>(given));
  }
  template <class F, class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  static constexpr std::string_view function = "SoftmaxNewton::minimize";

  template <class P, class X, class Y>
  SolutionOf<scalar_t<X>> run(const P& penalty, const X& x, const Y& y,
                              const Extras<scalar_t<X>>& extras) const {
    using T = scalar_t<X>;
    core::require_valid_parameters(function, "penalty", penalty);
    require_threads(function, threads);
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    require(iterations >= 0, function, ": ", iterations, " iterations");
    require(extras.start_weights.size() == 0 && extras.start_multipliers.size() == 0 &&
                extras.start_offset == T(0),
            function, ": a start is not taken: it is for one linear function, not one a class");
    auto set = samples::admit_samples_in_double(function, x, y.size(), extras.sample_weights);
    Vector<Index> classes;
    const Index count = admit_classes(y, set.weights, classes);
    return descend(set, std::move(classes), count, strong_convexity_of(penalty), extras);
  }

  template <class T, class Rows>
  SolutionOf<T> descend(samples::TrainingSet<Rows>& set, Vector<Index> classes, Index count,
                        double lambda, const Extras<T>& extras) const;

  /// Sets the class of each row, and answers how many classes there are. Those of
  /// rows of weight 0 are set to 0.
  template <class Y>
  static Index admit_classes(const Y& y, const Vector<double>& weights, Vector<Index>& classes) {
    constexpr double most = 1 << 20;
    classes = Vector<Index>::Zero(y.size());
    Index count = 0;
    for (Index i = 0; i < y.size(); ++i) {
      const auto label = static_cast<double>(y.coeff(i));
      require(label >= 0 && label < most && label == std::round(label), function, ": y(", i,
              ") = ", label, " is no class, which are 0, 1, 2, ...");
      if (weights.size() > 0 && weights[i] == 0) continue;
      classes[i] = static_cast<Index>(label);
      count = std::max(count, classes[i] + 1);
    }
    require(count >= 2, function,
            ": two classes are needed, but all samples of weight above 0 are ", "of class 0");
    Vector<double> samples = Vector<double>::Zero(count);
    for (Index i = 0; i < y.size(); ++i)
      if (weights.size() == 0 || weights[i] > 0) samples[classes[i]] += 1;
    for (Index k = 0; k < count; ++k)
      require(samples[k] > 0, function, ": class ", k, " of ", count,
              " has no sample of weight above 0");
    return count;
  }
};

// Not inline, so that linea::compiled can have it: see rows/compiled.hpp.
template <class T, class Rows>
SoftmaxNewton::SolutionOf<T> SoftmaxNewton::descend(samples::TrainingSet<Rows>& set,
                                                    Vector<Index> classes, Index count,
                                                    double lambda, const Extras<T>& extras) const {
  newton::SoftmaxMethod<Rows> method(std::move(set), std::move(classes), count, lambda, offset,
                                     threads);
  return solver::solve(name, method, solver::Limits{tolerance, iterations}, extras);
}

#define LINEA_SOFTMAX_OF(how, L, T, R)                                                             \
  how SoftmaxNewton::SolutionOf<T> SoftmaxNewton::descend(samples::TrainingSet<R>&, Vector<Index>, \
                                                          Index, double, const Extras<T>&) const;
#define LINEA_COMPILED_SOFTMAX(how) LINEA_EACH_ROWS(LINEA_SOFTMAX_OF, how, Log)
#ifdef LINEA_COMPILED
LINEA_COMPILED_SOFTMAX(extern template)
#endif

}  // namespace linea
