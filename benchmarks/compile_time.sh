#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compile time of linea for users: seconds of processor time for a source that includes the umbrella, and for
# sources that fit one model each, over those of a source with <Eigen/Core> and <Eigen/SparseCore> alone. The
# fits are also compiled for linea::compiled. Prints medians of turns, in each of which each source is compiled once.
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
fit svm models/linear_svm.hpp 'linea::LinearSvm{}.fit(x, y)'
fit logistic models/logistic_regression.hpp 'linea::LogisticRegression{}.fit(x, y)'
fit ridge models/ridge_regression.hpp 'linea::RidgeRegression{}.fit(x, y)'
fit sgd 'optimizers/sgd.hpp losses/hinge.hpp penalties/l2.hpp' \
  'linea::Sgd{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y)'
fit newton 'optimizers/newton.hpp losses/log.hpp penalties/l2.hpp' \
  'linea::Newton{}.minimize(linea::Objective{linea::Log{}, linea::L2{1e-4}}, x, y)'
fit dual 'optimizers/dual_coordinate_ascent.hpp losses/hinge.hpp penalties/l2.hpp' \
  'linea::DualCoordinateAscent{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y)'
fit auto 'optimizers/auto.hpp losses/hinge.hpp' \
  'linea::Auto{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y)'

cp examples/hello.cpp "$work/hello.cpp"  # the first program of the README
names=(eigen umbrella hello svm logistic ridge newton dual auto sgd)
fits=(svm logistic ridge newton dual auto sgd)
# dlib's trainer of the same support vector machine, where it is installed
if [ -f /usr/include/dlib/svm.h ]; then
  names+=(dlib)
  cat >"$work/dlib.cpp" <<'END'
#include <dlib/matrix.h>
#include <dlib/svm.h>
#include <vector>
using sample = dlib::matrix<double, 0, 1>;
double offset(const std::vector<sample>& x, const std::vector<double>& y) {
  dlib::svm_c_linear_dcd_trainer<dlib::linear_kernel<sample>> trainer;
  trainer.set_c(1);
  return trainer.train(x, y).b;
}
END
fi
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
row hello "README's first program" 8
row svm '`LinearSvm{}.fit(x, y)`' 6
row logistic '`LogisticRegression{}.fit(x, y)`' 6
row ridge '`RidgeRegression{}.fit(x, y)`' 6
row newton '`Newton{}.minimize` of the log loss' 6
row auto '`Auto{}.minimize` of the hinge' 6
row sgd '`Sgd{}.minimize` of the hinge' 5
row dual '`DualCoordinateAscent{}.minimize` of the hinge' 5
if [ -f "$work/dlib.cpp" ]; then row dlib '`svm_c_linear_dcd_trainer` of dlib' ''; fi
row svm-compiled '`LinearSvm{}.fit(x, y)`, with `linea::compiled`' ''
row logistic-compiled '`LogisticRegression{}.fit(x, y)`, with `linea::compiled`' ''
row ridge-compiled '`RidgeRegression{}.fit(x, y)`, with `linea::compiled`' ''
row newton-compiled '`Newton{}.minimize` of the log loss, with `linea::compiled`' ''
row dual-compiled '`DualCoordinateAscent{}.minimize` of the hinge, with `linea::compiled`' ''
row auto-compiled '`Auto{}.minimize` of the hinge, with `linea::compiled`' ''
row sgd-compiled '`Sgd{}.minimize` of the hinge, with `linea::compiled`' ''
