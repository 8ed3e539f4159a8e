# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_lectures.cmake> -D WORK=<scratch folder> -P check_lectures_test.cmake
#
# The test of the test: a page that is right passes, and each planted fault is named.
cmake_policy(VERSION 3.21)

function(expect page test pattern)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/linea/losses/hinge.hpp" "")
  file(WRITE "${WORK}/tests/a_test.cpp" "TEST_CASE(\n    \"Lectures: the hinge \"\n          \"pulls at 1\",\n \"[x]\") {}\n${test}")
  file(WRITE "${WORK}/page.md" "# Page\n\n| there | what | header | test |\n|---|---|---|---|\n${page}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D "PAGE=${WORK}/page.md" -D "INCLUDE_DIR=${WORK}" -D
            "TESTS=${WORK}/tests" -P "${CHECK}"
    RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_VARIABLE output)
  if(pattern STREQUAL "passes")
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "a page that is right was refused: ${error}")
    endif()
  elseif(code EQUAL 0 OR NOT error MATCHES "${pattern}")
    message(FATAL_ERROR "expected \"${pattern}\", got (${code}): ${error}${output}")
  endif()
endfunction()

expect("| (1); | \\[a\\] |\\| `losses/hinge.hpp` | the hinge pulls |\n" "" "passes")
expect("| (1) | a | `losses/hing.hpp` | the hinge pulls |\n" "" "no header losses/hing.hpp")
expect("| (1) | a | `losses/hinge.hpp` | the hinge pushes |\n" "" "no test is called")
expect("| (1) | a | `losses/hinge.hpp` | the hinge pulls |\n" "TEST_CASE(\"Lectures: more\") {}" "does not name the test")
expect("" "" "no rows")
