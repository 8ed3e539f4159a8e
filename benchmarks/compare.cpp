// SPDX-License-Identifier: MIT
/// \file Compares linea with libraries of package managers on the same samples, in one thread. All
/// minimise the same objective, λ/2·‖w‖² + mean loss without offset. Measures the time of a fit
/// with each library's own tolerance, F at its weights, evaluated by linea for all, and the time of
/// an epoch.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <memory>

#include "support/data.hpp"
#include "support/epoch.hpp"
#include "support/files.hpp"
#include "support/options.hpp"
#include "support/scikit_learn.hpp"
#include "support/turns.hpp"
#ifdef LINEA_HAS_LIBLINEAR
#include "support/liblinear.hpp"
#endif
#ifdef LINEA_HAS_DLIB
#include "support/dlib.hpp"
#endif

namespace {

using linea::Index;

struct Settings {
  std::vector<std::string> files{};
  std::string task{"all"};
  double lambda{1e-4};
  long turns{5};
  bool dense{false};
  long rows{0};
  long columns{54};
  // It may be empty. NOLINTNEXTLINE(readability-redundant-string-init)
  std::string python{LINEA_SKLEARN_PYTHON};
};

/// Compares the libraries on samples x: sparse samples are float, dense ones double.
template <class X>
class Comparison {
 public:
  using T = linea::scalar_t<X>;

  Comparison(std::string name, X x, linea::Vector<T> y, const Settings& settings)
      : name_(std::move(name)),
        settings_(settings),
        x_(std::move(x)),
        y_(std::move(y)),
        penalty_{settings.lambda} {
    if (!settings.python.empty())
      scikit_learn_ = std::make_unique<bench::ScikitLearn>(settings.python, x_, y_);
  }

  void measure() {
    std::printf("\n%s: %td samples, %td features, %s\n", name_.c_str(), x_.rows(), x_.cols(),
                sizeof(T) == 8 ? "dense double" : "sparse float");
    const auto asked = [&](const char* task) {
      return settings_.task == "all" || settings_.task == task;
    };
    if (asked("hinge")) hinge();
    if (asked("log")) log();
    if (asked("epoch")) epoch();
  }

 private:
  struct Peer {
    std::string name;
    std::function<bench::PeerFit()> fit;
  };

  template <class L, class Optimizer>
  Peer linea_peer(std::string name, const L& loss, const Optimizer& optimizer) const {
    return {std::move(name), [this, loss, optimizer] {
              bench::PeerFit fit;
              linea::Vector<T> w;
              fit.seconds = bench::seconds([&] {
                w = optimizer.minimize(linea::Objective{loss, penalty_}, x_, y_).weights;
              });
              fit.weights = w.template cast<double>();
              return fit;
            }};
  }

  void add_scikit_learn(std::vector<Peer>& peers, const std::string& model,
                        const std::string& loss) const {
    if (scikit_learn_)
      peers.push_back({"scikit-learn " + model, [this, model, loss] {
                         return scikit_learn_->fit(model, loss, settings_.lambda);
                       }});
  }

  void add_liblinear([[maybe_unused]] std::vector<Peer>& peers,
                     [[maybe_unused]] std::initializer_list<int> solvers) {
#ifdef LINEA_HAS_LIBLINEAR
    if (!liblinear_) liblinear_ = std::make_unique<bench::Liblinear>(x_, y_);
    for (const int solver : solvers)
      peers.push_back({"LIBLINEAR -s " + std::to_string(solver), [this, solver] {
                         const bool is_dual = solver != 0;
                         return liblinear_->fit(solver, settings_.lambda, is_dual ? 0.1 : 0.01);
                       }});
#endif
  }

  /// Compares the peers. The first peer is linea, to which the others are compared.
  template <class L>
  void compare(const L& loss, const std::vector<Peer>& peers) const {
    std::vector<double> objectives(peers.size());
    bench::Turns turns;
    for (std::size_t k = 0; k < peers.size(); ++k)
      turns.add(peers[k].name, [&, k] {
        const auto fit = peers[k].fit();
        objectives[k] =
            linea::objective_value(linea::Objective{loss, penalty_}, x_, y_,
                                   linea::Vector<T>(fit.weights.template cast<T>()), T(0));
        return fit.seconds;
      });
    turns.take(settings_.turns);

    const double least = *std::min_element(objectives.begin(), objectives.end());
    std::printf(
        "\n| %s | time over that of %s | objective | above the least |\n|---|---|---|---|\n",
        std::string(linea::name_of(loss)).c_str(), peers.front().name.c_str());
    for (std::size_t k = 0; k < peers.size(); ++k) {
      const auto ratio = turns.ratio(peers[k].name, peers.front().name);
      std::printf("| %s | %s (%s–%s) | %.6f | %.2f %% |\n", peers[k].name.c_str(),
                  bench::text_of(ratio.median).c_str(), bench::text_of(ratio.low).c_str(),
                  bench::text_of(ratio.high).c_str(), objectives[k],
                  100 * (objectives[k] / least - 1));
    }
  }

  void hinge() {
    const linea::Hinge loss;
    std::vector<Peer> peers{
        linea_peer("linea Sgd, averaged", loss,
                   linea::Sgd{.offset = false, .iterate = linea::Iterate::average})};
    add_liblinear(peers, {3});
    add_scikit_learn(peers, "SGDClassifier", "hinge");
    add_scikit_learn(peers, "LinearSVC", "hinge");
#ifdef LINEA_HAS_DLIB
    const bench::Dlib dlib(x_, y_);
    peers.push_back({"dlib dcd", [&] { return dlib.fit(settings_.lambda); }});
#endif
    compare(loss, peers);
  }

  void log() {
    const linea::Log loss;
    std::vector<Peer> peers{
        linea_peer("linea Sgd, averaged", loss,
                   linea::Sgd{.offset = false, .iterate = linea::Iterate::average})};
    add_liblinear(peers, {0, 7});
    add_scikit_learn(peers, "SGDClassifier", "log");
    add_scikit_learn(peers, "LogisticRegression", "log");
    compare(loss, peers);
  }

  /// Measures the time of epochs. One epoch of the same program comes first, so that the caches are
  /// as it leaves them.
  void epoch() {
    if (!scikit_learn_) return;
    constexpr long more = 5;
    bench::Turns turns;
    turns.add("linea", [&, epoch = bench::epoch(linea::Objective{linea::Hinge{}, penalty_},
                                                linea::Sgd{.offset = false}, x_, y_)] {
      epoch();
      return bench::seconds([&] {
               for (long k = 0; k < more; ++k) epoch();
             }) /
             more;
    });
    turns.add("SGDClassifier", [&] {
      const auto time = [&](long epochs) {
        return scikit_learn_->fit("SGDClassifier", "hinge", settings_.lambda, epochs).seconds;
      };
      return (time(1 + more) - time(1)) / more;
    });
    turns.take(settings_.turns);
    std::puts("");
    bench::print_head();
    bench::print_row("an epoch of Sgd, hinge, on " + name_ + ": speed over that of SGDClassifier",
                     bench::at_least(linea::SparseSamples<X> ? 3.5 : 7),
                     turns.ratio("SGDClassifier", "linea"));
  }

  std::string name_;
  Settings settings_;
  X x_;
  linea::Vector<T> y_;
  linea::L2 penalty_;
  std::unique_ptr<bench::ScikitLearn> scikit_learn_{};
#ifdef LINEA_HAS_LIBLINEAR
  std::unique_ptr<bench::Liblinear> liblinear_{};
#endif
};

void measure(const Settings& settings) {
#ifndef LINEA_HAS_LIBLINEAR
  std::puts("LIBLINEAR is left out: it was not there when this was built");
#endif
#ifndef LINEA_HAS_DLIB
  std::puts("dlib is left out: it was not there when this was built");
#endif
  if (settings.python.empty()) std::puts("scikit-learn is left out: no --python that has it");

  for (const auto& file : settings.files) {
    const std::string name = bench::name_of_file(file);
    if (settings.dense) {
      const auto data = bench::two_classes<double>(file);
      Comparison<linea::Matrix<double>>(name, data.x, data.y, settings).measure();
    } else {
      const auto data = bench::two_classes<float>(file);
      Comparison<linea::SparseMatrix<float>>(name, data.x, data.y.cast<float>(), settings)
          .measure();
    }
  }
  if (settings.rows > 0)
    Comparison<linea::Matrix<double>>("made-up samples",
                                      bench::random_rows<double>(settings.rows, settings.columns),
                                      bench::random_targets<double>(settings.rows), settings)
        .measure();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(argc, argv, "linea beside its peers",
                      {{"files", &settings.files, "LIBSVM files with two labels"},
                       {"--task", &settings.task, "hinge, log, epoch or all"},
                       {"--lambda", &settings.lambda, "strength of the penalty"},
                       {"--turns", &settings.turns, "turns that are counted"},
                       {"--dense", &settings.dense,
                        "samples as a dense matrix of double, not as a sparse one of float"},
                       {"--rows", &settings.rows, "made-up dense samples rather than files"},
                       {"--columns", &settings.columns, "of made-up samples"},
                       {"--python", &settings.python, "an interpreter that has scikit-learn"}});
  return bench::run([&] { measure(settings); });
}
