#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_eigen.py <repository>: include/linea uses only the names of Eigen below, and includes Eigen in one place.
check_eigen.py --self-test: detects a name that is not below."""
import pathlib
import re
import sys

# Each of these exists in Eigen 3.4 and in Eigen 5. Before you add a name, look it up in both.
NAMES = set("""
Array Block ColMajor DenseBase DirectAccessBit Dynamic Index InnerStride Lower Map Matrix MatrixBase MatrixXd MatrixXf OuterStride Ref
RowMajor SparseCompressedBase SparseMatrix SparseVector Stride Transpose Upper VectorXd VectorXi indexing::all internal::ref_selector
internal::traits
""".split())
INCLUDES = {("linea/core/types.hpp", "Eigen/Core"), ("linea/core/types.hpp", "Eigen/SparseCore")}


def problems_of(header, text):
    code = re.sub(r"//[^\n]*", "", text)
    for name in re.findall(r"\bEigen::((?:(?:indexing|internal|placeholders)::)?\w+)", code):
        if name not in NAMES:
            yield (f"{header}: Eigen::{name} is not in the list of tests/structure/check_eigen.py: "
                   "check that Eigen 3.4 and Eigen 5 both have it, then add it")
    if re.search(r"\bnamespace\s+Eigen\b|\busing\s+Eigen\b|=\s*Eigen\s*;", code):
        yield f"{header}: write Eigen:: before each name of Eigen, so that this test sees it"
    for included in re.findall(r"#include <((?:unsupported/)?Eigen/[^>]*)>", code):
        if (header, included) not in INCLUDES:
            yield f"{header}: include <linea/core/types.hpp> rather than <{included}>: it checks the version of Eigen"


def self_test():
    faults = ["x(rows, Eigen::all)", "Eigen::placeholders::last", "using namespace Eigen;", "namespace e = Eigen;",
              "#include <Eigen/Core>\n", "#include <Eigen/QR>\n"]
    for fault in faults:
        assert list(problems_of("linea/a.hpp", fault)), fault
    good = "Eigen::indexing::all Eigen::VectorXd::Zero(3)  // Eigen::all\n#include <linea/core/types.hpp>"
    assert not list(problems_of("linea/a.hpp", good))
    assert not list(problems_of("linea/core/types.hpp", "#include <Eigen/Core>"))


if sys.argv[1] == "--self-test":
    self_test()
    sys.exit()
folder = pathlib.Path(sys.argv[1]) / "include"
headers = sorted(folder.rglob("*.hpp"))
problems = [p for h in headers for p in problems_of(h.relative_to(folder).as_posix(), h.read_text())]
print("\n".join(problems) or f"{len(headers)} headers use names that Eigen 3.4 and Eigen 5 share")
sys.exit(bool(problems))
