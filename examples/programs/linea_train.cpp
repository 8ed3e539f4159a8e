// SPDX-License-Identifier: MIT
/// \file Trains a linear function on a LIBSVM file: any loss, any optimizer, from the command line.
#include <CLI/CLI.hpp>
#include <charconv>  // from_chars
#include <linea/core/random_start.hpp>
#include <linea/data/labels.hpp>
#include <linea/files/libsvm.hpp>
#include <linea/files/output_file.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <optional>
#include <variant>

#include "program.hpp"
#include "programs/linea_train/certified.hpp"

namespace {

using linea::Index;
using program::json;
using program::Named;
using program::with_loss;

struct Options {
  std::string loss{};
  std::string optimizer{"sgd"};
  std::optional<double> lambda{};
  double l1{0};
  std::optional<Index> epochs{};
  std::string step{};
  std::string order{};
  std::string batch{"1"};
  double batch_growth{1};
  std::optional<Index> max_updates{};
  std::optional<double> target_objective{};
  double change_tolerance{0};
  std::optional<double> random_start{};
  bool average{false};
  bool no_offset{false};
  bool use_float{false};
  bool zero_based{false};
  double tolerance{1e-4};
  std::uint64_t seed{0};
  Index threads{1};
  Index most_features{0};
  bool certify{false};
  bool as_json{false};
  std::string train_file{};
  std::string model_file{};
};

/// Any of linea's step sizes behind one type, so that each loss is compiled once and not once a
/// step.
struct Step : linea::AutomaticStep {
  enum class Kind { automatic, constant, inverse_time, inverse_scaling, inverse_lambda };
  Kind kind{Kind::automatic};
  double value{0};
  double shift{0};

  double operator()(Index t) const {
    switch (kind) {
      case Kind::automatic:
        return AutomaticStep::operator()(t);
      case Kind::constant:
        return linea::ConstantStep{value}(t);
      case Kind::inverse_time:
        return linea::InverseTime{value, shift}(t);
      case Kind::inverse_scaling:
        return linea::InverseScaling{value, 0.5}(t);
      case Kind::inverse_lambda:
        return linea::InverseLambda{facts.strong_convexity, shift}(t);
    }
    return 0;
  }
  double offset_step(Index t) const {
    if (kind == Kind::automatic) return AutomaticStep::offset_step(t);
    if (kind == Kind::inverse_lambda)
      return linea::InverseLambda{facts.strong_convexity, shift}.offset_step(t);
    return (*this)(t);
  }
  Step shortened(double factor, Index t) const {
    Step shorter = *this;
    if (kind == Kind::automatic)
      shorter.first *= factor;
    else if (kind == Kind::inverse_lambda)
      shorter.shift = linea::InverseLambda{1, shift}.shortened(factor, t).shift;
    else
      shorter.value *= factor;
    return shorter;
  }
  Step bound_to(const linea::ProblemFacts& problem) const {
    linea::require(kind != Kind::inverse_lambda || problem.strong_convexity > 0,
                   "the step inverse-lambda needs --lambda > 0");
    Step bound = *this;
    bound.facts = problem;
    return bound;
  }
};

/// A step size from its name; `by_default` is meant by none.
Step step_from(const std::string& text, Step::Kind by_default) {
  Step step;
  step.kind = by_default;
  const Named named(text);
  const auto given = [&](double value) { return named.value.value_or(value); };
  if (named.name == "automatic") {
    step.kind = Step::Kind::automatic;
    step.first = given(0);
  } else if (named.name == "constant") {
    step.kind = Step::Kind::constant;
    step.value = given(0.01);
  } else if (named.name == "inverse-time") {
    step.kind = Step::Kind::inverse_time;
    step.value = given(1);
    step.shift = 1;
  } else if (named.name == "inverse-scaling") {
    step.kind = Step::Kind::inverse_scaling;
    step.value = given(0.01);
  } else if (named.name == "inverse-lambda") {
    step.kind = Step::Kind::inverse_lambda;
    step.shift = given(0);
  } else {
    linea::require(named.name.empty(), "unknown step size '", named.name,
                   "': see --help for the names");
  }
  if (step.kind != Step::Kind::automatic) step.first = 1;  // nothing is left to choose
  return step;
}

/// Any of linea's orders behind one type, for the same reason.
struct Order {
  std::variant<linea::WorkingSets, linea::Shuffled, linea::Cyclic, linea::WithReplacement> order{};

  void draw(linea::Epoch& epoch, Index rows, Index row_bytes, linea::Random& random) const {
    std::visit([&](const auto& any) { any.draw(epoch, rows, row_bytes, random); }, order);
  }
  template <class T>
  Order fitted_to(const linea::Vector<T>& y, Index row_bytes) const {
    const auto* sets = std::get_if<linea::WorkingSets>(&order);
    return sets ? Order{sets->fitted_to(y, row_bytes)} : *this;
  }
};

Order order_from(const std::string& name) {
  if (name.empty() || name == "working-sets") return {linea::WorkingSets{}};
  if (name == "shuffled") return {linea::Shuffled{}};
  if (name == "cyclic") return {linea::Cyclic{}};
  linea::require(name == "with-replacement", "unknown order '", name,
                 "': see --help for the names");
  return {linea::WithReplacement{}};
}

/// "all", or a number of samples.
Index batch_from(const std::string& text) {
  if (text == "all") return linea::all_samples;
  Index batch = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, batch);
  linea::require(error == std::errc{} && stop == end && batch >= 1, "--batch ", text,
                 " is neither 'all' nor a number of samples");
  return batch;
}

/// The largest over the smallest root mean square of a column, over the entries that are there: a
/// feature that is rare is not small, and one in less than a hundredth of the rows is not asked.
template <class T>
double column_spread(const linea::SparseMatrix<T>& x) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(x.cols());
  Eigen::VectorXd entries = Eigen::VectorXd::Zero(x.cols());
  for (Index i = 0; i < x.outerSize(); ++i)
    for (typename linea::SparseMatrix<T>::InnerIterator entry(x, i); entry; ++entry) {
      const auto value = static_cast<double>(entry.value());
      squares[entry.col()] += value * value;
      entries[entry.col()] += value != 0;
    }
  double low = 0;
  double high = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    if (squares[j] == 0 || entries[j] < 0.01 * static_cast<double>(x.rows())) continue;
    const double square = squares[j] / entries[j];
    if (low == 0 || square < low) low = square;
    high = std::max(high, square);
  }
  return low > 0 ? std::sqrt(high / low) : 1;
}

std::string shortly(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

template <class T>
class Training {
 public:
  explicit Training(const Options& options) : options_(options), loss_(chosen_loss(options)) {
    lambda_ = options.lambda.value_or(options.optimizer == "perceptron" ? 0.0 : 1e-4);
    linea::require(std::isfinite(lambda_) && lambda_ >= 0, "--lambda ", lambda_, " is not >= 0");
    linea::require(std::isfinite(options.l1) && options.l1 >= 0, "--l1 ", options.l1,
                   " is not >= 0");
    linea::require(options.optimizer != "perceptron" || (lambda_ == 0 && options.l1 == 0),
                   "the perceptron takes no penalty");
    const bool ridge = options.optimizer == "ridge";
    linea::require(!ridge || (options.l1 == 0 && !options.average && !options.epochs),
                   "ridge is exact: it takes no --l1, --average or --epochs");
    linea::require(options.step.empty() || (!ridge && options.optimizer != "perceptron"),
                   options.optimizer, " takes no --step");
    linea::require(!options.epochs || *options.epochs >= 0, "--epochs ", options.epochs.value_or(0),
                   " is not >= 0");
    linea::require(options.tolerance >= 0, "--tolerance ", options.tolerance, " is not >= 0");
    const bool descent = options.optimizer == "sgd" || options.optimizer == "pegasos";
    linea::require(
        descent ||
            (options.order.empty() && options.batch == "1" && options.batch_growth == 1 &&
             !options.max_updates && !options.target_objective && options.change_tolerance == 0),
        options.optimizer,
        " takes no --order, --batch, --batch-growth, --max-updates, --target-objective or "
        "--change-tolerance");
    linea::require(
        options.threads == 1 || descent || (certifies_itself() && options.optimizer != "dual"),
        options.optimizer, " takes no --threads");
    linea::require(
        !certifies_itself() || (options.l1 == 0 && !options.average && options.step.empty()),
        options.optimizer, " takes no --l1, --average or --step");
    linea::require(options.optimizer != "auto" || !options.epochs, "auto takes no --epochs");
    linea::require(!options.certify || options.l1 == 0,
                   "--certify is for the penalty of --lambda alone");
    linea::require(
        !options.random_start || options.optimizer == "sgd" || options.optimizer == "perceptron",
        options.optimizer, " takes no --random-start");
    linea::require(options.optimizer != "pegasos" || options.l1 == 0,
                   "pegasos is for L2 alone here; sgd takes --l1");
  }

  int run(std::string& task) {
    task = "reading '" + options_.train_file + "'";
    if (!options_.model_file.empty())
      program::require_apart(options_.model_file, options_.train_file);
    std::optional<linea::files::OutputFile> file;
    const auto before = std::chrono::steady_clock::now();
    auto data = linea::read_libsvm<T>(options_.train_file, {.most_features = options_.most_features,
                                                            .zero_based = options_.zero_based});
    report_["read_seconds"] = program::seconds_since(before);
    x_ = std::move(data.x);
    y_ = std::move(data.y);
    if (!options_.model_file.empty()) file.emplace("write_model", options_.model_file);
    task = options_.optimizer + " on " + std::to_string(x_.rows()) + " samples of " +
           std::to_string(x_.cols()) + " features";
    with_loss(loss_, [&](const auto& loss) { train_on(loss); });
    finish_report();
    warn();
    const bool diverged = solution_.status == linea::Status::diverged;
    if (diverged)
      std::cerr << "linea_train: the run diverged" << (file ? "; no model is written\n" : "\n");
    if (file && !diverged) {
      program::write(file->stream(), model_);
      file->keep();
    }
    program::flush_report();
    return diverged ? 1 : 0;
  }

 private:
  bool certifies_itself() const {
    const auto& name = options_.optimizer;
    return name == "dual" || name == "newton" || name == "lbfgs" || name == "auto";
  }
  program::CertifiedTask task() const {
    return {.optimizer = options_.optimizer,
            .loss = loss_,
            .lambda = lambda_,
            .offset = !options_.no_offset,
            .epochs = options_.epochs,
            .tolerance = options_.tolerance,
            .seed = options_.seed,
            .threads = options_.threads};
  }
  /// The samples in double, as they are or copied.
  template <class F>
  auto in_double(F&& f) const {
    if constexpr (std::same_as<T, double>)
      return f(x_, y_);
    else
      return f(linea::SparseMatrix<double>(x_.template cast<double>()), y_);
  }

  static Named chosen_loss(const Options& options) {
    const bool exact = options.optimizer == "ridge";
    if (options.loss.empty())
      return Named(exact ? "squared" : options.optimizer == "perceptron" ? "perceptron" : "hinge");
    linea::require(!exact || options.loss == "squared", "ridge is for the squared loss, not ",
                   options.loss);
    return Named(options.loss);
  }

  template <class L>
  void train_on(const L& loss) {
    // A loss that does not take ½ is one for labels.
    if (!linea::is_valid_target(loss, 0.5) || options_.optimizer == "perceptron") {
      const linea::ClassLabels labels(y_);
      linea::require(labels.size() == 2, options_.train_file, ": the loss ", loss_.name,
                     " tells two labels apart, but the file has ", labels.size(),
                     "; for numbers take a loss like squared");
      y_ = labels.encode(y_);
      model_.labels = {static_cast<double>(labels[0]), static_cast<double>(labels[1])};
    }
    if (options_.l1 > 0)
      minimize(linea::Objective{loss, linea::ElasticNet{options_.l1, lambda_}});
    else
      minimize(linea::Objective{loss, linea::L2{lambda_}});
  }

  template <class L, class P>
  void minimize(const linea::Objective<L, P>& objective) {
    const auto before = std::chrono::steady_clock::now();
    std::optional<double> dual;
    if (options_.optimizer == "sgd") {
      sgd(objective);
    } else if (certifies_itself()) {
      dual = certified();
    } else if constexpr (std::same_as<P, linea::L2>) {
      if (options_.optimizer == "pegasos") pegasos(objective);
      if (options_.optimizer == "perceptron") perceptron();
      if constexpr (std::same_as<L, linea::Squared>)
        if (options_.optimizer == "ridge") ridge(objective);
    }
    report_["train_seconds"] = program::seconds_since(before);
    // The one formula, on the training set, whatever the optimizer looked at: in double, as a bound
    // is.
    solution_.objective =
        linea::objective_value(objective, linea::in_double(x_), y_,
                               linea::Vector<double>(solution_.weights.template cast<double>()),
                               static_cast<double>(solution_.offset));
    if (options_.certify && solution_.status != linea::Status::diverged) dual = bound();
    if (dual) report_certificate({solution_.objective, *dual});
    // What an optimizer could not know, a bound has shown.
    using linea::Status;
    const bool undecided = solution_.status == Status::settled ||
                           solution_.status == Status::epoch_limit ||
                           solution_.status == Status::precision_limit;
    if (dual && undecided &&
        linea::Certificate{solution_.objective, *dual}.relative_gap() <= options_.tolerance)
      solution_.status = Status::converged;
  }

  double certified() {
    const auto outcome =
        in_double([&](const auto& x, const auto& y) { return train_certified(task(), x, y); });
    const auto& solution = outcome.solution;
    solution_.weights = solution.weights.template cast<T>();
    solution_.offset = static_cast<T>(solution.offset);
    solution_.status = solution.status;
    solution_.iterate = solution.iterate;
    solution_.epochs = solution.epochs;
    solution_.updates = solution.updates;
    note_ = outcome.note;
    return outcome.dual;
  }

  double bound() const {
    linea::Solution<double> solution;
    solution.weights = solution_.weights.template cast<double>();
    solution.offset = static_cast<double>(solution_.offset);
    return in_double(
        [&](const auto& x, const auto& y) { return bound_from(task(), solution, x, y); });
  }

  /// Numbers, or null where no bound was found.
  void report_certificate(const linea::Certificate& certificate) {
    const auto number = [](double value) { return std::isfinite(value) ? json(value) : json(); };
    report_["primal"] = number(certificate.primal);
    report_["dual"] = number(certificate.dual);
    report_["gap"] = number(certificate.gap());
    report_["relative_gap"] = number(certificate.relative_gap());
  }

  template <class O>
  void sgd(const O& objective) {
    linea::BasicSgd<Step, Order> optimizer{.offset = !options_.no_offset,
                                           .step = step_from(options_.step, Step::Kind::automatic),
                                           .seed = options_.seed};
    configure(optimizer);
    const auto solution = optimizer.minimize(objective, x_, y_, start());
    solution_ = solution;
    report_["first_step"] = solution.first_step;
    report_["last_step"] = solution.last_step;
    report_["restarts"] = solution.restarts;
    note_ = optimizer.step.kind == Step::Kind::automatic && optimizer.step.first == 0
                ? "first step " + shortly(solution.first_step) + " chosen from the data"
                : "first step " + shortly(solution.first_step) + " as given";
    if (solution.restarts > 0)
      note_ += "; diverged and rolled back " + std::to_string(solution.restarts) +
               " times, each time with a quarter of the step";
    note_columns();
  }

  template <class O>
  void pegasos(const O& objective) {
    Step step = step_from(options_.step, Step::Kind::inverse_lambda);
    linea::require(
        step.kind == Step::Kind::inverse_lambda || step.kind == Step::Kind::inverse_time,
        "pegasos takes the steps inverse-lambda and inverse-time (the lectures' 1/t), not ",
        options_.step);
    note_ = "step 1/(lambda t)";
    if (step.kind == Step::Kind::inverse_time) {
      step.shift = 0;
      note_ = "step " + shortly(step.value) + "/t";
      if (lambda_ * step.value < 0.5) note_ += ": slow, since lambda times its size is below 1/2";
    }
    linea::BasicPegasos<Step, Order> optimizer{
        .offset = !options_.no_offset, .step = step, .seed = options_.seed};
    configure(optimizer);
    solution_ = optimizer.minimize(objective, x_, y_);
    if (lambda_ * static_cast<double>(solution_.updates) < 10)
      note_ += "; it settles after several times 1/lambda steps, and this run had fewer";
    note_columns();
  }

  void note_columns() {
    const double spread = column_spread(x_);
    if (spread > 100)
      note_ +=
          "; the columns differ in size by a factor of " + shortly(spread) +
          ", which slows stochastic gradients down: scale them, or try ridge for the squared loss";
  }

  void perceptron() {
    const auto solution = linea::Perceptron{.epochs = options_.epochs.value_or(100),
                                            .average = options_.average,
                                            .offset = !options_.no_offset}
                              .fit(x_, y_, start());
    solution_ = solution;
    report_["mistakes"] = solution.mistakes;
    note_ = solution.status == linea::Status::converged ? "an epoch passed without a mistake"
                                                        : "no epoch passed without a mistake";
  }

  void ridge(const linea::Objective<linea::Squared, linea::L2>& objective) {
    const auto solution = linea::Ridge{.offset = !options_.no_offset}.minimize(objective, x_, y_);
    solution_ = solution;
    report_["factorization"] = linea::name_of(solution.factorization);
    report_["rank"] = solution.rank;
    note_ = "closed form, by " + std::string(linea::name_of(solution.factorization));
  }

  template <class Optimizer>
  void configure(Optimizer& optimizer) const {
    if (options_.epochs) optimizer.epochs = *options_.epochs;
    optimizer.tolerance = options_.tolerance;
    if (options_.average) optimizer.iterate = linea::Iterate::average;
    optimizer.order = order_from(options_.order);
    optimizer.batch = batch_from(options_.batch);
    optimizer.batch_growth = options_.batch_growth;
    optimizer.change_tolerance = options_.change_tolerance;
    optimizer.threads = options_.threads;
    if (options_.max_updates) optimizer.max_updates = *options_.max_updates;
    if (options_.target_objective) optimizer.target_objective = *options_.target_objective;
  }

  linea::Extras<T> start() const {
    if (!options_.random_start) return {};
    return linea::random_start<T>(x_.cols(), options_.seed, *options_.random_start,
                                  !options_.no_offset);
  }

  /// Says on stderr when the answer is not known to be near the minimum, and which optimizer would
  /// prove it.
  void warn() const {
    std::string what;
    switch (solution_.status) {
      case linea::Status::converged:
        return;
      case linea::Status::settled:
        what = "the objective has settled, which does not prove that it is near its minimum";
        break;
      case linea::Status::epoch_limit:
        what = "the run was not at its end when its epochs or updates were used up";
        break;
      case linea::Status::precision_limit:
        what = "rounding ended the run before it met its tolerance";
        break;
      case linea::Status::stopped:
        what = "the run was stopped";
        break;
      case linea::Status::diverged:
        what = "these weights are of no use";
        break;
    }
    std::cerr << "linea_train: warning: " << what << "; " << advice() << '\n';
  }

  std::string advice() const {
    const bool squared = loss_.name == "squared";
    if (options_.l1 > 0)
      return "no optimizer of this program proves a minimum with --l1, in C++ linea::Auto does";
    if (options_.optimizer == "perceptron")
      return "it ends where a line separates the labels; --optimizer auto --loss hinge proves a "
             "minimum wherever they lie";
    if (squared && options_.optimizer != "ridge")
      return "--optimizer ridge finds it exactly, --optimizer auto proves it";
    if (options_.optimizer == "auto" || options_.optimizer == "ridge")
      return "scale the columns, or allow a larger --tolerance";
    return "--optimizer auto proves it";
  }

  void finish_report() {
    const bool classes = !model_.labels.empty();
    linea::Vector<T> scores = x_ * solution_.weights;
    scores.array() += solution_.offset;
    double error = 0;
    for (Index i = 0; i < scores.size(); ++i) {
      const double residual = static_cast<double>(scores[i]) - y_[i];
      error += classes ? double((scores[i] >= T(0)) != (y_[i] > 0)) : residual * residual;
    }
    error /= static_cast<double>(scores.size());
    model_.loss = loss_.name;
    model_.offset = static_cast<double>(solution_.offset);
    model_.weights.assign(solution_.weights.begin(), solution_.weights.end());

    json head{{"optimizer", options_.optimizer},
              {"loss", loss_.name},
              {"lambda", lambda_},
              {"l1", options_.l1},
              {"n", x_.rows()},
              {"d", x_.cols()},
              {"nnz", x_.nonZeros()},
              {"scalar", std::same_as<T, float> ? "float" : "double"}};
    head.update(report_);
    head.update(json{{"epochs", solution_.epochs},
                     {"updates", solution_.updates},
                     {"status", linea::name_of(solution_.status)},
                     {"iterate", linea::name_of(solution_.iterate)},
                     {"objective", solution_.objective},
                     {"train_error", error},
                     {"train_error_is", classes ? "share of mistakes" : "mean squared error"},
                     {"non_zero_weights", (solution_.weights.array() != T(0)).count()},
                     {"seed", options_.seed},
                     {"threads", options_.threads},
                     {"note", note_}});
    if (options_.as_json) {
      std::cout << head.dump() << '\n';
      return;
    }
    for (const auto& [key, value] : head.items()) {
      std::cout << key << ": ";
      if (value.is_string())
        std::cout << value.template get<std::string>() << '\n';
      else
        std::cout << value << '\n';
    }
  }

  Options options_;
  Named loss_;
  double lambda_{0};
  linea::SparseMatrix<T> x_;
  linea::Vector<double> y_;
  linea::Solution<T> solution_;
  program::Model model_;
  json report_ = json::object();
  std::string note_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Trains a linear function on a LIBSVM file."};
  app.add_option("--loss", options.loss,
                 "hinge, squared-hinge, smooth-hinge[:width], log, perceptron (two labels); "
                 "squared, absolute, huber[:delta], "
                 "epsilon-insensitive[:epsilon], quantile[:level] (numbers). Default: hinge; "
                 "squared for ridge");
  app.add_option("--optimizer", options.optimizer,
                 "sgd (default), pegasos, perceptron, ridge; with a proof of how near the minimum "
                 "is: dual, "
                 "newton and lbfgs (smooth losses), auto")
      ->check(CLI::IsMember(
          {"sgd", "pegasos", "perceptron", "ridge", "dual", "newton", "lbfgs", "auto"}));
  app.add_option("--lambda", options.lambda,
                 "strength of the penalty lambda/2 |w|^2. Default: 1e-4");
  app.add_option("--l1", options.l1, "strength of the penalty |w|_1. Default: 0");
  app.add_option("--epochs", options.epochs, "at most so many passes over the file");
  app.add_option(
      "--step", options.step,
      "automatic[:first] (default), constant[:size], inverse-time[:size], inverse-scaling[:size], "
      "inverse-lambda[:shift]");
  app.add_option("--order", options.order,
                 "of visits: working-sets (default), shuffled, cyclic, with-replacement");
  app.add_option("--batch", options.batch,
                 "samples a step, or 'all': gradient descent. Default: 1");
  app.add_option("--batch-growth", options.batch_growth,
                 "the batch of an epoch over that of the one before. Default: 1");
  app.add_option("--max-updates", options.max_updates, "at most so many steps");
  app.add_option("--target-objective", options.target_objective, "stop at an objective so low");
  app.add_option("--change-tolerance", options.change_tolerance,
                 "stop when an epoch moves the weights by less than this, relatively");
  app.add_option("--random-start", options.random_start,
                 "start at weights drawn between -SIZE and SIZE rather than at zero");
  app.add_flag("--average", options.average,
               "return the average of the iterates rather than the best");
  app.add_flag("--no-offset", options.no_offset, "fit no offset");
  app.add_flag("--float", options.use_float, "float rather than double");
  app.add_flag("--zero-based", options.zero_based, "the first feature is 0 rather than 1");
  app.add_option(
      "--tolerance", options.tolerance,
      "stop when the objective fell by less than this, relatively, over 10 epochs; for dual, "
      "newton, lbfgs and auto, when it is as near to the minimum");
  app.add_option("--seed", options.seed, "of the order of visits and of the random start");
  app.add_option("--threads", options.threads,
                 "each visits its share of an epoch; the same seed and number give the same model");
  app.add_option("--most-features", options.most_features,
                 "refuse a larger index in the file. Default: 16 for each entry, at least 4194304");
  app.add_flag("--certify", options.certify,
               "look for a proof of how near the minimum is, whatever the optimizer");
  app.add_flag("--json", options.as_json, "report as one line of JSON");
  app.add_option("TRAIN_FILE", options.train_file, "LIBSVM text")->required();
  app.add_option("MODEL_FILE", options.model_file, "where to write the model");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program::refused("linea_train", app, error);
  }
  return program::guarded("linea_train", [&](std::string& task) {
    return options.use_float ? Training<float>(options).run(task)
                             : Training<double>(options).run(task);
  });
}
