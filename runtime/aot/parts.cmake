# The libraries of libvrrt, from ${VR_ROOT}, the root of the sources, with fmt's headers in ${VR_FMT_INCLUDE}. Parts
# whose libraries (targets TBB::tbb, vr_blas, OpenCL::OpenCL, nlohmann_json::nlohmann_json) are missing are not built.

# vr_runtime_part(NAME FOLDER_AND_FILES... LINK libraries): libvrrt_NAME.so and .a; NAME `core`: libvrrt.
function(vr_runtime_part part)
  cmake_parse_arguments(ARG "" "" "LINK;USES" ${ARGN})
  set(library vrrt_${part})
  if(part STREQUAL core)
    set(library vrrt)
  endif()
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS PREPEND ${VR_ROOT}/)
  add_library(${library}_objects OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${library}_objects PRIVATE ${VR_ROOT}/include ${VR_ROOT}/src ${VR_ROOT})
  target_include_directories(${library}_objects SYSTEM PRIVATE ${VR_ROOT}/third_party/pocketfft ${VR_FMT_INCLUDE})
  # Uses fmt as a header-only library. Traces are disabled, because their files would need JSON. Linkers drop functions
  # that are never called.
  target_compile_definitions(${library}_objects PRIVATE FMT_HEADER_ONLY VR_NO_TRACE)
  target_compile_options(${library}_objects PRIVATE -ffunction-sections -fdata-sections
    # The few bytes of each thread that every entry of a function reads need no call, and the runtime's functions may be inlined
    # in each other: nobody replaces one.
    -ftls-model=initial-exec -fno-semantic-interposition
    # What drives threads and devices has no loops over elements (cmake/Components.cmake).
    $<$<AND:$<CONFIG:Release>,$<IN_LIST:${part},threads$<COMMA>opencl>>:-O2>)
  set_target_properties(${library}_objects PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
  target_link_libraries(${library}_objects PRIVATE ${ARG_LINK})

  add_library(${library}_static STATIC $<TARGET_OBJECTS:${library}_objects>)
  set_target_properties(${library}_static PROPERTIES OUTPUT_NAME ${library})
  set_property(GLOBAL APPEND PROPERTY VR_RUNTIME_PARTS ${library}_static)
  if(SKBUILD)  # In a wheel, users link the static libraries: tools that make wheels would copy shared ones.
    return()
  endif()

  # nodelete: threads of the pool and of oneTBB may outlive the library that started them.
  add_library(${library} SHARED $<TARGET_OBJECTS:${library}_objects>)
  target_link_options(${library} PRIVATE LINKER:--gc-sections LINKER:--as-needed LINKER:-Bsymbolic-functions LINKER:-z,defs LINKER:-z,nodelete
                      "LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/exports.map")
  set_target_properties(${library} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                        LINK_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/exports.map)
  target_link_libraries(${library} PRIVATE ${ARG_USES} ${ARG_LINK} Threads::Threads)
  set_property(GLOBAL APPEND PROPERTY VR_RUNTIME_PARTS ${library})
  install(TARGETS ${library} ${library}_static)
endfunction()

# As in ../CMakeLists.txt: -O3 takes six times as long and gains nothing.
set_source_files_properties(${VR_ROOT}/runtime/library/call.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)

vr_runtime_part(core
  runtime/aot/call_export.cpp runtime/aot/device_hook.cpp runtime/aot/parallel_hook.cpp runtime/cpu/array.cpp runtime/cpu/assign.cpp runtime/cpu/binding.cpp
  runtime/cpu/collect.cpp runtime/cpu/copy.cpp runtime/cpu/copy_abi.cpp runtime/cpu/fail.cpp runtime/cpu/owner.cpp
  runtime/cpu/poll.cpp runtime/cpu/pool.cpp runtime/cpu/pool_shared.cpp src/support/fork_gate.cpp src/support/raise_text.cpp
  src/support/settings.cpp src/support/stack.cpp src/support/status.cpp src/support/warning.cpp)
if(TARGET TBB::tbb)
  vr_runtime_part(threads runtime/aot/part_threads.cpp runtime/cpu/parallel_for.cpp USES vrrt LINK TBB::tbb)
endif()
vr_runtime_part(library
  runtime/aot/part_library.cpp runtime/aot/library_table.cpp runtime/cpu/sort.cpp runtime/cpu/sort_find.cpp runtime/cpu/sort_together.cpp runtime/library/call.cpp
  runtime/library/order.cpp runtime/library/random.cpp runtime/library/select.cpp runtime/library/sets.cpp
  runtime/library/bessel.cpp runtime/library/bins.cpp runtime/library/incomplete_gamma.cpp runtime/library/slopes.cpp USES vrrt)
if(TARGET vr_blas)
  vr_runtime_part(blas
    runtime/aot/part_blas.cpp runtime/cpu/blas.cpp runtime/cpu/mmult.cpp runtime/cpu/norm.cpp runtime/cpu/solve.cpp
    runtime/library/factor.cpp runtime/library/matrix_functions.cpp runtime/library/signals.cpp runtime/library/spectral.cpp
    USES vrrt_library vrrt LINK vr_blas)
endif()
vr_runtime_part(fft runtime/aot/part_fft.cpp runtime/library/fourier.cpp USES vrrt_library vrrt)
if(TARGET OpenCL::OpenCL AND TARGET TBB::tbb AND TARGET nlohmann_json::nlohmann_json)
  # RaijinCL without its tuner, and without the CPU's share of hybrid products. Its kernels and profiles are embedded as
  # text.
  file(GLOB device_sources RELATIVE ${VR_ROOT} CONFIGURE_DEPENDS ${VR_ROOT}/runtime/device/*.cpp ${VR_ROOT}/runtime/device/opencl/*.cpp
       ${VR_ROOT}/runtime/device/cuda/*.cpp ${VR_ROOT}/runtime/gpu/*.cpp ${VR_ROOT}/runtime/gpu/library/*.cpp
       ${VR_ROOT}/runtime/gpu/regions/*.cpp ${VR_ROOT}/runtime/gpu/devices/*.cpp ${VR_ROOT}/raijincl/core/*.cpp ${VR_ROOT}/raijincl/routines/*.cpp)
  list(FILTER device_sources EXCLUDE REGEX "/gpu/(binaries|cpu_library|measure_run|runtime)\\.cpp$")
  vr_runtime_part(opencl
    runtime/aot/part_opencl.cpp runtime/aot/cpu_library.cpp runtime/aot/no_file_cache.cpp src/support/trusted_file.cpp ${device_sources}
    USES vrrt LINK OpenCL::OpenCL TBB::tbb nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
  target_include_directories(vrrt_opencl_objects PRIVATE ${VR_ROOT}/raijincl ${VR_ROOT}/raijincl/include)
  target_compile_definitions(vrrt_opencl_objects PRIVATE VR_HAVE_OPENCL CL_TARGET_OPENCL_VERSION=120)
  foreach(what kernels profiles)
    set(function_kernels kernel_source)
    set(function_profiles shipped_profile)
    set(ending_kernels cl)
    set(ending_profiles json)
    file(GLOB files CONFIGURE_DEPENDS ${VR_ROOT}/raijincl/${what}/*.${ending_${what}})
    set(out ${CMAKE_CURRENT_BINARY_DIR}/raijincl_${what}.cpp)
    add_custom_command(OUTPUT ${out} VERBATIM DEPENDS ${files} ${VR_ROOT}/raijincl/cmake/Embed.cmake
      COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFUNCTION=${function_${what}} "-DFILES=${files}" -P ${VR_ROOT}/raijincl/cmake/Embed.cmake)
    target_sources(vrrt_opencl_objects PRIVATE ${out})
  endforeach()
endif()
