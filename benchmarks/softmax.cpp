// SPDX-License-Identifier: MIT
/// \file Measures softmax regression with a proof against a plain L-BFGS over Eigen's products, which
/// runs until its F is as near the minimum as the proof says. Samples are made up, or files of
/// several classes.
#include <algorithm>  // max
#include <cmath>
#include <deque>
#include <linea/core/random.hpp>
#include <linea/data/labels.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>

#include "support/data.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

/// F of softmax regression and its gradient, in the scalar of x. θ (d + 1 × k) has the offsets in
/// its last row.
template <class X>
struct Plain {
  using T = typename X::Scalar;
  using Theta = linea::Matrix<T>;

  const X& x;
  const std::vector<Index>& y;
  Index classes;
  double lambda;

  double operator()(const Theta& theta, Theta& gradient) const {
    const Index n = x.rows(), d = x.cols();
    const auto w = theta.topRows(d);
    linea::Matrix<T> p = x * w;
    p.rowwise() += theta.row(d);
    double loss = 0;
    for (Index i = 0; i < n; ++i) {
      auto row = p.row(i).array();
      const T most = row.maxCoeff();
      const T right = row[y[static_cast<std::size_t>(i)]];
      row = (row - most).exp();
      const T sum = row.sum();
      loss += std::log(static_cast<double>(sum)) + static_cast<double>(most - right);
      row *= 1 / (sum * static_cast<T>(n));
      row[y[static_cast<std::size_t>(i)]] -= 1 / static_cast<T>(n);
    }
    gradient.resize(d + 1, classes);
    gradient.topRows(d) = x.transpose() * p + static_cast<T>(lambda) * w;
    gradient.row(d) = p.colwise().sum();
    return loss / static_cast<double>(n) + lambda / 2 * static_cast<double>(w.squaredNorm());
  }
};

/// L-BFGS of memory 10 with backtracking (Nocedal and Wright, algorithm 7.5), from 0 until F ≤
/// `enough`. Returns the number of evaluations of F, or 0 if F does not get there.
template <class F>
Index plain_lbfgs(const F& f, double enough, Index most = 5000) {
  using Theta = typename F::Theta;
  using T = typename F::T;
  struct Pair {
    Theta s, y;
    T rho;
  };
  const auto dot = [](const Theta& a, const Theta& b) { return a.cwiseProduct(b).sum(); };
  std::deque<Pair> pairs;
  Theta theta = Theta::Zero(f.x.cols() + 1, f.classes), gradient, next, next_gradient;
  double value = f(theta, gradient);
  Index count = 1;
  while (value > enough && count < most) {
    Theta q = gradient;
    std::vector<T> alpha(pairs.size());
    for (std::size_t k = pairs.size(); k-- > 0;) {
      alpha[k] = pairs[k].rho * dot(pairs[k].s, q);
      q -= alpha[k] * pairs[k].y;
    }
    if (!pairs.empty())
      q *= 1 / (pairs.back().rho * pairs.back().y.squaredNorm());
    else
      q /= std::max(gradient.norm(), T(1));
    for (std::size_t k = 0; k < pairs.size(); ++k)
      q += (alpha[k] - pairs[k].rho * dot(pairs[k].y, q)) * pairs[k].s;
    const auto slope = static_cast<double>(dot(gradient, q));
    double step = 1, next_value = 0;
    for (;; step /= 2) {
      next = theta - static_cast<T>(step) * q;
      next_value = f(next, next_gradient);
      ++count;
      if (next_value <= value - 1e-4 * step * slope) break;
      if (step < 1e-10) return 0;
    }
    Pair pair{next - theta, next_gradient - gradient, 0};
    const T product = dot(pair.s, pair.y);
    if (product > 0) {
      pair.rho = 1 / product;
      pairs.push_back(std::move(pair));
      if (pairs.size() > 10) pairs.pop_front();
    }
    theta.swap(next);
    gradient.swap(next_gradient);
    value = next_value;
  }
  return value <= enough ? count : 0;
}

template <class X>
void measure(const std::string& name, const X& x, const std::vector<Index>& y, Index classes,
             double lambda, long turns, std::vector<std::vector<double>>& ratios) {
  const Plain<X> plain{x, y, classes, lambda};
  const linea::L2 penalty{lambda};
  const auto sharp = linea::SoftmaxNewton{.tolerance = 1e-9}.minimize(penalty, x, y);
  const double minimum = sharp.objective - sharp.gap.value();
  for (const double gap : {1e-3, 1e-6}) {
    const auto fit = [&, gap] {
      return linea::SoftmaxNewton{.tolerance = gap}.minimize(penalty, x, y);
    };
    const auto found = fit();
    linea::require(found.is_proven(gap), "the gap is not proven");
    const double enough = minimum + gap * sharp.objective;
    const Index evaluations = plain_lbfgs(plain, enough);
    bench::Turns times;
    times.add("linea", [&] { return bench::seconds([&] { bench::keep(fit().objective); }); });
    if (evaluations > 0)
      times.add("L-BFGS", [&] {
        return bench::seconds([&] { bench::keep(double(plain_lbfgs(plain, enough))); });
      });
    times.take(turns);
    char text[200];
    static_cast<void>(std::snprintf(
        text, sizeof text, "softmax, %s, λ = %.3g, gap %.0e: %.3g s, %ld passes, over %s, time",
        name.c_str(), lambda, gap, times.time("linea").median, static_cast<long>(found.epochs),
        evaluations > 0
            ? ("plain L-BFGS of " + std::to_string(evaluations) + " evaluations").c_str()
            : "nothing: plain L-BFGS does not come as near"));
    if (evaluations == 0) {
      std::printf("| %s | | | |\n", text);
      continue;
    }
    ratios.push_back(times.ratios("linea", "L-BFGS"));
    bench::print_row(text, bench::at_most(1.2), times.ratio("linea", "L-BFGS"));
  }
}

/// Rows whose columns fall in scale, with overlapping classes.
template <class T>
linea::Matrix<T> made_up(Index n, Index d, Index classes, std::vector<Index>& y) {
  linea::Random random(5);
  const auto normal = [&] {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    return sum;
  };
  linea::Matrix<double> centres(classes, d);
  for (double& entry : centres.reshaped()) entry = 0.3 * normal();
  linea::Matrix<T> x(n, d);
  y.clear();
  for (Index i = 0; i < n; ++i) {
    y.push_back(i < classes ? i : static_cast<Index>(random.below(static_cast<unsigned>(classes))));
    for (Index j = 0; j < d; ++j)
      x(i, j) = static_cast<T>((centres(y.back(), j) + normal()) /
                               std::sqrt(1 + static_cast<double>(j) / 20));
  }
  return x;
}

struct Shapes {
  long rows{3000};
  std::vector<double> columns{50, 400, 800}, classes{10, 30, 100};
};

template <class T>
void measure_made_up(const Shapes& shapes, long turns, std::vector<std::vector<double>>& ratios) {
  for (const double columns : shapes.columns)
    for (const double classes : shapes.classes) {
      const auto n = static_cast<Index>(shapes.rows), d = static_cast<Index>(columns),
                 k = static_cast<Index>(classes);
      std::vector<Index> y;
      const auto x = made_up<T>(n, d, k, y);
      for (const double lambda : {2.5e-3, 1e-4})
        measure(std::to_string(n) + " x " + std::to_string(d) +
                    (sizeof(T) == 4 ? " float, " : " double, ") + std::to_string(k) + " classes",
                x, y, k, lambda, turns, ratios);
    }
}

}  // namespace

int main(int argc, char** argv) {
  long turns = 5;
  Shapes shapes;
  std::vector<std::string> files;
  bench::read_options(
      argc, argv, "Softmax regression against a plain L-BFGS",
      {{"--turns", &turns, "turns that are counted"},
       {"--rows", &shapes.rows, "rows of the made-up samples"},
       {"--columns", &shapes.columns, "their columns"},
       {"--classes", &shapes.classes, "their classes"},
       {"--cpu", &bench::counts_processor_time, "seconds of the processor instead of the clock's"},
       {"files", &files, "more samples, in LIBSVM format"}});
  return bench::run([&] {
    std::vector<std::vector<double>> ratios;
    bench::print_head();
    measure_made_up<float>(shapes, turns, ratios);
    measure_made_up<double>(shapes, turns, ratios);
    for (const auto& file : files) {
      const auto data = linea::read_libsvm<double>(file);
      const linea::ClassLabels labels(data.y);
      const auto y = labels.indices_of(data.y);
      for (const double lambda : {1e-3, 1e-5})
        measure(file, data.x, std::vector<Index>(y.begin(), y.end()), labels.size(), lambda, turns,
                ratios);
    }
    bench::print_row("softmax over a plain L-BFGS, geometric mean, time", {},
                     bench::geometric_mean(ratios));
  });
}
