# SPDX-License-Identifier: MIT
# cmake -D SOURCE=<cases.cpp> -D CASE=<name> -D COMPILER=... -D INCLUDE_DIRS=... -D SYSTEM_DIRS=... -P check_refused.cmake
#
# Compiles the two twins of a case of cases.cpp, which describes the cases.
#
# With -D CALL=<line of wrong_calls.txt> -D WORK=<folder> in place of SOURCE and CASE, compiles this wrong call.
#
# READ_ONCE=<file.hpp> is a header that includes linea. The same call without SOURCE and CALL precompiles it. Twins with
# flags of their own do not use it.
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
if(NOT SOURCE AND NOT CALL)
  file(WRITE "${READ_ONCE}" "#include <linea/linea.hpp>\n")
  execute_process(COMMAND "${COMPILER}" ${flags} -x c++-header "${READ_ONCE}" -o "${READ_ONCE}.gch"
                  COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()
set(read_once "")
if(READ_ONCE)
  set(read_once -include "${READ_ONCE}")
endif()

if(CALL)
  string(REPLACE " | " ";" parts "${CALL} | linea/version.hpp")
  list(GET parts 1 words)
  list(GET parts 2 call)
  list(GET parts 3 header)
  string(SHA1 name "${CALL}")
  file(WRITE "${WORK}/${name}.cpp" "#include <${header}>
using namespace linea;
void call([[maybe_unused]] const Matrix<double>& x, [[maybe_unused]] const Vector<double>& y) {
  [[maybe_unused]] const auto found = ${call};
}
")
  execute_process(COMMAND "${COMPILER}" ${flags} ${read_once} -fsyntax-only "${WORK}/${name}.cpp"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCH "[^\n]*error: [^\n]*" first "${output}")
  string(FIND "${first}" "${words}" place)
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines count)
  if(result EQUAL 0 OR place EQUAL -1 OR count GREATER 14)
    message(FATAL_ERROR "${count} lines, the first error without \"${words}\":\n${output}")
  endif()
  return()
endif()

file(READ "${SOURCE}" text)
if(NOT text MATCHES "defined.${CASE}.\n// must fail with: ([^\n]+)\n(// because of: ([^\n]+)\n)?(// and with no second error\n)?")
  message(FATAL_ERROR "${SOURCE}: ${CASE} does not begin with `// must fail with: <regular expression>`")
endif()
set(expected "${CMAKE_MATCH_1}")
set(is_alone "${CMAKE_MATCH_4}")
separate_arguments(bad_flags UNIX_COMMAND "${CMAKE_MATCH_3}")
list(APPEND flags "-D${CASE}" -fsyntax-only)

execute_process(COMMAND "${COMPILER}" ${flags} ${read_once} "${SOURCE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "the good twin does not compile")
endif()

if(bad_flags)
  set(read_once "")
endif()
execute_process(COMMAND "${COMPILER}" ${flags} ${read_once} ${bad_flags} -DLINEA_MUST_FAIL "${SOURCE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "compiled but must be refused")
elseif(NOT output MATCHES "${expected}")
  message("${output}")
  message(FATAL_ERROR "refused but with no word of ${expected}")
endif()
if(is_alone)
  string(REGEX MATCHALL "[0-9]: error: " errors "${output}")
  list(LENGTH errors count)
  if(NOT count EQUAL 1)
    message("${output}")
    message(FATAL_ERROR "refused with ${count} errors")
  endif()
endif()
