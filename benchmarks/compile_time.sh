#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What linea costs a user's compiler: seconds of processor time for a source that includes the umbrella, and
# for sources that fit one model each, over those of a source with <Eigen/Core> and <Eigen/SparseCore> alone.
# The fits also as those who link linea::compiled compile them. Medians of turns in which each source is
# compiled once.
# Usage: compile_time.sh [turns [compiler]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
turns=${1:-5}
compiler=${2:-${CXX:-g++}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '#include <Eigen/%s>\n' Core SparseCore >"$work/eigen.cpp"
echo '#include <linea/linea.hpp>' >"$work/umbrella.cpp"
# fit <name> <headers> <expression with x and y>
fit() {
  for header in $2; do echo "#include <linea/$header>"; done >"$work/$1.cpp"
  cat >>"$work/$1.cpp" <<END
double objective(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
  return ($3).objective;
}
END
}
fit svm models/recipes.hpp 'linea::LinearSvm{}.fit(x, y)'
fit logistic models/recipes.hpp 'linea::LogisticRegression{}.fit(x, y)'
fit ridge models/recipes.hpp 'linea::RidgeRegression{}.fit(x, y)'
fit sgd 'optimizers/sgd.hpp losses/hinge.hpp penalties/l2.hpp' \
  'linea::Sgd{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y)'
fit auto 'optimizers/auto.hpp losses/hinge.hpp' \
  'linea::Auto{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y)'

names=(eigen umbrella svm logistic ridge auto sgd)
fits=(svm logistic ridge auto sgd)
# shellcheck disable=SC2046
flags=(-std=c++20 -O2 -Iinclude $(pkg-config --cflags eigen3))
TIMEFORMAT=%U
for _ in $(seq "$turns"); do
  for name in "${names[@]}"; do
    { time "$compiler" "${flags[@]}" -c "$work/$name.cpp" -o "$work/object"; } 2>>"$work/$name.seconds"
  done
  for name in "${fits[@]}"; do
    { time "$compiler" "${flags[@]}" -DLINEA_COMPILED -c "$work/$name.cpp" -o "$work/object"; } \
      2>>"$work/$name-compiled.seconds"
  done
done

middle() { sort -n "$work/$1.seconds" | awk '{ s[NR] = $1 } END { print s[int((NR + 1) / 2)] }'; }
eigen=$(middle eigen)
row() {
  awk -v what="$2" -v bar="$3" -v seconds="$(middle "$1")" -v eigen="$eigen" 'BEGIN {
    ratio = seconds / eigen
    holds = bar == "" ? "" : ratio <= bar ? "holds" : "falls short"
    printf "| %s | %s | %.1f (%.1f s) | %s |\n", what, bar == "" ? "" : "≤ " bar, ratio, seconds, holds
  }'
}
echo "| $compiler -O2, over <Eigen/Core> and <Eigen/SparseCore> (${eigen} s) | bar | measured | |"
echo '|---|---|---|---|'
row umbrella '`#include <linea/linea.hpp>`' 2
row svm '`LinearSvm{}.fit(x, y)`' 8
row logistic '`LogisticRegression{}.fit(x, y)`' 8
row ridge '`RidgeRegression{}.fit(x, y)`' 10
row auto '`Auto{}.minimize` of the hinge' 14
row sgd '`Sgd{}.minimize` of the hinge' ''
row svm-compiled '`LinearSvm{}.fit(x, y)`, with `linea::compiled`' ''
row logistic-compiled '`LogisticRegression{}.fit(x, y)`, with `linea::compiled`' ''
row ridge-compiled '`RidgeRegression{}.fit(x, y)`, with `linea::compiled`' ''
row auto-compiled '`Auto{}.minimize` of the hinge, with `linea::compiled`' ''
row sgd-compiled '`Sgd{}.minimize` of the hinge, with `linea::compiled`' ''
