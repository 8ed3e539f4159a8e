#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures every figure of README.md, each table under its command: figures.sh BUILD DATA [turns]
# BUILD is a Release build folder, DATA holds a9a, imdb.train.tfidf and mnist. Nothing else should run meanwhile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
build=$(realpath "$1")
data=$(realpath "$2")
turns=${3:-5}
cmake --build "$build" --target accuracy certified compare descent epoch memory readers ridge ridge_path scaling threads >/dev/null

figures() {
  printf '\n```sh\n%s\n```\n\n' "$(basename "$1") ${*:2}"
  "$@"
}
cd "$data"
figures "$build/benchmarks/epoch" --turns "$turns"
figures "$build/benchmarks/descent" imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/scaling" --turns "$turns"
figures "$build/benchmarks/threads" --megabytes 64 --turns "$turns"
figures "$build/benchmarks/threads" imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/accuracy" a9a imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/certified" a9a imdb.train.tfidf mnist --turns "$turns"
figures "$build/benchmarks/compare" a9a imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/compare" --rows 581012 --columns 54 --task epoch --turns "$turns"
figures "$build/benchmarks/memory"
figures "$build/benchmarks/ridge" --turns "$turns"
figures "$build/benchmarks/ridge_path" --turns "$turns"
figures "$build/benchmarks/readers" a9a imdb.train.tfidf --turns "$turns"
figures "$OLDPWD/native.py" "$build" "$turns"
figures "$OLDPWD/compile_time.sh" "$turns"
