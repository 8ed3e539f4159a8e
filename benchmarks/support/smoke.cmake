# SPDX-License-Identifier: MIT
# Runs PROGRAM with ARGUMENTS: in a debug build, CONFIG, it must fail with one line and exit code 2; in any
# other it must succeed and print something.
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} RESULT_VARIABLE code OUTPUT_VARIABLE output
                                                                       ERROR_VARIABLE error)
if(CONFIG MATCHES "^(Debug|)$")
  if(NOT code EQUAL 2 OR NOT output STREQUAL "" OR NOT error MATCHES "^a debug build measures nothing[^\n]*\n$")
    message(FATAL_ERROR "exit code ${code} rather than a refusal:\n${output}${error}")
  endif()
elseif(NOT code EQUAL 0 OR output STREQUAL "")
  message(FATAL_ERROR "exit code ${code}:\n${output}${error}")
endif()
