// SPDX-License-Identifier: MIT
#pragma once
/// \file Figures of the example programs, drawn by gnuplot as SVG.
#include <algorithm>  // max
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>  // move
#include <vector>
#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

namespace lectures {

/// Points, one per row: (m × 2) in the plane, (m × 3) in space.
using Points = linea::Matrix<double>;

/// Returns the points (x[k], y[k]).
inline Points points_of(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  Points points(x.size(), 2);
  points << x, y;
  return points;
}

/// Returns the points (k + 1, values[k]).
inline Points numbered(const std::vector<double>& values) {
  const auto n = static_cast<linea::Index>(values.size());
  return points_of(Eigen::VectorXd::LinSpaced(n, 1, static_cast<double>(n)),
                   Eigen::VectorXd::Map(values.data(), n));
}

/// Styles of points and lines, as gnuplot commands. Classes look as in the lectures: +1 is a blue
/// '+', −1 a red 'o'.
namespace style {
inline constexpr std::string_view positive = "points pt 1 ps 1.1 lw 2.2 lc rgb '#1f4fd8'";
inline constexpr std::string_view negative = "points pt 6 ps 0.9 lw 2 lc rgb '#d62728'";
inline constexpr std::string_view circled = "points pt 6 ps 1.9 lw 1.1 lc rgb '#333333'";
inline constexpr std::string_view dots = "points pt 7 ps 0.6 lc rgb '#333333'";
inline constexpr std::string_view black = "lines lw 2.2 lc rgb '#222222'";
inline constexpr std::string_view grey = "lines lw 1.2 lc rgb '#999999'";
inline constexpr std::string_view blue = "lines lw 2 lc rgb '#1f4fd8'";
inline constexpr std::string_view red = "lines lw 2 lc rgb '#d62728'";
inline constexpr std::string_view green = "lines lw 2 lc rgb '#2a8c3c'";
inline constexpr std::string_view orange = "lines lw 2 lc rgb '#e08214'";
inline constexpr std::string_view dashed = "lines dt 2 lw 1.8 lc rgb '#222222'";
inline constexpr std::string_view dashed_blue = "lines dt 2 lw 1.6 lc rgb '#1f4fd8'";
inline constexpr std::string_view dashed_red = "lines dt 2 lw 1.6 lc rgb '#d62728'";
}  // namespace style

/// A figure as a value: series of points, each with a label and a style. Labels are shown verbatim.
class Figure {
 public:
  Figure(std::string name, std::string title, std::string x_label, std::string y_label)
      : name_(std::move(name)) {
    with("set title " + quoted(title));
    with("set xlabel " + quoted(x_label));
    with("set ylabel " + quoted(y_label));
  }

  /// Adds a gnuplot command before the plot, such as "set logscale x".
  Figure& with(std::string command) {
    commands_.push_back(std::move(command));
    return *this;
  }

  /// Adds a series. A series without a label is not in the legend; a series without points is
  /// omitted.
  Figure& add(std::string label, std::string_view style, Points points) {
    if (points.rows() > 0)
      series_.push_back({std::move(label), std::string(style), std::move(points)});
    return *this;
  }

  const std::string& name() const { return name_; }

  /// Returns the gnuplot script that writes the figure to `path`.
  std::string script(const std::filesystem::path& path) const {
    // The legend is below the axes, in two columns if its labels are short. The canvas grows with
    // the legend.
    std::size_t labels = 0;
    std::size_t longest = 0;
    for (const auto& series : series_) {
      labels += !series.label.empty();
      longest = std::max(longest, series.label.size());
    }
    const std::size_t rows = longest > 27 ? labels : (labels + 1) / 2;
    std::string text = "set terminal svg size 760," + std::to_string(540 + 22 * rows) +
                       " noenhanced background rgb 'white' font 'Helvetica,15'\n" +
                       "set border 3 lc rgb '#444444'\nset tics nomirror\n" +
                       "set grid lc rgb '#e4e4e4' lt 1\nset clip two\n" +
                       "set key at screen 0.5, screen 0.04 center bottom vertical Left reverse " +
                       "maxrows " + std::to_string(rows) + "\nset bmargin " +
                       std::to_string(5 + rows) + "\nset output " + quoted(path.string()) + '\n';
    for (const auto& command : commands_) text += command + '\n';
    for (std::size_t k = 0; k < series_.size(); ++k) {
      text += "$series" + std::to_string(k) + " << END\n";
      for (const auto& point : series_[k].points.rowwise()) {
        for (const double coordinate : point) text += number(coordinate) + ' ';
        text += '\n';
      }
      text += "END\n";
    }
    text += !series_.empty() && series_[0].points.cols() == 3 ? "splot " : "plot ";
    for (std::size_t k = 0; k < series_.size(); ++k) {
      const auto& [label, style, points] = series_[k];
      text += (k ? ", " : "") + ("$series" + std::to_string(k)) + " with " + style +
              (label.empty() ? " notitle" : " title " + quoted(label));
    }
    return text + '\n';
  }

 private:
  struct Series {
    std::string label;
    std::string style;
    Points points;
  };

  static std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
    return result + '\'';
  }
  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
  }

  std::string name_;
  std::vector<std::string> commands_;
  std::vector<Series> series_;
};

/// The folder for the figures of a program: its first argument, by default `figures`. If a figure
/// cannot be drawn, because gnuplot fails or the folder cannot be created, the gallery prints a
/// line to stderr and the program continues.
class Gallery {
 public:
  Gallery(int argc, char** argv) : folder_(argc > 1 ? argv[1] : "figures") {}

  void draw(const Figure& figure) const {
    const auto path = folder_ / (figure.name() + ".svg");
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (run_gnuplot(figure.script(path))) {
      std::fprintf(stderr, "drawn: %s\n", path.string().c_str());
    } else {
      std::filesystem::remove(path, error);
      std::fprintf(stderr, "not drawn, gnuplot is not here or failed: %s\n", path.string().c_str());
    }
  }

 private:
  static bool run_gnuplot(const std::string& script) {
#ifdef SIGPIPE
    // Gnuplot may end before it has read everything. SIGPIPE would then end this program.
    const auto before = std::signal(SIGPIPE, SIG_IGN);
#endif
    std::FILE* gnuplot = popen("gnuplot >/dev/null 2>&1", "w");
    bool written = gnuplot != nullptr;
    if (gnuplot) {
      written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
      written = pclose(gnuplot) == 0 && written;
    }
#ifdef SIGPIPE
    std::signal(SIGPIPE, before);
#endif
    return written;
  }

  std::filesystem::path folder_;
};

}  // namespace lectures
