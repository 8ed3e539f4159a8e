# SPDX-License-Identifier: MIT
# Toolchain file: Debian's cross compiler for 32-bit x86 (g++-i686-linux-gnu), whose programs a 64-bit processor runs as they are.
# scripts/i386 makes use of it. Its C library is not in the folders of the system, so programs name the loader themselves.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
# Of the compiler rather than of CMAKE_CXX_FLAGS, which scripts/i386 sets. linea refuses the default, x87: it rounds doubles twice.
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++ -msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64)
set(folder /usr/i686-linux-gnu/lib)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker=${folder}/ld-linux.so.2 -Wl,-rpath,${folder}:/usr/lib32")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# The programs of linea read compressed models by zlib (Debian: lib32z1, which has no name without a number).
set(ZLIB_LIBRARY /usr/lib32/libz.so.1 CACHE FILEPATH "")
set(ZLIB_INCLUDE_DIR /usr/include CACHE PATH "")
