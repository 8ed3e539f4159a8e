# SPDX-License-Identifier: MIT
# cmake -D SOURCE=<case.cpp> -D COMPILER=... -D INCLUDE_DIRS=... -D SYSTEM_DIRS=... -P check_refused.cmake
#
# A case holds two twins: with LINEA_MUST_FAIL it must not compile, and its first line says which message
# must be seen (`// must fail with: <regular expression>`); without, it must compile. A second line
# `// because of: <flags>` compiles the bad twin with these flags too. A third one `// and with no second
# error` demands that the message is all there is, but for the compiler's last words.
#
# READ_ONCE=<file.hpp> is a header that includes linea, precompiled beside it by the same call without SOURCE. Twins with
# flags of their own do without.
cmake_policy(VERSION 3.21)

if(NOT COMPILER)
  message("SKIPPED: this compiler is not installed")
  return()
endif()

set(flags -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
foreach(dir IN LISTS INCLUDE_DIRS)
  list(APPEND flags "-I${dir}")
endforeach()
foreach(dir IN LISTS SYSTEM_DIRS)
  list(APPEND flags -isystem "${dir}")
endforeach()
if(NOT SOURCE)
  file(WRITE "${READ_ONCE}" "#include <linea/linea.hpp>\n")
  execute_process(COMMAND "${COMPILER}" ${flags} -x c++-header "${READ_ONCE}" -o "${READ_ONCE}.gch"
                  COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()
set(read_once "")
if(READ_ONCE)
  set(read_once -include "${READ_ONCE}")
endif()

file(READ "${SOURCE}" text)
if(NOT text MATCHES "^// must fail with: ([^\n]+)\n")
  message(FATAL_ERROR "${SOURCE}: the first line is not `// must fail with: <regular expression>`")
endif()
set(expected "${CMAKE_MATCH_1}")
set(bad_flags "")
if(text MATCHES "\n// because of: ([^\n]+)\n")
  separate_arguments(bad_flags UNIX_COMMAND "${CMAKE_MATCH_1}")
endif()

execute_process(COMMAND "${COMPILER}" ${flags} ${read_once} -fsyntax-only "${SOURCE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "the good twin does not compile")
endif()

if(bad_flags)
  set(read_once "")
endif()
execute_process(COMMAND "${COMPILER}" ${flags} ${read_once} ${bad_flags} -fsyntax-only -DLINEA_MUST_FAIL "${SOURCE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "compiled but must be refused")
elseif(NOT output MATCHES "${expected}")
  message("${output}")
  message(FATAL_ERROR "refused but with no word of ${expected}")
endif()
if(text MATCHES "\n// and with no second error\n")
  string(REGEX MATCHALL "[0-9]: error: " errors "${output}")
  list(LENGTH errors count)
  if(NOT count EQUAL 1)
    message("${output}")
    message(FATAL_ERROR "refused with ${count} errors")
  endif()
endif()
