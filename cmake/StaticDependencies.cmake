# VR_STATIC_DEPENDENCIES: the dependencies of libvelociraptor are linked into it if the system has a static library of
# position-independent code; the others stay shared. Wheels are built so (scripts/wheel.sh). src/library/exports.map
# hides their symbols, so that other copies in the process (Numba's LLVM, NumPy's OpenBLAS) do not interfere.
if(VR_STATIC_DEPENDENCIES)
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_link_options(LINKER:--as-needed LINKER:--gc-sections LINKER:--exclude-libs,ALL)
endif()
