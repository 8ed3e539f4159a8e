# SPDX-License-Identifier: MIT
# Toolchain file: Debian's cross compiler for 32-bit x86 (g++-i686-linux-gnu), whose programs run on 64-bit processors.
# scripts/i386 uses it. Its C library is not in a system folder, so programs contain the path of the loader.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
# These flags are not in CMAKE_CXX_FLAGS, because scripts/i386 sets it. linea refuses the default, x87, which rounds doubles
# twice.
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++ -msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64)
set(folder /usr/i686-linux-gnu/lib)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker=${folder}/ld-linux.so.2 -Wl,-rpath,${folder}:/usr/lib32")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# The programs read compressed models with zlib. Debian's lib32z1 has no libz.so without a number.
set(ZLIB_LIBRARY /usr/lib32/libz.so.1 CACHE FILEPATH "")
set(ZLIB_INCLUDE_DIR /usr/include CACHE PATH "")
