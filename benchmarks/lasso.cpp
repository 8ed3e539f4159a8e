// SPDX-License-Identifier: MIT
/// \file Measures the time until F = mean loss + λ·‖w‖₁, without offset, has a given relative
/// duality gap, including input validation. Compares CoordinateDescent with LIBLINEAR (squared
/// hinge and log loss) and scikit-learn (squared and log loss) at the largest tolerance with an
/// equally small F. λ is a fraction of the least λ at which all weights are 0. Prints one table,
/// and the geometric mean of the ratios.
#include <algorithm>  // clamp, max, min_element
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties/l1.hpp>
#include <memory>

#include "support/data.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/scikit_learn.hpp"
#include "support/turns.hpp"
#ifdef LINEA_HAS_LIBLINEAR
#include "support/liblinear.hpp"
#endif

namespace {

using linea::Index;
using linea::Vector;

struct Settings {
  std::vector<std::string> files{};
  std::vector<double> parts{0.5, 0.1, 0.01, 0.001};
  std::string loss{"all"};
  double gap{1e-6};
  long turns{3};
  double limit{20};
  bool saga{false};
  // It may be empty. NOLINTNEXTLINE(readability-redundant-string-init)
  std::string python{LINEA_SKLEARN_PYTHON};
};

using Fit = std::function<bench::PeerFit(double tolerance)>;
struct Peer {
  std::string name;
  double first;  // the tolerance at which the search starts
  Fit fit;
};

std::string text_of(const char* format, double number) {
  char text[48];
  static_cast<void>(std::snprintf(text, sizeof text, format, number));
  return text;
}

/// Measures samples of a file, or generated ones, and prints their rows of the table.
template <class X>
class Sparsity {
 public:
  Sparsity(std::string name, X x, Vector<double> y, const Settings& settings,
           std::vector<std::vector<double>>& ratios)
      : name_(std::move(name)),
        x_(std::move(x)),
        y_(std::move(y)),
        settings_(settings),
        ratios_(ratios) {
    if (!settings.python.empty())
      scikit_learn_ = std::make_unique<bench::ScikitLearn>(settings.python, x_, y_);
  }

  void measure() {
    for (const double part : settings_.parts) {
      measure(linea::Squared{}, part, {});
      measure(linea::SquaredHinge{}, part, {5, 2});
      measure(linea::Log{}, part, {6, 1});
    }
  }

 private:
  /// The number of LIBLINEAR's solver for a loss, and the factor between its λ and linea's.
  struct Solver {
    int number{0};
    double factor{0};
  };

  template <class L>
  void measure(const L& loss, double part, [[maybe_unused]] Solver solver) {
    if (settings_.loss != "all" && settings_.loss != L::name) return;
    Vector<double> slopes(y_.size());
    for (Index i = 0; i < y_.size(); ++i) slopes[i] = loss.derivative(0.0, y_[i]);
    const Vector<double> gradient = x_.transpose() * slopes / static_cast<double>(y_.size());
    const double lambda = part * gradient.cwiseAbs().maxCoeff();
    const linea::Objective objective{loss, linea::L1{lambda}};
    const auto sharp =
        linea::CoordinateDescent{.tolerance = settings_.gap / 100, .offset = false}.minimize(
            objective, x_, y_);
    const double minimum = sharp.objective - sharp.gap.value_or(1e300);
    const auto is_near = [&](const Eigen::VectorXd& w) {
      const double value = linea::objective_value(objective, x_, y_, w, 0.0);
      return value - minimum <= settings_.gap * value;
    };
    std::vector<Peer> peers;
#ifdef LINEA_HAS_LIBLINEAR
    if (solver.number > 0)
      peers.push_back({"LIBLINEAR -s " + std::to_string(solver.number), 30, [&](double tolerance) {
                         return liblinear_.fit(solver.number, solver.factor * lambda, tolerance);
                       }});
#endif
    if (scikit_learn_) {
      const auto add = [&](const std::string& model) {
        peers.push_back({"scikit-learn", 1, [&, model](double tolerance) {
                           return scikit_learn_->fit(model, std::string(L::name), lambda, 0,
                                                     tolerance);
                         }});
      };
      if (L::name == "squared") add("Lasso");
      if (L::name == "log" && settings_.saga) add("SparseLogisticRegression");
    }
    bench::Turns turns;
    const linea::CoordinateDescent optimizer{.tolerance = settings_.gap, .offset = false};
    const auto ours = [&] { return optimizer.minimize(objective, x_, y_); };
    const auto solution = ours();
    add_repeated(turns, "linea", [&] { return bench::seconds(ours); });
    std::string row = "| " + name_ + " | " + std::string(L::name) + " | " + text_of("%g", part) +
                      " | " + std::to_string((solution.weights.array() != 0).count()) + " | ";
    if (!solution.is_proven(settings_.gap)) row += "not proven: ";
    std::vector<std::string> there;
    for (const Peer& peer : peers) {
      const auto tolerance =
          bench::largest_tolerance(peer.first, settings_.limit, peer.fit, is_near);
      if (!tolerance) continue;
      there.push_back(peer.name);
      add_repeated(turns, peer.name, [&, tolerance] { return peer.fit(*tolerance).seconds; });
    }
    turns.take(settings_.turns);
    row += text_of("%.3g", 1e3 * turns.time("linea").median) + " ms | ";
    const auto time = [&](const std::string& name) { return turns.time(name).median; };
    const auto fastest =
        std::min_element(there.begin(), there.end(),
                         [&](const auto& a, const auto& b) { return time(a) < time(b); });
    if (fastest == there.end()) {
      row += "none comes as near | |";
    } else {
      const bench::Spread ratio = turns.ratio("linea", *fastest);
      row += *fastest + " " + text_of("%.3g", 1e3 * time(*fastest)) + " ms | " +
             bench::text_of(ratio.median) + " (" + bench::text_of(ratio.low) + "–" +
             bench::text_of(ratio.high) + ") |";
      ratios_.push_back(turns.ratios("linea", *fastest));
    }
    std::puts(row.c_str());
    std::fflush(stdout);
  }

  /// Adds a work. Short runs are repeated, so that the clock has no effect.
  static void add_repeated(bench::Turns& turns, const std::string& name,
                           const bench::Turns::Work& work) {
    const long times = std::clamp(std::lround(0.02 / std::max(work(), 1e-6)), 1L, 2000L);
    turns.add(name, [=] {
      double sum = 0;
      for (long k = 0; k < times; ++k) sum += work();
      return sum / static_cast<double>(times);
    });
  }

  std::string name_;
  X x_;
  Vector<double> y_;
  const Settings& settings_;
  std::vector<std::vector<double>>& ratios_;
  std::unique_ptr<bench::ScikitLearn> scikit_learn_{};
#ifdef LINEA_HAS_LIBLINEAR
  bench::Liblinear liblinear_{x_, y_};
#endif
};

/// Divides each column by its largest entry if that exceeds 1.
void scale_columns(linea::SparseMatrix<double>& x) {
  Vector<double> largest = Vector<double>::Ones(x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (linea::SparseMatrix<double>::InnerIterator entry(x, i); entry; ++entry)
      largest[entry.col()] = std::max(largest[entry.col()], std::abs(entry.value()));
  x = x * largest.cwiseInverse().asDiagonal();
}

/// Generates 200 samples of 5000 features. Each feature has a correlation of 0.6 with the previous
/// one, and 50 features have an effect.
void make_up(linea::Matrix<double>& x, Vector<double>& y) {
  x = bench::random_rows<double>(200, 5000);
  for (Index j = 1; j < x.cols(); ++j) x.col(j) = 0.6 * x.col(j - 1) + 0.8 * x.col(j);
  y = bench::random_targets<double>(200);
  Vector<double> scores = Vector<double>::Zero(200);
  for (Index j = 0; j < x.cols(); j += 100) scores += (j % 200 == 0 ? 1.0 : -1.0) * x.col(j);
  for (Index i = 0; i < 200; ++i)
    if (std::abs(scores[i]) > 0.3) y[i] = scores[i] > 0 ? 1 : -1;
}

void run(const Settings& settings) {
  std::vector<std::vector<double>> ratios;
  std::puts(
      "\n| samples | loss | λ / λmax | weights | linea | fastest peer | linea over it, time |\n"
      "|---|---|---|---|---|---|---|");
  for (const auto& file : settings.files) {
    if (file == "made-up") {
      linea::Matrix<double> x;
      Vector<double> y;
      make_up(x, y);
      Sparsity<linea::Matrix<double>>("200 × 5000, made up", x, y, settings, ratios).measure();
      continue;
    }
    auto data = bench::one_against_rest<double>(file);
    linea::require(data.has_value(), file, ": not samples of classes");
    scale_columns(data->x);
    Sparsity<linea::SparseMatrix<double>>(bench::name_of_file(file), data->x, data->y, settings,
                                          ratios)
        .measure();
  }
  if (ratios.empty()) return;
  std::puts("");
  bench::print_head();
  bench::print_row("L1 penalty to a relative gap over the fastest peer, geometric mean of " +
                       std::to_string(ratios.size()) + ", time",
                   bench::at_most(0.5), bench::geometric_mean(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "Time to a proven relative gap for squared, squared hinge and log loss + L1",
      {{"files", &settings.files,
        "LIBSVM files; of more than two labels, the smallest against the rest; made-up: samples "
        "that are few for their features"},
       {"--part", &settings.parts, "λ over the least at which all weights are 0"},
       {"--loss", &settings.loss, "squared, squared-hinge, log or all"},
       {"--gap", &settings.gap, "relative duality gap to reach"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--limit", &settings.limit, "seconds after which no more tolerances are tried"},
       {"--saga", &settings.saga, "scikit-learn's saga for the log loss too"},
       {"--cpu", &bench::counts_processor_time,
        "seconds of the processor instead of the clock's, where other work runs"},
       {"--python", &settings.python, "an interpreter that has scikit-learn"}});
  return bench::run([&] { run(settings); });
}
