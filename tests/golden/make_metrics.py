#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes metrics.hpp: labels, scores and probabilities, and scikit-learn's figures of them.

Run by hand, from anywhere: python3 tests/golden/make_metrics.py > tests/golden/metrics.hpp
"""
import numpy as np
import sklearn
from sklearn import metrics as m
from shipped import begin, show, show_number

rng = np.random.default_rng(7)
n = 40
labels = np.array([1.0, 2.0, 5.0])
truth = rng.integers(0, 3, n)
y = labels[truth]
predicted = labels[np.where(rng.random(n) < 0.6, truth, rng.integers(0, 3, n))]
weights = rng.integers(1, 9, n) / 4
scores = np.round(rng.normal(size=(n, 3)) + np.eye(3)[truth], 1)  # one digit, for ties
scores[:4] /= 4
chances = np.exp(scores)
chances = np.round(64 * chances / chances.sum(1, keepdims=True)) / 64
chances[:, 2] = 1 - chances[:, 0] - chances[:, 1]  # sums are exact
chances = np.where(chances == 0, 1 / 64, chances)
chances[np.arange(n), chances.argmax(1)] += 1 - chances.sum(1)
positive = (y == 5).astype(float)
score = scores[:, 2]
chance = chances[:, 2]
number = np.round(rng.normal(size=n) * 3 + 7, 2)
estimate = np.round(number + rng.standard_t(2, size=n), 2)


def brier(s):
    """Brier's own sum over the classes: brier_score_loss of this version takes two labels only."""
    return np.average(((chances - np.eye(3)[truth]) ** 2).sum(1), weights=s)


def average_precision(s, how):
    """average_precision_score of this version takes several labels as columns of 0 and 1."""
    return m.average_precision_score(np.eye(3)[truth], scores, average=how, sample_weight=s)


def roc_auc(s, how):
    """multi_class="ovr" requires probabilities; columns of 0 and 1 accept scores."""
    return m.roc_auc_score(np.eye(3)[truth], scores, average=how, sample_weight=s)


def ovr(s, how):
    return m.roc_auc_score(y, chances, multi_class="ovr", average=how, sample_weight=s)


def prf(s, how):
    return m.precision_recall_fscore_support(y, predicted, average=how, sample_weight=s)[:3]


begin("Labels, scores and probabilities, with the metrics that scikit-learn computes for them.", "make_metrics.py", np, sklearn)
print(f"namespace metrics {{\n\n// {n} samples with three labels. Matrices are stored by rows.")
show("labels", labels)
show("y", y)
show("predicted", predicted)
show("weights", weights)
show("scores", scores)
show("chances", chances)
show("number", number)
show("estimate", estimate)
print("""
// Each of `of_five`, `macro`, `weighted` and `micro` has precision, recall and F1: of label 5, or the average of this kind.
// `plain` is without sample weights, `heavy` is with sample weights.
struct Figures {
  std::vector<double> of_five, precision, recall, f1, support, macro, weighted, micro;
  double balanced_accuracy, matthews, matthews_of_five;
  double auc, auc_macro, auc_weighted, auc_ovr_macro, auc_ovr_weighted;
  double average_precision, average_precision_macro, average_precision_weighted;
  double log_loss, brier, brier_of_five;
  double rmse, percentage, explained;
};""")
for name, s in [("plain", None), ("heavy", weights)]:
    each = m.precision_recall_fscore_support(y, predicted, average=None, sample_weight=s)
    support = [np.sum((s if s is not None else np.ones(n))[y == label]) for label in labels]
    five = m.precision_recall_fscore_support(positive, predicted == 5, average="binary", sample_weight=s)[:3]
    lists = [five, each[0], each[1], each[2], support, prf(s, "macro"), prf(s, "weighted"), prf(s, "micro")]
    numbers = [
        m.balanced_accuracy_score(y, predicted, sample_weight=s),
        m.matthews_corrcoef(y, predicted, sample_weight=s),
        m.matthews_corrcoef(positive, predicted == 5, sample_weight=s),
        m.roc_auc_score(positive, score, sample_weight=s),
        roc_auc(s, "macro"), roc_auc(s, "weighted"), ovr(s, "macro"), ovr(s, "weighted"),
        m.average_precision_score(positive, score, sample_weight=s),
        average_precision(s, "macro"), average_precision(s, "weighted"),
        m.log_loss(y, chances, labels=labels, sample_weight=s, eps=0),
        brier(s),
        m.brier_score_loss(positive, chance, sample_weight=s),
        m.mean_squared_error(number, estimate, squared=False, sample_weight=s),
        m.mean_absolute_percentage_error(number, estimate, sample_weight=s),
        m.explained_variance_score(number, estimate, sample_weight=s),
    ]
    print(f"inline const Figures {name}{{")
    for values in lists:
        print(f"    {{{', '.join(repr(float(v)) for v in values)}}},")
    print("    " + ", ".join(repr(float(v)) for v in numbers) + "};")
print(f"// Without sample weights only: for weighted samples scikit-learn returns the lower of two medians.")
show_number("median_absolute_error", m.median_absolute_error(number, estimate))
print("\n}  // namespace metrics\n\n}  // namespace golden")
