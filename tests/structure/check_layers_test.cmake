# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_layers.cmake> -D WORK=<scratch folder> -P check_layers_test.cmake
#
# Tests the check: a tree without violations passes, and each planted violation is named.
cmake_policy(VERSION 3.21)

set(top "// SPDX-License-Identifier: MIT\n#pragma once\n/// \\file A header.\n")

function(header path)
  set(lines "${top}")
  foreach(included IN LISTS ARGN)
    string(APPEND lines "#include <linea/${included}>\n")
  endforeach()
  file(WRITE "${WORK}/linea/${path}" "${lines}")
endfunction()

function(good_tree)
  file(REMOVE_RECURSE "${WORK}")
  header(core/types.hpp)
  header(core/loss.hpp core/types.hpp)
  header(losses/hinge.hpp core/loss.hpp)
  header(losses/log.hpp core/loss.hpp)
  header(core.hpp core/types.hpp core/loss.hpp)
  header(losses.hpp losses/hinge.hpp losses/log.hpp)
  header(io/csv.hpp core/types.hpp)
  header(io.hpp io/csv.hpp)
  header(files.hpp io.hpp)
  header(version.hpp)
  header(linea.hpp core/types.hpp losses.hpp version.hpp)
  header(all.hpp core.hpp losses.hpp io.hpp version.hpp)
endfunction()

# Runs the check, whose exit code must be 0 if `message` is empty, and whose output must have the message.
function(check message)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "INCLUDE_DIR=${WORK}" -P "${CHECK}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${message}" at)
  if(at EQUAL -1 OR (message STREQUAL "" AND NOT result EQUAL 0) OR (result EQUAL 0 AND NOT message STREQUAL ""))
    message(FATAL_ERROR "\"${message}\" is not what is found:\n${output}")
  endif()
endfunction()

good_tree()
check("")

function(breach message path)
  good_tree()
  header("${path}" ${ARGN})
  check("${message}")
endfunction()

breach("core/ must not see losses/" core/types.hpp losses/hinge.hpp)
breach("includes its sibling losses/log.hpp" losses/hinge.hpp losses/log.hpp)
breach("core.hpp, a group header or the umbrella" losses/hinge.hpp core.hpp)
breach("in a cycle" core/types.hpp core/loss.hpp)
breach("core/lost.hpp, which does not exist" losses/hinge.hpp core/lost.hpp)
breach("the group header does not reach losses/log.hpp" losses.hpp losses/hinge.hpp)
breach("which is not in losses/" losses.hpp losses/hinge.hpp losses/log.hpp core/loss.hpp)
breach("does not include io.hpp" all.hpp core.hpp losses.hpp)
breach("the umbrella reaches io/csv.hpp" linea.hpp core/types.hpp io.hpp)
breach("is the former name of io.hpp" files.hpp core/types.hpp)
breach("elsewhere/ is not in the table" elsewhere/new.hpp)
breach("new.hpp: is neither the umbrella" new.hpp)

function(breach_of_text message text)
  good_tree()
  file(WRITE "${WORK}/linea/losses/log.hpp" "${text}")
  check("${message}")
endfunction()

string(REPEAT "\n" 398 many_lines)
breach_of_text("401 lines, more than 400" "${top}${many_lines}")
string(REPEAT "‖" 97 many_columns)
breach_of_text("a line of 101 characters, more than 100" "${top}/// ${many_columns}\n")
breach_of_text("not the SPDX licence line" "#pragma once\n/// \\file A header.\n")
breach_of_text("no #pragma once" "// SPDX-License-Identifier: MIT\n/// \\file A header.\n")
breach_of_text("no /// \\file sentence" "// SPDX-License-Identifier: MIT\n#pragma once\n")
breach_of_text("includes with quotes" "${top}#include \"hinge.hpp\"\n")
foreach(line IN ITEMS "#if defined(_WIN32)" "#ifdef __APPLE__" "#include <unistd.h>" "#include <sys/mman.h>"
                      "void* p = ::mmap(nullptr, 1, 0, 0, 0, 0)" "int f = open(p, O_RDONLY)" "int f = ::open(p, 0)")
  breach_of_text("differs between systems" "${top}${line}\n")
endforeach()
breach_of_text("opens namespace linea::loop" "${top}\nnamespace linea::loop {\n")
