# SPDX-License-Identifier: MIT
# cmake -D TESTS=<tests/> -D INCLUDE_DIR=<folder that holds linea/> -P check_tests.cmake
#
# The path of a test follows from its header: tests/optimizers/descent/visit_test.cpp tests
# linea/optimizers/descent/visit.hpp.
#   other_folders  folders that are not modules: their tests are not about a single header
#   subjects       tests that are not named after a header, because they are about several of the module:
#     laws              the properties of everything in the module
#     laws_X            the same for X, a header or a submodule: a separate file compiles faster
#     judges            minima of other programs, compared with linea's and its bounds
#     newton_and_lbfgs  common properties: both minimise the same smooth objectives
#     read_liblinear    a part of a header of io/
#     convert_model     scripts/convert_model
#     posix             what io/ does with pipes, devices, permissions and signals
#     arguments         invalid structs and invalid sparse arrays, for every call that takes them
#     label_sets        all classifiers, metrics and selections of λ, for any names of labels
#     sample_weights    everything that takes sample weights
cmake_policy(VERSION 3.21)

set(other_folders compile_fail consumer extend faults hard_problems lectures mpi programs races same_bits structure support)
set(subjects laws optimizers/newton_and_lbfgs optimizers/judges models/arguments models/label_sets models/sample_weights
    io/convert_model io/posix io/read_liblinear)

set(problems "")
file(GLOB_RECURSE tests RELATIVE "${TESTS}" "${TESTS}/*_test.cpp")
list(LENGTH tests test_count)
if(test_count EQUAL 0)
  string(APPEND problems "  there are no tests in ${TESTS}\n")
endif()
foreach(test IN LISTS tests)
  string(REGEX REPLACE "_test\\.cpp$" "" tested "${test}")
  get_filename_component(folder "${test}" DIRECTORY)
  get_filename_component(name "${tested}" NAME)
  string(REGEX REPLACE "/.*" "" first "${folder}")
  if(first IN_LIST other_folders OR EXISTS "${INCLUDE_DIR}/linea/${tested}.hpp")
    continue()
  endif()
  string(REGEX REPLACE "^laws_" "" lawful "${name}")
  if(folder STREQUAL "" OR NOT IS_DIRECTORY "${INCLUDE_DIR}/linea/${folder}")
    string(APPEND problems "  ${test}: linea has no such folder\n")
  elseif(name MATCHES "^laws_" AND (EXISTS "${INCLUDE_DIR}/linea/${folder}/${lawful}.hpp" OR
                                    IS_DIRECTORY "${INCLUDE_DIR}/linea/${folder}/${lawful}"))
    continue()
  elseif(NOT name IN_LIST subjects AND NOT tested IN_LIST subjects)
    string(APPEND problems "  ${test}: there is no header ${tested}.hpp, and `subjects` does not list this test\n")
  endif()
endforeach()

if(problems)
  message(FATAL_ERROR "these tests are not in the folders of their headers:\n${problems}")
endif()
message(STATUS "${test_count} files of tests are in the folders of their headers")
