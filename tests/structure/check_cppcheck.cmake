# SPDX-License-Identifier: MIT
# cmake -D CPPCHECK=<program> -D SOURCE=<repository> -D WORK=<folder> -P check_cppcheck.cmake
#
# cppcheck reports nothing in the headers of linea except the entries of cppcheck.txt, each with its reason. A planted fault
# must be detected. Other versions differ, so only 2.10 is used.
cmake_policy(VERSION 3.21)

set(version "")
if(CPPCHECK)
  execute_process(COMMAND "${CPPCHECK}" --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES " 2\\.10")
  message(STATUS "SKIPPED: cppcheck.txt is for cppcheck 2.10, which is not installed (Debian: cppcheck)")
  return()
endif()
set(arguments --std=c++20 --language=c++ --quiet --enable=warning,portability,performance
    "--suppressions-list=${CMAKE_CURRENT_LIST_DIR}/cppcheck.txt" --error-exitcode=1)

file(WRITE "${WORK}/fault.hpp" "inline int f() { int a[3] = {1, 2, 3}; return a[3]; }\n")
execute_process(COMMAND "${CPPCHECK}" ${arguments} "${WORK}/fault.hpp" RESULT_VARIABLE code ERROR_VARIABLE found)
if(NOT code OR NOT found MATCHES "arrayIndexOutOfBounds")
  message(FATAL_ERROR "${CPPCHECK} does not detect an out-of-bounds read:\n${found}")
endif()

file(GLOB_RECURSE headers RELATIVE "${SOURCE}" "${SOURCE}/include/linea/*.hpp")
execute_process(COMMAND "${CPPCHECK}" ${arguments} ${headers} WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE code
                OUTPUT_VARIABLE output ERROR_VARIABLE found)
if(code)
  message(FATAL_ERROR "cppcheck finds:\n${output}${found}")
endif()
