# SPDX-License-Identifier: MIT
# cmake -D SOURCE=<repository> -D WORK=<folder> -P check_old_cmake.cmake
#
# With a CMake that is too old for them, scripts end at once and name both versions.
cmake_policy(VERSION 3.21)

find_program(BASH bash)
if(NOT BASH)
  message(FATAL_ERROR "bash, by which all scripts are run, is not here")
endif()
function(need_cmake version)
  file(WRITE "${WORK}/cmake" "#!/bin/sh\necho cmake version ${version}\n")
  file(CHMOD "${WORK}/cmake" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PATH=${WORK}:$ENV{PATH}" "${BASH}" -c
            "source scripts/lib/setup.sh; ${least}need cmake; echo goes on"
    WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  set(code "${code}" PARENT_SCOPE)
  set(said "${out}${err}" PARENT_SCOPE)
endfunction()

foreach(version IN ITEMS 3.18.4 3.9.6 3.24.99)
  need_cmake(${version})
  if(NOT code EQUAL 1 OR NOT said MATCHES "needs CMake 3\\.25, but [^\n]*/cmake is ${version}\\." OR said MATCHES "goes on")
    message(FATAL_ERROR "CMake ${version} gets exit code ${code} and\n${said}")
  endif()
endforeach()
foreach(version IN ITEMS 3.25.1 3.100.0 4.0.0-rc1)
  need_cmake(${version})
  if(NOT code EQUAL 0 OR NOT said STREQUAL "goes on\n")
    message(FATAL_ERROR "CMake ${version} gets exit code ${code} and\n${said}")
  endif()
endforeach()

# Those that do without the presets take an older one.
set(least "least_cmake=3.21; ")
need_cmake(3.22.1)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "CMake 3.22.1 gets exit code ${code} and\n${said}")
endif()
need_cmake(3.20.9)
if(NOT code EQUAL 1)
  message(FATAL_ERROR "CMake 3.20.9 gets exit code ${code} and\n${said}")
endif()
