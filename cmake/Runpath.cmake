# The runpath of our programs and libraries: their own folder, the folders of libraries that the system's loader would
# not find, and nothing else. CMake's default for the build tree pads the entry for the install tree with ':', and an
# empty entry means the current directory: a program that is started in a malicious directory would execute code from
# it.
add_library(vr_runpath INTERFACE)
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN" "$ORIGIN/../lib")
if(NOT CMAKE_INSTALL_LIBDIR STREQUAL "lib")
  list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
list(APPEND CMAKE_INSTALL_RPATH "$<TARGET_PROPERTY:vr_runpath,VR_FOLDERS>")

# vr_find_at_run_time(LIBRARY...): adds the folder of each shared library, unless the loader searches that folder by
# default.
function(vr_find_at_run_time)
  foreach(library ${ARGN})
    if(NOT IS_ABSOLUTE "${library}" OR NOT "${library}" MATCHES "\\.so(\\.[0-9.]+)?$")
      continue()
    endif()
    get_filename_component(name "${library}" NAME)
    set(found OFF)
    foreach(folder ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES} /lib /usr/lib /lib64 /usr/lib64)
      if(EXISTS "${folder}/${name}")
        set(found ON)
      endif()
    endforeach()
    if(NOT found)
      get_filename_component(folder "${library}" DIRECTORY)
      get_target_property(folders vr_runpath VR_FOLDERS)
      if(NOT folders)
        set(folders "")
      endif()
      list(APPEND folders "${folder}")
      list(REMOVE_DUPLICATES folders)
      set_target_properties(vr_runpath PROPERTIES VR_FOLDERS "${folders}")
    endif()
  endforeach()
endfunction()
