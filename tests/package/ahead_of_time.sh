#!/bin/sh
# Builds and runs examples/ahead_of_time, the program of docs/ahead-of-time.md, against an install prefix.
# RUNTIME: of aarch64, the folder of libvrrt.
#   ahead_of_time.sh find_package|pkg_config|static_runtime|cpp|aarch64|sections PREFIX BUILD_FOLDER
set -eu
way=$1 prefix=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
examples="$here/../../examples"
libdir="$prefix/${LIBDIR:-lib}"
vrir="$prefix/bin/vrir"

rm -rf "$build"
mkdir -p "$build"
cp "$examples/ahead_of_time/main.c" "$examples/ahead_of_time/main.cpp" "$examples/ahead_of_time/CMakeLists.txt" "$examples/heat.vrir" "$build/"
cd "$build"
case $way in
  find_package)
    "${CMAKE:-cmake}" -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror"
    "${CMAKE:-cmake}" --build build
    program=build/plate
    ;;
  pkg_config)
    PKG_CONFIG_PATH="$libdir/pkgconfig"
    export PKG_CONFIG_PATH
    "$vrir" build heat.vrir -o libheat.so --header heat.h
    # shellcheck disable=SC2046
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror main.c -L. -lheat $(pkg-config --cflags --libs vrrt) -Wl,-rpath,"$build" -Wl,-rpath,"$libdir" -o plate
    program=./plate
    ;;
  static_runtime)
    "$vrir" build heat.vrir -o libheat.a --header heat.h --parts core
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror main.c -I"$prefix/include" libheat.a "$libdir/libvrrt.a" -lstdc++ -lpthread -lm -o plate
    program=./plate
    # The program needs neither the compiler nor the rest of the library.
    if ldd "$program" | grep -E 'LLVM|velociraptor|vrrt'; then
      echo "the program depends on the compiler or on a shared runtime" >&2
      exit 1
    fi
    # A shared library that contains the runtime shows nothing of it.
    "$vrir" build heat.vrir -o libalone.so --static
    if [ "$(nm -D --defined-only libalone.so | awk '{ print $3 }')" != heat ]; then
      echo "libalone.so exports more than the function" >&2
      nm -D --defined-only libalone.so >&2
      exit 1
    fi
    ;;
  cpp)
    # With versions: one for this plate, tried after one for another, and code for several processors.
    "$vrir" build heat.vrir -o libheat.a --header heat.hpp --target generic,x86-64-v2,x86-64-v3 --regions 'alpha=1' --regions 'u=[3,3]' --regions 'u=[200,300]'
    "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror main.cpp -I"$prefix/include" libheat.a "$libdir/libvrrt.a" -lpthread -o plate
    # The header is one for C too.
    sed 's/heat\.h"/heat.hpp"/' main.c > with_hpp.c
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -c with_hpp.c -I"$prefix/include"
    program=./plate
    ;;
  aarch64)
    runtime=$RUNTIME
    "$vrir" build heat.vrir -o libheat.so --header heat.h --target aarch64 --runtime "$runtime"
    aarch64-linux-gnu-gcc -std=c99 -Wall -Wextra -Werror main.c -I"$prefix/include" -L. -lheat -L"$runtime" -lvrrt -o plate
    program="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$build:$runtime ./plate"
    ;;
  sections)
    # Kernels from their source and as binaries, on the device of this machine (PoCL), in place and with copies; on a machine
    # without a driver; where the device that the user names is not there.
    right="mean temperature after 500 steps: 3.7012"
    unset VR_DEVICE VR_ZERO_COPY VR_DEVICE_MEMORY
    expect() {  # expect WHAT LINES...: the program's output
      what=$1
      shift
      printf '%s\n' "$@" | diff - output.txt || { echo "sections.c: $what" >&2; exit 1; }
    }
    "$vrir" build heat.vrir -o libheat.so --header heat.h --on opencl --target generic,x86-64-v3 --regions 'u=[200,300]'
    grep -q -- -lvrrt_opencl heat.h
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror "$here/sections.c" -I. -I"$prefix/include" -L. -lheat -L"$libdir" -lvrrt -Wl,-rpath,"$build" -Wl,-rpath,"$libdir" -o from_source
    if ldd ./from_source libheat.so "$libdir/libvrrt_opencl.so" | grep -E 'LLVM|velociraptor|blas'; then
      echo "the program depends on the compiler, or on parts that it does not use" >&2
      exit 1
    fi
    VR_ZERO_COPY=1 ./from_source > output.txt
    expect "in place" "$right" "device: 500 kernels, copies: no, built: yes, loaded: no" "report: nothing"
    VR_ZERO_COPY=0 ./from_source > output.txt
    expect "with copies" "$right" "device: 500 kernels, copies: yes, built: yes, loaded: no" "report: nothing"
    OCL_ICD_VENDORS=/nonexistent ./from_source > output.txt
    expect "without a driver" "$right" "no device: no kernels, copies: no, built: no, loaded: no" \
      "report: the accelerated sections of 'heat' ran on the CPU: no OpenCL device on this machine (is a driver installed? clinfo lists them)"
    VR_DEVICE=no_such_device ./from_source > output.txt
    grep -q "^fault 8 in heat: no OpenCL device matches 'no_such_device'" output.txt
    # A device without room for the arrays: each kernel in its form for the CPU.
    VR_DEVICE_MEMORY=1 VR_ZERO_COPY=0 ./from_source > output.txt
    grep -qx "$right" output.txt
    grep -q "a kernel of 'heat' ran on the CPU (250 times): array 'a': no room for" output.txt

    "$vrir" build heat.vrir -o libheat.a --header heat.h --on opencl,cpu-par --kernels cpu --kernel-binaries
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror "$here/sections.c" -I. -I"$prefix/include" libheat.a "$libdir/libvrrt_opencl.a" \
      "$libdir/libvrrt_threads.a" "$libdir/libvrrt.a" -lOpenCL -ltbb -lstdc++ -lpthread -lm -o from_binaries
    ./from_binaries > output.txt
    grep -qx "device: 500 kernels, copies: no, built: no, loaded: yes" output.txt
    # By CMake, with the runtime in the program.
    sed -e 's/SOURCES heat.vrir/& OPENCL PARALLEL STATIC_RUNTIME/' -e 's/main\.c/sections.c/' "$examples/ahead_of_time/CMakeLists.txt" > CMakeLists.txt
    cp "$here/sections.c" .
    "${CMAKE:-cmake}" -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="${CC:-cc}"
    "${CMAKE:-cmake}" --build build
    build/plate > output.txt
    grep -q "^device: 500 kernels" output.txt

    if OCL_ICD_VENDORS=/nonexistent "$vrir" build heat.vrir -o none.a --on opencl --kernel-binaries 2> said.txt || [ -e none.a ]; then
      echo "binaries for no device" >&2
      exit 1
    fi
    grep -q "kernel-binaries: no OpenCL device on this machine" said.txt
    program=./from_binaries
    ;;
esac
$program > output.txt
# What NumPy computes for these 500 steps.
head -n 1 output.txt > first.txt
echo "mean temperature after 500 steps: 3.7012" | diff - first.txt
