# SPDX-License-Identifier: MIT
# cmake -D TIDY=<program> -D SOURCE=<repository> -D EIGEN=<folder> -D MPI=<folders> -D WORK=<folder> -D FILES=<sources>
#       -P check_tidy.cmake
#
# clang-tidy, with the checks of .clang-tidy, reports nothing in sources and the headers of linea that they include. They
# are checked as one copy, each with its main renamed, as the headers take most of the time; clang's analyzer would not
# follow the paths of an included source. Planted faults in such a copy must be detected.
# Other versions have other checks, so only 14 is used.
cmake_policy(VERSION 3.21)

set(version "")
if(TIDY)
  execute_process(COMMAND "${TIDY}" --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES "version 14\\.")
  message(STATUS "SKIPPED: the checks of .clang-tidy are for clang-tidy 14, which is not here (Debian: clang-tidy)")
  return()
endif()

# look_at(<name> <source>...): runs clang-tidy and sets `found`, `said` and `code`.
function(look_at name)
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
    ERROR_VARIABLE said
    RESULT_VARIABLE code)
  set(found "${found}" PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
  set(code "${code}" PARENT_SCOPE)
endfunction()

file(WRITE "${WORK}/faults.cpp"
     "#include <string>\nint f(std::string s) { std::string t(std::move(s)); return int(s.size() + t.size()); }\n"
     "int g(int* p) { if (p) return 0; return *p; }\n")
look_at(fault "${WORK}/faults.cpp")
foreach(check IN ITEMS bugprone-use-after-move clang-analyzer-core.NullDereference)
  if(NOT found MATCHES "${check}")
    message(FATAL_ERROR "${TIDY} does not notice a fault that ${check} is for:\n${found}${said}")
  endif()
endforeach()
list(TRANSFORM FILES REPLACE "(.+)" "${SOURCE}/\\1.cpp" OUTPUT_VARIABLE sources)
look_at(looked_at ${sources})
if(code)
  message(FATAL_ERROR "clang-tidy finds in ${FILES}:\n${found}${said}")
endif()
