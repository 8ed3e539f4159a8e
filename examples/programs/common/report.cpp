// SPDX-License-Identifier: MIT
#include "programs/common/report.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <linea/core/solution.hpp>
#include <linea/models/evaluate.hpp>
#include <numeric>

#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using linea::Status;

/// Returns the status of the run as text.
std::string ending(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::settled:
      return "the objective has stopped changing, which does not prove that it is near its minimum";
    case Status::epoch_limit:
      return "the limit of epochs or updates ended the run before it met its tolerance";
    case Status::precision_limit:
      return "rounding ended the run before it met its tolerance";
    case Status::stopped:
      return "the run was stopped";
    case Status::diverged:
      return "the run diverged: do not use these weights";
  }
  return "";
}

std::string advice(const TrainOptions& options) {
  const FitTask& task = options.task;
  const bool squared = task.loss.name == "squared";
  if (task.l1 > 0 && task.optimizer != "auto") return "--optimizer auto proves a minimum";
  if (task.optimizer == "perceptron")
    return "it ends only if a hyperplane separates the labels; --optimizer auto --loss hinge "
           "proves a minimum for any labels";
  if (squared && task.optimizer != "ridge" && task.optimizer != "auto")
    return "--optimizer ridge finds the minimum exactly; --optimizer auto proves it";
  if (task.optimizer == "auto" || task.optimizer == "ridge")
    return "use --standardise, or a larger --tolerance or --lambda";
  return "--optimizer auto proves the minimum";
}

/// Says that the weights are those of an earlier epoch, where held-out samples were predicted best.
/// Returns "" if they are not.
std::string early_text(const Trained& trained) {
  std::string text;
  for (const Fit& fit : trained.functions.fits) {
    if (fit.details.value("stopped_early", false))
      return "stopped early, with the weights that predict held-out samples best";
    if (fit.details.contains("stopped_early"))
      text = "ended, with the earlier weights that predict held-out samples best";
  }
  return text;
}

/// Returns the certificate as JSON, in which numbers that are not finite are null.
json certificate_json(double objective, double dual) {
  const linea::Certificate certificate{objective, dual};
  const auto number = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  return {{"primal", number(certificate.primal)},
          {"dual", number(certificate.dual)},
          {"gap", number(certificate.gap())},
          {"relative_gap", number(certificate.relative_gap())}};
}

/// Adds the results for held-out samples.
void add_held_out(const Trained& trained, json& report) {
  if (trained.validation) {
    json validation{{"n", trained.validation->samples}};
    trained.validation->add_to(validation);
    trained.validation->add_intervals_to(validation);
    report["validation"] = validation;
  }
  if (trained.curve) {
    const auto& curve = *trained.curve;
    report["lambdas"] = curve.lambdas;
    report["validation_errors"] = std::vector<double>(curve.mean.begin(), curve.mean.end());
  }
}

std::string penalty_text(const FitTask& task) {
  std::string text;
  if (task.lambda > 0) text += " + " + digits(task.lambda) + "/2 |w|^2";
  if (task.l1 > 0) text += " + " + digits(task.l1) + " |w|_1";
  return text;
}

std::string samples_text(const Trained& trained) {
  const Model& model = trained.model;
  std::string text = std::to_string(trained.x.rows()) + " samples, " +
                     std::to_string(trained.x.cols()) + " features";
  if (!model.has_classes()) return text + ", targets are numbers\n";
  const std::size_t k = model.labels.size();
  text += ", " + std::to_string(k) + " classes: ";
  for (std::size_t j = 0; j < std::min<std::size_t>(k, 10); ++j)
    text += (j ? ", " : "") + shown(model.label_text(j)) + " (" +
            std::to_string((trained.y.array() == static_cast<double>(j)).count()) + ")";
  return text + (k > 10 ? ", ...\n" : "\n");
}

/// Returns the number of missing cells, and how they are replaced, as text.
std::string missing_text(const Trained& trained) {
  const auto& encoder = trained.model.input.encoder;
  if (trained.missing_cells == 0) return "";
  const auto has = [&](bool text) {
    return std::any_of(encoder.columns.begin(), encoder.columns.end(),
                       [&](const linea::EncodedColumn& column) {
                         return column.is_feature() && column.is_text == text;
                       });
  };
  std::string text = "missing cells: " + std::to_string(trained.missing_cells) + ", replaced by ";
  if (has(false))
    text += encoder.missing == linea::Missing::mean ? "the mean of their column" : "zero";
  if (has(true)) text += std::string(has(false) ? ", or, in text columns, by " : "") + "no value";
  return text + "\n";
}

std::string objective_text(const Trained& trained) {
  const double objective = trained.functions.objective();
  const auto dual = trained.functions.dual();
  std::string text = "objective: " + digits(objective, 6);
  const double gap = dual ? linea::Certificate{objective, *dual}.gap() : INFINITY;
  if (std::isfinite(gap)) {
    text += gap > 0 ? ", proven to be at most " + digits(gap, 2) + " above the minimum"
                    : ", proven to be the minimum";
  }
  if (trained.functions.fits.size() > 1)
    text += " (sum of " + std::to_string(trained.functions.fits.size()) + " classes)";
  return text + "\n";
}

std::string weights_text(const Model& model) {
  std::string text = model.input.is_scaled() ? "largest weights, of standardised features:\n"
                                             : "largest weights (compare them by --standardise):\n";
  const Index functions = std::min<Index>(model.weights.cols(), 5);
  for (Index k = 0; k < functions; ++k) {
    if (model.weights.cols() > 1)
      text += "  for " + shown(model.label_text(static_cast<std::size_t>(k))) + ":\n";
    for (const auto& [name, weight] : largest_weights(model, k, functions > 1 ? 4 : 8))
      text +=
          "  " + std::string(weight < 0 ? "" : "+") + digits(weight) + "  " + shown(name) + "\n";
  }
  if (model.has_classes() && model.weights.cols() == 1)
    text += "  (positive weights favour " + shown(model.label_text(1)) + ")\n";
  return text;
}

}  // namespace

std::vector<NamedWeight> largest_weights(const Model& model, Index k, std::size_t most) {
  std::vector<Index> order(static_cast<std::size_t>(model.weights.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index j) { return std::abs(model.weights(j, k)); };
  const std::size_t shown = std::min(most, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
      [&](Index a, Index b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  std::vector<NamedWeight> largest;
  for (std::size_t j = 0; j < shown && size(order[j]) > 0; ++j)
    largest.push_back({model.input.name_of(order[j]), model.weights(order[j], k)});
  return largest;
}

std::string lambda_table(const linea::ValidationCurve& curve, bool of_classes) {
  std::vector<std::vector<std::string>> rows{
      {"lambda", of_classes ? "% wrong" : "mean loss", "+-", ""}};
  // For classes, the table has error rates in percent, like the rest of the report.
  const double unit = of_classes ? 100 : 1;
  for (std::size_t k = 0; k < curve.lambdas.size(); ++k) {
    const auto at = static_cast<Index>(k);
    rows.push_back({digits(curve.lambdas[k]), digits(unit * curve.mean[at]),
                    digits(unit * curve.standard_error[at], 2),
                    at == curve.best ? "<- selected" : ""});
    if (at == curve.one_standard_error && at != curve.best)
      rows.back().back() = "<- within one standard error of the best";
  }
  std::string text = linea::detail::grid_text(rows);
  if (curve.is_at_edge) text += "the best lambda is at an end of the list: extend the list\n";
  return text;
}

void finish(const std::string& program, const TrainOptions& options, const Trained& trained,
            std::optional<linea::io::OutputFile>& file, const char* how) {
  const Status status = trained.functions.status();
  const bool diverged = status == Status::diverged;
  const bool is_told = !options.as_json && !options.is_quiet;  // in the text report
  if (!is_told && !trained.is_interrupted && status != Status::converged &&
      early_text(trained).empty())
    std::cerr << program << ": warning: " << ending(status) << "; " << advice(options) << '\n';
  if (diverged)
    std::cerr << program << ": the run diverged" << (file ? "; no model is written\n" : "\n");
  if (file && !diverged) {
    write_model(file->stream(), trained.model);
    file->keep();
  }
  if (trained.is_interrupted) {
    std::cerr << program << ": " << how
              << (file && !diverged ? "; the best model so far is written" : "");
    if (!options.checkpoint.empty() && !diverged && takes_start(options))
      std::cerr << "; --start '" << options.checkpoint << "' continues from it";
    std::cerr << '\n';
  }
  flush_report();
}

std::string json_report(const TrainOptions& options, const Trained& trained, double read_seconds) {
  const Model& model = trained.model;
  const Functions& functions = trained.functions;
  json report{{"optimizer", options.task.optimizer},
              {"loss", model.loss},
              {"lambda", options.task.lambda},
              {"l1", options.task.l1},
              {"n", trained.x.rows()},
              {"d", trained.x.cols()},
              {"nnz", trained.x.nonZeros()},
              {"missing_cells", trained.missing_cells},
              {"scalar", computes_in_float(options.task) ? "float" : "double"},
              {"read_seconds", read_seconds}};
  if (functions.fits.size() == 1) report.update(functions.fits[0].details);
  report["train_seconds"] = trained.train_seconds;
  if (const auto dual = functions.dual())
    report.update(certificate_json(functions.objective(), *dual));
  report.update(
      json{{"epochs", functions.epochs()},
           {"updates", functions.updates()},
           {"status", linea::name_of(functions.status())},
           {"iterate", linea::name_of(functions.fits[0].iterate)},
           {"objective", functions.objective()},
           {"train_error", trained.training.error()},
           {"train_error_is", model.has_classes() ? "share of mistakes" : "mean squared error"},
           {"non_zero_weights", (model.weights.array() != 0).count()},
           {"seed", options.task.seed},
           {"threads", options.task.threads},
           {"note", trained.note},
           {"multiclass", model.multiclass},
           {"classes", model.labels.size()},
           {"interrupted", trained.is_interrupted}});
  add_held_out(trained, report);
  return report.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string plain_report(const TrainOptions& options, const Trained& trained) {
  const Model& model = trained.model;
  std::string text = samples_text(trained) + missing_text(trained);
  if (trained.curve) text += lambda_table(*trained.curve, model.has_classes());
  text += "minimised: mean " + model.loss + " loss" + penalty_text(options.task);
  if (model.labels.size() > 2) text += ", " + model.multiclass;
  text += "\noptimizer: " + options.task.optimizer + " (" + trained.note + ")\n";
  const Status status = trained.functions.status();
  text += "status: ";
  if (trained.is_interrupted)
    text += std::string(interruption()) + "; this is the best model so far\n";
  else if (const auto early = early_text(trained); !early.empty() && status != Status::diverged)
    text += early + "\n";
  else
    text += ending(status) + (status == Status::converged ? "" : "; " + advice(options)) + "\n";
  text += objective_text(trained);
  text += "training: " + trained.training.text();
  if (trained.validation) text += "held out: " + trained.validation->text();
  text += weights_text(model);
  return text;
}

}  // namespace program
