# SPDX-License-Identifier: MIT
# cmake -D CHECK=<check_floors.cmake> -D WORK=<scratch folder> -P check_floors_test.cmake
#
# Tests the check: a tree without violations passes, and each planted violation is named.
cmake_policy(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/outcome.cmake")

set(top "// SPDX-License-Identifier: MIT\n#pragma once\n/// \\file A header.\n")

function(header path)
  set(lines "${top}")
  foreach(included IN LISTS ARGN)
    string(APPEND lines "#include <linea/${included}>\n")
  endforeach()
  file(WRITE "${WORK}/linea/${path}" "${lines}")
endfunction()

# Headers, each followed by a colon and its includes.
set(tree
    core/types.hpp core/loss.hpp:core/types.hpp losses/hinge.hpp:core/loss.hpp activations/sigmoid.hpp:core/types.hpp
    losses/composed.hpp:core/loss.hpp,activations/sigmoid.hpp losses/log.hpp:core/loss.hpp
    losses/poisson.hpp:losses/composed.hpp penalties/l2.hpp:core/types.hpp samples/risk.hpp:core/loss.hpp
    optimizers/descent/visit.hpp:samples/risk.hpp optimizers/descent/learner.hpp:optimizers/descent/visit.hpp
    optimizers/sgd.hpp:core/loss.hpp,optimizers/descent/learner.hpp optimizers/auto.hpp:optimizers/sgd.hpp
    io/csv.hpp:core/types.hpp data/labels.hpp:core/types.hpp models/linear.hpp:optimizers/sgd.hpp,data/labels.hpp
    core.hpp:core/types.hpp,core/loss.hpp activations.hpp:activations/sigmoid.hpp
    losses.hpp:losses/hinge.hpp,losses/log.hpp,losses/poisson.hpp penalties.hpp:penalties/l2.hpp
    optimizers.hpp:optimizers/auto.hpp samples.hpp:samples/risk.hpp io.hpp:io/csv.hpp data.hpp:data/labels.hpp
    models.hpp:models/linear.hpp version.hpp files.hpp:io.hpp
    linea.hpp:core/types.hpp,losses.hpp,optimizers/auto.hpp,models.hpp,version.hpp
    all.hpp:core.hpp,activations.hpp,losses.hpp,penalties.hpp,optimizers.hpp,models.hpp,data.hpp,io.hpp,samples.hpp,version.hpp)
function(good_tree)
  file(REMOVE_RECURSE "${WORK}")
  foreach(entry IN LISTS tree)
    string(REGEX REPLACE "[:,]" ";" entry "${entry}")
    header(${entry})
  endforeach()
endfunction()

function(check wanted words)
  outcome(${wanted} "${words}" -D "INCLUDE_DIR=${WORK}")
endfunction()

good_tree()
check(passes "29 headers keep to their floors")

function(breach message path)
  good_tree()
  header("${path}" ${ARGN})
  check(fails "${message}")
endfunction()

breach("losses/ must not see optimizers/" losses/hinge.hpp optimizers/sgd.hpp)
breach("penalties/ must not see activations/" penalties/l2.hpp activations/sigmoid.hpp)
breach("activations/ must not see losses/" activations/sigmoid.hpp losses/hinge.hpp)
breach("core/ must not see losses/" core/types.hpp losses/hinge.hpp)
breach("io/ must not see losses/" io/csv.hpp losses/hinge.hpp)
breach("models/ must not see io/" models/linear.hpp optimizers/sgd.hpp io/csv.hpp)
breach("core/ must not see optimizers/descent/" core/loss.hpp optimizers/descent/visit.hpp)
breach("optimizers/descent/ must not see optimizers/," optimizers/descent/learner.hpp optimizers/sgd.hpp)
breach("samples/ must not see optimizers/descent/" samples/risk.hpp optimizers/descent/visit.hpp)
breach("optimizers/elsewhere/ has no place" optimizers/elsewhere/new.hpp)
breach("includes its sibling optimizers/auto.hpp" optimizers/sgd.hpp optimizers/auto.hpp)
breach("includes its sibling losses/log.hpp" losses/hinge.hpp losses/log.hpp)
breach("core.hpp, a group header or the umbrella" losses/hinge.hpp core.hpp)
breach("linea.hpp, a group header or the umbrella" optimizers/sgd.hpp linea.hpp)
breach("in a circle" core/types.hpp core/loss.hpp)
breach("core/lost.hpp, which does not exist" losses/hinge.hpp core/lost.hpp)
breach("the group header does not reach losses/log.hpp" losses.hpp losses/hinge.hpp)
breach("which is not in losses/" losses.hpp losses/hinge.hpp losses/log.hpp losses/poisson.hpp core/loss.hpp)
breach("does not include data.hpp" all.hpp core.hpp activations.hpp losses.hpp penalties.hpp optimizers.hpp
       models.hpp)
breach("which is not a group header" all.hpp core/loss.hpp)
breach("the umbrella reaches io/csv.hpp" linea.hpp core/types.hpp io.hpp)
breach("is the former name of io.hpp" files.hpp core/types.hpp)
breach("elsewhere/ has no place" elsewhere/new.hpp)
breach("new.hpp: is neither the umbrella" new.hpp)

# Characters count, not bytes.
good_tree()
string(REPEAT "‖" 96 many_columns)
file(APPEND "${WORK}/linea/losses/log.hpp" "/// ${many_columns}\n")
check(passes "29 headers keep to their floors")

function(breach_of_text message text)
  good_tree()
  file(WRITE "${WORK}/linea/losses/log.hpp" "${text}")
  check(fails "${message}")
endfunction()

string(REPEAT "\n" 398 many_lines)
breach_of_text("401 lines, more than 400" "${top}${many_lines}")
string(REPEAT "x" 97 many_columns)
breach_of_text("a line of 101 characters, more than 100" "${top}/// ${many_columns}\n")
breach_of_text("not the SPDX licence line" "#pragma once\n/// \\file A header.\n")
breach_of_text("no #pragma once" "// SPDX-License-Identifier: MIT\n/// \\file A header.\n")
breach_of_text("no /// \\file sentence" "// SPDX-License-Identifier: MIT\n#pragma once\n")
breach_of_text("includes with quotes" "${top}#include \"hinge.hpp\"\n")

# Namespaces: of a module, or linea itself for names of the public API.
function(opens path outcome message)
  good_tree()
  set(text "${top}")
  foreach(name IN LISTS ARGN)
    string(APPEND text "\nnamespace ${name} {\n")
  endforeach()
  file(WRITE "${WORK}/linea/${path}" "${text}")
  check(${outcome} "${message}")
endfunction()

opens(losses/log.hpp passes "" linea losses)
opens(core/types.hpp passes "" linea)
opens(core/loss.hpp fails "opens namespace linea::detail" linea::detail)
opens(losses/log.hpp fails "opens namespace linea::detail, but losses/ is for" linea detail)
opens(losses/log.hpp fails "opens namespace linea::loop" linea::loop)
