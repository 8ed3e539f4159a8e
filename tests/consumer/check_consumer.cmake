# SPDX-License-Identifier: MIT
# cmake -D KIND=install|deb|other_folders|vcpkg|conan|find_package|recipe|compiled|add_subdirectory|fetch_content|one_file|c_interface|pkg_config -D BUILD=<linea's build>
#       -D SOURCE=<linea> -D WORK=<scratch folder> -D VERSION=... -D GENERATOR=... -D COMPILER=...
#       [-D FROM=<kind of the prefix: install, deb, other_folders, vcpkg or conan>] [-D TOOLS=<whether packages have programs>]
#       -P check_consumer.cmake
cmake_policy(VERSION 3.21)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed")
  endif()
endfunction()

if(NOT FROM)
  set(FROM install)
endif()
set(prefix "${WORK}/prefix-${FROM}")
set(build "${WORK}/${KIND}-${FROM}")
if(KIND MATCHES "^(install|compiled|deb|other_folders|vcpkg|conan)$")
  set(prefix "${WORK}/prefix-${KIND}")
  set(build "${WORK}/${KIND}")
  file(REMOVE_RECURSE "${prefix}")
endif()
file(REMOVE_RECURSE "${build}")

# Every manual page belongs to an installed program.
function(require_programs)
  file(GLOB pages "${prefix}/share/man/man1/*.1")
  foreach(page IN LISTS pages)
    get_filename_component(program "${page}" NAME_WE)
    if(NOT EXISTS "${prefix}/bin/${program}")
      message(FATAL_ERROR "there is a manual page of ${program}, but no program")
    endif()
  endforeach()
endfunction()

# Installs components of linea, then moves the files: the package must be relocatable.
function(install_and_move)
  foreach(component IN LISTS ARGN)
    run("to install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${build}" --component ${component})
  endforeach()
  file(RENAME "${build}" "${prefix}")
endfunction()

if(KIND STREQUAL install)
  install_and_move(dev tools)
  require_programs()
  return()
endif()

if(KIND STREQUAL deb)
  find_program(dpkg_deb dpkg-deb)
  if(NOT dpkg_deb)
    message("SKIPPED: dpkg-deb is not installed")
    return()
  endif()
  get_filename_component(programs "${CMAKE_COMMAND}" DIRECTORY)
  run("to pack" "${programs}/cpack" -G DEB -B "${build}" --config "${BUILD}/CPackConfig.cmake")
  file(GLOB packages "${build}/*.deb")
  foreach(package IN LISTS packages)
    run("to unpack" "${dpkg_deb}" -x "${package}" "${build}/unpacked")
  endforeach()
  file(RENAME "${build}/unpacked/usr" "${prefix}")
  require_programs()
  if(TOOLS)
    foreach(program IN ITEMS linea_train linea_predict linea_convert)
      run("${program}" "${prefix}/bin/${program}" --version)
      if(NOT EXISTS "${prefix}/share/man/man1/${program}.1")
        message(FATAL_ERROR "no manual page of ${program}")
      endif()
    endforeach()
  endif()
  return()
endif()

if(KIND STREQUAL other_folders)
  run("to configure" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${build}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DEigen3_DIR=${EIGEN_DIR}" -DLINEA_BUILD_TESTS=OFF
      -DLINEA_BUILD_EXAMPLES=OFF -DLINEA_BUILD_BENCHMARKS=OFF -DCMAKE_INSTALL_INCLUDEDIR=headers/of/linea
      -DCMAKE_INSTALL_DATAROOTDIR=data)
  run("to install" "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
  file(GLOB_RECURSE strays "${prefix}/include/*" "${prefix}/share/*")
  if(strays)
    message(FATAL_ERROR "installed into the usual folders: ${strays}")
  endif()
  return()
endif()

if(KIND STREQUAL vcpkg)
  run("the port" "${CMAKE_COMMAND}" -D "SOURCE=${SOURCE}" -D "BUILD=${build}" -D "PREFIX=${prefix}" -D "GENERATOR=${GENERATOR}"
      -D "COMPILER=${COMPILER}" -D "EIGEN_DIR=${EIGEN_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/vcpkg_functions.cmake")
  return()
endif()

if(KIND STREQUAL conan)
  find_program(python3 python3)
  if(NOT python3)
    message("SKIPPED: python3 is not installed")
    file(MAKE_DIRECTORY "${prefix}")
    return()
  endif()
  run("the recipe" "${python3}" "${CMAKE_CURRENT_LIST_DIR}/run_conan_recipe.py" "${SOURCE}" "${build}" "${prefix}")
  return()
endif()

if(KIND STREQUAL compiled)
  install_and_move(dev compiled)
endif()

if(KIND STREQUAL recipe AND NOT EXISTS "${prefix}/include")
  message("SKIPPED: nothing was installed")
  return()
endif()

if(KIND STREQUAL pkg_config)
  find_program(pkg_config pkg-config)
  if(NOT pkg_config)
    message("SKIPPED: pkg-config is not installed")
    return()
  endif()
  file(MAKE_DIRECTORY "${build}")
  run("to build" "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${prefix}/share/pkgconfig:${prefix}/data/pkgconfig:$ENV{PKG_CONFIG_PATH}"
      "${CMAKE_CURRENT_LIST_DIR}/pkg_config/build.sh" "${COMPILER}" "${build}/consumer")
else()
  run("to configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/${KIND}" -B "${build}"
      -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
      "-DEigen3_DIR=${EIGEN_DIR}" "-DLINEA_SOURCE=${SOURCE}" "-DEXPECTED_VERSION=${VERSION}")
  run("to build" "${CMAKE_COMMAND}" --build "${build}")
endif()
run("the program" "${build}/consumer")
