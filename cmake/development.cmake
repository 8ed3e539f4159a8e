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
              -Wno-error=stringop-overread -Wno-error=restrict -Wno-error=use-after-free
              -Wno-error=free-nonheap-object -Wno-error=dangling-pointer)
endif()
