# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=... -DSOURCE=... -P check_output.cmake
# Runs an example and holds what it prints against the lines below "// Output:" at the end of its source.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE complaint RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${code}:\n${complaint}")
endif()
file(READ "${SOURCE}" text)
if(NOT text MATCHES "\n// Output:\n")
  message(FATAL_ERROR "${SOURCE} has no line \"// Output:\"")
endif()
string(REGEX REPLACE "^.*\n// Output:\n" "" expected "${text}")
string(REGEX REPLACE "(^|\n)//   " "\\1" expected "${expected}")
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${printed}\nbut its source says\n${expected}")
endif()
