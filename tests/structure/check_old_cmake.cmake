# SPDX-License-Identifier: MIT
# cmake -D SOURCE=<repository> -D WORK=<folder> -P check_old_cmake.cmake
#
# With a too old CMake, scripts end immediately and name both versions.
cmake_policy(VERSION 3.21)

find_program(BASH bash)
if(NOT BASH)
  message(FATAL_ERROR "bash, which runs all scripts, is not installed")
endif()
function(need_cmake wanted least setting version)
  file(WRITE "${WORK}/cmake" "#!/bin/sh\necho cmake version ${version}\n")
  file(CHMOD "${WORK}/cmake" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PATH=${WORK}:$ENV{PATH}" "${BASH}" -c
            "source scripts/lib/setup.sh; ${setting}need cmake; echo goes on"
    WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL ${wanted} OR (wanted EQUAL 0 AND NOT "${out}${err}" STREQUAL "goes on\n") OR
     (wanted EQUAL 1 AND NOT err MATCHES "needs CMake ${least}, but [^\n]*/cmake is ${version}\\."))
    message(FATAL_ERROR "CMake ${version} gets exit code ${code} and\n${out}${err}")
  endif()
endfunction()

foreach(version IN ITEMS 3.18.4 3.9.6 3.24.99)
  need_cmake(1 3.25 "" ${version})
endforeach()
foreach(version IN ITEMS 3.25.1 3.100.0 4.0.0-rc1)
  need_cmake(0 3.25 "" ${version})
endforeach()
# Scripts without presets accept an older version.
need_cmake(0 3.21 "least_cmake=3.21; " 3.22.1)
need_cmake(1 3.21 "least_cmake=3.21; " 3.20.9)
