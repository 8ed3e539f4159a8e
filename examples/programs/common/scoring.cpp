// SPDX-License-Identifier: MIT
#include "programs/common/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/data/take_rows.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/metrics/regression.hpp>
#include <numeric>

#include "programs/common/numbers.hpp"

namespace program {
namespace {

using linea::Index;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double two_sided = 1.959963984540054;  // the 0.975 quantile of the normal distribution

double weight_of(const linea::Vector<double>& weights, Index i) {
  return weights.size() > 0 ? weights[i] : 1;
}

std::string percent(double share) { return digits(100 * share, 3) + " %"; }

std::optional<double> auc_of(const Model& model, const linea::Matrix<double>& scores,
                             const linea::Vector<double>& y, const linea::Vector<double>& weights) {
  const auto k = static_cast<Index>(model.labels.size());
  linea::Vector<double> counts = linea::Vector<double>::Zero(k);
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y[i])) counts[static_cast<Index>(y[i])] += weight_of(weights, i);
  if (!(counts.minCoeff() > 0)) return std::nullopt;
  const bool one = scores.cols() == 1;
  if (one && weights.size() == 0 && counts.sum() == static_cast<double>(y.size()))
    return linea::roc_auc(scores.col(0), y);  // a shortcut that does not copy the samples
  std::vector<Index> known;
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y[i])) known.push_back(i);
  const auto truth = linea::take_rows(y, known);
  linea::Vector<double> known_weights;
  if (weights.size() > 0) known_weights = linea::take_rows(weights, known);
  const auto of = linea::take_rows(
      !one && model.has_probabilities() ? model.probabilities(scores) : scores, known);
  if (one) return linea::roc_auc(of.col(0), truth, 1, known_weights);
  std::vector<double> classes(model.labels.size());
  std::iota(classes.begin(), classes.end(), 0.0);
  return linea::roc_auc(of, truth, classes, linea::Average::macro, known_weights);
}

/// Computes the metrics of classification except the AUC. A separate function frees its arrays
/// before the AUC is computed.
void count_classes(const Model& model, const linea::Matrix<double>& scores,
                   const linea::Vector<double>& y, const Column& targets,
                   const linea::Vector<double>& weights, Figures& figures) {
  const auto k = static_cast<Index>(model.labels.size());
  const auto predicted = model.classes_of(scores);
  figures.confusion.setZero(k, k);
  const bool has_chances = model.has_probabilities();
  const linea::Matrix<double> logs =
      has_chances ? model.log_probabilities(scores) : linea::Matrix<double>();
  double losses = 0;
  double wrong = 0;
  double total = 0;
  double squares = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double weight = weight_of(weights, i);
    if (targets.is_missing(row) || weight == 0) continue;
    ++figures.samples;
    total += weight;
    squares += weight * weight;
    if (std::isnan(y[i])) {
      ++figures.unknown_labels;
      ++figures.mistakes;
      wrong += weight;
      continue;
    }
    const auto truth = static_cast<Index>(y[i]);
    const auto guess = static_cast<Index>(predicted[row]);
    figures.mistakes += truth != guess;
    if (truth != guess) wrong += weight;
    ++figures.confusion(truth, guess);
    if (has_chances) losses -= weight * logs(i, truth);
  }
  if (!(total > 0)) return;
  figures.wrong_share = wrong / total;
  figures.effective_samples = total * total / squares;
  figures.accuracy = 1 - figures.wrong_share;
  if (has_chances && figures.unknown_labels == 0 && std::isfinite(losses))
    figures.log_loss = losses / total;
}

void score_numbers(const linea::Matrix<double>& scores, const linea::Vector<double>& y,
                   const linea::Vector<double>& weights, Figures& figures) {
  std::vector<Index> known;
  for (Index i = 0; i < y.size(); ++i)
    if (std::isfinite(y[i]) && weight_of(weights, i) > 0) known.push_back(i);
  figures.samples = static_cast<Index>(known.size());
  if (known.empty()) return;
  const linea::Vector<double> predicted = scores.col(0)(known);
  const linea::Vector<double> truth = y(known);
  linea::Vector<double> w = linea::Vector<double>::Ones(figures.samples);
  if (figures.has_weights) w = weights(known);
  const linea::Vector<double> squares = (predicted - truth).array().square();
  figures.effective_samples = w.sum() * w.sum() / w.squaredNorm();
  figures.mean_squared_error = linea::mean_squared_error(predicted, truth, w);
  figures.mean_absolute_error = linea::mean_absolute_error(predicted, truth, w);
  if (truth.minCoeff() < truth.maxCoeff()) figures.r2 = linea::r2(predicted, truth, w);
  figures.deviation = standard_error_of(
      *figures.mean_squared_error, w.dot(squares.cwiseAbs2()) / w.sum(), figures.effective_samples);
}

}  // namespace

double standard_error_of(double mean, double mean_square, double n) {
  return n > 1 ? std::sqrt(std::max(0.0, mean_square - mean * mean) / (n - 1)) : nothing;
}

std::pair<double, double> share_interval(double share, double n) {
  const double z = two_sided;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half =
      z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {share > 0 ? std::max(0.0, middle - half) : 0,
          share < 1 ? std::min(1.0, middle + half) : 1};
}

Column target_column(const Table& table, std::size_t target) {
  if (!table.has_entries) return table.columns[target];
  Column column;
  column.numbers.assign(table.y.begin(), table.y.end());
  return column;
}

linea::Vector<double> targets_for(const Model& model, const Table& table, const Column& targets) {
  if (!model.label_names.empty()) return linea::io::classes_in(targets, model.label_names);
  const std::size_t n = targets.is_text() ? targets.texts.size() : targets.numbers.size();
  linea::Vector<double> y(static_cast<Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    double& target = y[static_cast<Index>(i)];
    target = nothing;
    if (targets.is_missing(i)) continue;
    // A column with a single cell of text is stored as text: its other cells may be numbers.
    const auto number = targets.is_text() ? linea::io::number_of(targets.texts[i], table.format)
                                          : std::optional<double>(targets.numbers[i]);
    if (!model.has_classes()) {
      linea::require(number.has_value(), table.place(i), ": the target '",
                     targets.is_text() ? targets.texts[i] : std::string(), "' is not a number");
      target = *number;
    } else if (number) {
      const auto found = std::find(model.labels.begin(), model.labels.end(), *number);
      if (found != model.labels.end()) target = static_cast<double>(found - model.labels.begin());
    }
  }
  return y;
}

Figures figures_of(const Model& model, const linea::Matrix<double>& scores,
                   const linea::Vector<double>& y, const Column& targets,
                   const linea::Vector<double>& weights) {
  Figures figures;
  figures.of_classes = model.has_classes();
  figures.has_weights = weights.size() > 0;
  if (!figures.of_classes)
    score_numbers(scores, y, weights, figures);
  else
    count_classes(model, scores, y, targets, weights, figures);
  if (figures.accuracy) figures.auc = auc_of(model, scores, y, weights);
  return figures;
}

double Figures::error() const {
  if (of_classes) return accuracy ? wrong_share : nothing;
  return mean_squared_error.value_or(nothing);
}

void Figures::add_to(json& report) const {
  const auto add = [&](const char* name, const std::optional<double>& figure) {
    if (figure && std::isfinite(*figure)) report[name] = *figure;
  };
  if (of_classes) {
    add("accuracy", accuracy);
    add("log_loss", log_loss);
    add("auc", auc);
    if (samples > 0) report["unknown_labels"] = unknown_labels;
  } else {
    add("mean_squared_error", mean_squared_error);
    add("mean_absolute_error", mean_absolute_error);
    add("r2", r2);
  }
}

void Figures::add_intervals_to(json& report) const {
  if (!(effective_samples > 0)) return;
  if (of_classes) {
    const auto [low, high] = share_interval(error(), effective_samples);
    report["accuracy_interval"] = {1 - high, 1 - low};
  } else if (mean_squared_error) {
    const double mse = *mean_squared_error;
    const double half = two_sided * deviation;
    if (std::isfinite(mse + half))
      report["mean_squared_error_interval"] = {std::max(0.0, mse - half), mse + half};
  }
}

std::string Figures::text() const {
  if (samples == 0)
    return has_weights ? "no target of weight above 0 to compare with\n"
                       : "no targets to compare with\n";
  std::string lines;
  if (of_classes) {
    const auto [low, high] = share_interval(error(), effective_samples);
    lines = percent(error()) + " wrong (" + (has_weights ? "by weight; " : "") +
            std::to_string(mistakes) + " of " + std::to_string(samples) + "; 95 % interval " +
            percent(low) + " to " + percent(high) + ")";
    if (auc) lines += ", AUC " + digits(*auc);
    if (log_loss) lines += ", log loss " + digits(*log_loss);
    if (unknown_labels > 0)
      lines += ", " + std::to_string(unknown_labels) + " with labels the model does not know";
    return lines + "\n";
  }
  const auto root = [&](double square) { return digits(std::sqrt(std::max(0.0, square))); };
  const double half = two_sided * deviation;
  lines = "root mean squared error " + root(*mean_squared_error);
  if (std::isfinite(half))
    lines += " (95 % interval " + root(*mean_squared_error - half) + " to " +
             root(*mean_squared_error + half) + ")";
  lines += ", mean absolute error " + digits(*mean_absolute_error);
  if (r2) lines += ", R2 " + digits(*r2);
  return lines + "\n";
}

}  // namespace program
