#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the benchmarks and prints each table under its command: figures.sh DATA [turns [BUILD]]
# DATA has files in LIBSVM form; a table that needs one of the files below is omitted without it. Installs the peers
# if apt-get exists, builds the benchmarks, and writes their output to figures/MACHINE.md, with processor, caches, compiler,
# commit and day; bars.py reads its tables from there. Nothing else should run meanwhile: the page reports the load.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/setup.sh
data=$(realpath "$1")
turns=${2:-5}
if [ ! -d "$data" ]; then echo "figures.sh: $1 is not a directory" >&2; exit 2; fi

need g++ cmake ninja-build pkg-config libeigen3-dev libcli11-dev libbenchmark-dev nlohmann-json3-dev liblinear-dev \
  libdlib-dev python3-sklearn libopenblas0-pthread libopenmpi-dev openmpi-bin
for peer in liblinear-dev libdlib-dev python3-sklearn; do
  if ! is_here "$peer"; then echo "figures.sh: a peer is missing: $peer" >&2; exit 2; fi
done

mkdir -p build
build=$(realpath -m "${3:-build/release}")
if [ ! -f "$build/CMakeCache.txt" ]; then cmake --preset release -B "$build" -DLINEA_BUILD_TESTS=OFF >/dev/null; fi
cmake "$build" -DLINEA_BUILD_BENCHMARKS=ON -DLINEA_PROGRAM_FLAGS= >/dev/null
cmake --build "$build" --target accuracy certified compare descent epoch lasso memory order progressive readers ridge ridge_path scaling small_fits softmax threads distributed >/dev/null

describe() {
  local field
  field() { LC_ALL=C lscpu | sed -n "s/^ *$1: *//p" | head -1; }
  printf '# Figures of %s (family %s, model %s)\n\n' "$(field 'Model name')" "$(field 'CPU family')" "$(field Model)"
  printf '%s cores; L1d %s, L2 %s, L3 %s; %s; %s; linea %s; %s.\n' "$(cores)" "$(field 'L1d cache')" "$(field 'L2 cache')" "$(field 'L3 cache')" \
    "$(. /etc/os-release && echo "$PRETTY_NAME")" "$(c++ --version | head -1)" \
    "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" "$(date +%F)"
  printf '\nPeers: %s.\n' "$(dpkg-query -W -f='${Package} ${Version}, ' liblinear-dev libdlib-dev python3-sklearn libopenblas0-pthread | sed 's/, $//')"
  local before after
  busy() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat; }
  before=$(busy); sleep 2; after=$(busy)
  if [ $((after - before)) -gt 20 ]; then
    printf '\nOther processes used %s %% of a core at the start.\n' $(((after - before) / 2))
  fi
}
header=$(describe)
machine=$(LC_ALL=C lscpu | awk -F: '/Model name|CPU family|^Model:/ { gsub(/^ +/, "", $2); printf "%s-", $2 }' |
  tr -cs '[:alnum:]' - | tr '[:upper:]' '[:lower:]')
page=$PWD/benchmarks/figures/${machine%%-}.md
mkdir -p benchmarks/figures
exec > >(tee "$page")
echo "$header"
bench=$PWD/benchmarks

# Prints a command and runs it, unless a file in it is missing.
figures() {
  local name
  for name in a9a imdb.train.tfidf mnist money-fx spambase.svm letter.scale digits.svm; do
    if [[ " $* " == *" $name "* && ! -f $name ]]; then return; fi
  done
  printf '\n```sh\n%s\n```\n\n' "${*##*/}"  # without the paths of this machine
  "$@"
}
cd "$data"
figures "$build/benchmarks/epoch" --turns "$turns"
figures "$build/benchmarks/epoch" imdb.train.tfidf --megabytes 10 --turns "$turns"
figures "$build/benchmarks/descent" imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/scaling" --turns "$turns"
figures "$build/benchmarks/threads" --megabytes 64 --turns "$turns"
figures "$build/benchmarks/threads" imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/accuracy" a9a imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/certified" . --turns "$turns"
figures "$build/benchmarks/certified" a9a imdb.train.tfidf --lambda 1e-6 --turns "$turns"
figures "$build/benchmarks/lasso" a9a imdb.train.tfidf mnist made-up --turns "$turns"
figures "$build/benchmarks/progressive" a9a imdb.train.tfidf money-fx spambase.svm letter.scale --turns "$turns"
figures "$build/benchmarks/small_fits" --turns "$turns"
figures "$build/benchmarks/softmax" digits.svm letter.scale --turns "$turns"
figures "$build/benchmarks/compare" a9a imdb.train.tfidf --turns "$turns"
figures "$build/benchmarks/compare" --rows 581012 --columns 54 --task epoch --turns "$turns"
figures "$build/benchmarks/memory"
figures "$build/benchmarks/ridge" --turns "$turns"
figures "$build/benchmarks/ridge_path" --turns "$turns"
figures "$build/benchmarks/order" a9a imdb.train.tfidf mnist
figures "$build/benchmarks/readers" a9a imdb.train.tfidf --turns "$turns"
figures "$bench/native.py" "$build" "$turns"
if [ -f mnist ] && [ -f a9a ] && [ -f imdb.train.tfidf ]; then figures "$bench/distributed.py" "$build/benchmarks/distributed" "$data" --most 16; fi
figures "$bench/compile_time.sh" "$turns"
"$bench/bars.py" --write
