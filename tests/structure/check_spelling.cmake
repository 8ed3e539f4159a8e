# SPDX-License-Identifier: MIT
# cmake -D CODESPELL=<program> -D SOURCE=<repository> -D WORK=<folder> -P check_spelling.cmake
#
# codespell finds no common misspellings in pages, headers, examples and tests. spelling.txt lists its false positives.
# A planted misspelling must be detected.
cmake_policy(VERSION 3.21)

if(NOT CODESPELL)
  message(STATUS "SKIPPED: codespell is not installed (Debian: codespell)")
  return()
endif()
set(words "${CMAKE_CURRENT_LIST_DIR}/spelling.txt")
string(CONCAT slip "te" "h")  # this file is checked too
file(WRITE "${WORK}/slip.md" "A sentence with ${slip} slip.\n")
execute_process(COMMAND "${CODESPELL}" -I "${words}" "${WORK}/slip.md" OUTPUT_VARIABLE found ERROR_QUIET)
if(NOT found MATCHES "${slip}")
  message(FATAL_ERROR "${CODESPELL} does not detect a planted misspelling")
endif()
execute_process(
  COMMAND "${CODESPELL}" -I "${words}" --skip=*/corpus/*,*.svm,*.csv,*/golden/*,*.in README.md CHANGELOG.md docs include
          examples tests benchmarks scripts cmake
  WORKING_DIRECTORY "${SOURCE}"
  OUTPUT_VARIABLE found
  RESULT_VARIABLE code)
if(code OR found)
  message(FATAL_ERROR "Misspellings, or false positives to add to ${words}:\n${found}")
endif()
