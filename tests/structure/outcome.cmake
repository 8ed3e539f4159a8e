# SPDX-License-Identifier: MIT
# Included by the tests of the checks.
#
# outcome(passes|fails <words> <argument>...) runs the script ${CHECK} with the arguments, and checks
# its exit code and that its output has these words, with any white space between them.
function(outcome wanted words)
  execute_process(COMMAND "${CMAKE_COMMAND}" ${ARGN} -P "${CHECK}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  string(APPEND output "${error}")
  if(wanted STREQUAL passes AND NOT result EQUAL 0)
    message(FATAL_ERROR "refused, though nothing is wrong:\n${output}")
  elseif(wanted STREQUAL fails AND result EQUAL 0)
    message(FATAL_ERROR "not noticed: ${words}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${words}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "no word of \"${words}\" in:\n${output}")
  endif()
endfunction()
