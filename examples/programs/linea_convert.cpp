// SPDX-License-Identifier: MIT
/// \file Converts samples to another format: LIBSVM, CSV, linea's binary format or NumPy's .npy.
#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/libsvm_blocks.hpp>
#include <linea/io/npy.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/write_binary.hpp>
#include <linea/io/write_libsvm.hpp>
#include <set>

#include "programs/common/byte_source.hpp"
#include "programs/common/call_files.hpp"
#include "programs/common/model.hpp"
#include "programs/common/program.hpp"
#include "programs/common/targets.hpp"
#include "programs/common/train_options.hpp"

namespace {

using linea::Index;
using Sparse = linea::SparseMatrix<double>;

constexpr const char* examples = R"(
Examples:
  linea_convert train.csv train.svm            the target is the last column, or --target
  linea_convert train.svm.gz train.linea       a file that programs map instead of reading it
  linea_convert --parts 4 train.svm part.svm   part.0.svm to part.3.svm
  linea_convert --to csv train.npy - | head    to standard output

Formats by the end of OUT: .svm, .libsvm: LIBSVM; .csv; .npy: the target is the last column; .linea,
.bin: linea's binary format. Each value of a text column becomes a column of 0 and 1; text targets
become the numbers 0, 1, ... of their sorted names.
Exit codes: 0 all samples were written; 2 invalid input or options, or an output that could not be
written.)";

struct Options {
  program::InputOptions input{};
  program::PreprocessingOptions preprocessing{};
  std::string to{"auto"};
  Index parts{1};
  std::string in{};
  std::string out{};
};

struct Samples {
  program::Entries x{};
  linea::Vector<double> y{};
  bool is_dense{false};
  /// Of the features, then of the target; none for more than 100,000 features.
  std::vector<std::string> names{};
};

/// Returns the stream for messages: standard error if the samples go to standard output.
std::ostream& told(const Options& options) { return options.out == "-" ? std::cerr : std::cout; }

std::string format_of(const Options& options) {
  if (options.out == "-") {
    linea::require(options.to == "libsvm" || options.to == "csv",
                   "standard output takes text: give --to libsvm or --to csv");
    linea::require(options.parts == 1, "--parts ", options.parts,
                   ": standard output takes one part");
  }
  if (options.to != "auto") return options.to;
  const auto dot = options.out.rfind('.');
  const std::string end = dot == std::string::npos ? "" : options.out.substr(dot);
  if (end == ".svm" || end == ".libsvm") return "libsvm";
  if (end == ".csv") return "csv";
  if (end == ".npy") return "npy";
  linea::require(end == ".linea" || end == ".bin", "'", options.out,
                 "': the name does not end in .svm, .csv, .npy or .linea: give --to");
  return "binary";
}

Samples read(const Options& options, program::ByteSource& source) {
  const auto table = program::read_table(source, options.input);
  program::print_remarks("linea_convert", table.remarks);
  const std::size_t target = table.target;
  const auto targets = program::target_column(table, target);
  const auto rows = static_cast<std::size_t>(table.rows());
  program::Model model;
  if (targets.is_text()) program::set_names(targets, model);
  if (const auto doubt = program::doubtful_label(table, targets.numbers); !doubt.empty())
    program::print_remarks("linea_convert", {doubt});
  for (std::size_t i = 0; i < rows; ++i)
    linea::require(!targets.is_missing(i), table.place(i), ": the target is missing");
  Samples samples;
  const auto input =
      program::Preprocessing::learn(table, options.input.zero_based, options.preprocessing);
  samples.x = input.apply(table).x;
  samples.y = program::targets_for(model, table, targets);
  samples.is_dense = !table.has_entries;
  if (samples.x.cols() <= 100000 && !table.has_entries)
    samples.names = input.encoder.feature_names();
  else if (samples.x.cols() <= 100000)
    for (Index j = 0; j < samples.x.cols(); ++j) samples.names.push_back(input.name_of(j));
  const std::string target_name = table.has_entries ? "" : table.columns[target].name;
  if (!samples.names.empty()) samples.names.push_back(target_name.empty() ? "target" : target_name);
  for (std::size_t k = 0; k < model.label_names.size(); ++k)
    told(options) << program::shown(model.label_names[k]) << " is " << k << '\n';
  return samples;
}

/// Returns `rows` rows of x from `begin` on, with the target as the last column.
linea::Matrix<double> dense(const Samples& samples, Index begin, Index rows) {
  const Index cols = samples.x.cols() + 1;
  linea::require(rows <= std::numeric_limits<int>::max() / cols, "a table of ", rows, " x ", cols,
                 " is too large: LIBSVM and linea's binary form list only what is not 0");
  linea::Matrix<double> all = linea::Matrix<double>::Zero(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (program::EntriesView::InnerIterator entry(samples.x, begin + i); entry; ++entry)
      all(i, entry.col()) = entry.value();
    all(i, cols - 1) = samples.y[begin + i];
  }
  return all;
}

void write_csv(const std::string& path, const Samples& samples, Index begin, Index rows) {
  const auto all = dense(samples, begin, rows);
  std::set<std::string> names;
  for (const auto& name : samples.names)
    linea::require(names.insert(name).second, "two columns would have the name '",
                   program::shown(name), "': rename or --drop a column");
  linea::io::write_file("write_csv", program::path_of(path), [&](std::ostream& out) {
    std::string line;
    for (std::size_t j = 0; j < samples.names.size(); ++j) {
      line += j ? ",\"" : "\"";
      for (const char c : samples.names[j]) line.append(c == '"' ? 2 : 1, c);
      line += '"';
    }
    if (!line.empty()) out << line << '\n';
    for (Index i = 0; i < rows; ++i) {
      line.clear();
      for (Index j = 0; j < all.cols(); ++j) {
        if (j) line += ',';
        linea::detail::append_number(line, all(i, j));
      }
      out << line << '\n';
    }
  });
}

void write(const std::string& format, const std::string& name, const Samples& samples, Index begin,
           Index rows) {
  const auto path = program::path_of(name);
  const linea::Vector<double> y = samples.y.segment(begin, rows);
  if (format == "csv") return write_csv(name, samples, begin, rows);
  if (format == "npy") return linea::write_npy(path, dense(samples, begin, rows));
  if (format == "binary" && samples.is_dense) {
    const auto all = dense(samples, begin, rows);
    return linea::write_binary(path, linea::Matrix<double>(all.leftCols(all.cols() - 1)), y);
  }
  const program::Entries part = samples.x.part(begin, rows, samples.x.cols());
  const auto& x = part.view();
  if (format == "binary")
    linea::write_binary(path, x, y);
  else
    linea::write_libsvm(path, x, y);
}

/// Returns the name of a part: "part.3.svm" for part 3 of "part.svm".
std::string part_name(const std::string& path, Index part) {
  const auto slash = path.rfind('/');
  const auto dot = path.rfind('.');
  const bool has_end = dot != path.npos && (slash == path.npos || dot > slash + 1) && dot > 0;
  const std::size_t at = has_end ? dot : path.size();
  return path.substr(0, at) + "." + std::to_string(part) + path.substr(at);
}

program::CallFiles files_of(const Options& options) {
  linea::require(options.parts <= 1000000, "--parts ", options.parts, " is more than 1000000");
  program::CallFiles files{{{"IN", options.in}}, {}};
  for (Index part = 0; part < options.parts; ++part)
    files.outputs.push_back(
        {"OUT", options.parts == 1 ? options.out : part_name(options.out, part)});
  return files;
}

/// Calls write(path, begin, rows) for every part of the n samples.
template <class Write>
void write_parts(const Options& options, Index n, const Write& write) {
  linea::require(options.parts >= 1 && options.parts <= n, "--parts ", options.parts, " of ", n,
                 " samples");
  const std::string whole = options.out == "-" ? "/dev/stdout" : options.out;
  for (Index part = 0; part < options.parts; ++part) {
    const Index begin = n * part / options.parts;
    const Index end = n * (part + 1) / options.parts;
    const std::string path = options.parts == 1 ? whole : part_name(whole, part);
    write(path, begin, end - begin);
  }
}

int tell(const Options& options, Index n, Index d, Index entries) {
  told(options) << n << " samples, " << d << " features, " << entries << " entries\n";
  program::flush_report();
  return 0;
}

/// Can the conversion work block by block? It can if LIBSVM text becomes a regular file in the
/// binary format.
bool goes_by_blocks(const Options& options, const std::string& format,
                    program::ByteSource& source) {
  std::error_code unknown;
  const auto out = std::filesystem::status(program::path_of(options.out), unknown).type();
  const bool is_file =
      out == std::filesystem::file_type::regular || out == std::filesystem::file_type::not_found;
  return format == "binary" && is_file &&
         program::format_of(source.beginning(), source.name(), options.input) == "libsvm";
}

/// Converts text of any length with the memory of a few blocks. Columns take no memory, so the
/// reader accepts any index. The check of the number of columns needs the number of entries, so it
/// comes last.
int convert_by_blocks(const Options& options, program::ByteSource& source, std::string& task) {
  linea::require(options.input.target.empty(), source.name(),
                 ": --target is for tables: a list of entries has its label in front");
  linea::require(options.input.text_columns.empty(), source.name(),
                 ": --text is for tables: a list of entries has no columns");
  linea::require(options.input.drop.empty(), source.name(),
                 ": --drop is for tables: a list of entries has no columns");
  linea::require(options.input.most_features >= 0, "--most-features ", options.input.most_features,
                 " is not >= 0");
  const Index most = options.input.most_features;
  linea::LibsvmBlocks<double> blocks(
      source.stream(), source.name(),
      {.most_features = most > 0 ? most : std::numeric_limits<int>::max(),
       .zero_based = options.input.zero_based});
  linea::BinaryWriter<Sparse> all(program::path_of(options.out));
  while (const auto block = blocks.next()) all.add(block->x, block->y);
  linea::require(all.cols() > 0, source.name(), ": x is empty: there is no feature");
  const Index trusted = most > 0 ? most : linea::io::trusted_size(all.entries());
  linea::require(all.cols() <= trusted, source.name(), ": ", all.cols(),
                 " features are more than the ", trusted,
                 " that a text of this size may have (--most-features allows more)");
  task = "writing '" + options.out + "'";
  write_parts(options, all.rows(), [&](const std::string& path, Index begin, Index rows) {
    all.write(program::path_of(path), begin, rows);
  });
  return tell(options, all.rows(), all.cols(), all.entries());
}

int convert(Options& options, std::string& task) {
  task = "reading '" + options.in + "'";
  options.out = program::output_path(options.out);
  options.input.format.validate();
  const std::string format = format_of(options);
  const program::CallFiles files = files_of(options);
  program::require_apart(files);
  program::require_writable(files);
  program::ByteSource source(options.in);
  if (goes_by_blocks(options, format, source)) return convert_by_blocks(options, source, task);
  const Samples samples = read(options, source);
  task = "writing '" + options.out + "'";
  const Index n = samples.x.rows();
  write_parts(options, n, [&](const std::string& path, Index begin, Index rows) {
    write(format, path, samples, begin, rows);
  });
  return tell(options, n, samples.x.cols(), samples.x.nonZeros());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Writes samples in another format."};
  app.set_version_flag("--version", "linea_convert " + program::version());
  app.footer(examples);
  program::add_input_options(app, options.input);
  app.add_option("--target", options.input.target,
                 "column of the target: its name, or its number from 1, or from -1 at the right");
  app.add_option("--missing", options.preprocessing.missing, "refuse (default), mean or zero")
      ->check(CLI::IsMember({"refuse", "mean", "zero"}));
  program::add_column_options(app, options.input);
  app.add_option("--to", options.to, "auto (default), libsvm, csv, npy or binary")
      ->check(CLI::IsMember({"auto", "libsvm", "csv", "npy", "binary"}));
  program::add_whole(app, "--parts", options.parts, "number of files, of consecutive samples");
  app.add_option("IN", options.in, "as for linea_train; - for standard input")->required();
  app.add_option("OUT", options.out, "the output; - for standard output, with --to libsvm or csv")
      ->required();
  return program::run_program("linea_convert", app, argc, argv,
                              [&](std::string& task) { return convert(options, task); });
}
