# SPDX-License-Identifier: MIT
"""Shared by the generators: the shipped data, and writing values to headers."""
import os
import numpy as np
from sklearn.datasets import load_svmlight_file


def raw(name):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "data")
    x, y = load_svmlight_file(os.path.join(folder, name))
    return x.toarray(), y


def load(name):
    """Standardised: mean 0, population standard deviation 1."""
    x, y = raw(name)
    return (x - x.mean(0)) / x.std(0), y


def begin(what, maker, *modules):
    """The top of a header of golden values."""
    versions = ", ".join(f"{m.__name__.replace('sklearn', 'scikit-learn')} {m.__version__}" for m in modules)
    print(f"// SPDX-License-Identifier: MIT\n#pragma once\n/// \\file {what} Written by {maker}, which says\n/// how, with {versions}.")
    print("#include <vector>\n\n// clang-format off\n\nnamespace golden {\n")


def show(name, values):
    print(f"inline const std::vector<double> {name}{{{', '.join(repr(float(v)) for v in np.ravel(values))}}};")


def show_number(name, value):
    print(f"inline constexpr double {name} = {float(value)!r};")
