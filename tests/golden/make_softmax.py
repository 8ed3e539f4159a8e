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
from shipped import begin, load, show_number

warnings.filterwarnings("ignore")  # rounding ends the line search before the tolerance is met

def fit(x, y, lam, ratio=0):
    """Returns the weights and F. Uses Newton's method with conjugate gradients, or SAGA if the penalty has the part `ratio` of L1. The C of
    scikit-learn is 1/(n lambda)."""
    options = (dict(penalty="elasticnet", l1_ratio=ratio, solver="saga", tol=1e-10, max_iter=10**6, random_state=0)
               if ratio else dict(solver="newton-cg", tol=1e-12, max_iter=1000))
    m = LogisticRegression(C=1 / (len(y) * lam), multi_class="multinomial", **options).fit(x, y)
    w = m.coef_
    p = x @ w.T + m.intercept_
    top = p.max(1)
    right = p[np.arange(len(y)), np.searchsorted(m.classes_, y)]
    loss = np.log(np.exp(p - top[:, None]).sum(1)) + top - right
    penalty = ratio * np.abs(w).sum() + (1 - ratio) / 2 * (w ** 2).sum()
    return w, loss.mean() + lam * penalty


begin("Minima of multinomial logistic regression, found without linea.", "make_softmax.py", np, scipy, sklearn)
print("// Iris, standardised: the minimum of mean loss + lambda/2 |w|^2.")
x, y = load("iris.svm")
show_number("softmax_iris_1e2", fit(x, y, 1e-2)[1])
print("// Iris, standardised: the minimum of mean loss + lambda (r |w|_1 + (1 - r)/2 |w|^2), lambda = 1e-2 and r = 1 or 0.5: F, and the number of weights that are 0.")
for ratio, tag in ((1, "l1"), (0.5, "net")):
    w, f = fit(x, y, 1e-2, ratio)
    show_number(f"softmax_iris_{tag}", f)
    show_number(f"softmax_iris_{tag}_zeros", (w == 0).sum())
print("\n}  // namespace golden")
