# An overlay port: the sources are those of the checkout that it is in (docs/packaging.md).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)

vcpkg_check_features(OUT_FEATURE_OPTIONS options
  FEATURES
    boehm VR_WITH_BOEHM
    opencl VR_WITH_OPENCL
)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${options}
    -DVR_BUILD_TESTS=OFF
    -DVR_BUILD_BENCH=OFF
    -DVR_BUILD_EXAMPLES=OFF
    -DVR_BUILD_PYTHON=OFF
    -DVR_BUILD_MATLAB=OFF
    -DVR_BUILD_OCTAVE=OFF
    -DVR_WITH_GLPK=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Velociraptor CONFIG_PATH lib/cmake/Velociraptor)
if("opencl" IN_LIST FEATURES)
  vcpkg_cmake_config_fixup(PACKAGE_NAME raijincl CONFIG_PATH lib/cmake/raijincl)
  vcpkg_copy_tools(TOOL_NAMES raijincl-tune AUTO_CLEAN)
endif()
vcpkg_copy_tools(TOOL_NAMES vrir AUTO_CLEAN)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/third_party/pocketfft/LICENSE.md")
