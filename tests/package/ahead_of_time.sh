#!/bin/sh
# Builds and runs examples/ahead_of_time, the program of docs/ahead-of-time.md, against an install prefix.
# RUNTIME: of aarch64, the folder of libvrrt.
#   ahead_of_time.sh find_package|pkg_config|static_runtime|cpp|aarch64 PREFIX BUILD_FOLDER
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
esac
$program > output.txt
# What NumPy computes for these 500 steps.
echo "mean temperature after 500 steps: 3.7012" | diff - output.txt
