#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes judges.csv: minima of F found by LIBLINEAR, LIBSVM and scikit-learn, for every loss and penalty that they
share with linea.

Run by hand, from anywhere: python3 tests/golden/make_judges.py > tests/golden/judges.csv
Uses Debian's liblinear-tools, libsvm-tools and python3-sklearn, each at its smallest possible tolerance. Computes F itself, by math.fsum
from the resulting weights, and does not use the objective that a program reports.
The sets are those of tests/support/judged_sets.hpp: the shipped ones, and generated ones, which are written beside this
file as words.svm, steep.svm and counts.svm.
"""
import math
import os
import subprocess
import sys
import tempfile
import warnings
import numpy as np
import scipy
import sklearn
from sklearn import linear_model as lm
from shipped import raw

warnings.filterwarnings("ignore")  # rounding ends a search before its tolerance is met
data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "data")


def table(name):
    cells = np.array([line.split(",") for line in open(os.path.join(data, name)).read().split()[1:]], float)
    return cells[:, :-1], 2 * cells[:, -1] - 1


def standardised(x):
    return (x - x.mean(0)) / x.std(0)


class Draws:
    """Knuth's generator of MMIX; whole numbers from 0 to below."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self, below):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 33) % below


def words():
    """80 texts of 200 words, about 10 in each, with targets that depend on ten of the words."""
    draw = Draws(1)
    x, y = np.zeros((80, 200)), np.zeros(80)
    for i in range(80):
        for _ in range(10):
            x[i, draw(200)] = 1
        y[i] = sum((j % 2 * 2 - 1) * x[i, j] for j in range(60)) + draw(3) - 1
    return x, y


def steep():
    """200 samples of 8 columns, of sizes from 1/16 to 8; the last is nearly the first; every tenth target is far off."""
    draw = Draws(2)
    x, y = np.zeros((200, 8)), np.zeros(200)
    for i in range(200):
        for j in range(7):
            x[i, j] = (draw(2001) - 1000) * 2.0**j / 16000
        x[i, 7] = x[i, 0] + (draw(2001) - 1000) / 64000
        y[i] = 1 + 8 * x[i, 0] + x[i, 3] - x[i, 6] / 2 + (draw(2001) - 1000) / 1000 + (10 if i % 10 == 0 else 0)
    return x, y


def counts():
    """120 samples of 5 columns in [-1, 1]; the counts grow with the first and fall with the second."""
    draw = Draws(3)
    x, y = np.zeros((120, 5)), np.zeros(120)
    for i in range(120):
        for j in range(5):
            x[i, j] = (draw(201) - 100) / 100
        y[i] = draw(int(3 + 4 * (1 + x[i, 0]) * (1 + x[i, 0]) + 2 * (1 - x[i, 1])))
    return x, y


def signs(y):
    return np.where(y > 0, 1.0, -1.0)


cancer, diabetes, iris = raw("wdbc.svm"), raw("diabetes.svm"), raw("iris.svm")
CLASSES = {
    "cancer": (standardised(cancer[0]), cancer[1]),
    "cancer_by_maximum": (cancer[0] / cancer[0].max(0), cancer[1]),
    "setosa": (standardised(iris[0]), signs(0.5 - iris[1])),
    "virginica": (iris[0][50:], signs(iris[1][50:] - 1.5)),
    "holidays": table("holidays.csv"),
    "reading": table("reading.csv"),
    "diabetes_classes": (standardised(diabetes[0]), signs(diabetes[1] - 140.5)),
    "words_classes": (words()[0], signs(words()[1] + 0.5)),
    "steep_classes": (steep()[0], signs(steep()[1])),
}
NUMBERS = {
    "diabetes": (standardised(diabetes[0]), diabetes[1]),
    "petals": (iris[0][:, :3], iris[0][:, 3]),
    "words": words(),
    "steep": steep(),
    "counts": counts(),
    "holidays_numbers": (table("holidays.csv")[0][:, 1:], table("holidays.csv")[0][:, 0]),
    "reading_numbers": (table("reading.csv")[0][:, :3], table("reading.csv")[0][:, 3]),
    "cancer_radius": (standardised(cancer[0])[:, 10:], cancer[0][:, 0]),
}
COUNTS = {
    "counts": counts(),
    "diabetes": NUMBERS["diabetes"],
    "steep_counts": (steep()[0], np.floor(np.abs(steep()[1]))),
    "words_counts": (words()[0], words()[1] - words()[1].min()),
}
KINDS = {  # of softmax
    "iris": (standardised(iris[0]), iris[1]),
    "iris_raw": iris,
    "diabetes_thirds": (standardised(diabetes[0]), np.floor(diabetes[1] / 117)),
    "counts_kinds": (counts()[0], np.minimum(counts()[1] // 4, 3)),
}

LOSSES = {
    "hinge": lambda p, y, _: np.maximum(0, 1 - y * p),
    "squared_hinge": lambda p, y, _: 0.5 * np.maximum(0, 1 - y * p) ** 2,
    "log": lambda p, y, _: np.logaddexp(0, -y * p),
    "squared": lambda p, y, _: 0.5 * (p - y) ** 2,
    "huber": lambda p, y, d: np.where(np.abs(p - y) <= d, 0.5 * (p - y) ** 2, d * np.abs(p - y) - 0.5 * d * d),
    "epsilon": lambda p, y, e: np.maximum(0, np.abs(p - y) - e),
    "quantile": lambda p, y, t: np.maximum(t * (y - p), (t - 1) * (y - p)),
    "poisson": lambda p, y, _: np.exp(p) - y + np.where(y > 0, y * (np.log(np.maximum(y, 1)) - p), 0),
    "softmax": lambda p, y, _: np.log(np.exp(p - p.max(1)[:, None]).sum(1)) + p.max(1) - p[np.arange(len(y)), y.astype(int)],
}
# The accuracy of the programs, relative to F. LIBLINEAR and Huber's L-BFGS stop by the gradient. LIBSVM keeps x x' as
# floats.
# The accuracy of newton-cg and of all others is that of rounding.
TOLERANCES = {"liblinear-train": 2e-9, "svm-train": 4e-6, "HuberRegressor": 1e-7, "": 1e-11}
rows = []


def judge(name, x, y, loss, parameter, l1, l2, w, b, command, at_limit=False):
    """Appends F at weights w (d) or (d x k) and offset b, which is None for no offset. at_limit: the iterations of the program ran out."""
    tolerance = math.inf if at_limit else next(t for program, t in TOLERANCES.items() if program in command)
    w = np.asarray(w, dtype=np.longdouble)
    p = x.astype(np.longdouble) @ w + (0 if b is None else np.asarray(b, dtype=np.longdouble))
    f = math.fsum(LOSSES[loss](p, y, parameter)) / len(y)
    f += l1 * math.fsum(np.abs(w).ravel()) + l2 / 2 * math.fsum((w * w).ravel())
    numbers = [repr(float(v)) for v in (parameter, l1, l2)]
    rows.append(",".join([name, loss, *numbers, str(int(b is not None)), repr(float(f)), repr(tolerance), command]))
    print(f"{name:18} {command:60} {f!r}", file=sys.stderr)


def write(file, x, y):
    with open(file, "w") as out:
        for row, target in zip(x, y):
            entries = [f"{j + 1}:{float(v)!r}".removesuffix(".0") for j, v in enumerate(row) if v]
            out.write(" ".join([f"{float(target)!r}".removesuffix(".0"), *entries]) + "\n")


for name, made_up in (("words", words()), ("steep", steep()), ("counts", counts())):
    write(os.path.join(data, "..", "..", "tests", "golden", name + ".svm"), *made_up)


def train(program, options, x, y):
    """The lines of the model written by a command-line program, and whether it reached its limit of iterations."""
    with tempfile.TemporaryDirectory() as folder:
        file, model = os.path.join(folder, "data"), os.path.join(folder, "model")
        write(file, x, y)
        said = subprocess.run([program, *options.split(), file, model], check=True, capture_output=True, text=True)
        return open(model).read().splitlines(), "reaching max number of iterations" in said.stdout + said.stderr


def liblinear(options, x, y):
    lines, at_limit = train("liblinear-train", options, x, y)
    at = lines.index("w")
    w = np.array([float(v) for v in lines[at + 1:]])
    labels = [line.split()[1:] for line in lines[:at] if line.startswith("label")]
    w = np.pad(w, (0, x.shape[1] - len(w)))  # columns of zeros at the end
    return -w if labels and labels[0][0] == "-1" else w, None, "liblinear-train " + options, at_limit


def libsvm(options, x, y):
    """The file has support vectors with 8 digits only, so each is looked up among the samples."""
    lines, at_limit = train("svm-train", options, x, y)
    at = lines.index("SV")
    keys = {}
    for i, row in enumerate(x):
        keys.setdefault(" ".join(f"{j + 1}:{v:.8g}" for j, v in enumerate(row) if v), i)
    w = np.zeros(x.shape[1], dtype=np.longdouble)
    for line in lines[at + 1:]:
        a, _, vector = line.partition(" ")
        w += np.longdouble(a) * x[keys[vector.strip()]]
    b = -np.longdouble(next(line.split()[1] for line in lines if line.startswith("rho")))
    labels = [line.split()[1:] for line in lines[:at] if line.startswith("label")]
    sign = -1 if labels and labels[0][0] == "-1" else 1
    return sign * w, sign * b, "svm-train " + options, at_limit


for name, (x, y) in CLASSES.items():
    n = len(y)
    for lam in (1e-2, 1.0):
        for solver, loss, scale in ((0, "log", 1), (1, "squared_hinge", 2), (3, "hinge", 1)):
            options = f"-s {solver} -c {1 / (scale * n * lam)!r} -e 1e-10"
            judge(name, x, y, loss, 0, 0, lam, *liblinear(options, x, y))
        options = f"-s 0 -t 0 -c {1 / (n * lam)!r} -e 1e-9"
        judge(name, x, y, "hinge", 0, 0, lam, *libsvm(options, x, y))
        m = lm.LogisticRegression(C=1 / (n * lam), tol=1e-13, solver="newton-cg", max_iter=500).fit(x, y)
        judge(name, x, y, "log", 0, 0, lam, m.coef_[0], m.intercept_[0],
              f"LogisticRegression(C={1 / (n * lam)!r}, solver='newton-cg', tol=1e-13)")
    for l1 in (2e-3, 5e-2):
        for solver, loss, scale in ((5, "squared_hinge", 2), (6, "log", 1)):
            options = f"-s {solver} -c {1 / (scale * n * l1)!r} -e 1e-9"
            judge(name, x, y, loss, 0, l1, 0, *liblinear(options, x, y))
    for ratio in (1.0, 0.4):
        alpha = 5e-2
        m = lm.LogisticRegression(penalty="elasticnet", l1_ratio=ratio, C=1 / (n * alpha), solver="saga", tol=1e-13, max_iter=20000,
                                  random_state=0).fit(x, y)
        judge(name, x, y, "log", 0, alpha * ratio, alpha * (1 - ratio), m.coef_[0], m.intercept_[0],
              f"LogisticRegression(penalty='elasticnet', l1_ratio={ratio}, C={1 / (n * alpha)!r}, solver='saga', tol=1e-13)",
              m.n_iter_[0] >= 20000 or not m.coef_.any())  # saga checks the change of the weights only: at w = 0 it stops before b has converged

for name, (x, y) in NUMBERS.items():
    n = len(y)
    size = float(np.median(np.abs(y - np.median(y))))
    size = 2.0 ** round(math.log2(size)) if size else 0.25
    for lam in (1e-2, 1.0):
        options = f"-s 11 -p 0 -c {1 / (2 * n * lam)!r} -e 1e-12"
        judge(name, x, y, "squared", 0, 0, lam, *liblinear(options, x, y))
        m = lm.Ridge(alpha=n * lam, solver="svd").fit(x, y)
        judge(name, x, y, "squared", 0, 0, lam, m.coef_, m.intercept_, f"Ridge(alpha={n * lam!r}, solver='svd')")
        for epsilon in (0.0, size / 4):
            options = f"-s 13 -p {epsilon!r} -c {1 / (n * lam)!r} -e 1e-10"
            judge(name, x, y, "epsilon", epsilon, 0, lam, *liblinear(options, x, y))
            options = f"-s 3 -t 0 -p {epsilon!r} -c {1 / (n * lam)!r} -e {1e-9 * max(size, 1)!r}"
            judge(name, x, y, "epsilon", epsilon, 0, lam, *libsvm(options, x, y))
        # HuberRegressor finds a scale, too: at its scale s, it minimises F of Huber{s * epsilon} with lambda = s *
        # alpha / n.
        m = lm.HuberRegressor(epsilon=1.5, alpha=n * lam / size, tol=1e-13, max_iter=10**5).fit(x, y)
        if m.scale_ < 1e-6:
            continue  # all residuals are 0: there is no scale
        judge(name, x, y, "huber", 1.5 * m.scale_, 0, m.scale_ * lam / size, m.coef_, m.intercept_,
              f"HuberRegressor(epsilon=1.5, alpha={n * lam / size!r}, tol=1e-13), scale {float(m.scale_)!r}")
    for alpha in (size / 64, size / 8):
        m = lm.Lasso(alpha=alpha, tol=1e-14, max_iter=10**6).fit(x, y)
        judge(name, x, y, "squared", 0, alpha, 0, m.coef_, m.intercept_, f"Lasso(alpha={alpha!r}, tol=1e-14)")
        m = lm.ElasticNet(alpha=alpha, l1_ratio=0.25, tol=1e-14, max_iter=10**6).fit(x, y)
        judge(name, x, y, "squared", 0, alpha / 4, alpha * 3 / 4, m.coef_, m.intercept_,
              f"ElasticNet(alpha={alpha!r}, l1_ratio=0.25, tol=1e-14)")
    for tau, alpha in ((0.5, 0.0), (0.875, 0.0), (0.25, 1 / 64), (0.75, 1 / 1024)):
        m = lm.QuantileRegressor(quantile=tau, alpha=alpha, solver="highs").fit(x, y)
        judge(name, x, y, "quantile", tau, alpha, 0, m.coef_, m.intercept_,
              f"QuantileRegressor(quantile={tau}, alpha={alpha!r}, solver='highs')")

for name, (x, y) in COUNTS.items():
    for lam in (1e-2, 1.0):
        m = lm.PoissonRegressor(alpha=lam, solver="newton-cholesky", tol=1e-13, max_iter=10**4).fit(x, y)
        judge(name, x, y, "poisson", 0, 0, lam, m.coef_, m.intercept_, f"PoissonRegressor(alpha={lam}, solver='newton-cholesky', tol=1e-13)")

for name, (x, y) in KINDS.items():
    for lam in (1e-3, 1e-1):
        c = 1 / (len(y) * lam)
        m = lm.LogisticRegression(C=c, tol=1e-13, solver="newton-cg", max_iter=500, multi_class="multinomial").fit(x, y)
        judge(name, x, y, "softmax", 0, 0, lam, m.coef_.T, m.intercept_,
              f"LogisticRegression(multi_class='multinomial', C={c!r}, solver='newton-cg', tol=1e-13)")

versions = {p: subprocess.run(["dpkg-query", "-W", "-f", "${Version}", p], capture_output=True, text=True).stdout
            for p in ("liblinear-tools", "libsvm-tools")}
print(f"# Minima that other programs reach: written by make_judges.py with liblinear-tools {versions['liblinear-tools']}, "
      f"libsvm-tools {versions['libsvm-tools']}, scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, "
      f"numpy {np.__version__}.")
print("set,loss,parameter,l1,l2,offset,objective,tolerance,command")
print("\n".join(rows))
