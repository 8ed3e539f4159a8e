# SPDX-License-Identifier: MIT
# Finds Eigen 3.4 up to 5.x, for the build and for the installed package. Uses an existing target Eigen3::Eigen without a
# check. Compares versions itself, because Eigen's version file accepts only requests for its own major version. Sets
# linea_eigen_problem to an error message, or to "".
set(linea_eigen_problem "")
if(NOT TARGET Eigen3::Eigen)
  find_package(Eigen3 QUIET NO_MODULE)
  if(NOT TARGET Eigen3::Eigen)
    set(linea_eigen_problem
        "Eigen 3.4 or newer is needed (Debian: libeigen3-dev; or set CMAKE_PREFIX_PATH)")
  elseif(Eigen3_VERSION VERSION_LESS 3.4 OR Eigen3_VERSION VERSION_GREATER_EQUAL 6)
    set(linea_eigen_problem
        "Eigen ${Eigen3_VERSION} in ${Eigen3_DIR} is not supported: linea needs version 3.4 up to 5.x. Set Eigen3_DIR")
  endif()
endif()
