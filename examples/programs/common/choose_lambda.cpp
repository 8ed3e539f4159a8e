// SPDX-License-Identifier: MIT
#include "programs/common/choose_lambda.hpp"

#include <algorithm>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/require.hpp>
#include <linea/data/folds.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/penalties/l2.hpp>
#include <span>

#include "programs/common/scoring.hpp"
#include "programs/common/targets.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;

/// Returns the given rows of y, or an empty vector if y is empty.
Vector rows_of(const Vector& y, std::span<const Index> rows) {
  if (y.size() == 0) return {};
  Vector taken(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) taken[static_cast<Index>(k)] = y[rows[k]];
  return taken;
}

/// Returns the λ to try with the squared penalty, from the largest to the smallest.
std::vector<double> automatic_lambdas(const Samples& samples, const Entries& x) {
  const linea::Extras<double> extras{
      .sample_weights = sample_weights_of(samples.factors, samples.y, samples.weights)};
  return linea::automatic_lambdas(linea::Objective{linea::Squared{}, linea::L2{}}, x.view(),
                                  samples.y, extras);
}

/// The training and held-out samples of one fold.
struct Fold {
  Entries x{};
  Vector y{};
  Entries x_judge{};
  Vector y_judge{};
  Vector weights{};  ///< empty if there are no sample weights
  Vector weights_judge{};
};

Fold fold_of(const Samples& samples, std::span<const Index> rest, std::span<const Index> held_out) {
  const auto& options = samples.options;
  const Table learn = samples.table.take({rest.begin(), rest.end()});
  const Table judge = samples.table.take({held_out.begin(), held_out.end()});
  const auto input = Preprocessing::learn(learn, options.input.zero_based, options.preprocessing);
  return {input.apply(learn).x,           rows_of(samples.y, rest),
          input.apply(judge).x,           rows_of(samples.y, held_out),
          rows_of(samples.weights, rest), rows_of(samples.weights, held_out)};
}

/// Returns the score of a model on the held-out samples: the error rate for classes, else the mean
/// loss.
double score_of(const Samples& samples, const Model& judged, const Fold& fold) {
  const auto scores = judged.scores(fold.x_judge);
  if (!judged.has_classes())
    return mean_loss(samples.options.task.loss, scores.col(0), fold.y_judge, fold.weights_judge);
  Column known;
  known.numbers.assign(fold.y_judge.begin(), fold.y_judge.end());
  return figures_of(judged, scores, fold.y_judge, known, fold.weights_judge).error();
}

/// Returns the scores (m) of one fold for all lambdas. `name` is the name of the fold in the line
/// of progress.
Vector scores_of_fold(const Samples& samples, const Model& model, const Fold& fold,
                      const std::vector<double>& lambdas, const std::string& name, Watch& watch) {
  const auto& options = samples.options;
  const auto& optimizer = options.task.optimizer;
  const Learnt learnt{fold.x, fold.y, sample_weights_of(samples.factors, fold.y, fold.weights)};
  Vector scores(static_cast<Index>(lambdas.size()));
  std::optional<Functions> before;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    watch.name(name + ", lambda " + linea::detail::number_text(lambdas[k]));
    const bool warm =
        before && (optimizer == "auto" || optimizer == "newton" || optimizer == "lbfgs");
    before =
        fit_all(options, model, lambdas[k], learnt, warm ? &*before : nullptr, nullptr, {}, watch);
    if (Watch::is_interrupted()) throw Interrupted();
    Model judged = model;
    judged.weights = before->weights;
    judged.offset = before->offset;
    scores[static_cast<Index>(k)] = score_of(samples, judged, fold);
  }
  return scores;
}

/// The scores (k × m) of m lambdas on k folds, and the size of each fold: its number of samples, or
/// the sum of their weights.
struct FoldScores {
  linea::Matrix<double> scores{};
  Vector sizes{};
};

FoldScores cross_validate(const Samples& samples, const Model& model,
                          const std::vector<double>& lambdas, Watch& watch) {
  const auto& options = samples.options;
  const Index folds = options.folds > 0 ? options.folds : 5;
  const Index n = samples.y.size();
  linea::require(folds <= n, "--folds ", folds, " of ", n, " samples");
  const auto dealt = linea::fold_indices(
      samples.y, {.folds = folds, .seed = options.task.seed, .stratify = model.has_classes()});
  FoldScores all{linea::Matrix<double>(folds, static_cast<Index>(lambdas.size())), Vector(folds)};
  for (Index f = 0; f < folds; ++f) {
    const auto size = static_cast<Index>(dealt.held_out(f).size());
    all.sizes[f] = samples.weights.size() > 0 ? rows_of(samples.weights, dealt.held_out(f)).sum()
                                              : static_cast<double>(size);
    const auto name = "fold " + std::to_string(f + 1) + " of " + std::to_string(folds);
    all.scores.row(f) = scores_of_fold(
        samples, model, fold_of(samples, dealt.rest(f), dealt.held_out(f)), lambdas, name, watch);
  }
  watch.name("");
  return all;
}

}  // namespace

linea::ValidationCurve choose_lambda(const Samples& samples, const Model& model, const Entries& x,
                                     Watch& watch) {
  const bool is_auto = samples.options.lambda == "auto";
  std::vector<double> lambdas = samples.options.lambdas;
  if (is_auto) lambdas = automatic_lambdas(samples, x);
  std::sort(lambdas.rbegin(), lambdas.rend());
  FoldScores all = cross_validate(samples, model, lambdas, watch);
  for (int round = 0;; ++round) {
    auto curve = linea::validation_curve(lambdas, all.scores, all.sizes);
    const bool is_least = curve.best + 1 == static_cast<Index>(lambdas.size());
    if (!is_auto || !is_least || !curve.is_at_edge || round == 3) return curve;
    std::vector<double> more;
    linea::detail::add_decimals(more, linea::detail::decade_of(lambdas.front()),
                                static_cast<int>(lambdas.size()), 4);
    const auto next = cross_validate(samples, model, more, watch).scores;
    lambdas.insert(lambdas.end(), more.begin(), more.end());
    linea::Matrix<double> joined(all.scores.rows(), all.scores.cols() + next.cols());
    joined << all.scores, next;
    all.scores = joined;
  }
}

}  // namespace program
