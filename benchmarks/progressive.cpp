// SPDX-License-Identifier: MIT
/// \file Measures the progressive log loss of learners, which is the mean loss of each sample before
/// it is learned, in one pass in random order: AdaptiveSgd and Sgd without tuning, and
/// FTRL-Proximal (McMahan and others, KDD 2013) at the best of four parameters. Then measures the
/// time of a sample in `epoch` of small blocks against `update`.
#include <algorithm>  // find, min, sort
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/data/take_rows.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>

#include "support/files.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;
using Vector = linea::Vector<double>;
using Sparse = linea::SparseMatrix<double>;

struct Stream {
  std::string name;
  Sparse x;
  Vector y;  // −1 and +1
};

Stream in_random_order(std::string name, const Sparse& x, const Vector& y) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  linea::Random(3).shuffle(order.data(), order.size());
  return {std::move(name), linea::take_rows(x, order), y(order)};
}

/// Returns clicks on pages with 20 of 2¹⁸ words of very different frequency. The log odds are −2
/// plus the sum of the weights of the words, which are normal with deviation 0.6.
Stream clicks(Index samples) {
  constexpr Index columns = 1 << 18;
  constexpr std::size_t words = 20;
  linea::Random random(9);
  Vector weights(columns);
  for (double& weight : weights) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    weight = 0.6 * sum;
  }
  Stream stream{"clicks", Sparse(samples, columns), Vector(samples)};
  for (Index i = 0; i < samples; ++i) {
    std::vector<Index> of_row;
    while (of_row.size() < words) {
      const auto j =
          static_cast<Index>(static_cast<double>(columns) * std::pow(random.uniform(), 5));
      if (std::find(of_row.begin(), of_row.end(), j) == of_row.end()) of_row.push_back(j);
    }
    std::sort(of_row.begin(), of_row.end());
    stream.x.startVec(i);
    double odds = -2;
    for (const Index j : of_row) {
      stream.x.insertBack(i, j) = 1;
      odds += weights[j];
    }
    stream.y[i] = random.uniform() < 1 / (1 + std::exp(-odds)) ? 1 : -1;
  }
  stream.x.finalize();
  return stream;
}

/// FTRL-Proximal for the log loss without a penalty, with β = 1.
class Ftrl {
 public:
  Ftrl(double alpha, Index d)
      : alpha_(alpha), sums_(Vector::Zero(d + 1)), squares_(Vector::Zero(d + 1)) {}

  double score(const Sparse& x, Index i) const {
    double score = weight(x.cols());
    for (Sparse::InnerIterator entry(x, i); entry; ++entry)
      score += weight(entry.col()) * entry.value();
    return score;
  }
  void update(const Sparse& x, Index i, double target) {
    const double slope = linea::Log{}.derivative(score(x, i), target);
    learn(x.cols(), slope);
    for (Sparse::InnerIterator entry(x, i); entry; ++entry)
      learn(entry.col(), slope * entry.value());
  }

 private:
  double weight(Index j) const { return -sums_[j] * alpha_ / (1 + std::sqrt(squares_[j])); }
  void learn(Index j, double gradient) {
    const double w = weight(j);
    const double square = squares_[j] + gradient * gradient;
    sums_[j] += gradient - (std::sqrt(square) - std::sqrt(squares_[j])) / alpha_ * w;
    squares_[j] = square;
  }

  double alpha_;
  Vector sums_, squares_;  // of the columns, and of the offset at the end
};

/// Returns the progressive loss of a learner with score(x, i) and update(x, i, target).
double progressive(const Stream& stream, const auto& score, const auto& update) {
  double sum = 0;
  for (Index i = 0; i < stream.x.rows(); ++i) {
    sum += linea::Log{}.value(score(i), stream.y[i]);
    update(i);
  }
  return sum / static_cast<double>(stream.x.rows());
}

double progressive(const Stream& stream, auto learner) {
  return progressive(
      stream, [&](Index i) { return learner.score(stream.x.row(i)); },
      [&](Index i) { learner.update(stream.x.row(i), stream.y[i]); });
}

const linea::Objective objective{linea::Log{}, linea::L2{1e-6}};

void compare(const Stream& stream) {
  const Index d = stream.x.cols();
  const double adaptive = progressive(stream, linea::AdaptiveSgd{}.start<double>(objective, d));
  const double sgd = progressive(stream, linea::Sgd{}.start<double>(objective, d));
  double ftrl = std::numeric_limits<double>::infinity();
  for (const double alpha : {0.02, 0.1, 0.5, 2.0}) {
    Ftrl learner(alpha, d);
    ftrl = std::min(ftrl, progressive(
                              stream, [&](Index i) { return learner.score(stream.x, i); },
                              [&](Index i) { learner.update(stream.x, i, stream.y[i]); }));
  }
  const double ratio = adaptive / std::min(sgd, ftrl);
  std::printf("| %s | %.3f | %.3f | %.3f | %.2f | %s |\n", stream.name.c_str(), adaptive, sgd, ftrl,
              ratio, ratio <= 1.02 ? "holds" : "falls short");
  std::fflush(stdout);
}

/// Compares the time of `epoch` of blocks of 300 rows with that of `update`, row by row.
template <class P>
void time_blocks(const std::string& name, const Stream& stream, const auto& optimizer,
                 const P& penalty, long turns) {
  constexpr Index rows = 300;
  const auto start =
      optimizer.template start<double>(linea::Objective{linea::Log{}, penalty}, stream.x.cols());
  std::vector<Sparse> blocks;
  for (Index first = 0; first + rows <= std::min<Index>(stream.x.rows(), 30000); first += rows)
    blocks.push_back(stream.x.middleRows(first, rows));
  bench::Turns times;
  times.add_timed("epoch", [&] {
    auto learner = start;
    for (std::size_t k = 0; k < blocks.size(); ++k)
      learner.epoch(blocks[k], Vector(stream.y.segment(static_cast<Index>(k) * rows, rows)));
    bench::keep(learner.solution().offset);
  });
  times.add_timed("update", [&] {
    auto learner = start;
    for (std::size_t k = 0; k < blocks.size(); ++k)
      for (Index i = 0; i < rows; ++i)
        learner.update(blocks[k].row(i), stream.y[static_cast<Index>(k) * rows + i]);
    bench::keep(learner.solution().offset);
  });
  times.take(turns);
  bench::print_row("epoch of blocks of 300 rows over update, " + name + ", clicks, time",
                   bench::at_most(1.1), times.ratio("epoch", "update"));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  long samples = 100000;
  long turns = 5;
  bench::read_options(argc, argv, "Learners in one pass",
                      {{"files", &files, "LIBSVM files of two classes, or of digits"},
                       {"--samples", &samples, "of the made-up stream of clicks"},
                       {"--turns", &turns, "turns that are counted"}});
  return bench::run([&] {
    std::puts(
        "| progressive log loss | AdaptiveSgd | Sgd | FTRL-Proximal | AdaptiveSgd over the better "
        "| "
        "at most 1.02 |\n|---|---|---|---|---|---|");
    const Stream made_up = clicks(samples);
    for (const auto& file : files) {
      const auto data = bench::classes<double>(file);
      compare(in_random_order(bench::name_of_file(file), data.x, data.y));
    }
    compare(made_up);
    std::puts("");
    bench::counts_processor_time = true;
    bench::print_head();
    time_blocks("AdaptiveSgd, L2", made_up, linea::AdaptiveSgd{}, linea::L2{1e-6}, turns);
    time_blocks("AdaptiveSgd, ElasticNet", made_up, linea::AdaptiveSgd{},
                linea::ElasticNet{1e-6, 1e-6}, turns);
    time_blocks("Sgd, ElasticNet", made_up, linea::Sgd{}, linea::ElasticNet{1e-6, 1e-6}, turns);
  });
}
