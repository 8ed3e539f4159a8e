# SPDX-License-Identifier: MIT
# cmake -D TIDY=<program> -D SOURCE=<repository> -D EIGEN=<folder> -D MPI=<folders> -D WORK=<folder> -D FILES=<sources>
#       -P check_tidy.cmake
#
# clang-tidy, with the checks of .clang-tidy, reports nothing in the sources and the headers of linea that they include. It
# checks the concatenation of the sources, each with main renamed, because headers take most of the time. (clang's analyzer
# does not analyse included sources.) Planted faults in such a copy must be detected.
# Other versions have other checks, so only 14 is used.
cmake_policy(VERSION 3.21)

set(version "")
if(TIDY)
  execute_process(COMMAND "${TIDY}" --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES "version 14\\.")
  message(STATUS "SKIPPED: the checks of .clang-tidy are for clang-tidy 14, which is not installed (Debian: clang-tidy)")
  return()
endif()

# run_tidy(<name> <source>...): runs clang-tidy and sets `found`, `errors` and `code`.
function(run_tidy name)
  set(together "")
  foreach(source IN LISTS ARGN)
    get_filename_component(own "${source}" NAME_WE)
    file(READ "${source}" text)
    string(APPEND together "// A copy of ${source}\n#define main main_of_${own}\n${text}\n#undef main\n")
  endforeach()
  file(WRITE "${WORK}/${name}.cpp" "${together}")
  set(mpi "")
  foreach(folder IN LISTS MPI)
    list(APPEND mpi -isystem "${folder}")
  endforeach()
  execute_process(
    COMMAND "${TIDY}" --quiet "--config-file=${SOURCE}/.clang-tidy" "--warnings-as-errors=*"
            "${WORK}/${name}.cpp" -- -std=c++20 "-I${SOURCE}/include"
            "-I${SOURCE}/examples" "-DLINEA_EXAMPLES_DATA=\"data\"" -isystem "${EIGEN}" ${mpi}
    OUTPUT_VARIABLE found
    ERROR_VARIABLE errors
    RESULT_VARIABLE code)
  set(found "${found}" PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
  set(code "${code}" PARENT_SCOPE)
endfunction()

file(WRITE "${WORK}/faults.cpp"
     "#include <string>\nint f(std::string s) { std::string t(std::move(s)); return int(s.size() + t.size()); }\n"
     "int g(int* p) { if (p) return 0; return *p; }\n")
run_tidy(fault "${WORK}/faults.cpp")
foreach(check IN ITEMS bugprone-use-after-move clang-analyzer-core.NullDereference)
  if(NOT found MATCHES "${check}")
    message(FATAL_ERROR "${TIDY} does not detect the planted fault for ${check}:\n${found}${errors}")
  endif()
endforeach()
list(TRANSFORM FILES REPLACE "(.+)" "${SOURCE}/\\1.cpp" OUTPUT_VARIABLE sources)
run_tidy(checked ${sources})
if(code)
  message(FATAL_ERROR "clang-tidy finds in ${FILES}:\n${found}${errors}")
endif()
