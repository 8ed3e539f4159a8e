// SPDX-License-Identifier: MIT
#include "programs/common/report.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <linea/models/evaluate.hpp>
#include <numeric>

#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using linea::Status;

/// Returns the status of the run as text, and what to do if it has not converged.
std::string status_text(const TrainOptions& options, const Trained& trained) {
  const std::string advice = options.fit.optimizer == "auto" || options.fit.optimizer == "ridge"
                                 ? "; use --standardise, or a larger --tolerance or --lambda"
                                 : "; --optimizer auto proves the minimum";
  if (trained.is_interrupted && !trained.diverged())
    return std::string(interruption()) + "; this is the best model so far";
  switch (trained.status) {
    case Status::converged:
      return "converged";
    case Status::settled:
      return "the objective has stopped changing, which does not prove that it is near its "
             "minimum" +
             advice;
    case Status::epoch_limit:
      return "the limit of epochs ended the run before it met its tolerance" + advice;
    case Status::precision_limit:
      return "rounding ended the run before it met its tolerance" + advice;
    case Status::stopped:
      return "stopped, with the weights that predict held-out samples best";
    case Status::diverged:
      return "the run diverged: do not use these weights" + advice;
  }
  return "";
}

std::string samples_text(const Trained& trained) {
  const Model& model = trained.model;
  std::string text = std::to_string(trained.rows) + " samples, " +
                     std::to_string(model.weights.rows()) + " features";
  if (!model.has_classes()) return text + ", targets are numbers\n";
  const std::size_t k = model.labels.size();
  text += ", " + std::to_string(k) + " classes: ";
  for (std::size_t j = 0; j < std::min<std::size_t>(k, 10); ++j) {
    text += (j ? ", " : "") + shown(model.label_text(j));
    if (trained.y.size() > 0)
      text += " (" + std::to_string((trained.y.array() == static_cast<double>(j)).count()) + ")";
  }
  return text + (k > 10 ? ", ...\n" : "\n");
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
                    at == curve.best                 ? "<- selected"
                    : at == curve.one_standard_error ? "<- within one standard error of the best"
                                                     : ""});
  }
  std::string text = linea::detail::grid_text(rows);
  if (curve.is_at_edge) text += "the best lambda is at an end of the list: extend the list\n";
  return text;
}

std::string objective_text(const Trained& trained) {
  if (!std::isfinite(trained.objective)) return "";
  std::string text = "objective: " + digits(trained.objective, 6);
  if (trained.gap && std::isfinite(*trained.gap))
    text += *trained.gap > 0
                ? ", proven to be at most " + digits(*trained.gap, 2) + " above the minimum"
                : ", proven to be the minimum";
  if (trained.model.multiclass == "one-vs-rest")
    text += " (sum of " + std::to_string(trained.model.labels.size()) + " classes)";
  return text + "\n";
}

std::string progressive_text(const Trained& trained) {
  if (!trained.progressive) return "";
  const Progressive& of = *trained.progressive;
  return "predicted before learning from them: mean " + trained.model.loss + " loss " +
         digits(of.loss) + ", " +
         (trained.model.has_classes() ? "share of mistakes " : "mean squared error ") +
         digits(of.error) + '\n';
}

std::string weights_text(const Model& model) {
  std::string text = model.input.is_scaled() ? "largest weights, of standardised features:\n"
                                             : "largest weights (compare them by --standardise):\n";
  const Index functions = std::min<Index>(model.weights.cols(), 5);
  for (Index k = 0; k < functions; ++k) {
    if (model.weights.cols() > 1)
      text += "  for " + shown(model.label_text(static_cast<std::size_t>(k))) + ":\n";
    std::vector<Index> order(static_cast<std::size_t>(model.weights.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    const auto size = [&](Index j) { return std::abs(model.weights(j, k)); };
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return size(a) > size(b); });
    order.resize(std::min<std::size_t>(functions > 1 ? 4 : 8, order.size()));
    for (const Index j : order)
      if (const double weight = model.weights(j, k); weight != 0)
        text += "  " + std::string(weight < 0 ? "" : "+") + digits(weight) + "  " +
                shown(model.input.name_of(j)) + "\n";
  }
  if (model.has_classes() && model.weights.cols() == 1)
    text += "  (positive weights favour " + shown(model.label_text(1)) + ")\n";
  return text;
}

}  // namespace

json json_report(const TrainOptions& options, const Trained& trained) {
  const Model& model = trained.model;
  json report{{"optimizer", options.fit.optimizer},
              {"loss", model.loss},
              {"lambda", options.fit.lambda},
              {"l1", options.fit.l1},
              {"n", trained.rows},
              {"d", model.weights.rows()},
              {"nnz", trained.entries},
              {"missing_cells", trained.missing_cells},
              {"read_seconds", trained.read_seconds},
              {"train_seconds", trained.train_seconds},
              {"epochs", trained.epochs},
              {"updates", trained.updates},
              {"status", linea::name_of(trained.status)},
              {"objective", trained.objective},
              {"gap", trained.gap ? json(*trained.gap) : json()},
              {"non_zero_weights", (model.weights.array() != 0).count()},
              {"note", trained.note},
              {"multiclass", model.multiclass},
              {"classes", model.labels.size()},
              {"interrupted", trained.is_interrupted}};
  if (trained.training) report["train_error"] = trained.training->error();
  if (trained.validation) {
    json validation{{"n", trained.validation->samples}};
    trained.validation->add_to(validation);
    trained.validation->add_intervals_to(validation);
    report["validation"] = validation;
  }
  if (trained.curve) {
    report["lambdas"] = trained.curve->lambdas;
    report["validation_errors"] =
        std::vector<double>(trained.curve->mean.begin(), trained.curve->mean.end());
  }
  if (trained.progressive) {
    report["progressive_loss"] = trained.progressive->loss;
    report["progressive_error"] = trained.progressive->error;
  }
  return report;
}

std::string plain_report(const TrainOptions& options, const Trained& trained) {
  const Model& model = trained.model;
  std::string text = samples_text(trained);
  if (trained.missing_cells > 0)
    text += "missing cells: " + std::to_string(trained.missing_cells) + " (--missing " +
            options.preprocessing.missing + ")\n";
  if (trained.curve) text += lambda_table(*trained.curve, model.has_classes());
  text += "minimised: mean " + model.loss + " loss";
  if (options.fit.lambda > 0) text += " + " + digits(options.fit.lambda) + "/2 |w|^2";
  if (options.fit.l1 > 0) text += " + " + digits(options.fit.l1) + " |w|_1";
  if (model.labels.size() > 2) text += ", " + model.multiclass;
  text += "\noptimizer: " + options.fit.optimizer + " (" + trained.note + ")\n";
  if (!trained.progressive) text += "status: " + status_text(options, trained) + "\n";
  text += objective_text(trained) + progressive_text(trained);
  if (trained.training) text += "training: " + trained.training->text();
  if (trained.validation) text += "held out: " + trained.validation->text();
  return text + weights_text(model);
}

void open_model_file(const TrainOptions& options, ModelFile& file) {
  const std::string& path = options.model_file;
  if (!path.empty()) file.emplace("write_model", path_of(path == "-" ? "/dev/stdout" : path));
}

int finish(const std::string& program, const TrainOptions& options, const Trained& trained,
           const json& report, const std::string& text, ModelFile& file) {
  const bool tells = !options.as_json && !options.is_quiet;
  if (options.as_json)
    std::cout << report.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  else if (tells)
    (options.model_file == "-" ? std::cerr : std::cout) << text;
  const bool writes = file && !trained.diverged();
  if (!tells && !trained.is_interrupted && !trained.progressive &&
      trained.status != Status::converged && trained.status != Status::stopped)
    std::cerr << program << ": warning: " << status_text(options, trained) << '\n';
  if (trained.diverged())
    std::cerr << program << ": the run diverged" << (file ? "; no model is written\n" : "\n");
  if (writes) {
    write_model(file->stream(), trained.model);
    file->keep();
  }
  if (trained.is_interrupted)
    std::cerr << program << ": " << interruption()
              << (writes ? "; the best model so far is written\n" : "\n");
  flush_report();
  return trained.diverged() || trained.is_interrupted ? 1 : 0;
}

}  // namespace program
