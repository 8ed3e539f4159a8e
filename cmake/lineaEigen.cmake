# SPDX-License-Identifier: MIT
# Finds Eigen 3.4 up to 5.x, for the build and for the installed package. An Eigen3::Eigen that exists
# is taken as it is. Eigen's version file accepts requests of its own major version only, so that no
# range over both ever matches; hence the comparison here. Sets linea_eigen_problem, empty if all is well.
set(linea_eigen_problem "")
if(NOT TARGET Eigen3::Eigen)
  find_package(Eigen3 QUIET NO_MODULE)
  if(NOT TARGET Eigen3::Eigen)
    set(linea_eigen_problem
        "Eigen 3.4 or newer is needed (Debian: libeigen3-dev; elsewhere set CMAKE_PREFIX_PATH)")
  elseif(Eigen3_VERSION VERSION_LESS 3.4 OR Eigen3_VERSION VERSION_GREATER_EQUAL 6)
    set(linea_eigen_problem
        "Eigen ${Eigen3_VERSION} in ${Eigen3_DIR} does not do: versions 3.4 up to 5.x do. Set Eigen3_DIR")
  endif()
endif()
