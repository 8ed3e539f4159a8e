# SPDX-License-Identifier: MIT
# linea_dev: linea with the warnings for its own tests, examples and benchmarks.
set(CMAKE_CXX_EXTENSIONS OFF)
add_library(linea_dev INTERFACE)
target_link_libraries(linea_dev INTERFACE linea::linea)
target_compile_options(linea_compiled PRIVATE "$<TARGET_PROPERTY:linea_dev,INTERFACE_COMPILE_OPTIONS>")
target_compile_options(linea_dev INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           $<$<BOOL:${LINEA_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC's garbage collection takes up to a quarter of the time of compiling templates of Eigen, so it starts only at half
  # a gigabyte.
  target_compile_options(linea_dev INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
if(LINEA_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # After inlining Eigen and std::string these warnings of GCC are often wrong, so they are not errors.
  target_compile_options(
    linea_dev
    INTERFACE -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
              -Wno-error=stringop-overread -Wno-error=restrict
              -Wno-error=free-nonheap-object -Wno-error=dangling-pointer)
endif()

# Compiling several files of a target as one is faster, because they share headers and instantiations: four files take
# half of the time, eight a seventh less than four, and sixteen a twentieth less than eight. If two files define the same
# name, put one of them into a namespace.
set(LINEA_TOGETHER 4 CACHE STRING "Number of files of a program or library to compile as one; 1: compile each alone")

function(compile_together target)
  if(LINEA_TOGETHER GREATER 1)
    # A local name may shadow a name of the previous file.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LINEA_TOGETHER}
                                               UNITY_BUILD_CODE_BEFORE_INCLUDE
                                               "#pragma GCC diagnostic ignored \"-Wshadow\"")
  endif()
endfunction()

set(LINEA_PROGRAM_FLAGS "" CACHE STRING
    "Compiler flags for programs, examples, benchmarks and linea::compiled, such as -Og if you do not measure their speed")
target_compile_options(linea_compiled PRIVATE ${LINEA_PROGRAM_FLAGS})
# Nobody measures programs with little optimisation. Their libraries may then have assertions or be precompiled.
set(linea_is_measured ON)
if("${LINEA_PROGRAM_FLAGS}" MATCHES "-O[g01]")
  set(linea_is_measured OFF)
endif()
