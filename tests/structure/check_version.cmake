# SPDX-License-Identifier: MIT
# cmake -D SOURCE=<linea> -P check_version.cmake
#
# The version is stated by include/linea/version.hpp, and whoever repeats it says the same.
cmake_policy(VERSION 3.21)

file(READ "${SOURCE}/include/linea/version.hpp" header)
foreach(part IN ITEMS MAJOR MINOR PATCH)
  string(REGEX MATCH "LINEA_VERSION_${part} ([0-9]+)" found "${header}")
  set(${part} "${CMAKE_MATCH_1}")
endforeach()

set(problems "")
function(expect file text)
  file(READ "${SOURCE}/${file}" content)
  string(FIND "${content}" "${text}" place)
  if(place EQUAL -1)
    set(problems "${problems}\n  ${file} has no \"${text}\"" PARENT_SCOPE)
  endif()
endfunction()
expect(README.md "find_package(linea ${MAJOR}.${MINOR} REQUIRED)")
expect(CHANGELOG.md "## ${MAJOR}.${MINOR}.${PATCH} ")
expect(CITATION.cff "version: ${MAJOR}.${MINOR}.${PATCH}")
foreach(program IN ITEMS train train_mpi predict convert)
  expect(docs/man/linea_${program}.1 "linea ${MAJOR}.${MINOR}.${PATCH}")
endforeach()
expect(packaging/vcpkg/linea/vcpkg.json "\"version\": \"${MAJOR}.${MINOR}.${PATCH}\"")
if(problems)
  message(FATAL_ERROR "version.hpp says ${MAJOR}.${MINOR}.${PATCH}, but${problems}")
endif()
