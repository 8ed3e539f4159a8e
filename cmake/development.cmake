# SPDX-License-Identifier: MIT
# linea_dev: linea with the warnings that its own tests, examples and benchmarks are compiled with.
set(CMAKE_CXX_EXTENSIONS OFF)
add_library(linea_dev INTERFACE)
target_link_libraries(linea_dev INTERFACE linea::linea)
target_compile_options(linea_compiled PRIVATE "$<TARGET_PROPERTY:linea_dev,INTERFACE_COMPILE_OPTIONS>")
target_compile_options(linea_dev INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           $<$<BOOL:${LINEA_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Up to half a gigabyte GCC leaves its garbage alone: looking for it takes up to a quarter of the
  # time that templates of Eigen take.
  target_compile_options(linea_dev INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
if(LINEA_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # What GCC guesses after inlining Eigen and std::string is often wrong: shown, but no error.
  target_compile_options(
    linea_dev
    INTERFACE -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
              -Wno-error=stringop-overread -Wno-error=restrict
              -Wno-error=free-nonheap-object -Wno-error=dangling-pointer)
endif()

# Four files of a target compiled as one take half of the time, eight a seventh less again, and sixteen a twentieth less
# than eight, since they share their headers and what they instantiate. Where two files use the same name, one of them is
# in a namespace of its own.
set(LINEA_TOGETHER 4 CACHE STRING "So many files of a program or library are compiled as one; 1: each on its own")

function(compile_together target)
  if(LINEA_TOGETHER GREATER 1)
    # A local name may well be one of the file before.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LINEA_TOGETHER}
                                               UNITY_BUILD_CODE_BEFORE_INCLUDE
                                               "#pragma GCC diagnostic ignored \"-Wshadow\"")
  endif()
endfunction()

set(LINEA_PROGRAM_FLAGS "" CACHE STRING
    "Flags of the compiler for programs, examples, benchmarks and linea::compiled: -Og where it only matters that they run")
target_compile_options(linea_compiled PRIVATE ${LINEA_PROGRAM_FLAGS})
# Programs that hardly are optimised are not measured: what they need may be compiled with assertions, or beforehand.
set(linea_is_measured ON)
if("${LINEA_PROGRAM_FLAGS}" MATCHES "-O[g01]")
  set(linea_is_measured OFF)
endif()
