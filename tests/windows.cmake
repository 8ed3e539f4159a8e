# SPDX-License-Identifier: MIT
# The tests that do not run on Windows, each with its reason. ctest lists those that are compiled as disabled.
# Included by CMakeLists.txt, whose list of sources it shortens. These folders have their own CMakeLists.txt:
#   programs  start programs by a POSIX shell; programs/check_programs.cmake runs them by CMake
#   faults    replace functions of Linux's C library
#   races     need the thread sanitizer
function(leave_out reason)
  list(REMOVE_ITEM test_sources ${ARGN})
  set(test_sources ${test_sources} PARENT_SCOPE)
  message(STATUS "linea: not on Windows, ${reason}: ${ARGN}")
endfunction()

set(disabled "${CMAKE_CURRENT_BINARY_DIR}/disabled.cmake")
file(WRITE "${disabled}" "")
# After the tests themselves.
cmake_language(DEFER CALL set_property DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${disabled}")
function(disable reason)
  foreach(name IN LISTS ARGN)
    file(APPEND "${disabled}" "set_tests_properties([==[${name}]==] PROPERTIES DISABLED ON)\n")
    message(STATUS "linea: not on Windows, ${reason}: ${name}")
  endforeach()
endfunction()

leave_out("needs pipes, devices, permissions, signals and child processes of POSIX" io/posix_test.cpp)
disable("the system's reasons are those of POSIX" "io/write_file: errors give the system's reason")
disable("std::filesystem of MinGW-w64 makes no symbolic links" "io/write_file: a draft gets an unused name"
        "io/write_file: follows links")
disable("needs a limit on the memory of a child process"
        "io/read_file and parse_libsvm: errors give the memory that would be needed"
        "io/model files: a false count costs no memory"
        "io/read_liblinear: a false count costs no memory")
