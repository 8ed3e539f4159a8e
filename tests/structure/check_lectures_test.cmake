# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_lectures.cmake> -D WORK=<scratch folder> -P check_lectures_test.cmake
#
# The test of the test: a page that is right passes, and each planted fault is named.
cmake_policy(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/outcome.cmake")

function(expect wanted words page test)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/linea/losses/hinge.hpp" "")
  file(WRITE "${WORK}/tests/a_test.cpp" "TEST_CASE(\n    \"Lectures: the hinge \"\n          \"pulls at 1\",\n \"[x]\") {}\n${test}")
  file(WRITE "${WORK}/page.md" "# Page\n\n| there | what | header | test |\n|---|---|---|---|\n${page}")
  outcome(${wanted} "${words}" -D "PAGE=${WORK}/page.md" -D "INCLUDE_DIR=${WORK}" -D "TESTS=${WORK}/tests")
endfunction()

expect(passes "1 rows" "| (1); | \\[a\\] |\\| `losses/hinge.hpp` | the hinge pulls |\n" "")
expect(fails "no header losses/hing.hpp" "| (1) | a | `losses/hing.hpp` | the hinge pulls |\n" "")
expect(fails "no test is called" "| (1) | a | `losses/hinge.hpp` | the hinge pushes |\n" "")
expect(fails "does not name the test" "| (1) | a | `losses/hinge.hpp` | the hinge pulls |\n" "TEST_CASE(\"Lectures: more\") {}")
expect(fails "no rows" "" "")
