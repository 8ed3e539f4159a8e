# SPDX-License-Identifier: MIT
# cmake -D KIND=install|find_package|add_subdirectory|fetch_content|pkg_config -D BUILD=<linea's build>
#       -D SOURCE=<linea> -D WORK=<scratch folder> -D VERSION=... -D GENERATOR=... -D COMPILER=...
#       -P check_consumer.cmake
cmake_policy(VERSION 3.21)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

set(prefix "${WORK}/prefix")
set(build "${WORK}/${KIND}")
file(REMOVE_RECURSE "${build}")

if(KIND STREQUAL install)
  # Installed here, then moved: the package must not remember where it was made.
  file(REMOVE_RECURSE "${prefix}")
  run("to install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${build}")
  file(RENAME "${build}" "${prefix}")
  return()
endif()

if(KIND STREQUAL pkg_config)
  find_program(pkg_config pkg-config)
  if(NOT pkg_config)
    message("SKIPPED: pkg-config is not installed")
    return()
  endif()
  file(MAKE_DIRECTORY "${build}")
  run("to build" "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${prefix}/share/pkgconfig:$ENV{PKG_CONFIG_PATH}"
      "${CMAKE_CURRENT_LIST_DIR}/pkg_config/build.sh" "${COMPILER}" "${build}/consumer")
else()
  run("to configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/${KIND}" -B "${build}"
      -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
      "-DEigen3_DIR=${EIGEN_DIR}" "-DLINEA_SOURCE=${SOURCE}" "-DEXPECTED_VERSION=${VERSION}")
  run("to build" "${CMAKE_COMMAND}" --build "${build}")
endif()
run("the program" "${build}/consumer")
