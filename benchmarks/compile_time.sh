#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the umbrella header adds to the time of compiling Eigen's: seconds of processor time of
# `#include <linea/linea.hpp>` less those of <Eigen/Core> and <Eigen/SparseCore>, medians of alternating turns.
# Usage: compile_time.sh [turns [compiler]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
turns=${1:-5}
compiler=${2:-${CXX:-g++}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <linea/linea.hpp>' >"$work/linea.cpp"
printf '#include <Eigen/%s>\n' Core SparseCore >"$work/eigen.cpp"
TIMEFORMAT='%U %S'
for _ in $(seq "$turns"); do
  for what in linea eigen; do
    # shellcheck disable=SC2046
    { time "$compiler" -std=c++20 -O2 -Iinclude $(pkg-config --cflags eigen3) -c "$work/$what.cpp" -o "$work/object"; } \
      2>>"$work/$what"
  done
done
paste -d ' ' "$work/linea" "$work/eigen" | awk '{ print $1 + $2 - $3 - $4 }' | sort -n | awk -v compiler="$compiler" '
  { more[NR] = $1 }
  END {
    median = more[int((NR + 1) / 2)]
    printf "| seconds that `#include <linea/linea.hpp>` adds to Eigen/Core and Eigen/SparseCore, %s -O2 | ≤ 1.00 | %.2f (%.2f–%.2f) | %s |\n",
           compiler, median, more[int((NR + 3) / 4)], more[int((3 * NR + 3) / 4)],
           (median <= 1 ? "holds" : "falls short")
  }'
