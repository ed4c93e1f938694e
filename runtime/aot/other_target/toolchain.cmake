# The cross compilers of Debian and Ubuntu. Libraries are those of the architecture: of the cross compiler, or of foreign packages
# (lib/ARCH-linux-gnu).
set(VR_ARCHITECTURE aarch64 CACHE STRING "the architecture")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VR_ARCHITECTURE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${VR_ARCHITECTURE})
set(CMAKE_C_COMPILER ${VR_ARCHITECTURE}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${VR_ARCHITECTURE}-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${VR_ARCHITECTURE}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/${VR_ARCHITECTURE}-linux-gnu /)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
