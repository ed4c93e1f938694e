# VR_STATIC_DEPENDENCIES: what libvelociraptor needs is linked into it, where the system has a static library of
# position-independent code; the rest stays shared. Wheels are built so (scripts/wheel.sh). src/library/exports.map keeps all
# of it inside, so that other copies in the process (Numba's LLVM, NumPy's OpenBLAS) do not meet it.
if(VR_STATIC_DEPENDENCIES)
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_link_options(LINKER:--as-needed LINKER:--gc-sections LINKER:--exclude-libs,ALL)
endif()
