# SPDX-License-Identifier: MIT
# cmake -D INCLUDE_DIR=<folder that holds linea/> -P check_floors.cmake
#
# The architecture, as a test. A room is a folder of include/linea; rooms lie on floors, and a header includes
# headers of lower floors only.
#   rooms    every room, from the ground up
#   sees_X   the rooms that headers of X may include
#   inside_X which headers of X may include others of X: `*` for all of them, no two in a circle
#   opens_X  the namespaces that headers of X may open
#   shows_X  headers of X that open namespace linea as well: what they define is for users to name
set(rooms
    core
    activations penalties rows check step_sizes orders data
    losses io samples linear_algebra
    features metrics optimizers/descent optimizers/least_squares mpi optimizers/solver
    optimizers/dual optimizers/interior_point
    optimizers/newton
    optimizers
    models)

set(sees_core "")
set(sees_activations core)
set(sees_penalties core)
set(sees_rows core)
set(sees_check core)
set(sees_step_sizes core)
set(sees_orders core)
set(sees_data core)
# not in the umbrella: it needs MPI
set(sees_mpi core rows losses samples linear_algebra optimizers/least_squares)
set(sees_losses core activations)
set(sees_features core rows samples)
set(sees_io core data)
set(sees_samples core rows)
set(sees_linear_algebra core rows)
set(sees_metrics core rows samples)
set(sees_optimizers/descent core rows data samples losses)
set(sees_optimizers/least_squares core rows losses samples linear_algebra)
set(sees_optimizers/dual core samples linear_algebra optimizers/solver optimizers/descent)
set(sees_optimizers/interior_point core samples linear_algebra optimizers/least_squares)
set(sees_optimizers/solver core penalties rows losses samples)
set(sees_optimizers/newton core rows samples losses linear_algebra optimizers/solver
    optimizers/dual)
set(sees_optimizers
    core penalties rows step_sizes orders losses samples linear_algebra optimizers/descent
    optimizers/least_squares optimizers/solver optimizers/dual optimizers/interior_point
    optimizers/newton)
set(sees_models
    core activations penalties rows step_sizes orders data losses features samples metrics
    linear_algebra optimizers/least_squares optimizers/solver optimizers)

foreach(room IN ITEMS core rows linear_algebra check data mpi io samples metrics models)
  set(inside_${room} *)
endforeach()
foreach(room IN ITEMS descent least_squares solver dual interior_point newton)
  set(inside_optimizers/${room} *)
endforeach()
set(inside_losses any_loss cross_entropy poisson)  # of all; composed with an activation
set(inside_optimizers auto svm_quadratic_program)  # on those that it chooses among; on interior_point

foreach(room IN LISTS rooms)
  set(opens_${room} linea linea::detail)
  set(shows_${room} "")
endforeach()
foreach(room IN ITEMS descent least_squares dual interior_point newton)
  set(opens_optimizers/${room} "linea::detail::${room}")
endforeach()
set(opens_optimizers/solver linea::solver)
list(APPEND opens_optimizers/dual linea::solver)
set(opens_linear_algebra linea::detail::linear_algebra)
set(opens_samples linea::detail::samples)
set(opens_rows linea linea::detail::rows)
foreach(component IN ITEMS check io mpi)
  set(opens_${component} linea "linea::${component}")
endforeach()
set(shows_optimizers/descent learner.hpp training_run.hpp)
set(shows_optimizers/solver basic_auto.hpp)
set(shows_optimizers/least_squares ridge_fit.hpp spectrum.hpp)

# What linea.hpp does not reach: components beside the library.
set(beside_linea "^(io|check|mpi)/")

set(most_lines 400)
set(most_columns 100)

# Beyond the table: a group header linea/X.hpp includes headers of linea/X only and reaches all of them,
# all.hpp includes every group header but check.hpp and mpi.hpp, and linea.hpp reaches nothing of beside_X; no other
# header includes any of them. No header includes itself by any way round. Each has its licence, `#pragma once`, a `\file` sentence, and no
# more than ${most_lines} lines of at most ${most_columns} characters.
cmake_policy(VERSION 3.21)

get_filename_component(INCLUDE_DIR "${INCLUDE_DIR}" ABSOLUTE)
set(problems "")
macro(problem text)
  string(APPEND problems "  ${text}\n")
endmacro()

file(GLOB_RECURSE headers RELATIVE "${INCLUDE_DIR}/linea" "${INCLUDE_DIR}/linea/*.hpp")
list(LENGTH headers header_count)
if(header_count EQUAL 0)
  problem("no headers in ${INCLUDE_DIR}/linea")
endif()

# Sets `result` to the number of characters in a line of UTF-8: all bytes but those that continue one.
function(count_characters line result)
  string(HEX "${line}" bytes)
  string(REGEX MATCHALL ".." bytes "${bytes}")
  list(FILTER bytes EXCLUDE REGEX "^[89ab]")
  list(LENGTH bytes count)
  set(${result} ${count} PARENT_SCOPE)
endfunction()

string(REPEAT "[^\n]" ${most_columns} long_line)
string(APPEND long_line "[^\n]+")

foreach(header IN LISTS headers)
  file(READ "${INCLUDE_DIR}/linea/${header}" text)

  # In a list of lines, none may have what separates lists, or a bracket without its pair.
  string(REGEX REPLACE "[][;\\]" "." plain "${text}")
  string(REGEX MATCHALL "${long_line}" long_lines "${plain}")
  foreach(line IN LISTS long_lines)
    count_characters("${line}" columns)
    if(columns GREATER most_columns)
      problem("${header}: a line of ${columns} characters, more than ${most_columns}: ${line}")
    endif()
  endforeach()

  string(REGEX MATCHALL "\n" newlines "${text}")
  list(LENGTH newlines lines)
  if(lines GREATER most_lines)
    problem("${header}: ${lines} lines, more than ${most_lines}")
  endif()
  if(NOT text MATCHES "^// SPDX-License-Identifier: MIT\n")
    problem("${header}: the first line is not the SPDX licence line")
  endif()
  if(NOT text MATCHES "\n#pragma once\n")
    problem("${header}: no #pragma once")
  endif()
  if(NOT text MATCHES "\n/// \\\\file [^\n]+")
    problem("${header}: no /// \\file sentence")
  endif()
  if(text MATCHES "#[ \t]*include[ \t]*\"")
    problem("${header}: includes with quotes instead of <linea/...>")
  endif()

  # Brackets and semicolons never occur in these lines, so a list of them is safe.
  string(REGEX MATCHALL "#[ \t]*include[ \t]*<linea/[^>\n]*>" found "${text}")
  set(includes_of_${header} "")
  foreach(line IN LISTS found)
    string(REGEX REPLACE ".*<linea/(.*)>" "\\1" included "${line}")
    list(APPEND includes_of_${header} "${included}")
  endforeach()

  # `namespace detail {` and `namespace io {` are inside namespace linea; in check/, `detail` is inside linea::check.
  string(REGEX MATCHALL "\nnamespace [a-z_:]+ {" found "${text}")
  set(namespaces_of_${header} "")
  foreach(line IN LISTS found)
    string(REGEX REPLACE "\nnamespace ([a-z_:]+) {" "\\1" opened "${line}")
    if(NOT opened MATCHES "^linea(::|$)")
      set(opened "linea::${opened}")
    endif()
    if(NOT opened STREQUAL "linea::detail" OR NOT header MATCHES "^check/")
      list(APPEND namespaces_of_${header} "${opened}")
    endif()
  endforeach()
endforeach()

# Sets `result` to all headers that one includes, by any way.
function(reach header result)
  set(reached "${includes_of_${header}}")
  set(new "${reached}")
  while(new)
    set(next "")
    foreach(one IN LISTS new)
      list(APPEND next ${includes_of_${one}})
    endforeach()
    list(REMOVE_DUPLICATES next)
    set(new "")
    foreach(one IN LISTS next)
      if(NOT one IN_LIST reached)
        list(APPEND new "${one}")
      endif()
    endforeach()
    list(APPEND reached ${new})
  endwhile()
  set(${result} "${reached}" PARENT_SCOPE)
endfunction()

set(groups "${rooms}")
list(FILTER groups EXCLUDE REGEX "/")
foreach(header IN LISTS headers)
  get_filename_component(room "${header}" DIRECTORY)
  get_filename_component(name "${header}" NAME_WE)

  if(room STREQUAL "" AND name IN_LIST groups)
    set(inside "${headers}")
    list(FILTER inside INCLUDE REGEX "^${name}/")
    foreach(included IN LISTS includes_of_${header})
      if(NOT included MATCHES "^${name}/")
        problem("${header}: a group header includes ${included}, which is not in ${name}/")
      endif()
    endforeach()
    reach("${header}" reached)
    foreach(one IN LISTS inside)
      if(NOT one IN_LIST reached)
        problem("${header}: the group header does not reach ${one}")
      endif()
    endforeach()
  elseif(header STREQUAL "all.hpp")
    foreach(included IN LISTS includes_of_${header})
      if(included MATCHES "/")
        problem("${header}: includes ${included}, which is not a group header")
      endif()
    endforeach()
    foreach(group IN LISTS groups)
      if("${group}.hpp" IN_LIST headers AND NOT "${group}.hpp" IN_LIST includes_of_${header} AND NOT group MATCHES "^(check|mpi)$")
        problem("${header}: does not include ${group}.hpp")
      endif()
    endforeach()
  elseif(header STREQUAL "linea.hpp")
    reach("${header}" reached)
    foreach(one IN LISTS reached)
      if(one MATCHES "${beside_linea}")
        problem("${header}: the umbrella reaches ${one}, which only programs that need it include")
      endif()
    endforeach()
  elseif(header STREQUAL "files.hpp")
    if(NOT includes_of_${header} STREQUAL "io.hpp")
      problem("${header}: is the former name of io.hpp and includes that alone")
    endif()
  elseif(room STREQUAL "")
    if(NOT header STREQUAL "version.hpp")
      problem("${header}: is neither the umbrella, nor version.hpp, nor the group header of a room")
    elseif(includes_of_${header})
      problem("${header}: includes ${includes_of_${header}}")
    endif()
  elseif(NOT room IN_LIST rooms)
    problem("${header}: ${room}/ has no place in the table of floors")
  else()
    foreach(included IN LISTS includes_of_${header})
      get_filename_component(seen "${included}" DIRECTORY)
      if(NOT included IN_LIST headers)
        problem("${header}: includes ${included}, which does not exist")
      elseif(seen STREQUAL "")
        problem("${header}: includes ${included}, a group header or the umbrella")
      elseif(seen STREQUAL room)
        if(NOT inside_${room} STREQUAL "*" AND NOT name IN_LIST inside_${room})
          problem("${header}: includes its sibling ${included}")
        endif()
      elseif(NOT seen IN_LIST sees_${room})
        problem("${header}: ${room}/ must not see ${seen}/, includes ${included}")
      endif()
    endforeach()

    get_filename_component(file "${header}" NAME)
    foreach(opened IN LISTS namespaces_of_${header})
      if(NOT opened IN_LIST opens_${room} AND NOT (opened STREQUAL linea AND file IN_LIST shows_${room}))
        problem("${header}: opens namespace ${opened}, but ${room}/ is for ${opens_${room}}")
      endif()
    endforeach()
  endif()
endforeach()

# Headers that include nothing that is left are taken away until none is; what remains goes in circles.
set(left "${headers}")
set(taken TRUE)
while(taken)
  set(taken FALSE)
  foreach(header IN LISTS left)
    set(waits FALSE)
    foreach(included IN LISTS includes_of_${header})
      if(included IN_LIST left)
        set(waits TRUE)
        break()
      endif()
    endforeach()
    if(NOT waits)
      list(REMOVE_ITEM left "${header}")
      set(taken TRUE)
    endif()
  endforeach()
endwhile()
if(left)
  problem("headers include each other in a circle, or one that does: ${left}")
endif()

if(problems)
  message(FATAL_ERROR "the include floors are broken:\n${problems}")
endif()
message(STATUS "${header_count} headers keep to their floors")
