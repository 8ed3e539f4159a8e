#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes softmax.hpp: minima of multinomial logistic regression found by scikit-learn on the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_softmax.py > tests/golden/softmax.hpp
"""
import warnings
import numpy as np
import scipy
import sklearn
from sklearn.linear_model import LogisticRegression
from shipped import begin, load, show, show_number

warnings.filterwarnings("ignore")  # that rounding ends the line search before the tolerance is met

def fit(x, y, lam, offset=True, weights=None, ratio=0):
    """Newton's method with conjugate gradients, for L1 with this ratio SAGA. The C of scikit-learn is 1/(S lambda).
    F is computed here."""
    s = np.ones(len(y)) if weights is None else weights
    options = (dict(penalty="elasticnet", l1_ratio=ratio, solver="saga", tol=1e-10, max_iter=10**6, random_state=0)
               if ratio else dict(solver="newton-cg", tol=1e-12, max_iter=1000))
    m = LogisticRegression(C=1 / (s.sum() * lam), fit_intercept=offset, multi_class="multinomial",
                           **options).fit(x, y, sample_weight=s)
    w, b = m.coef_, m.intercept_
    if len(w) == 1:  # for two classes it stores one; the other is its negative
        w, b = np.vstack([-w, w]), np.append(-b, b)
    p = x @ w.T + b
    top = p.max(1)
    right = p[np.arange(len(y)), np.searchsorted(m.classes_, y)]
    loss = np.log(np.exp(p - top[:, None]).sum(1)) + top - right
    penalty = ratio * np.abs(w).sum() + (1 - ratio) / 2 * (w ** 2).sum()
    return w.T, b - b.mean(), s @ loss / s.sum() + lam * penalty


begin("Minima of multinomial logistic regression found by another program.", "make_softmax.py", np, scipy, sklearn)
print("// Iris, standardised: mean loss + lambda/2 |w|^2. Weights (4 x 3) by rows.")
x, y = load("iris.svm")
for lam, tag in ((1e-2, "1e2"), (1e-4, "1e4")):
    w, b, f = fit(x, y, lam)
    show(f"softmax_iris_{tag}_weights", w)
    show(f"softmax_iris_{tag}_offset", b)
    show_number(f"softmax_iris_{tag}", f)
w, b, f = fit(x, y, 1e-2, offset=False)
show("softmax_iris_1e2_no_offset_weights", w)
show_number("softmax_iris_1e2_no_offset", f)
print("// The same with weight i mod 4 for sample i.")
w, b, f = fit(x, y, 1e-2, weights=np.arange(len(y)) % 4.0)
show("softmax_iris_1e2_weighted_weights", w)
show("softmax_iris_1e2_weighted_offset", b)
show_number("softmax_iris_1e2_weighted", f)
print("// The same with lambda (r |w|_1 + (1 - r)/2 |w|^2), lambda = 1e-2 and r = 1 or 0.5: F, and the number of weights that are 0.")
for ratio, tag in ((1, "l1"), (0.5, "net")):
    w, b, f = fit(x, y, 1e-2, ratio=ratio)
    show_number(f"softmax_iris_{tag}", f)
    show_number(f"softmax_iris_{tag}_zeros", (w == 0).sum())
print("// Wisconsin breast cancer, standardised; the weights of the larger label, +1.")
x, y = load("wdbc.svm")
for lam, tag in ((1e-2, "1e2"), (1e-4, "1e4")):
    w, b, f = fit(x, y, lam)
    show(f"softmax_cancer_{tag}_weights", w[:, 1])
    show_number(f"softmax_cancer_{tag}_offset", b[1])
    show_number(f"softmax_cancer_{tag}", f)
print("\n}  // namespace golden")
