#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_aggregates.py <repository>: tests/models/arguments_test.cpp names every public struct with data members.

A row of that test passes an invalid struct to a call and quotes the message. EXCEPTIONS holds the structs without a
row. Optimizers, losses, penalties, activations, orders and step sizes have tables of their own, in their modules."""
import pathlib
import re
import sys

MODULES = ["core", "data", "features", "io", "metrics", "mpi", "models"]
EXCEPTIONS = {
    "only results": "AutoSolution Certificate Coefficient CsvCell CsvData DualSolution HeldOutBest Margins MatrixMarketData MomentsSolution "
                    "NumbersEvaluation RankingCurve Split StandardErrors UnknownValues ValidationCurve",
    "a reader compares them with its file": "BinaryOptions CsvOptions ModelFileOptions TableOptions",
    "rows of tests/io/table_test.cpp": "EncodedColumn Encoder Table TableColumn TableFormat",
    "runs make them": "Point Progress",
    "for extensions, which define what is valid": "DualBox EntryVisitor Epoch Pace ProblemFacts SquaredTerm Step",
    "parts of files, which readers validate": "BinaryHeader BinarySections DocumentKind KindOf KindOfScalar LiblinearSolver NpyHeader ScannedNumber",
    "recipes, whose options the optimizer validates": "ClassifierRecipe CrossValidation ElasticNetRegression GeneralisedLinearModel "
        "LinearRegression OneVsRest PerceptronClassifier RecipeWith RegressionRecipe RidgeRegression RidgeRegressionCv "
        "SoftmaxRegression SparseLogisticRegression SparseSoftmaxRegression Standardised WithOffsetColumn",
    "nothing can be invalid": "Alone Balanced Condensed FeatureFunctions MeanLoss NoProof TimeLimit",
}
root = pathlib.Path(sys.argv[1])
test = set(re.findall(r"\w+", (root / "tests/models/arguments_test.cpp").read_text()))
excused = set(" ".join(EXCEPTIONS.values()).split())
found = set()
for module in MODULES:
    for header in sorted((root / "include/linea" / module).rglob("*.hpp")):
        hidden = 0  # the depth of namespace detail
        for line in header.read_text().splitlines():
            hidden += line.startswith("namespace ") and "detail" in line and line.endswith("{")
            hidden -= line.startswith("}  // namespace") and "detail" in line
            name = re.match(r"struct (?:\[\[nodiscard\]\] )?(\w+)\b.*\{", line)
            if name and not hidden:
                found.add(name[1])
problems = [f"{name}: no row of tests/models/arguments_test.cpp names it" for name in sorted(found - test - excused)]
problems += [f"{name}: EXCEPTIONS names it, but no header defines it" for name in sorted(excused - found)]
if problems or len(found) < 60:
    sys.exit("\n".join(problems) or f"only {len(found)} structs found")
print(f"{len(found)} public structs have a row or a reason")
