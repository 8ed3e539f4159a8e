// SPDX-License-Identifier: MIT
#include "programs/common/one_pass.hpp"

#include <algorithm>
#include <cmath>
#include <linea/io/libsvm_blocks.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/penalties.hpp>
#include <sstream>

#include "programs/common/descent_parts.hpp"
#include "programs/common/losses_by_name.hpp"

namespace program {
namespace {

using Vector = linea::Vector<double>;
using Block = linea::LabelledData<double>;

/// Converts the targets of a stream: numbers are unchanged, and two labels become -1 and +1.
class Targets {
 public:
  Targets(const TrainOptions& options, const ByteSource& source)
      : name_(source.name()), labels_(options.labels) {
    std::sort(labels_.begin(), labels_.end());
  }

  /// Selects the loss and the labels by the targets of the first block, if the options do not state
  /// them.
  void begin(TrainOptions& options, const Vector& y) {
    const auto seen = distinct(std::vector<double>(y.begin(), y.end()));
    if (options.loss.empty() && labels_.empty() && seen.size() > 2) {
      options.task.loss = Named("squared");
      check_task(options.task);
    }
    are_labels_ = is_for_labels(options.task.loss);
    linea::require(are_labels_ || labels_.empty(), "--labels are for classes, but the loss ",
                   options.task.loss.name, " is for numbers");
    if (!are_labels_ || !labels_.empty()) return;
    linea::require(seen.size() == 2, name_, ": the loss ", options.task.loss.name,
                   " needs two labels, but the first block of the stream has ", seen.size(),
                   ": give --labels, or a loss for numbers");
    labels_ = seen;
  }

  /// Returns the targets for the loss. `row` is the number of earlier samples.
  Vector of(const Vector& y, Index row) const {
    if (!are_labels_) return y;
    Vector signs(y.size());
    for (Index i = 0; i < y.size(); ++i) {
      linea::require(y[i] == labels_[0] || y[i] == labels_[1], name_, ": sample ", row + i + 1,
                     " has the label ", y[i], ", but those of the stream are ", labels_[0], " and ",
                     labels_[1]);
      signs[i] = y[i] == labels_[1] ? 1 : -1;
    }
    return signs;
  }

  std::vector<double> labels() const { return are_labels_ ? labels_ : std::vector<double>{}; }

 private:
  std::string name_;
  std::vector<double> labels_;
  bool are_labels_{false};
};

/// Returns the number of weights, which does not depend on the first block: later blocks may have
/// larger indices.
Index columns_of(const TrainOptions& options) {
  return options.features > 0 ? options.features : linea::io::trusted_size(0);
}

Index width_of(const Block& block) {
  Index width = 0;
  for (Index k = 0; k < block.x.nonZeros(); ++k)
    width = std::max<Index>(width, block.x.innerIndexPtr()[k] + 1);
  return width;
}

/// Returns a learner for `columns` columns, before its first block. The trials of the first step
/// size use the columns of the block only, so they do not touch all weights.
template <class Optimizer, class O>
auto learner_of(Optimizer optimizer, const O& objective, Index columns, const Block& block,
                const Vector& y) {
  const auto& x = block.x;
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> narrow(
      x.rows(), std::max<Index>(width_of(block), 1), x.nonZeros(), x.outerIndexPtr(),
      x.innerIndexPtr(), x.valuePtr());
  auto trial = optimizer.template start<double>(objective, narrow.cols());
  trial.prepare(linea::detail::samples::admit("--one-pass", objective.loss, narrow, y, Vector{}),
                true);
  optimizer.step = trial.rule().step_size;
  auto learner = optimizer.template start<double>(objective, columns);
  learner.replace(Vector::Zero(columns), trial.current_offset());
  return learner;
}

/// Predicts each block but the first before learning from it.
template <class Learner, class Loss>
class Pass {
 public:
  Pass(Learner learner, const Loss& loss, bool of_labels, bool is_average)
      : learner_(std::move(learner)), loss_(loss), of_labels_(of_labels), is_average_(is_average) {}

  void learn(const Block& block, const Vector& y, OnePass& found) {
    if (found.blocks > 0) judge(block, y, found);
    learner_.epoch(block.x, y);
    ++found.blocks;
  }

  void finish(Index features, OnePass& found) {
    const auto solution = learner_.solution();
    found.model.weights = solution.weights.head(features);
    found.model.offset = Vector::Constant(1, solution.offset);
    found.diverged = solution.status == linea::Status::diverged;
    found.updates = learner_.updates();
    found.first_step = learner_.rule().step_size(1);
    const auto n = static_cast<double>(std::max<Index>(found.judged, 1));
    found.progressive_loss /= n;
    found.progressive_error /= n;
  }

 private:
  void judge(const Block& block, const Vector& y, OnePass& found) {
    const Vector scores = scores_of(block);
    for (Index i = 0; i < y.size(); ++i) {
      found.progressive_loss += loss_.value(scores[i], y[i]);
      found.progressive_error += of_labels_ ? double((scores[i] >= 0) != (y[i] > 0))
                                            : (scores[i] - y[i]) * (scores[i] - y[i]);
    }
    found.judged += y.size();
  }

  /// Returns the scores of a block. Scores of single rows read only the weights of the columns in
  /// the row. With averaging, all averages are computed first.
  Vector scores_of(const Block& block) {
    Vector scores(block.x.rows());
    if (is_average_) {
      const auto solution = learner_.solution();
      scores = (block.x * solution.weights).array() + solution.offset;
    } else {
      for (Index i = 0; i < scores.size(); ++i) scores[i] = learner_.score(block.x.row(i));
    }
    return scores;
  }

  Learner learner_;
  Loss loss_;
  bool of_labels_;
  bool is_average_;
};

/// Makes the pass: learns from the first block and all later ones.
template <class Optimizer, class O>
void pass(const TrainOptions& options, Optimizer optimizer, const O& objective, const Block& first,
          linea::LibsvmBlocks<double>& blocks, const Targets& targets, OnePass& found) {
  optimizer.batch = batch_from(options.task.batch);
  if (options.task.average) optimizer.iterate = linea::Iterate::average;
  Pass pass(
      learner_of(optimizer, objective, columns_of(options), first, targets.of(first.y, Index{0})),
      objective.loss, !targets.labels().empty(), options.task.average);
  Index width = 0;
  const auto learn = [&](const Block& block) {
    width = std::max(width, width_of(block));
    pass.learn(block, targets.of(block.y, found.samples), found);
    found.samples += block.x.rows();
    found.entries += block.x.nonZeros();
  };
  learn(first);
  while (const auto block = blocks.next()) learn(*block);
  linea::require(width > 0, "the stream: x is empty: there is no feature");
  found.model.input.width = options.features > 0 ? options.features : width;
  pass.finish(found.model.input.width, found);
}

template <class L>
void descend(const TrainOptions& options, const L& loss, const Block& first,
             linea::LibsvmBlocks<double>& blocks, const Targets& targets, OnePass& found) {
  const FitTask& task = options.task;
  const auto run = [&](auto optimizer, const auto& objective) {
    pass(options, optimizer, objective, first, blocks, targets, found);
  };
  if (task.optimizer == "pegasos")
    run(linea::BasicPegasos<Step>{.offset = task.offset,
                                  .step = step_from(task.step, Step::Kind::inverse_lambda),
                                  .seed = task.seed},
        linea::Objective<L, linea::L2>{loss, linea::L2{task.lambda}});
  else
    run(linea::BasicSgd<Step>{.offset = task.offset,
                              .step = step_from(task.step, Step::Kind::automatic),
                              .seed = task.seed},
        linea::Objective<L, linea::ElasticNet>{loss, {.l1 = task.l1, .l2 = task.lambda}});
}

}  // namespace

void require_for_one_pass(const TrainOptions& options) {
  const auto refuse_if = [](bool is_given, const std::string& option) {
    linea::require(!is_given, "--one-pass takes no ", option,
                   ", which needs all samples, or several passes");
  };
  const FitTask& task = options.task;
  linea::require(task.optimizer == "sgd" || task.optimizer == "pegasos",
                 "--one-pass is for --optimizer sgd or pegasos, not ", task.optimizer);
  refuse_if(options.lambda == "auto" || options.lambdas.size() > 1, "--lambda to choose from");
  refuse_if(!options.multiclass.empty(), "--multiclass");
  refuse_if(!options.class_weights.empty(), "--class-weights");
  refuse_if(!options.input.target.empty() || !options.input.text_columns.empty(),
            "--target or --text");
  refuse_if(!options.input.drop.empty() || !options.input.weights.empty(), "--drop or --weights");
  refuse_if(options.preprocessing.standardise, "--standardise");
  refuse_if(options.preprocessing.degree > 1, "--polynomial");
  refuse_if(options.preprocessing.hash_bits > 0, "--hash");
  refuse_if(!options.validation.empty(), "--validation");
  refuse_if(!options.start.empty(), "--start");
  refuse_if(!options.plot.empty(), "--plot");
  refuse_if(!options.checkpoint.empty(), "--checkpoint");
  refuse_if(task.certify, "--certify");
  refuse_if(task.use_float, "--float");
  refuse_if(task.threads != 1, "--threads");
  refuse_if(task.epochs.has_value(), "--epochs");
  refuse_if(task.batch == "all", "--batch all");
  linea::require(options.features >= 0, "--features ", options.features, " is not >= 0");
  linea::require(options.labels.empty() ||
                     (options.labels.size() == 2 && options.labels[0] != options.labels[1]),
                 "--labels takes two labels, like -1,1");
  linea::require(options.block_bytes >= 1, "--block ", options.block_bytes, " is not >= 1");
}

OnePass train_in_one_pass(TrainOptions& options, ByteSource& source) {
  linea::require(format_of(source.beginning(), source.name(), options.input) == "libsvm",
                 source.name(), ": --one-pass reads LIBSVM text");
  OnePass found;
  Targets targets(options, source);
  linea::LibsvmBlocks<double> blocks(
      source.stream(), source.name(),
      {.features = columns_of(options), .zero_based = options.input.zero_based},
      static_cast<std::size_t>(options.block_bytes));
  const auto first = blocks.next();
  targets.begin(options, first->y);
  with_loss(options.task.loss,
            [&](const auto& loss) { descend(options, loss, *first, blocks, targets, found); });
  Model& model = found.model;
  model.loss = options.task.loss.name;
  model.parameter = options.task.loss.value;
  model.labels = targets.labels();
  model.input.zero_based = options.input.zero_based;
  model.training = json{{"optimizer", options.task.optimizer},
                        {"one_pass", true},
                        {"lambda", options.task.lambda},
                        {"l1", options.task.l1},
                        {"n", found.samples},
                        {"status", linea::name_of(found.diverged ? linea::Status::diverged
                                                                 : linea::Status::epoch_limit)},
                        {"seed", options.task.seed}};
  return found;
}

std::string report_of(const TrainOptions& options, const OnePass& found, double seconds) {
  const bool of_labels = found.model.has_classes();
  const auto known = [&](double value) {
    return found.judged > 0 && std::isfinite(value) ? json(value) : json();
  };
  if (options.as_json)
    return json{{"optimizer", options.task.optimizer},
                {"one_pass", true},
                {"loss", found.model.loss},
                {"lambda", options.task.lambda},
                {"l1", options.task.l1},
                {"n", found.samples},
                {"d", found.model.weights.rows()},
                {"nnz", found.entries},
                {"blocks", found.blocks},
                {"updates", found.updates},
                {"first_step", found.first_step},
                {"status", linea::name_of(found.diverged ? linea::Status::diverged
                                                         : linea::Status::epoch_limit)},
                {"objective", nullptr},
                {"progressive_samples", found.judged},
                {"progressive_loss", known(found.progressive_loss)},
                {"progressive_error", known(found.progressive_error)},
                {"progressive_error_is", of_labels ? "share of mistakes" : "mean squared error"},
                {"train_seconds", seconds},
                {"seed", options.task.seed}}
               .dump() +
           "\n";
  std::ostringstream text;
  text << found.samples << " samples, " << found.model.weights.rows()
       << " features, in one pass of " << found.blocks << " blocks by " << options.task.optimizer
       << "\n"
       << "each sample was used once: the distance of the objective from its minimum is unknown\n";
  if (found.judged == 0)
    text << "all samples are in the first block: no prediction before learning\n";
  else
    text << "predicted before learning from them, " << found.judged << " samples: mean "
         << found.model.loss << " loss " << found.progressive_loss << ", "
         << (of_labels ? "share of mistakes " : "mean squared error ") << found.progressive_error
         << '\n';
  return text.str();
}

}  // namespace program
