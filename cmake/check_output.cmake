# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=... [-DEMULATOR=...] -DSOURCE=... -P check_output.cmake
# Runs an example and compares its output with the lines below "// Output:" at the end of its source. Times in ms, and
# numbers such as 1e-9, which depend on rounding, may differ.
execute_process(COMMAND ${EMULATOR} "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE complaint RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${code}:\n${complaint}")
endif()
file(READ "${SOURCE}" text)
if(NOT text MATCHES "\n// Output:\n")
  message(FATAL_ERROR "${SOURCE} has no line \"// Output:\"")
endif()
string(REGEX REPLACE "^.*\n// Output:\n" "" expected "${text}")
string(REGEX REPLACE "(^|\n)//   " "\\1" expected "${expected}")
string(REPLACE "\n//\n" "\n\n" expected "${expected}")
set(seen "${printed}")
foreach(text IN ITEMS seen expected)
  string(REGEX REPLACE " +[0-9.]+ ms" " # ms" ${text} "${${text}}")
  string(REGEX REPLACE "[0-9.]+e-[0-9]+" "#e-#" ${text} "${${text}}")
endforeach()
if(NOT seen STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${printed}\nbut its source says\n${expected}")
endif()
