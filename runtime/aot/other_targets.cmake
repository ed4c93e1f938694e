# libvrrt for other architectures, for `vrir build --target`: a build of its own (other_target/) with that architecture's compilers,
# into lib/ARCH-linux-gnu. Tests use aarch64 if its compiler and an emulator are installed; that build is optimised
# less, because it runs once, and is not installed.
set(VR_RUNTIME_TARGETS "" CACHE STRING "Other architectures for which libvrrt is built, with ARCH-linux-gnu-g++: aarch64")
set(architectures ${VR_RUNTIME_TARGETS})
find_program(VR_AARCH64_CXX aarch64-linux-gnu-g++)
find_program(VR_AARCH64_EMULATOR qemu-aarch64)
if(VR_BUILD_TESTS AND VR_AARCH64_CXX AND VR_AARCH64_EMULATOR AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  list(APPEND architectures aarch64)
  list(REMOVE_DUPLICATES architectures)
endif()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/*.cpp ${PROJECT_SOURCE_DIR}/runtime/*.h*
     ${PROJECT_SOURCE_DIR}/runtime/*.inc ${PROJECT_SOURCE_DIR}/runtime/*.def ${PROJECT_SOURCE_DIR}/runtime/aot/*.cmake
     ${PROJECT_SOURCE_DIR}/src/support/* ${PROJECT_SOURCE_DIR}/src/ir/library.def ${PROJECT_SOURCE_DIR}/include/velociraptor/*)
foreach(architecture ${architectures})
  set(flags)
  if(NOT architecture IN_LIST VR_RUNTIME_TARGETS)
    set(flags "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG")
  endif()
  set(build ${PROJECT_BINARY_DIR}/other_targets/${architecture})
  set(libraries ${PROJECT_BINARY_DIR}/lib/${architecture}-linux-gnu)
  # The time stamp is that of the start of the build, so that files edited meanwhile count as newer.
  add_custom_command(OUTPUT ${build}/built
    COMMAND ${CMAKE_COMMAND} -E make_directory ${build}
    COMMAND ${CMAKE_COMMAND} -E touch ${build}/begun
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/other_target -B ${build} -G ${CMAKE_GENERATOR}
            -DVR_ARCHITECTURE=${architecture} -DVR_LIBRARIES=${libraries} -DVR_VERSION=${PROJECT_VERSION}
            "-DVR_FMT_HEADERS=$<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>"
            -DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_SOURCE_DIR}/other_target/toolchain.cmake
            -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" -DVR_UNITY=${VR_UNITY} ${flags}
    COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2
    COMMAND ${CMAKE_COMMAND} -E rename ${build}/begun ${build}/built
    DEPENDS ${sources} USES_TERMINAL VERBATIM
    COMMENT "Building libvrrt for ${architecture}")
  add_custom_target(vrrt_${architecture} ALL DEPENDS ${build}/built)
  if(architecture IN_LIST VR_RUNTIME_TARGETS)
    install(DIRECTORY ${libraries} DESTINATION lib)
  endif()
endforeach()
