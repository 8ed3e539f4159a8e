// SPDX-License-Identifier: MIT
/// \file Measures fits of a few rows, which programs make by the thousand: sparse rows of many
/// columns, as at the nodes of a tree of labels, against LIBLINEAR's fastest solver at the largest
/// tolerance with an equally small F; and dense ridge regression against Eigen's LDLᵀ of the same
/// moments.
#include <Eigen/Cholesky>
#include <algorithm>  // clamp, find, min, min_element, sort
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/least_squares_moments.hpp>
#include <linea/models/ridge_regression.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/penalties/l2.hpp>

#include "support/data.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"
#ifdef LINEA_HAS_LIBLINEAR
#include "support/liblinear.hpp"
#endif

namespace {

using linea::Index;
using Vector = linea::Vector<double>;

/// Times of `work`, run often enough for the clock.
void add_repeated(bench::Turns& turns, const std::string& name, const std::function<void()>& work) {
  const double once = bench::seconds(work);
  const long times = std::clamp(std::lround(0.01 / once), 1L, 10000L);
  turns.add(name, [=] {
    return bench::seconds([&] {
             for (long k = 0; k < times; ++k) work();
           }) /
           static_cast<double>(times);
  });
}

#ifdef LINEA_HAS_LIBLINEAR

/// Returns rows of norm 1 with `entries` non-zeros. The columns of half of them depend on the class
/// in `y`, and the rest are noise.
linea::SparseMatrix<double> tree_node(Index rows, Index columns, Index entries, Vector& y) {
  linea::Random random(3);
  y.resize(rows);
  linea::SparseMatrix<double> x(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    y[i] = i % 2 ? 1 : -1;
    std::vector<Index> of_row;
    while (static_cast<Index>(of_row.size()) < entries) {
      const bool tells = of_row.size() % 2 == 0;
      const auto j = static_cast<Index>(random.below(
          static_cast<std::uint64_t>(tells ? std::min<Index>(columns / 2, 200) : columns)));
      const Index column = tells && y[i] > 0 ? columns / 2 + j : j;
      if (std::find(of_row.begin(), of_row.end(), column) == of_row.end()) of_row.push_back(column);
    }
    std::sort(of_row.begin(), of_row.end());
    x.startVec(i);
    double norm = 0;
    std::vector<double> values;
    for (Index k = 0; k < entries; ++k) values.push_back(0.1 + random.uniform());
    for (const double value : values) norm += value * value;
    for (Index k = 0; k < entries; ++k)
      x.insertBack(i, of_row[static_cast<std::size_t>(k)]) =
          values[static_cast<std::size_t>(k)] / std::sqrt(norm);
  }
  x.finalize();
  return x;
}

template <class L>
void measure_sparse(const L& loss, const std::vector<int>& solvers, Index rows, Index columns,
                    long turns, std::vector<std::vector<double>>& ratios) {
  Vector y;
  const auto x = tree_node(rows, columns, 50, y);
  const linea::Objective objective{loss, linea::L2{1 / static_cast<double>(rows)}};  // C = 1
  const bench::Liblinear liblinear(x, y);
  const auto sharp = linea::Auto{.tolerance = 1e-7, .offset = false}.minimize(objective, x, y);
  const double minimum = sharp.objective - sharp.gap.value();
  for (const double gap : {1e-2, 1e-3}) {
    bench::Turns times;
    const auto fit = [&, gap] {
      return linea::Auto{.tolerance = gap, .offset = false}.minimize(objective, x, y);
    };
    linea::require(fit().is_proven(gap), "the gap is not proven");
    add_repeated(times, "linea", [&] { bench::keep(fit().objective); });
    std::vector<std::string> peers;
    for (const int solver : solvers) {
      const auto epsilon =
          liblinear.largest_epsilon(solver, objective.penalty.lambda, 5, [&](const Vector& w) {
            const double value = linea::objective_value(objective, x, y, w, 0.0);
            return value - minimum <= gap * value;
          });
      if (!epsilon) continue;
      peers.push_back("-s " + std::to_string(solver));
      add_repeated(times, peers.back(), [&, solver, e = *epsilon] {
        bench::keep(liblinear.fit(solver, objective.penalty.lambda, e).seconds);
      });
    }
    linea::require(!peers.empty(), "LIBLINEAR does not come as near");
    times.take(turns);
    const std::string fastest = *std::min_element(
        peers.begin(), peers.end(),
        [&](const auto& a, const auto& b) { return times.time(a).median < times.time(b).median; });
    ratios.push_back(times.ratios("linea", fastest));
    char text[160];
    static_cast<void>(std::snprintf(
        text, sizeof text,
        "a fit of %ld x %ld, 50 non-zeros a row, %s, gap %.0e: %.3g ms, over LIBLINEAR %s, time",
        static_cast<long>(rows), static_cast<long>(columns), std::string(L::name).c_str(), gap,
        1e3 * times.time("linea").median, fastest.c_str()));
    bench::print_row(text, bench::at_most(1.5), times.ratio("linea", fastest));
  }
}

void measure_sparse(long turns) {
  std::vector<std::vector<double>> ratios;
  for (const Index rows : {10, 40, 400})
    for (const Index columns : {20000, 200000}) {
      measure_sparse(linea::Hinge{}, {3}, rows, columns, turns, ratios);
      measure_sparse(linea::Log{}, {0, 7}, rows, columns, turns, ratios);
    }
  bench::print_row("small sparse fits over LIBLINEAR's fastest, geometric mean, time", {},
                   bench::geometric_mean(ratios));
}

#endif

void measure_ridge(long turns) {
  constexpr Index rows = 30, columns = 5;
  constexpr double lambda = 0.1;
  const linea::Matrix<double> x = bench::random_rows<double>(rows, columns);
  const Vector y = x * Vector::LinSpaced(columns, -1, 1) + bench::random_targets<double>(rows);
  bench::Turns times;
  add_repeated(times, "linea",
               [&] { bench::keep(linea::RidgeRegression{.lambda = lambda}.fit(x, y).offset); });
  add_repeated(times, "LDLᵀ", [&] {
    const Eigen::RowVectorXd mean = x.colwise().mean();
    const double level = y.mean();
    const linea::Matrix<double> centred = x.rowwise() - mean;
    Eigen::MatrixXd moments = centred.transpose() * centred / double(rows);
    moments.diagonal().array() += lambda;
    const Vector w =
        moments.ldlt().solve(centred.transpose() * (y.array() - level).matrix() / double(rows));
    bench::keep(level - mean.dot(w));
  });
  times.take(turns);
  bench::print_row("RidgeRegression of 30 x 5 over Eigen's LDLᵀ, time", bench::at_most(1.2),
                   times.ratio("linea", "LDLᵀ"));
}

/// A window of 250 rows that moves by a row: against updates of the same moments by Eigen's rank
/// updates, without centring. With `solves`, also the weights after each move, against Eigen's LDLᵀ,
/// which gives no standard errors and no condition.
void measure_window(bool solves, long turns) {
  constexpr Index rows = 5000, columns = 5, window = 250;
  const linea::Matrix<double> x = bench::random_rows<double>(rows, columns);
  const Vector y = x * Vector::LinSpaced(columns, -1, 1) + bench::random_targets<double>(rows);
  bench::Turns times;
  add_repeated(times, "linea", [&] {
    linea::LeastSquaresMoments moments(columns);
    for (Index i = 0; i < rows; ++i) {
      moments.add(x.row(i), y[i]);
      if (i >= window) moments.remove(x.row(i - window), y[i - window]);
      if (solves && i >= window) bench::keep(moments.solve().offset);
    }
    bench::keep(moments.weight());
  });
  add_repeated(times, "by hand", [&] {
    Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(columns + 1, columns + 1);
    Vector along = Vector::Zero(columns + 1), z(columns + 1);
    const auto count = [&](Index i, double sign) {
      z << x.row(i).transpose(), 1;
      moments.selfadjointView<Eigen::Lower>().rankUpdate(z, sign);
      along += sign * y[i] * z;
    };
    for (Index i = 0; i < rows; ++i) {
      count(i, 1);
      if (i >= window) count(i - window, -1);
      if (solves && i >= window) bench::keep(moments.ldlt().solve(along)[0]);
    }
    bench::keep(moments(0, 0) + along[0]);
  });
  times.take(turns);
  bench::print_row(
      std::string("a window of 250 x 5 that moves by a row") +
          (solves ? ", with weights and standard errors" : "") + ", over updates by hand, time",
      solves ? std::nullopt : std::optional(bench::at_most(1.5)), times.ratio("linea", "by hand"));
}

}  // namespace

int main(int argc, char** argv) {
  long turns = 5;
  bench::read_options(argc, argv, "Fits of a few rows",
                      {{"--turns", &turns, "turns that are counted"},
                       {"--cpu", &bench::counts_processor_time,
                        "seconds of the processor instead of the clock's"}});
  return bench::run([&] {
    bench::print_head();
#ifdef LINEA_HAS_LIBLINEAR
    measure_sparse(turns);
#endif
    measure_ridge(turns);
    measure_window(false, turns);
    measure_window(true, turns);
  });
}
