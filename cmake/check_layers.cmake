# SPDX-License-Identifier: MIT
# cmake -D INCLUDE_DIR=<folder that holds linea/> -P check_layers.cmake
#
# Checks the architecture. A module is a folder of include/linea. Modules form layers, and a header includes only headers of
# its own module and of lower layers.
#   modules  all modules, one layer a line, the lowest first
#   sees_X   the modules that headers of X may include
#   inside_X the headers of X that may include other headers of X, without cycles; `*` for all
#   opens_X  the namespaces that headers of X may open
#   shows_X  headers of X that may also open namespace linea, because they define public names
set(modules
    core
    activations penalties rows check step_sizes orders data
    losses io linear_algebra
    samples
    proof
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
# linea.hpp does not include mpi, which needs MPI.
set(sees_mpi core rows losses samples linear_algebra optimizers/least_squares)
set(sees_losses core activations)
set(sees_features core rows samples)
set(sees_io core data)
set(sees_samples core rows linear_algebra losses)
set(sees_linear_algebra core rows)
set(sees_proof core linear_algebra samples)
set(sees_metrics core rows samples)
set(sees_optimizers/descent core rows data samples losses)
set(sees_optimizers/least_squares core rows losses samples linear_algebra)
set(sees_optimizers/dual core losses samples linear_algebra proof optimizers/solver optimizers/descent)
set(sees_optimizers/interior_point core samples linear_algebra proof optimizers/least_squares)
set(sees_optimizers/solver core penalties rows losses samples)
set(sees_optimizers/newton core rows samples losses linear_algebra proof optimizers/solver)
set(sees_optimizers
    core penalties rows step_sizes orders losses samples linear_algebra proof optimizers/descent
    optimizers/least_squares optimizers/solver optimizers/dual optimizers/interior_point
    optimizers/newton)
set(sees_models
    core activations penalties rows step_sizes orders data losses features samples metrics
    linear_algebra optimizers/least_squares optimizers/solver optimizers)

foreach(module IN ITEMS core rows linear_algebra check data mpi io samples proof metrics models)
  set(inside_${module} *)
endforeach()
foreach(module IN ITEMS descent least_squares solver dual interior_point newton)
  set(inside_optimizers/${module} *)
endforeach()
set(inside_losses any_loss cross_entropy poisson)  # a choice of all losses; losses composed with an activation
set(inside_optimizers auto svm_quadratic_program)  # a choice of optimizers; uses interior_point

foreach(module IN LISTS modules)
  set(opens_${module} linea linea::detail)
  set(shows_${module} "")
endforeach()
foreach(module IN ITEMS descent least_squares dual interior_point newton)
  set(opens_optimizers/${module} "linea::detail::${module}")
endforeach()
set(opens_optimizers/solver linea::solver)
set(opens_linear_algebra linea::detail::linear_algebra)
set(opens_proof linea::detail::proof linea::solver)
set(opens_samples linea::detail::samples)
set(opens_rows linea linea::detail::rows)
foreach(component IN ITEMS check io mpi)
  set(opens_${component} linea "linea::${component}")
endforeach()
set(shows_optimizers/descent learner.hpp training_run.hpp)
set(shows_optimizers/solver basic_auto.hpp)
set(shows_optimizers/least_squares ridge_fit.hpp spectrum.hpp)

# linea.hpp does not include these components, directly or not.
set(beside_linea "^(io|check|mpi)/")

# What only core/platform.hpp may have: macros of systems, and headers and names of POSIX and Windows.
set(not_a_letter "[^A-Za-z0-9_]")
string(CONCAT of_systems
       "_WIN32|_WIN64|__MINGW|__linux|__APPLE__|__unix|__GLIBC__|"
       "<(sys/[a-z]+|dirent|dlfcn|fcntl|io|locale|poll|pthread|sched|signal|termios|unistd|windows|xlocale)\\.h>|"
       "${not_a_letter}(pthread_[a-z]|sig[a-z]+set|madvise|mmap|munmap|sysconf|isatty|fork|waitpid|"
       "faccessat|fchmod|fchown|fcntl|fdopen|fileno|fstat|fsync|ftruncate|mkstemp|newlocale|strto[df]_l|"
       "[fp]open|pclose|O_[A-Z]+|S_I[A-Z]+)${not_a_letter}|"
       "${not_a_letter}::(close|kill|open|read|stat|unlink|write)${not_a_letter}")

set(most_lines 400)
set(most_columns 100)

# Further rules: a group header linea/X.hpp includes only headers of linea/X, and includes all of them, directly or not.
# all.hpp includes all group headers but check.hpp and mpi.hpp. linea.hpp includes nothing that matches beside_linea. No
# other header includes any of these, and there are no cycles. No header but core/platform.hpp has anything of of_systems.
# Each header has the licence line, `#pragma once`, a `\file` sentence, and at most ${most_lines} lines of at most
# ${most_columns} characters.
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

# Sets `result` to the number of characters in a line of UTF-8, without counting continuation bytes.
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

  # CMake's lists split at semicolons, but not inside square brackets, so replace these characters.
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

  string(REGEX REPLACE "//[^\n]*|\"[^\"\n]*\"" "" code "${text}")
  if(NOT header STREQUAL "core/platform.hpp" AND code MATCHES "${of_systems}")
    string(STRIP "${CMAKE_MATCH_0}" name)
    problem("${header}: ${name} differs between systems: only core/platform.hpp may have it")
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

# Sets `result` to all headers that a header includes, directly or not.
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

set(groups "${modules}")
list(FILTER groups EXCLUDE REGEX "/")
foreach(header IN LISTS headers)
  get_filename_component(module "${header}" DIRECTORY)
  get_filename_component(name "${header}" NAME_WE)

  if(module STREQUAL "" AND name IN_LIST groups)
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
        problem("${header}: the umbrella reaches ${one}, an optional component")
      endif()
    endforeach()
  elseif(header STREQUAL "files.hpp")
    if(NOT includes_of_${header} STREQUAL "io.hpp")
      problem("${header}: is the former name of io.hpp and must include only io.hpp")
    endif()
  elseif(module STREQUAL "")
    if(NOT header STREQUAL "version.hpp")
      problem("${header}: is neither the umbrella, nor version.hpp, nor the group header of a module")
    elseif(includes_of_${header})
      problem("${header}: includes ${includes_of_${header}}")
    endif()
  elseif(NOT module IN_LIST modules)
    problem("${header}: ${module}/ is not in the table of modules")
  else()
    foreach(included IN LISTS includes_of_${header})
      get_filename_component(seen "${included}" DIRECTORY)
      if(NOT included IN_LIST headers)
        problem("${header}: includes ${included}, which does not exist")
      elseif(seen STREQUAL "")
        problem("${header}: includes ${included}, a group header or the umbrella")
      elseif(seen STREQUAL module)
        if(NOT inside_${module} STREQUAL "*" AND NOT name IN_LIST inside_${module})
          problem("${header}: includes its sibling ${included}")
        endif()
      elseif(NOT seen IN_LIST sees_${module})
        problem("${header}: ${module}/ must not see ${seen}/, includes ${included}")
      endif()
    endforeach()

    get_filename_component(file "${header}" NAME)
    foreach(opened IN LISTS namespaces_of_${header})
      if(NOT opened IN_LIST opens_${module} AND NOT (opened STREQUAL linea AND file IN_LIST shows_${module}))
        problem("${header}: opens namespace ${opened}, but ${module}/ may open only ${opens_${module}}")
      endif()
    endforeach()
  endif()
endforeach()

# Finds cycles: removes headers whose includes are all removed, until there is none. Each remaining header is in a cycle, or
# includes one that is.
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
  problem("headers are in a cycle of includes, or include one that is: ${left}")
endif()

if(problems)
  message(FATAL_ERROR "includes break the rules of cmake/check_layers.cmake:\n${problems}")
endif()
message(STATUS "${header_count} headers include lower layers only")
