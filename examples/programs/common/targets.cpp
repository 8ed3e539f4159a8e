// SPDX-License-Identifier: MIT
#include "programs/common/targets.hpp"

#include <algorithm>
#include <cmath>
#include <linea/core/require.hpp>
#include <set>
#include <utility>
#include <vector>

#include "programs/common/losses_by_name.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;

/// Are the numbers probably class labels? They are if there are at most two values, or at most 20
/// distinct whole numbers that occur three times on average.
bool look_like_classes(const AllTargets& all) {
  const auto& values = all.numbers;
  if (values.size() > 20) return false;
  const bool are_whole = std::all_of(values.begin(), values.end(),
                                     [](double number) { return number == std::round(number); });
  return values.size() <= 2 || (are_whole && 3 * static_cast<Index>(values.size()) <= all.rows);
}

}  // namespace

std::string doubtful_label(const Table& table, const std::vector<double>& targets) {
  for (const double target : targets)
    if (std::abs(target) >= 0x1p53)
      return table.source + ": the label " + linea::detail::number_text(target) +
             " may be several: doubles do not tell all whole numbers from 2^53 on apart; " +
             (table.lines.empty() ? "number the labels 0, 1, 2, ..."
                                  : "--text keeps the column of the target as text");
  return "";
}

void set_names(const Column& targets, Model& model) {
  model.label_names = linea::io::distinct_texts(targets.texts);
  for (std::size_t k = 0; k < model.label_names.size(); ++k)
    model.labels.push_back(static_cast<double>(k));
}

AllTargets all_of(const Column& targets) {
  return {distinct(targets.numbers), static_cast<Index>(targets.numbers.size())};
}

void require_targets(const Table& table, const Column& targets) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i) {
    linea::require(!targets.is_missing(i), table.place(i), ": the target is missing");
    linea::require(targets.is_text() || std::isfinite(targets.numbers[i]), table.place(i),
                   ": the target is not finite");
  }
}

void settle_targets(TrainOptions& options, const Table& table, const Column& targets,
                    const AllTargets& all, Model& model, std::string& note) {
  if (options.loss.empty() && !targets.is_text() && !look_like_classes(all)) {
    options.fit.loss = Named("squared");
    note = "the targets look like numbers: the loss is squared; ";
  } else if (options.loss.empty() && options.multiclass == "softmax") {
    options.fit.loss = Named("log");
  }
  model.loss = options.fit.loss.name;
  model.parameter = options.fit.loss.value;
  if (!is_for_labels(options.fit.loss)) {
    linea::require(!targets.is_text(), table.source, ": the loss ", model.loss,
                   " is for numbers, but the target is text");
    linea::require(options.multiclass.empty(), "--multiclass is for classes, but the loss ",
                   model.loss, " is for numbers");
    return;
  }
  if (targets.is_text()) {
    set_names(targets, model);
  } else {
    model.labels = all.numbers;
    for (double& label : model.labels) label += 0.0;  // turns -0 into 0
    const std::string doubt = doubtful_label(table, model.labels);
    linea::require(doubt.empty(), doubt, "; for numbers take a loss like squared");
  }
  const std::size_t k = model.labels.size();
  linea::require(k >= 2, table.source, ": the loss ", model.loss,
                 " needs two or more labels, but the file has ", k,
                 table.weights ? " of weight above 0" : "", ", '", model.label_text(0), "'");
  linea::require(k <= 1000 || k <= static_cast<std::size_t>(table.rows()) / 10, table.source,
                 ": the loss ", model.loss, " is for classes, but the file has ", k,
                 " labels; for numbers take a loss like squared");
  linea::require(k <= 20 || !targets.is_text() || 2 * k <= static_cast<std::size_t>(table.rows()),
                 table.source, ": the target is text, and its ", k,
                 " labels are nearly all different among ", table.rows(),
                 " samples; numbers are written with a decimal point");
  linea::require(options.start.empty() || k == 2,
                 "--start is for one linear function, but there are ", k, " classes");
  if (k == 2) return;
  const bool is_auto = options.fit.optimizer == "auto";
  const bool may_be_softmax = model.loss == "log" && options.fit.l1 == 0 && is_auto;
  model.multiclass = !options.multiclass.empty() ? options.multiclass
                     : may_be_softmax            ? "softmax"
                                                 : "one-vs-rest";
  if (model.multiclass != "softmax") return;
  linea::require(is_auto, "softmax is minimised by --optimizer auto, not ", options.fit.optimizer,
                 ": --multiclass one-vs-rest takes it");
  linea::require(options.fit.l1 == 0, "softmax takes no --l1: --multiclass one-vs-rest does");
  model.loss = "softmax";
}

void require_all_classes(const TrainOptions& options, const Model& model, const Vector& y) {
  std::vector<bool> is_seen(model.labels.size(), false);
  for (const double k : y)
    if (model.has_classes()) is_seen[static_cast<std::size_t>(k)] = true;
  for (std::size_t k = 0; k < is_seen.size(); ++k)
    linea::require(is_seen[k], "--validation ", options.validation, " leaves no sample of label '",
                   model.label_text(k), "' to learn from");
}

linea::ClassWeights class_weights_of(const TrainOptions& options, const Model& model) {
  const std::string& text = options.class_weights;
  if (text.empty()) return {};
  linea::require(model.has_classes(), "--class-weights is for classes, but the loss ", model.loss,
                 " is for numbers");
  if (text == "balanced") return linea::balanced;
  std::vector<std::pair<double, double>> factors;
  std::set<std::string> named;
  for (const std::string& one : split_at_commas(text)) {
    const auto colon = one.rfind(':');
    linea::require(colon != one.npos, "--class-weights ", text, ": '", one,
                   "' is not LABEL:WEIGHT, nor is all of it 'balanced'");
    const std::string label = one.substr(0, colon);
    const double factor = numbers_from("--class-weights", one.substr(colon + 1)).front();
    linea::require(std::isfinite(factor) && factor > 0, "--class-weights ", text, ": ", factor,
                   " is not > 0; to leave a class out, leave out its rows");
    linea::require(named.insert(label).second, "--class-weights ", text, ": label '", label,
                   "' is named twice");
    std::size_t k = 0;
    while (k < model.labels.size() && model.label_text(k) != label) ++k;
    linea::require(k < model.labels.size(), "--class-weights ", text, ": there is no label '",
                   label, "'");
    factors.emplace_back(static_cast<double>(k), factor);
  }
  return linea::ClassWeights(std::move(factors));
}

}  // namespace program
