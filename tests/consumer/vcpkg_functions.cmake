# SPDX-License-Identifier: MIT
# Substitutes for the functions in packaging/vcpkg/linea/portfile.cmake, without vcpkg: each function changes the files
# like vcpkg's own, and reports the errors of vcpkg's lint.
# cmake -D SOURCE=<linea> -D BUILD=<scratch> -D PREFIX=<where to install> -D GENERATOR= -D COMPILER= -D EIGEN_DIR= -P …
cmake_policy(VERSION 3.21)
set(PORT linea)
set(CURRENT_PACKAGES_DIR "${PREFIX}")

function(execute)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${BUILD}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
          "-DEigen3_DIR=${EIGEN_DIR}" "-DCMAKE_INSTALL_PREFIX=${PREFIX}" -DCMAKE_BUILD_TYPE=Release ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  execute("${CMAKE_COMMAND}" --build "${BUILD}" --target install)
endfunction()

# Moves the package files to share/<port>, one folder nearer to the prefix, and adapts them.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(RENAME "${PREFIX}/${arg_CONFIG_PATH}" "${PREFIX}/share/moved")
  file(REMOVE_RECURSE "${PREFIX}/share/cmake")
  file(RENAME "${PREFIX}/share/moved" "${PREFIX}/share/${PORT}")
  file(GLOB scripts "${PREFIX}/share/${PORT}/*.cmake")
  foreach(script IN LISTS scripts)
    file(READ "${script}" text)
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
    set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
    string(REPLACE "${up}${up}${up}" "${up}${up}" text "${text}")
    file(WRITE "${script}" "${text}")
  endforeach()
endfunction()

# vcpkg's lint: a file of share/pkgconfig must not have libraries.
function(vcpkg_fixup_pkgconfig)
  file(GLOB_RECURSE files "${PREFIX}/*.pc")
  if(NOT files)
    message(FATAL_ERROR "no file of pkg-config")
  endif()
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    if(file MATCHES "/share/pkgconfig/" AND text MATCHES "\nLibs: *[^ \n]")
      message(FATAL_ERROR "${file} has libraries: it belongs to lib/pkgconfig")
    endif()
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${PREFIX}/share/${PORT}" RENAME copyright)
endfunction()

include("${SOURCE}/packaging/vcpkg/linea/portfile.cmake")

foreach(path IN ITEMS include/linea/linea.hpp share/linea/lineaConfig.cmake share/linea/copyright share/linea/usage)
  if(NOT EXISTS "${PREFIX}/${path}")
    message(FATAL_ERROR "the port installs no ${path}")
  endif()
endforeach()
file(GLOB_RECURSE empty LIST_DIRECTORIES TRUE "${PREFIX}/*")
foreach(folder IN LISTS empty)
  file(GLOB inside "${folder}/*")
  if(IS_DIRECTORY "${folder}" AND NOT inside)
    message(FATAL_ERROR "the port leaves the empty folder ${folder}")
  endif()
endforeach()
