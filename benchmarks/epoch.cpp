// SPDX-License-Identifier: MIT
/// \file One epoch of SGD against a plain read of the same bytes, and against the loop over Eigen rows
/// that a user would write. Ratios, each from one run: every figure is a median of turns taken in turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <numeric>  // iota
#include <vector>

namespace {

using linea::Index;

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// d columns of double, `megabytes` in all.
void measure(Index d, Index megabytes, int turns) {
  const Index n = megabytes * 1000000 / (8 * d);
  linea::Random random(1);
  linea::Matrix<double> x(n, d);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform() - 0.5;
  linea::Vector<double> y(n);
  for (double& target : y) target = random.below(2) ? 1 : -1;

  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
  const linea::BasicSgd<linea::ConstantStep> sgd{.step = {1e-3}};
  auto learner = sgd.start<double>(objective, d);
  const auto set = linea::admit("epoch", linea::Hinge{}, x, y);
  learner.prepare(set, false);

  linea::Sequence order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(std::span(order));
  linea::Vector<double> w = linea::Vector<double>::Zero(d);
  const auto plain_loop = [&] {
    for (const auto i : order) {
      const double slope = linea::Hinge{}.derivative(x.row(i).dot(w), y[i]);
      w *= 1 - 1e-3 * 1e-4;
      if (slope != 0) w -= 1e-3 * slope * x.row(i);
    }
  };

  volatile double sink = 0;
  std::vector<double> read;
  std::vector<double> epoch;
  std::vector<double> plain;
  for (int turn = 0; turn <= turns; ++turn) {
    const double r = seconds([&] { sink = x.sum(); });
    const double e = seconds([&] { learner.run_epoch(set); });
    const double p = seconds(plain_loop);
    if (turn == 0) continue;  // warms caches and clocks up
    read.push_back(r);
    epoch.push_back(e);
    plain.push_back(p);
  }
  std::printf("%6td  %6td  %20.2f  %24.2f\n", d, megabytes, median(read) / median(epoch),
              median(plain) / median(epoch));
}

}  // namespace

/// epoch [megabytes [turns]]
int main(int argc, char** argv) {
#ifndef NDEBUG
  std::fprintf(stderr, "a debug build measures nothing: use -DCMAKE_BUILD_TYPE=Release\n");
  return 2;
#endif
  const Index megabytes = argc > 1 ? std::atol(argv[1]) : 400;
  const int turns = argc > 2 ? std::atoi(argv[2]) : 5;
  std::printf("     d      MB  epoch / read (speed)  epoch / Eigen rows (speed)\n");
  for (const Index d : {54, 784}) measure(d, std::max<Index>(megabytes, 1), std::max(turns, 1));
}
