# SPDX-License-Identifier: MIT
# cmake -D TIDY=<program> -D SOURCE=<repository> -D EIGEN=<folder> -D MPI=<folders> -D WORK=<folder> -D FILE=<source> -P check_tidy.cmake
#
# clang-tidy, with the checks of .clang-tidy, finds nothing in a source and the headers of linea that it includes. A fault
# must be noticed, or nothing has been checked. Other versions know other checks, so it is 14 that counts.
cmake_policy(VERSION 3.21)

set(version "")
if(TIDY)
  execute_process(COMMAND "${TIDY}" --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES "version 14\\.")
  message(STATUS "SKIPPED: the checks of .clang-tidy are for clang-tidy 14, which is not here (Debian: clang-tidy)")
  return()
endif()
file(WRITE "${WORK}/fault.cpp" "#include <string>\nint f(std::string s) { std::string t(std::move(s)); return int(s.size() + t.size()); }\n")
execute_process(COMMAND "${TIDY}" --quiet "--config-file=${SOURCE}/.clang-tidy" "${WORK}/fault.cpp" -- -std=c++20
                OUTPUT_VARIABLE found ERROR_QUIET)
if(NOT found MATCHES "bugprone-use-after-move")
  message(FATAL_ERROR "${TIDY} does not notice a string that is used after it was moved from:\n${found}")
endif()
set(mpi "")
foreach(folder IN LISTS MPI)
  list(APPEND mpi -isystem "${folder}")
endforeach()
execute_process(
  COMMAND "${TIDY}" --quiet "--config-file=${SOURCE}/.clang-tidy" "--warnings-as-errors=*" "${SOURCE}/${FILE}" --
          -std=c++20 "-I${SOURCE}/include" "-I${SOURCE}/examples" "-DLINEA_EXAMPLES_DATA=\"data\"" -isystem "${EIGEN}" ${mpi}
  OUTPUT_VARIABLE found
  ERROR_VARIABLE said
  RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "clang-tidy finds in ${FILE}:\n${found}${said}")
endif()
