#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints models.hpp: golden minima of models that scikit-learn has, too.

All are computed on the shipped data with standardised columns (divisor n). The offset is free and not penalised.
  make_models.py > models.hpp
"""
import numpy as np
import sklearn
from sklearn.linear_model import (ElasticNet, Lasso, LinearRegression, LogisticRegression, PoissonRegressor,
                                  QuantileRegressor)
from sklearn.svm import SVC, SVR
from shipped import begin, load, show_number


def show(name, value, note):
    print(f"// {note}")
    show_number(name, value)


x, y = load("diabetes.svm")
n = len(y)
begin("Minima of models that scikit-learn has, too.", "make_models.py", sklearn)
model = Lasso(alpha=1.0, tol=1e-14, max_iter=10**6).fit(x, y)
residual = model.predict(x) - y
show("lasso_1", 0.5 * np.mean(residual**2) + np.abs(model.coef_).sum(),
     "F of Lasso(alpha=1) on diabetes")
show("lasso_1_zeros", float((model.coef_ == 0).sum()), "the number of zero weights of Lasso(alpha=1) on diabetes")
model = ElasticNet(alpha=1.0, l1_ratio=0.3, tol=1e-14, max_iter=10**6).fit(x, y)
residual = model.predict(x) - y
show("elastic_net_1", 0.5 * np.mean(residual**2) + 0.3 * np.abs(model.coef_).sum() + 0.35 * (model.coef_**2).sum(),
     "F of ElasticNet(alpha=1, l1_ratio=0.3) on diabetes")
for name, model, l1, l2 in (
        ("least_squares", LinearRegression(positive=True), 0, 0),
        ("lasso_1", Lasso(alpha=1.0, tol=1e-14, max_iter=10**6, positive=True), 1, 0),
        ("elastic_net_1", ElasticNet(alpha=1.0, l1_ratio=0.3, tol=1e-14, max_iter=10**6, positive=True), 0.3, 0.7)):
    w = model.fit(x, y).coef_
    residual = model.predict(x) - y
    show(f"non_negative_{name}", 0.5 * np.mean(residual**2) + l1 * w.sum() + l2 / 2 * w @ w,
         f"F of {type(model).__name__}(positive=True) on diabetes")
model = QuantileRegressor(quantile=0.8, alpha=0, solver="highs").fit(x, y)
residual = y - model.predict(x)
show("quantile_80", float(np.mean(np.maximum(0.8 * residual, -0.2 * residual))),
     "mean loss of QuantileRegressor(quantile=0.8, alpha=0) on diabetes")
lam = 1e-2
model = SVR(kernel="linear", C=1 / (n * lam), epsilon=10, tol=1e-10).fit(x, y)
w = model.coef_.ravel()
residual = np.abs(model.predict(x) - y)
show("support_vector_10", float(np.mean(np.maximum(residual - 10, 0)) + lam / 2 * w @ w),
     "F of SVR(kernel='linear', C=1/(n*1e-2), epsilon=10) on diabetes")
model = PoissonRegressor(alpha=lam, tol=1e-12, max_iter=10**6).fit(x, y)
m = model.predict(x)
show("poisson_1e2", float(np.mean(m - y + y * np.log(y / m)) + lam / 2 * (model.coef_**2).sum()),
     "F of PoissonRegressor(alpha=1e-2) on diabetes")
exposure = 1.0 + np.arange(n) % 5
model = PoissonRegressor(alpha=lam, tol=1e-12, max_iter=10**6).fit(x, y / exposure, sample_weight=exposure)
m = exposure * model.predict(x)
show("poisson_rates", float(np.sum(m - y + y * np.log(y / m)) / exposure.sum() + lam / 2 * (model.coef_**2).sum()),
     "F of PoissonRegressor(alpha=1e-2).fit(x, y / exposure, sample_weight=exposure) on diabetes, exposure 1 to 5")

x, y = load("wdbc.svm")
n = len(y)
lam = 1e-2
for name, weights in (("balanced", "balanced"), ("3_to_1", {-1: 3, 1: 1})):
    s = np.where(y > 0, n / (2 * (y > 0).sum()), n / (2 * (y < 0).sum())) if weights == "balanced" else np.where(y > 0, 1.0, 3.0)
    model = LogisticRegression(C=1 / (lam * s.sum()), class_weight=weights, tol=1e-13, max_iter=10**6).fit(x, y)
    w = model.coef_.ravel()
    loss = np.logaddexp(0, -y * model.decision_function(x))
    show(f"log_{name}", float(s @ loss / s.sum() + lam / 2 * w @ w),
         f"F of LogisticRegression(class_weight={weights!r}), lambda = 1e-2, on breast cancer")
    model = SVC(kernel="linear", C=1 / (lam * s.sum()), class_weight=weights, tol=1e-10).fit(x, y)
    w = model.coef_.ravel()
    loss = np.maximum(0, 1 - y * model.decision_function(x))
    show(f"hinge_{name}", float(s @ loss / s.sum() + lam / 2 * w @ w),
         f"F of SVC(kernel='linear', class_weight={weights!r}), lambda = 1e-2, on breast cancer")
print("\n}  // namespace golden")
