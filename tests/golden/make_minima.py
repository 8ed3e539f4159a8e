#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes minima.hpp: minima of the objective found by other programs on the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_minima.py > tests/golden/minima.hpp
"""
import numpy as np
import scipy
import sklearn
from sklearn.svm import SVC, LinearSVC
from shipped import begin, load, show_number

xc, yc = load("wdbc.svm")
n = len(yc)


def log_minimum(lam, offset):
    """Newton's method on the log loss until the gradient is at rounding level."""
    z = np.hstack([xc, np.ones((n, 1))]) if offset else xc
    reg = lam * np.ones(z.shape[1])
    if offset:
        reg[-1] = 0
    w = np.zeros(z.shape[1])
    for _ in range(100):
        m = yc * (z @ w)
        q = 1 / (1 + np.exp(m))
        g = -(z.T @ (yc * q)) / n + reg * w
        h = (z.T * (q * (1 - q))) @ z / n + np.diag(reg)
        w -= np.linalg.solve(h, g)
        if np.abs(g).max() < 1e-15:
            break
    return np.logaddexp(0, -yc * (z @ w)).mean() + 0.5 * (reg * w * w).sum()


def hinge_minimum(lam, offset):
    c = 1 / (n * lam)
    if offset:
        s = SVC(kernel="linear", C=c, tol=1e-9).fit(xc, yc)
    else:
        s = LinearSVC(loss="hinge", C=c, tol=1e-10, max_iter=10**7, fit_intercept=False).fit(xc, yc)
    w = s.coef_.ravel()
    b = float(np.ravel(s.intercept_)[0]) if offset else 0.0
    return np.maximum(0, 1 - yc * (xc @ w + b)).mean() + 0.5 * lam * w @ w


begin("Minima found by other programs.", "make_minima.py", np, scipy, sklearn)
print("// Wisconsin breast cancer, standardised: the minimum of mean loss + lambda/2 |w|^2.")
for lam, tag in ((1e-2, "1e2"), (1e-3, "1e3")):
    for offset in (True, False):
        suffix = tag + ("" if offset else "_no_offset")
        show_number(f"log_{suffix}", log_minimum(lam, offset))
        show_number(f"hinge_{suffix}", hinge_minimum(lam, offset))
print("\n}  // namespace golden")
