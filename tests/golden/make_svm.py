#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes svm.hpp: support vector machines and maximum margins found by other programs on the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_svm.py > tests/golden/svm.hpp
"""
import numpy as np
import scipy
import scipy.optimize as so
import sklearn
from sklearn.svm import SVC
from shipped import begin, load, show_number


def svm(x, y, lam):
    """LIBSVM's primal and dual value in units of the mean loss, and how many support vectors it has."""
    n = len(y)
    s = SVC(kernel="linear", C=1 / (lam * n), tol=1e-10).fit(x, y)
    w, b, a = s.coef_.ravel(), s.intercept_[0], np.abs(s.dual_coef_.ravel())
    primal = np.maximum(0, 1 - y * (x @ w + b)).mean() + 0.5 * lam * w @ w
    return primal, lam * (a.sum() - 0.5 * w @ w), len(a)


def least_distance(g, h):
    """min |w| subject to g w >= h: Lawson and Hanson, Solving Least Squares Problems, chapter 23."""
    e = np.vstack([g.T, h])
    f = np.zeros(len(e))
    f[-1] = 1
    u, _ = so.nnls(e, f)
    r = e @ u - f
    return -r[:-1] / r[-1]


def largest_margin(x, y, offset):
    """1/|w|; with offset, |w| is a convex function of b."""
    g = y[:, None] * x
    if not offset:
        return 1 / np.linalg.norm(least_distance(g, np.ones(len(y))))
    size = lambda b: np.linalg.norm(least_distance(g, 1 - y * b))
    return 1 / so.minimize_scalar(size, bracket=(-3, 3), tol=1e-12).fun


def separable(x, y, offset):
    """Linear program: the largest smallest agreement of |w|_inf <= 1."""
    g = y[:, None] * np.hstack([x, np.full((len(y), 1), float(offset))])
    d = x.shape[1]
    r = so.linprog(np.r_[np.zeros(d + 1), -1], A_ub=np.hstack([-g, np.ones((len(y), 1))]), b_ub=np.zeros(len(y)),
                   bounds=[(-1, 1)] * d + [(None, None), (None, 1)])
    assert r.status == 0
    return bool(r.x[-1] > 1e-7)


cancer, y_cancer = load("wdbc.svm")
iris, kinds = load("iris.svm")

begin("Support vector machines and margins by other programs.", "make_svm.py", np, scipy, sklearn)
print("// Wisconsin breast cancer, standardised, with offset: F of LIBSVM's solution,\n// and its dual objective, a lower bound.")
print("struct Svm { double lambda; double primal; double dual; int support; };")
print("inline constexpr Svm svms[]{")
for lam in (10.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6):
    primal, dual, support = svm(cancer, y_cancer, lam)
    print(f"    {{{lam!r}, {primal!r}, {dual!r}, {support}}},")
print("};\n")
print("// Iris, standardised: the margin of the first species against the others, by non-negative least squares.")
first = np.where(kinds == kinds[0], 1.0, -1.0)
show_number("iris_margin", largest_margin(iris, first, True))
hard = SVC(kernel="linear", C=1e10, tol=1e-10).fit(iris, first)
print(f"inline constexpr double iris_margin_libsvm = {1 / np.linalg.norm(hard.coef_)!r};  // C = 1e10")
show_number("iris_margin_no_offset", largest_margin(iris, first, False))
print("// Are the second and third species separable, and the two classes of breast cancer? By linear programming.")
two = kinds != kinds[0]
last = np.where(kinds[two] == kinds[-1], 1.0, -1.0)
for name, x, y in (("iris_others", iris[two], last), ("cancer", cancer, y_cancer)):
    for offset in (True, False):
        value = "true" if separable(x, y, offset) else "false"
        print(f"inline constexpr bool {name}_separable{'' if offset else '_no_offset'} = {value};")
print("\n}  // namespace golden")
