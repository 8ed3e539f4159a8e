// SPDX-License-Identifier: MIT
#include "programs/common/plot.hpp"

#include <algorithm>
#include <cmath>
#include <linea/core/require.hpp>
#include <linea/io/output_file.hpp>
#include <map>

#include "programs/common/program.hpp"
#include "programs/common/report.hpp"
#include "programs/common/system.hpp"

namespace program {
namespace {

using linea::Index;

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    result.append(c == '\'' ? 2 : 1, c);
  }
  return result + "'";
}

/// Returns the label of a place on an axis. gnuplot reads such a label as a format, in which %% means
/// a percent sign.
std::string tic(const std::string& text, Index place) {
  std::string format;
  for (const char c : text) format.append(c == '%' ? 2 : 1, c);
  return in_quotes(format) + ' ' + std::to_string(place);
}

std::string number(double value) { return digits(value, 9); }

/// A picture of several panels. A panel consists of gnuplot commands, which refer to named blocks
/// of data.
class Picture {
 public:
  /// Adds a block of data and returns its name.
  std::string data(const std::string& rows) {
    const std::string name = "$d" + std::to_string(++blocks_);
    head_ += name + " << EOD\n" + rows + "EOD\n";
    return name;
  }
  void panel(const std::string& commands) { panels_.push_back(commands); }

  void draw(const std::string& path) const {
    if (panels_.empty()) return;
    const std::size_t columns = panels_.size() < 3 ? panels_.size() : panels_.size() == 4 ? 2 : 3;
    const std::size_t rows = (panels_.size() + columns - 1) / columns;
    const bool png = path.substr(path.size() - 4) == ".png";
    std::string script = png ? "set terminal pngcairo" : "set terminal svg";
    script += " size " + std::to_string(480 * columns) + "," + std::to_string(400 * rows) +
              " noenhanced background rgb 'white' font 'Helvetica,13'\n";
    script += head_ + "set multiplot layout " + std::to_string(rows) + "," +
              std::to_string(columns) + "\nset border 3 lc rgb '#444444'\nset tics nomirror\n";
    for (const auto& commands : panels_)
      script +=
          "unset logscale\nunset y2tics\nunset y2label\nunset key\nset autoscale\n"
          "set grid lc rgb '#e4e4e4' lt 1\n"
          "set xtics auto\nset ytics auto\nset format '%g'\nunset object\nunset label\n"
          "set lmargin 9\nset rmargin 3\nset bmargin\nset style fill solid 0.8\n" +
          commands + '\n';
    run(script, path);
  }

 private:
  /// Runs gnuplot and writes its output to `path`. The file appears completely or not at all.
  static void run(const std::string& script, const std::string& path) {
    const std::string picture = output_of_gnuplot(script);
    linea::require(!picture.empty(), "--plot ", path,
                   ": gnuplot is not installed, or failed: there is no figure");
    linea::io::write_file("--plot", path_of(path), [&](std::ostream& out) { out << picture; });
  }

  std::string head_{};
  std::vector<std::string> panels_{};
  int blocks_{0};
};

void add_curve(Picture& picture, const std::vector<CurvePoint>& run) {
  if (run.size() < 2) return;
  std::string rows;
  bool has_gap = false;
  bool has_held_out = false;
  double least = run.front().objective;
  double most = least;
  for (const auto& point : run) {
    const bool gap = point.gap > 0;
    has_gap = has_gap || gap;
    has_held_out = has_held_out || !std::isnan(point.held_out);
    least = std::min(least, point.objective);
    most = std::max(most, point.objective);
    rows += number(point.epoch) + ' ' + number(point.objective) + ' ' +
            (gap ? number(point.gap) : "NaN") + ' ' +
            (std::isnan(point.held_out) ? "NaN" : number(point.held_out)) + '\n';
  }
  const std::string data = picture.data(rows);
  // Without a gap, a curve that hardly falls would be flat on a logarithmic axis.
  const bool shows_gap = has_gap && least > 0;
  const bool is_logarithmic = shows_gap || (least > 0 && most > 10 * least);
  std::string plot = "set title 'the run'\nset xlabel 'epoch'\n";
  plot += shows_gap ? "set ylabel ''\nset key below\n" : "set ylabel 'objective'\n";
  // Held-out losses have their own axis: on the axis of the objective they would look flat.
  if (has_held_out)
    plot +=
        "set y2tics\nset format y2 '%.4g'\nset rmargin 12\n"
        "set bmargin 6\n"  // leaves room for a legend of two lines
        "set y2label 'held out' textcolor rgb '#e08214'\n";
  if (is_logarithmic) plot += "set logscale y\nset format y '%.0e'\n";
  plot += "plot " + data + " using 1:2 with lines lw 2 lc rgb '#1f4fd8' title 'objective'";
  if (shows_gap)
    plot += ", " + data + " using 1:3 with lines lw 2 dt 2 lc rgb '#999999' title 'gap'";
  if (has_held_out)
    plot += ", " + data + " using 1:4 axes x1y2 with lines lw 2 lc rgb '#e08214' notitle";
  picture.panel(plot);
}

void add_lambdas(Picture& picture, const Trained& trained) {
  if (!trained.curve) return;
  const auto& curve = *trained.curve;
  std::string rows;
  for (std::size_t k = 0; k < curve.lambdas.size(); ++k)
    if (curve.lambdas[k] > 0)
      rows += number(curve.lambdas[k]) + ' ' + number(curve.mean[static_cast<Index>(k)]) + ' ' +
              number(curve.standard_error[static_cast<Index>(k)]) + '\n';
  if (rows.empty()) return;
  const std::string data = picture.data(rows);
  const double best = curve.lambdas[static_cast<std::size_t>(curve.best)];
  const std::string taken =
      best > 0 ? picture.data(number(best) + ' ' + number(curve.mean[curve.best]) + '\n') : "";
  picture.panel(
      "set title 'selection of lambda'\nset xlabel 'lambda'\nset ylabel " +
      in_quotes(trained.model.has_classes() ? "share of mistakes, held out"
                                            : "mean loss, held out") +
      "\nset logscale x\nset format x '%.0e'\nset key top left\nplot " + data +
      " using 1:2:3 with yerrorlines pt 7 ps 0.6 lw 1.5 lc rgb '#1f4fd8' notitle" +
      (taken.empty()
           ? ""
           : ", " + taken + " with points pt 6 ps 2 lw 2 lc rgb '#d62728' title 'selected'"));
}

/// Adds the ROC curve: the false-positive and true-positive rates for falling thresholds.
void add_roc(Picture& picture, const linea::Matrix<double>& scores, const linea::Vector<double>& y,
             const Figures& figures, const std::string& of) {
  if (!figures.auc || scores.cols() != 1) return;
  std::map<double, std::pair<double, double>, std::greater<>> at;
  double negative = 0;
  double positive = 0;
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isnan(y[i])) continue;
    auto& [wrong, right] = at[scores(i, 0)];
    (y[i] > 0 ? right : wrong) += 1;
    (y[i] > 0 ? positive : negative) += 1;
  }
  std::string rows = "0 0\n";
  double wrong = 0;
  double right = 0;
  for (const auto& [score, counts] : at) {
    wrong += counts.first / negative;
    right += counts.second / positive;
    rows += number(wrong) + ' ' + number(right) + '\n';
  }
  const std::string data = picture.data(rows);
  picture.panel(
      "set title " + in_quotes("ROC, area " + digits(*figures.auc) + of) +
      "\nset xlabel 'false positive rate'\nset ylabel 'true positive rate'\nset xrange [0:1]\n"
      "set yrange [0:1.02]\nplot x with lines dt 2 lc rgb '#999999' notitle, " +
      data + " with lines lw 2 lc rgb '#1f4fd8' notitle");
}

/// Adds the frequency of the second class against its predicted probability, in ten bins.
void add_calibration(Picture& picture, const Model& model, const linea::Matrix<double>& scores,
                     const linea::Vector<double>& y, const std::string& of) {
  if (!model.has_classes() || !model.has_probabilities() || model.labels.size() != 2) return;
  const auto chances = model.probabilities(scores);
  double said[10] = {}, seen[10] = {}, count[10] = {};
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isnan(y[i])) continue;
    const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(10 * chances(i, 1)));
    said[bin] += chances(i, 1);
    seen[bin] += y[i] > 0;
    ++count[bin];
  }
  std::string rows;
  for (int k = 0; k < 10; ++k)
    if (count[k] > 0) {
      const auto [low, high] = share_interval(seen[k] / count[k], count[k]);
      rows += number(said[k] / count[k]) + ' ' + number(seen[k] / count[k]) + ' ' + number(low) +
              ' ' + number(high) + '\n';
    }
  if (rows.empty()) return;
  const std::string data = picture.data(rows);
  picture.panel("set title " + in_quotes("calibration of " + shown(model.label_text(1), 24) + of) +
                "\nset xlabel 'predicted probability'\nset ylabel 'observed frequency, 95 %'\n"
                "set xrange [0:1]\nset yrange [0:1.02]\n"
                "plot x with lines dt 2 lc rgb '#999999' notitle, " +
                data + " using 1:2:3:4 with yerrorlines pt 7 lw 1.5 lc rgb '#1f4fd8' notitle");
}

void add_confusion(Picture& picture, const Model& model, const Figures& figures,
                   const std::string& of) {
  const Index k = figures.confusion.rows();
  if (k < 2 || k > 20 || figures.samples == 0) return;
  std::string rows;
  std::string xtics;
  std::string ytics;
  for (Index i = 0; i < k; ++i) {
    const double row = std::max(1.0, figures.confusion.row(i).sum());
    const std::string label = shown(model.label_text(static_cast<std::size_t>(i)), 24);
    xtics += (i ? ", " : "") + tic(label, i);
    ytics += (i ? ", " : "") + tic(label, k - 1 - i);
    for (Index j = 0; j < k; ++j)
      rows += std::to_string(j) + ' ' + std::to_string(k - 1 - i) + ' ' +
              number(figures.confusion(i, j) / row) + ' ' + number(figures.confusion(i, j)) + '\n';
  }
  const std::string data = picture.data(rows);
  const std::string range = "[-0.5:" + number(static_cast<double>(k) - 0.5) + "]";
  picture.panel(
      "set title " + in_quotes("confusion" + of) +
      "\nset xlabel 'predicted'\nset ylabel 'true'\nunset grid\n"
      "set xtics (" +
      xtics + ")\nset ytics (" + ytics + ")\nset xrange " + range + "\nset yrange " + range +
      "\nset cbrange [0:1]\nunset colorbox\nset palette defined (0 'white', 1 '#6f93e8')\n"
      "plot " +
      data + " using 1:2:3 with image pixels notitle, " + data +
      " using 1:2:(sprintf('%g', $4)) with labels notitle");
}

void add_scatter(Picture& picture, const linea::Matrix<double>& scores,
                 const linea::Vector<double>& y, const std::string& of) {
  std::string rows;
  const Index step = std::max<Index>(1, y.size() / 5000);
  for (Index i = 0; i < y.size(); i += step)
    if (!std::isnan(y[i])) rows += number(y[i]) + ' ' + number(scores(i, 0)) + '\n';
  if (rows.empty()) return;
  const std::string data = picture.data(rows);
  picture.panel("set title " + in_quotes("predictions" + of) +
                "\nset xlabel 'target'\nset ylabel 'predicted'\nplot " + data +
                " with points pt 7 ps 0.4 lc rgb '#1f4fd8' notitle, x with lines dt 2 lc "
                "rgb '#999999' notitle");
}

/// Returns the step, 1, 2 or 5 times a power of ten, that divides a range into at most five parts.
double step_of(double range) {
  if (!(range > 0)) return 1;
  const double least = range / 5;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1, 2, 5})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

void add_weights(Picture& picture, const Model& model) {
  const Index k = model.weights.cols() - 1;
  auto largest = largest_weights(model, k, 12);
  if (largest.empty()) return;
  std::string rows;
  std::string tics;
  double least = 0;
  double most = 0;
  for (std::size_t j = 0; j < largest.size(); ++j) {
    least = std::min(least, largest[j].weight);
    most = std::max(most, largest[j].weight);
    const auto place = static_cast<Index>(largest.size() - 1 - j);
    rows += number(largest[j].weight) + ' ' + std::to_string(place) + '\n';
    tics += (j ? ", " : "") + tic(shown(largest[j].name, 22), place);
  }
  const std::string data = picture.data(rows);
  std::string title = "largest weights";
  if (model.weights.cols() > 1)
    title += " for " + shown(model.label_text(static_cast<std::size_t>(k)), 24);
  picture.panel("set title " + in_quotes(title) +
                "\nset xlabel 'weight'\nset ylabel ''\n"
                "set lmargin 20\nset xtics " +
                number(step_of(most - least)) + "\nset ytics (" + tics + ")\nset yrange [-0.7:" +
                number(static_cast<double>(largest.size()) - 0.3) + "]\nplot " + data +
                " using (0):2:(0):1:($2-0.35):($2+0.35) with boxxyerror lc rgb '#1f4fd8' notitle");
}

void add_prediction(Picture& picture, const Model& model, const linea::Matrix<double>& scores,
                    const linea::Vector<double>& y, const Figures& figures,
                    const std::string& of = "") {
  if (model.has_classes()) {
    add_roc(picture, scores, y, figures, of);
    add_calibration(picture, model, scores, y, of);
    add_confusion(picture, model, figures, of);
  } else {
    add_scatter(picture, scores, y, of);
  }
  add_weights(picture, model);
}

}  // namespace

void plot_training(const std::string& path, const Trained& trained) {
  Picture picture;
  add_curve(picture, trained.run);
  add_lambdas(picture, trained);
  if (trained.validation)
    add_prediction(picture, trained.model, trained.validation_scores, trained.validation_y,
                   *trained.validation, ", held out");
  else
    add_prediction(picture, trained.model, trained.model.scores(trained.x), trained.y,
                   trained.training, ", training samples");
  picture.draw(path);
}

void plot_prediction(const std::string& path, const Model& model,
                     const linea::Matrix<double>& scores, const linea::Vector<double>& y,
                     const Figures& figures) {
  Picture picture;
  add_prediction(picture, model, scores, y, figures);
  picture.draw(path);
}

}  // namespace program
