#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""options.py <repository>: writes the table of options and their defaults, read from the headers, into docs/optimizers.md.
options.py --check <repository>: says whether the table is that of the headers."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the folder is one of sources
from pages import Site

BEGIN, END = "<!-- options.py writes from here -->", "<!-- to here -->"
OPTIMIZERS = ("Auto", "Ridge", "RidgePath", "InteriorPoint", "DualCoordinateAscent", "CoordinateDescent", "Newton", "Lbfgs", "SoftmaxNewton", "SoftmaxCoordinateDescent",
              "SvmQuadraticProgram", "MaximumMargin", "Sgd", "AdaptiveSgd", "Pegasos", "GradientDescent", "Perceptron")
MODELS = ("LogisticRegression", "SparseLogisticRegression", "LinearSvm", "SquaredHingeSvm", "PerceptronClassifier", "SoftmaxRegression", "SparseSoftmaxRegression",
          "RidgeRegression", "RidgeRegressionCv", "LinearRegression", "Lasso", "ElasticNetRegression", "HuberRegression",
          "QuantileRegression", "SupportVectorRegression", "PoissonRegression", "CrossValidation")
LOSSES = ("SmoothHinge", "Huber", "EpsilonInsensitive", "Quantile")
MEANINGS = {"Sgd": ("max_updates", "change_tolerance", "target_objective", "step", "order", "batch", "batch_growth", "iterate", "average_from", "average_power", "retries"),
            "Pegasos": ("project",), "AdaptiveSgd": ("rate",), "RidgePath": ("lambdas", "leave_one_out"), "Lbfgs": ("memory",), "Perceptron": ("learning_rate", "average")}  # by the optimizer that explains them
RECIPE_MEANINGS = {"SparseLogisticRegression": ("l1_ratio", "class_weights"), "CrossValidation": ("folds", "stratify", "own_folds")}
WORDS = {"no_limit": "none", "no_target": "none", "all_samples": "all"}


def defaults(site, room, name):
    """Its options, as `name` value, …; without the values that the page states for all."""
    _, _, _, body, parameters = site.struct(room, name)
    found = []
    for option, default in re.findall(r"^\| `(\w+)` \| `(.*?)` \|", site.options(body, parameters), re.M):
        value = WORDS.get(default, default.removesuffix("{}").replace("Iterate::", ""))
        if (option, value) not in (("offset", "true"), ("seed", "std::uint64_t"), ("seed", "0"), ("threads", "1")):
            is_told = re.match(r"[\d.e-]+$|[a-z]+$", value) or option in ("step", "order", "loss")
            found.append(f"`{option}`" + (f" {value}" if is_told else ""))
        else:
            found.append(f"`{option}`")
    return ", ".join(found) or "–"


def meanings(site, room, options_of):
    """A row for each of these options, with its comment in the header."""
    for name, options in options_of.items():
        _, _, _, body, parameters = site.struct(room, name)
        told = dict(re.findall(r"^\| `(\w+)` \| `.*?` \| (.+?) \| `.*?` \|$", site.options(body, parameters), re.M))
        yield from (f"| `{option}` | {told[option].rstrip('.')} |" for option in options)


def table(root):
    site = Site.__new__(Site)  # of which only what reads headers is used
    site.repository = root
    lines = ["| optimizer | options, with their defaults |", "|---|---|"]
    lines += [f"| `{name}` | {defaults(site, 'optimizers', name)} |" for name in OPTIMIZERS]
    lines += ["", "| recipe | options, with their defaults |", "|---|---|"]
    same = {}
    for name in MODELS:
        same.setdefault(defaults(site, "models", name), []).append(f"`{name}`")
    lines += [f"| {', '.join(names)} | {options} |" for options, names in same.items()]
    lines += ["", "| loss | parameter, with its default |", "|---|---|"]
    lines += [f"| `{name}` | {defaults(site, 'losses', name)} |" for name in LOSSES]
    lines += ["", "| option | meaning |", "|---|---|", *meanings(site, "optimizers", MEANINGS), *meanings(site, "models", RECIPE_MEANINGS)]
    return "\n".join(lines)


root = pathlib.Path(sys.argv[-1]).resolve()
page = root / "docs" / "optimizers.md"
before, _, rest = page.read_text().partition(BEGIN)
written, _, after = rest.partition(END)
wanted = f"\n\n{table(root)}\n\n"
if "--check" in sys.argv:
    sys.exit(None if written == wanted else f"{page}: the options are not those of the headers; python3 docs/site/options.py . writes them anew")
page.write_text(before + BEGIN + wanted + END + after)
