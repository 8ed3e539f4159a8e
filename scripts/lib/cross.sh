# SPDX-License-Identifier: MIT
# Sourced by the scripts that test linea for another processor or its other instructions, after setup.sh.

# test_rooms <preset> <room>...: builds and runs the tests of these rooms, folders of tests/, or of all if there is none.
# FLAGS are more options of the compiler.
test_rooms() {
  local preset=$1 room
  local targets=() which=()
  shift
  for room in "$@"; do targets+=("linea_test_${room//\//_}"); done
  if (($#)); then
    targets=(--target "${targets[@]}")
    which=(--label-regex "^($(IFS='|'; echo "$*"))(/quick)?\$")
  fi
  cmake --preset "$preset" "-DCMAKE_CXX_FLAGS=${FLAGS:-}" "-DLINEA_TOGETHER=$(together)"
  cmake --build --preset "$preset" --parallel "$(cores)" "${targets[@]}"
  ctest --preset "$preset" --parallel "$(cores)" "${which[@]}"
}
