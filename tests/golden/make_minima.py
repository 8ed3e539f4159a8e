#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes minima.hpp: minima of the objective found by other programs on the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_minima.py > tests/golden/minima.hpp
"""
import numpy as np
import scipy
import scipy.optimize as so
import sklearn
from sklearn.svm import SVC, LinearSVC
from shipped import begin, load, show, show_number

xc, yc = load("wdbc.svm")
xr, yr = load("diabetes.svm")
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


def quantile_minimum(tau):
    """Linear program: min mean tau*u + (1-tau)*v, u - v = y - xw - b, u, v >= 0."""
    m, d = xr.shape
    c = np.r_[np.zeros(d + 1), np.full(m, tau / m), np.full(m, (1 - tau) / m)]
    a = np.hstack([xr, np.ones((m, 1)), np.eye(m), -np.eye(m)])
    r = so.linprog(c, A_eq=a, b_eq=yr, bounds=[(None, None)] * (d + 1) + [(0, None)] * (2 * m))
    assert r.status == 0
    return r.fun


def ridge(x, y, lam, offset=True):
    """Least squares on the augmented, centred system by LAPACK's SVD (numpy.linalg.lstsq)."""
    mx, my = (x.mean(0), y.mean()) if offset else (np.zeros(x.shape[1]), 0.0)
    m, d = x.shape
    a = (x - mx) / np.sqrt(m)
    t = (y - my) / np.sqrt(m)
    if lam > 0:
        a = np.vstack([a, np.sqrt(lam) * np.eye(d)])
        t = np.r_[t, np.zeros(d)]
    w = np.linalg.lstsq(a, t, rcond=1e-12)[0]
    return w, my - mx @ w


def vector(name, w, b):
    show(name, w)
    show_number(f"{name}_offset", b)


begin("Minima found by other programs.", "make_minima.py", np, scipy, sklearn)
print("// Wisconsin breast cancer, standardised: the minimum of mean loss + lambda/2 |w|^2.")
for lam, tag in ((1e-2, "1e2"), (1e-3, "1e3")):
    for offset in (True, False):
        suffix = tag + ("" if offset else "_no_offset")
        show_number(f"log_{suffix}", log_minimum(lam, offset))
        show_number(f"hinge_{suffix}", hinge_minimum(lam, offset))
print("\n// Diabetes, standardised: the minimum of the mean quantile loss, with offset, no penalty.")
show_number("quantile_50", quantile_minimum(0.5))
show_number("quantile_90", quantile_minimum(0.9))
print("\n// Diabetes, standardised: ridge weights and offset.")
vector("ridge_1e3", *ridge(xr, yr, 1e-3))
vector("ridge_1e3_no_offset", *ridge(xr, yr, 1e-3, False))
vector("least_squares", *ridge(xr, yr, 0.0))
print("// The same for the first six samples, so that n < d; for lambda = 0 the solution of smallest norm.")
vector("wide_ridge_1e3", *ridge(xr[:6], yr[:6], 1e-3))
vector("wide_least_squares", *ridge(xr[:6], yr[:6], 0.0))
print("\n}  // namespace golden")
