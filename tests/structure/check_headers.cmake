# SPDX-License-Identifier: MIT
# cmake -D PROJECT=<headers/> -D WORK=<build folder> -D GENERATOR=... -D COMPILER=... -D INCLUDE_DIR=...
#       -D EIGEN=... -D BUILD_TARGET=alone|twice -P check_headers.cmake
cmake_policy(VERSION 3.21)

if(NOT COMPILER)
  message("SKIPPED: this compiler is not installed")
  return()
endif()

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "\\[[0-9]+/[0-9]+\\] [^\n]*\n" "" output "${output}")
    message("${output}")
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

run("to configure" "${CMAKE_COMMAND}" -S "${PROJECT}" -B "${WORK}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=Debug" "-DCMAKE_CXX_FLAGS_DEBUG="
    "-DLINEA_INCLUDE_DIR=${INCLUDE_DIR}" "-DEIGEN_INCLUDE_DIRS=${EIGEN}" "-DMPI_INCLUDE_DIRS=${MPI}")
set(keep_going "")
if(GENERATOR STREQUAL Ninja)
  set(keep_going -- -k 0)
endif()
run("target ${BUILD_TARGET}" "${CMAKE_COMMAND}" --build "${WORK}" --target ${BUILD_TARGET} --parallel 2
    ${keep_going})
if(BUILD_TARGET STREQUAL twice)
  run("the program" "${WORK}/twice")
endif()
