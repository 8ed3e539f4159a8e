# SPDX-License-Identifier: MIT
# Arguments as for check_headers.cmake, and CHECK=<check_headers.cmake>.
#
# Tests the check: a header with a missing include does not compile alone, one with a warning fails, and
# a function that is not inline does not link twice.
cmake_policy(VERSION 3.21)

function(check target header outcome message)
  file(REMOVE_RECURSE "${WORK}/include")
  file(WRITE "${WORK}/include/linea/linea.hpp" "#pragma once\n${header}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D "PROJECT=${PROJECT}" -D "WORK=${WORK}/build" -D "GENERATOR=${GENERATOR}"
            -D "COMPILER=${COMPILER}" -D "INCLUDE_DIR=${WORK}/include" -D BUILD_TARGET=${target} -P "${CHECK}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(outcome STREQUAL passes AND NOT result EQUAL 0)
    message(FATAL_ERROR "a header without fault was refused:\n${output}")
  elseif(outcome STREQUAL fails AND result EQUAL 0)
    message(FATAL_ERROR "not noticed: ${header}")
  elseif(NOT output MATCHES "${message}")
    message(FATAL_ERROR "no word of \"${message}\" in:\n${output}")
  endif()
endfunction()

check(alone "#include <vector>\ninline std::vector<int> f() { return {}; }" passes "")
check(alone "inline std::vector<int> f() { return {}; }" fails "vector")
check(alone "inline int f(double x) { return x; }" fails "conversion")
check(twice "inline int f() { return 1; }" passes "")
check(twice "int f() { return 1; }" fails "multiple definition|duplicate symbol")
