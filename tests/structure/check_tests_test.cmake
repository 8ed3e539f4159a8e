# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_tests.cmake> -D WORK=<scratch folder> -P check_tests_test.cmake
#
# Tests the check: tests that mirror the modules pass, and each that does not is named.
cmake_policy(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/outcome.cmake")

function(expect wanted words)
  file(REMOVE_RECURSE "${WORK}")
  foreach(header IN ITEMS losses/hinge optimizers/sgd optimizers/descent/visit)
    file(WRITE "${WORK}/include/linea/${header}.hpp" "")
  endforeach()
  foreach(test IN ITEMS losses/hinge losses/laws optimizers/sgd optimizers/judges optimizers/descent/visit
                        optimizers/laws_sgd optimizers/laws_descent lectures/perceptron ${ARGN})
    file(WRITE "${WORK}/tests/${test}_test.cpp" "")
  endforeach()
  outcome(${wanted} "${words}" -D "TESTS=${WORK}/tests" -D "INCLUDE_DIR=${WORK}/include")
endfunction()

expect(passes "8 files of tests mirror the rooms")
expect(fails "losses/corners_test.cpp: there is no header losses/corners.hpp" losses/corners)
expect(fails "losses/agreement_test.cpp: there is no header" losses/agreement)
expect(fails "optimizers/laws_visit_test.cpp: there is no header" optimizers/laws_visit)
expect(fails "optimizers/visit_test.cpp: there is no header" optimizers/visit)
expect(fails "data/csv_test.cpp: its folder is no room" data/csv)
expect(fails "corners_test.cpp: its folder is no room" corners)
