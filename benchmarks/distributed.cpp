// SPDX-License-Identifier: MIT
/// \file Measures one fit on samples divided among ranks: its sums, bytes and time, printed as a
/// row of a table. mpirun starts it; distributed.py prints the tables.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <linea/mpi.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;
using Samples = linea::LabelledData<double>;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string samples{"made-up"};
  std::string work{"newton"};
  double lambda{1e-4};
  double tolerance{1e-3};
  long rows{20000};
  long columns{5000};
  long entries{20};
  long turns{1};
};

/// Makes targets -1 and +1 of two labels, or of the lower and the upper half of more labels.
void make_signs(linea::Vector<double>& y) {
  const double middle = (y.minCoeff() + y.maxCoeff()) / 2;
  for (double& label : y) label = label > middle ? 1 : -1;
}

/// Returns this rank's generated rows, with random columns and values. The targets are those of one
/// function common to all ranks; one in twenty is wrong.
Samples made_up(const Settings& settings, const linea::Processes& processes) {
  const auto [begin, end] = linea::share_of(settings.rows, processes.rank(), processes.size());
  linea::Random of_function(1);
  linea::Vector<double> w(settings.columns);
  for (double& weight : w) weight = of_function.uniform() - 0.5;
  Samples part;
  part.x.resize(end - begin, settings.columns);
  part.x.reserve((end - begin) * settings.entries);
  part.y.resize(end - begin);
  std::vector<Index> columns(static_cast<std::size_t>(settings.entries));
  for (Index i = begin; i < end; ++i) {
    // Row i is the same for any number of ranks.
    linea::Random random(static_cast<std::uint64_t>(i) + 2);
    for (Index& j : columns) {
      const double u = random.uniform();  // a few columns are frequent, as for words
      j = static_cast<Index>(u * u * u * static_cast<double>(settings.columns));
    }
    std::sort(columns.begin(), columns.end());
    double score = 0;
    part.x.startVec(i - begin);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k > 0 && columns[k] == columns[k - 1]) continue;
      part.x.insertBack(i - begin, columns[k]) = 1;
      score += w[columns[k]];
    }
    part.y[i - begin] = (score > 0) == (random.below(20) > 0) ? 1 : -1;
  }
  part.x.finalize();
  return part;
}

/// Returns this rank's rows of x, with targets -1 and +1.
template <class X, class Y>
Samples rows_of(const X& x, const Y& y, const linea::Processes& processes) {
  linea::Vector<double> signs = y;
  make_signs(signs);
  const auto [begin, end] = linea::share_of(x.rows(), processes.rank(), processes.size());
  Samples part;
  part.x = x.middleRows(begin, end - begin);
  part.y = signs.segment(begin, end - begin);
  return part;
}

Samples part_of(const Settings& settings, const linea::Processes& processes) {
  const std::string& path = settings.samples;
  if (path == "made-up") return made_up(settings, processes);
  if (path.ends_with(".linea")) {  // each rank uses only its rows
    const auto file = linea::map_binary<linea::SparseMatrix<double>>(path);
    return rows_of(file.x(), file.y(), processes);
  }
  const auto all = linea::read_libsvm<double>(path);
  return rows_of(all.x, all.y, processes);
}

/// The numbers that describe one fit.
struct Answer {
  Index iterations{0};
  double objective{0};
  std::optional<double> gap{};
  const char* status{""};
};

template <class Solution>
Answer answer_of(const Solution& solution) {
  return {std::max(solution.epochs, solution.updates > 0 ? Index{0} : Index{1}), solution.objective,
          solution.gap, linea::name_of(solution.status).data()};
}

Answer fit(const Settings& settings, const Samples& part, const linea::Processes& processes) {
  const linea::L2 penalty{settings.lambda};
  const double tolerance = settings.tolerance;
  const auto x = linea::mpi::divided(part.x, processes);
  if (settings.work == "newton")
    return answer_of(linea::Newton{.tolerance = tolerance}.minimize(
        linea::Objective{linea::Log{}, penalty}, x, part.y));
  linea::require(settings.work == "ridge", "no work is called '", settings.work,
                 "': newton or ridge");
  return answer_of(linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, penalty}, x, part.y));
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void measure(const Settings& settings, linea::MpiCommunicator& world) {
  const linea::Processes processes(world);
  const Samples part = part_of(settings, processes);
  std::vector<double> seconds;
  Answer answer;
  Index rounds = 0;
  Index bytes = 0;
  for (long turn = 0; turn < std::max(1L, settings.turns); ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    rounds = world.rounds();
    bytes = world.bytes_sent();
    const auto before = Clock::now();
    answer = fit(settings, part, processes);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - before).count());
    rounds = world.rounds() - rounds;
    bytes = world.bytes_sent() - bytes;
  }
  std::sort(seconds.begin(), seconds.end());
  if (world.rank() != 0) return;
  char gap[32] = "exact";
  if (answer.gap) std::snprintf(gap, sizeof gap, "%.1e", *answer.gap / std::abs(answer.objective));
  std::printf("| %s | %s | %td | %td | %td | %.3f | %.9g | %s | %s | %.3f |\n",
              name_of(settings.samples).c_str(), settings.work.c_str(), world.size(),
              answer.iterations, rounds, static_cast<double>(bytes) / 1e6, answer.objective, gap,
              answer.status, seconds[seconds.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv,
                      "One fit of samples divided among ranks: samples, work, ranks, iterations, "
                      "sums, MB sent by a rank, F, relative gap, status, median seconds",
                      {{"samples", &settings.samples, "LIBSVM text, a .linea of it, or made-up"},
                       {"--work", &settings.work, "newton (log loss) or ridge"},
                       {"--lambda", &settings.lambda, "of the penalty"},
                       {"--tolerance", &settings.tolerance, "relative gap"},
                       {"--rows", &settings.rows, "of made-up samples"},
                       {"--columns", &settings.columns, "of made-up samples"},
                       {"--entries", &settings.entries, "of a made-up row"},
                       {"--turns", &settings.turns, "fits, of which the median time is told"}});
  return bench::run([&] {
    const linea::MpiSession session(argc, argv);
    linea::MpiCommunicator world;
    measure(settings, world);
  });
}
