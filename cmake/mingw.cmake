# SPDX-License-Identifier: MIT
# Toolchain file: Debian's MinGW-w64 (g++-mingw-w64-x86-64-posix), whose programs for 64-bit Windows run under Wine.
# scripts/mingw makes use of it. Programs are linked statically: they need no DLL but those of Windows.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# Of the compiler rather than of CMAKE_CXX_FLAGS, which scripts/mingw sets: files of templates have many sections.
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix -Wa,-mbig-obj)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../scripts/lib/wine")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# Packages that are headers alone serve every system. Those in /usr/include are copied: with that folder in its path the
# compiler would find the headers of this system's C library.
set(Eigen3_DIR /usr/share/eigen3/cmake CACHE PATH "")
get_property(in_a_check GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT in_a_check AND NOT EXISTS "${CMAKE_BINARY_DIR}/headers")
  file(COPY /usr/include/catch2 /usr/include/CLI /usr/include/nlohmann DESTINATION "${CMAKE_BINARY_DIR}/headers/include")
  file(COPY /usr/lib/cmake/Catch2 DESTINATION "${CMAKE_BINARY_DIR}/headers/lib/cmake")
  file(TOUCH "${CMAKE_BINARY_DIR}/headers/lib/libCatch2WithMain.a")  # which the package wants to see; nothing links it
  file(COPY /usr/share/cmake/CLI11 /usr/share/cmake/nlohmann_json DESTINATION "${CMAKE_BINARY_DIR}/headers/share/cmake")
endif()
list(APPEND CMAKE_PREFIX_PATH "${CMAKE_BINARY_DIR}/headers")
set(ZLIB_LIBRARY /usr/x86_64-w64-mingw32/lib/libz.a CACHE FILEPATH "")
set(ZLIB_INCLUDE_DIR /usr/x86_64-w64-mingw32/include CACHE PATH "")
