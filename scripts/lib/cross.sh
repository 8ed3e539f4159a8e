# SPDX-License-Identifier: MIT
# Functions for the scripts that test linea on other platforms. Source setup.sh first.

# test_modules <preset> [<module>...]: builds and runs the tests of these modules, or of all modules. A module is a folder
# of tests/. FLAGS has more options of the compiler.
test_modules() {
  local preset=$1 module
  local targets=() which=()
  shift
  for module in "$@"; do targets+=("linea_test_${module//\//_}"); done
  if (($#)); then
    targets=(--target "${targets[@]}")
    which=(--label-regex "^($(IFS='|'; echo "$*"))(/quick)?\$")
  fi
  cmake --preset "$preset" "-DCMAKE_CXX_FLAGS=${FLAGS:-}" "-DLINEA_TOGETHER=$(together)"
  cmake --build --preset "$preset" --parallel "$(cores)" "${targets[@]}"
  ctest --preset "$preset" --parallel "$(cores)" "${which[@]}"
}
