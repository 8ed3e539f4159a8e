// SPDX-License-Identifier: MIT
/// \file Measures the effect of the order of visits on convergence: the suboptimality of the
/// averaged iterate of Sgd, in percent. The loss is hinge for labels and squared for other targets.
/// Columns are standardised if x is dense.
#include <algorithm>  // stable_sort
#include <cstdio>
#include <linea/data/split.hpp>
#include <linea/features/standardise.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/descent/sampler.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties/l2.hpp>
#include <numeric>  // iota
#include <set>

#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;
using Dense = linea::Matrix<double>;
using Sparse = linea::SparseMatrix<double>;
using Vector = linea::Vector<double>;

struct Settings {
  std::vector<std::string> files{};
  double lambda{1e-4};
  long seeds{5};
};

const std::vector<Index> epochs{3, 10, 30};

template <class L, class X>
class Orders {
 public:
  Orders(const X& x, const Vector& y, const Settings& settings)
      : x_(x), y_(y), settings_(settings), objective_{L{}, linea::L2{settings.lambda}} {
    if constexpr (std::is_same_v<L, linea::Squared>)
      minimum_ = linea::Ridge{}.minimize(objective_, x_, y_).objective;
    else if constexpr (std::is_same_v<X, Dense>)
      minimum_ = linea::InteriorPoint{}.minimize(objective_, x_, y_).objective;
    else
      minimum_ = linea::DualCoordinateAscent{.epochs = 10000, .tolerance = 1e-5}
                     .minimize(objective_, x_, y_)
                     .objective;
  }

  /// Returns the suboptimality after each number of epochs, as a mean over the seeds: "11 / 4.4 /
  /// 2.0".
  template <class Order>
  std::string excess(const Order& order) const {
    std::string text;
    for (const Index count : epochs) {
      double sum = 0;
      for (long seed = 0; seed < settings_.seeds; ++seed) {
        linea::BasicSgd<linea::AutomaticStep, Order> sgd;
        sgd.order = order;
        sgd.epochs = count;
        sgd.tolerance = 0;
        sgd.seed = static_cast<std::uint64_t>(seed);
        sgd.iterate = linea::Iterate::average;
        sum += sgd.minimize(objective_, x_, y_).objective / minimum_ - 1;
      }
      char number[16];
      static_cast<void>(std::snprintf(number, sizeof number, "%.2g",
                                      100 * sum / static_cast<double>(settings_.seeds)));
      text += (text.empty() ? "" : " / ") + std::string(number);
    }
    return text;
  }

 private:
  const X& x_;
  const Vector& y_;
  const Settings& settings_;
  linea::Objective<L, linea::L2> objective_;
  double minimum_;
};

/// Prints a row of the table. On request it first sorts the samples by their targets.
template <class L, class X>
void print(const std::string& name, X x, Vector y, bool is_sorted, const Settings& settings) {
  if (is_sorted) {
    std::vector<Index> order(static_cast<std::size_t>(y.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y[a] < y[b]; });
    x = linea::take_rows(x, order);
    y = linea::take_rows(Dense(y), order).col(0);
  }
  linea::detail::descent::Sampler<double, linea::WorkingSets> sampler({});
  sampler.fit(linea::detail::samples::admit("order", L{}, x, y));
  const Orders<L, X> orders(x, y, settings);
  std::printf("| %s | %td × %td | %s | %td | %s | %s | %s | %s |\n", name.c_str(), x.rows(),
              x.cols(), is_sorted ? "sorted" : "as it is", sampler.drawn_epoch(x.rows()).chunk_rows,
              orders.excess(linea::WorkingSets{}).c_str(), orders.excess(linea::Shuffled{}).c_str(),
              orders.excess(linea::WorkingSets{linea::WorkingSets::largest_chunk}).c_str(),
              orders.excess(linea::Cyclic{}).c_str());
  std::fflush(stdout);
}

Dense standardised(const Dense& x) { return linea::standardise(x).apply(x); }

/// Prints the rows of one file, in its original order and sorted by targets.
void print_file(const std::string& file, const Settings& settings) {
  const auto name = bench::name_of_file(file);
  const auto raw = linea::read_libsvm<double>(file);
  const bool has_numbers = std::set<double>(raw.y.begin(), raw.y.end()).size() > 30;
  const bool is_small = raw.x.rows() * raw.x.cols() < 100'000'000;
  for (const bool is_sorted : {false, true}) {
    if (has_numbers) {
      const Vector y = standardised(Dense(raw.y)).col(0);
      print<linea::Squared, Dense>(name, standardised(Dense(raw.x)), y, is_sorted, settings);
    } else if (is_small) {
      const auto data = bench::classes<double>(file);
      print<linea::Hinge, Dense>(name, standardised(Dense(data.x)), data.y, is_sorted, settings);
    } else {
      const auto data = bench::classes<double>(file);
      print<linea::Hinge, Sparse>(name, data.x, data.y, is_sorted, settings);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "What the order of visits costs in convergence",
                      {{"files", &settings.files, "LIBSVM files"},
                       {"--lambda", &settings.lambda, "strength of the penalty"},
                       {"--seeds", &settings.seeds, "runs of which the mean is taken"}});
  return bench::run([&] {
    std::puts(
        "| file | rows × columns | order in the file | rows a chunk | default | random | 32 KiB "
        "chunks | cyclic |");
    std::puts("|---|---|---|---|---|---|---|---|");
    for (const auto& file : settings.files) print_file(file, settings);
  });
}
