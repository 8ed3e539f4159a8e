// SPDX-License-Identifier: MIT
/// \file Measures the cost per non-zero of sparse rows for increasing numbers of rows, relative to
/// the cost for the fewest rows.
#include <cmath>  // pow
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/data.hpp"
#include "support/epoch.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

struct Settings {
  double most{3e8};
  long turns{5};
  bool seconds{false};
};

/// Rows of 25 to 125 non-zeros. Column k has a frequency of about 1/k, as words have. A million
/// non-zeros are drawn, and their rows are repeated as often as needed.
class Text {
 public:
  explicit Text(Index non_zeros) {
    linea::Random random(1);
    std::vector<int> row;
    while (starts_.back() < std::min<Index>(non_zeros, 1000000)) {
      row.resize(25 + random.below(101));
      for (int& column : row)
        column = static_cast<int>(std::pow(static_cast<double>(columns), random.uniform())) - 1;
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      for (const int column : row) {
        columns_.push_back(column);
        values_.push_back(static_cast<float>(random.uniform()) / 8);
      }
      starts_.push_back(static_cast<int>(columns_.size()));
    }
    const std::size_t block_rows = starts_.size() - 1;
    const std::size_t block = columns_.size();
    const auto enough = static_cast<std::size_t>(non_zeros);
    columns_.reserve(enough + block);
    values_.reserve(enough + block);
    while (columns_.size() < enough) {
      const int start = starts_.back();
      for (std::size_t i = 1; i <= block_rows; ++i) starts_.push_back(start + starts_[i]);
      columns_.insert(columns_.end(), columns_.begin(),
                      columns_.begin() + static_cast<long>(block));
      values_.insert(values_.end(), values_.begin(), values_.begin() + static_cast<long>(block));
    }
  }

  /// Returns the first rows, as many as it takes for `non_zeros` non-zeros, or all if there are
  /// fewer.
  Eigen::Map<const linea::SparseMatrix<float>> first(Index non_zeros) const {
    const auto end = std::lower_bound(starts_.begin(), starts_.end() - 1, non_zeros);
    return {end - starts_.begin(), columns, *end, starts_.data(), columns_.data(), values_.data()};
  }

 private:
  static constexpr Index columns = 100000;
  std::vector<int> starts_{0};
  std::vector<int> columns_;
  std::vector<float> values_;
};

void measure(const Settings& settings) {
  linea::require(settings.most >= 1e6, "--most ", settings.most, " is less than a million");
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
  const Text text(static_cast<Index>(settings.most));
  bench::Turns turns;
  for (const double size : {3e8, 1e8, 3e7, 1e7, 3e6, 1e6}) {
    if (size > settings.most) continue;
    const auto x = text.first(static_cast<Index>(size));
    const auto epoch = bench::epoch(objective, linea::BasicSgd<linea::ConstantStep>{.step = {1e-2}},
                                    x, bench::random_targets<float>(x.rows()));
    const Index epochs = std::max<Index>(20000000 / x.nonZeros(), 1);
    char name[16];
    static_cast<void>(std::snprintf(name, sizeof name, "%.0e", size));
    turns.add(name, [epoch, epochs, count = static_cast<double>(x.nonZeros())] {
      epoch();  // fills the cache, which the previous work has evicted
      return bench::seconds([&] {
               for (Index k = 0; k < epochs; ++k) epoch();
             }) /
             (static_cast<double>(epochs) * count);
    });
  }
  turns.take(settings.turns);

  const std::string fewest = turns.name(turns.size() - 1);
  if (!settings.seconds) bench::print_head();
  for (std::size_t k = turns.size(); k-- > 0;) {
    if (settings.seconds)
      std::printf("Sgd, hinge, sparse float, %s non-zeros\t%.4e\n", turns.name(k).c_str(),
                  turns.time(turns.name(k)).median);
    else if (turns.name(k) != fewest)
      bench::print_row("a non-zero among " + turns.name(k) + " over one among " + fewest + ", time",
                       bench::at_most(1.3), turns.ratio(turns.name(k), fewest));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "The cost of a non-zero as their number grows",
      {{"--most", &settings.most, "non-zeros of the largest matrix, eight bytes each"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--seconds", &settings.seconds, "print the time of a non-zero, not ratios"}});
  return bench::run([&] { measure(settings); });
}
