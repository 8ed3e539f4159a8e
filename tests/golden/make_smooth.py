#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes smooth.hpp: minima of smooth losses with an L2 penalty found by scikit-learn on the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_smooth.py > tests/golden/smooth.hpp
"""
import numpy as np
import scipy
import sklearn
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.svm import LinearSVC
from shipped import begin, load, show, show_number


xc, yc = load("wdbc.svm")
xr, yr = load("diabetes.svm")
n = len(yc)


def log_fit(lam, offset):
    """Newton's method with a line search. The C of scikit-learn is 1/(n lambda)."""
    s = LogisticRegression(C=1 / (n * lam), tol=1e-12, solver="newton-cg", max_iter=10**5, fit_intercept=offset)
    s.fit(xc, yc)
    w, b = s.coef_.ravel(), float(np.ravel(s.intercept_)[0])
    return w, b, np.logaddexp(0, -yc * (xc @ w + b)).mean() + 0.5 * lam * w @ w


def squared_hinge_fit(lam):
    """LIBLINEAR's dual coordinate descent; its squared hinge is twice ours."""
    s = LinearSVC(C=1 / (2 * n * lam), tol=1e-12, max_iter=10**7, fit_intercept=False).fit(xc, yc)
    w = s.coef_.ravel()
    return w, 0.5 * (np.maximum(0, 1 - yc * (xc @ w)) ** 2).mean() + 0.5 * lam * w @ w


def poisson_fit(lam):
    s = PoissonRegressor(alpha=lam, tol=1e-12, max_iter=10**5).fit(xr, yr)
    w, b = s.coef_, s.intercept_
    m = np.exp(xr @ w + b)
    return w, b, (m - yr + yr * np.log(yr / m)).mean() + 0.5 * lam * w @ w


begin("Minima of smooth losses found by other programs.", "make_smooth.py", np, scipy, sklearn)
print("// Wisconsin breast cancer, standardised: the minimum of mean loss + lambda/2 |w|^2.")
for lam, tag in ((1e-2, "1e2"), (1e-4, "1e4")):
    w, b, f = log_fit(lam, True)
    show(f"logistic_{tag}_weights", w)
    show_number(f"logistic_{tag}_offset", b)
    show_number(f"logistic_{tag}", f)
    w, b, f = log_fit(lam, False)
    show(f"logistic_{tag}_no_offset_weights", w)
    show_number(f"logistic_{tag}_no_offset", f)
w, f = squared_hinge_fit(1e-2)
show("squared_hinge_1e2_no_offset_weights", w)
show_number("squared_hinge_1e2_no_offset", f)
print("// Diabetes, standardised, with offset: half the mean Poisson deviance + lambda/2 |w|^2.")
w, b, f = poisson_fit(1e-1)
show("poisson_1e1_weights", w)
show_number("poisson_1e1_offset", b)
show_number("poisson_1e1", f)
print("\n}  // namespace golden")
