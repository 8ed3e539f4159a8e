# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_extend.cmake> -D WORK=<scratch folder> -P check_extend_test.cmake
#
# The test of the test: a page that is right passes, and each planted fault is named.
cmake_policy(VERSION 3.21)

function(expect page pattern)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/linea/core/loss.hpp" "")
  file(WRITE "${WORK}/tests/a_test.cpp" "void test() {\n  int a[] = {1};\n  f(a);\n}\n")
  file(WRITE "${WORK}/page.md" "# Page\n\n${page}")
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

set(good "```cpp\nint a[] = {1};\nf(a);\n```\n")
expect("${good}include/linea/core/loss.hpp" "passes")
expect("${good}```cpp\nint a[] = {2};\n```\n" "listing 2 is in no test")
expect("${good}include/linea/core/lost.hpp" "no header linea/core/lost.hpp")
expect("```text\nf(a);\n```\n" "no listings")
