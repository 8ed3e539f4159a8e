# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_extend.cmake> -D WORK=<scratch folder> -P check_extend_test.cmake
#
# The test of the test: a page that is right passes, and each planted fault is named.
cmake_policy(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/outcome.cmake")

function(expect wanted words page)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/linea/core/loss.hpp" "")
  file(WRITE "${WORK}/tests/a_test.cpp" "void test() {\n  int a[] = {1};\n  f(a);\n}\n")
  file(WRITE "${WORK}/page.md" "# Page\n\n${page}")
  outcome(${wanted} "${words}" -D "PAGE=${WORK}/page.md" -D "INCLUDE_DIR=${WORK}" -D "TESTS=${WORK}/tests")
endfunction()

set(good "```cpp\nint a[] = {1};\nf(a);\n```\n")
expect(passes "1 listings of" "${good}include/linea/core/loss.hpp")
expect(fails "listing 2 is in no test" "${good}```cpp\nint a[] = {2};\n```\n")
expect(fails "no header linea/core/lost.hpp" "${good}include/linea/core/lost.hpp")
expect(fails "no listings" "```text\nf(a);\n```\n")
