// SPDX-License-Identifier: MIT
#include "programs/common/one_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/data/labels.hpp>
#include <linea/io/libsvm_blocks.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/penalties.hpp>

#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;
using Block = linea::LabelledData<double>;

/// Selects the loss and the labels by the targets of the first block, if the options do not state
/// them. Returns the two labels, or none for a loss of numbers.
std::vector<double> settle(TrainOptions& options, const std::string& source, const Vector& y) {
  const std::vector<double> seen = linea::ClassLabels(y).values();
  if (options.loss.empty() && options.labels.empty() && seen.size() > 2)
    options.fit.loss = Named("squared");
  const std::string& loss = options.fit.loss.name;
  const bool are_labels = is_for_labels(options.fit.loss);
  linea::require(are_labels || options.labels.empty(), "--labels are for classes, but the loss ",
                 loss, " is for numbers");
  if (!are_labels) return {};
  linea::require(!options.labels.empty() || seen.size() == 2, source, ": the loss ", loss,
                 " needs two labels, but the first block of the stream has ", seen.size(),
                 ": give --labels, or a loss for numbers");
  return options.labels.empty() ? seen : options.labels;
}

/// Returns the number of weights, which does not depend on the first block: later blocks may have
/// larger indices.
Index columns_of(const InputOptions& options) {
  return options.most_features > 0 ? options.most_features : linea::io::trusted_size(0);
}

/// Returns one more than the largest column of the block.
Index width_of(const Block& block) {
  const auto* const columns = block.x.innerIndexPtr();
  Index width = 0;
  for (Index k = 0; k < block.x.nonZeros(); ++k) width = std::max<Index>(width, columns[k] + 1);
  return width;
}

/// Learns from the first block and all later ones, and predicts each sample before it is learned.
template <class O>
void learn(const O& objective, bool offset, Index columns, const Block& first,
           linea::LibsvmBlocks<double>& blocks, const std::string& source, Trained& trained) {
  Progressive found;
  Index width = 0;
  const bool of_labels = trained.model.has_classes();
  std::optional<linea::ClassLabels> labels;
  if (of_labels) labels = linea::ClassLabels(Vector::Map(trained.model.labels.data(), 2));
  auto learner = linea::AdaptiveSgd{.offset = offset}.template start<double>(objective, columns);
  const auto take = [&](const Block& block) {
    for (Index i = 0; labels && i < block.y.size(); ++i)
      linea::require(labels->holds(block.y[i]), source, ": sample ", trained.rows + i + 1,
                     " has the label ", block.y[i], ", but those of the stream are ", (*labels)[0],
                     " and ", (*labels)[1]);
    const Vector y = labels ? labels->encode(block.y) : block.y;
    width = std::max(width, width_of(block));
    for (Index i = 0; i < y.size(); ++i) {
      const double score = learner.score(block.x.row(i));
      found.loss += objective.loss.value(score, y[i]);
      found.error +=
          of_labels ? double((score >= 0) != (y[i] > 0)) : (score - y[i]) * (score - y[i]);
      learner.update(block.x.row(i), y[i]);
    }
    trained.rows += block.x.rows();
    trained.entries += block.x.nonZeros();
  };
  take(first);
  while (const auto block = blocks.next()) take(*block);
  linea::require(width > 0, source, ": x is empty: there is no feature");
  const auto solution = learner.solution();
  trained.model.input.width = width;
  trained.model.weights = solution.weights.head(width);
  trained.model.offset = Vector::Constant(1, solution.offset);
  trained.status =
      solution.status == linea::Status::diverged ? solution.status : linea::Status::epoch_limit;
  trained.updates = learner.updates();
  found.loss /= static_cast<double>(trained.rows);
  found.error /= static_cast<double>(trained.rows);
  trained.progressive = found;
}

}  // namespace

Trained train_in_one_pass(TrainOptions& options, ByteSource& source) {
  const auto before = std::chrono::steady_clock::now();
  linea::require(format_of(source.beginning(), source.name(), options.input) == "libsvm",
                 source.name(), ": --one-pass reads LIBSVM text");
  const Index columns = columns_of(options.input);
  linea::LibsvmBlocks<double> blocks(source.stream(), source.name(),
                                     {.features = columns, .zero_based = options.input.zero_based},
                                     std::size_t{1} << 20);
  const auto first = blocks.next();
  Trained trained;
  trained.objective = std::numeric_limits<double>::quiet_NaN();
  trained.gap.reset();
  trained.model.labels = settle(options, source.name(), first->y);
  const FitOptions& fit = options.fit;
  with_loss(fit.loss, [&](const auto& loss) {
    const linea::Objective objective{loss, linea::ElasticNet{.l1 = fit.l1, .l2 = fit.lambda}};
    learn(objective, fit.offset, columns, *first, blocks, source.name(), trained);
  });
  Model& model = trained.model;
  model.loss = fit.loss.name;
  model.parameter = fit.loss.value;
  model.input.zero_based = options.input.zero_based;
  trained.note =
      "each sample was used once: the distance of the objective from its minimum is "
      "unknown";
  trained.train_seconds = seconds_since(before);
  describe(options, trained);
  return trained;
}

}  // namespace program
