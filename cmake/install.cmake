# SPDX-License-Identifier: MIT
# Headers, CMake package and pkg-config file: component `dev`, which depends neither on the architecture nor
# on the prefix. The library linea::compiled is a separate component.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/linea")
set(pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/linea" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT dev)

install(TARGETS linea linea_io linea_check EXPORT lineaTargets COMPONENT dev)
install(EXPORT lineaTargets NAMESPACE linea:: DESTINATION "${package_dir}" COMPONENT dev)
if(LINEA_BUILD_COMPILED)  # depends on the architecture
  install(TARGETS linea_compiled EXPORT lineaCompiledTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          COMPONENT compiled)
  install(EXPORT lineaCompiledTargets NAMESPACE linea:: DESTINATION "${package_dir}" COMPONENT compiled)
endif()
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/packaging/lineaConfig.cmake.in" "${PROJECT_BINARY_DIR}/lineaConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lineaConfigVersion.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/lineaConfig.cmake"
              "${PROJECT_BINARY_DIR}/lineaConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/lineaEigen.cmake"
        DESTINATION "${package_dir}" COMPONENT dev)

if(IS_ABSOLUTE "${pkgconfig_dir}")
  set(linea_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH way_up "/prefix/${pkgconfig_dir}" "/prefix")
  string(REGEX REPLACE "/$" "" way_up "${way_up}")
  set(linea_pc_prefix "\${pcfiledir}/${way_up}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(linea_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(linea_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/packaging/linea.pc.in" "${PROJECT_BINARY_DIR}/linea.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/linea.pc" DESTINATION "${pkgconfig_dir}" COMPONENT dev)
