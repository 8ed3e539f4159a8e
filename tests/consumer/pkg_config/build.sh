#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh <compiler> <program>: pkg-config escapes its output for a shell, hence eval.
set -eu
cd "$(dirname "$0")"
eval "set -- \"\$1\" \"\$2\" $(pkg-config --cflags --libs linea)"
compiler=$1
program=$2
shift 2
"$compiler" -std=c++20 "$@" ../main.cpp -o "$program"
