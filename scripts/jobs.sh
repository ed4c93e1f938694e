#!/bin/sh
# Prints how many compilers may run at once: LLVM-heavy files need 0.8 GB each while they compile.
jobs=$(nproc 2>/dev/null || echo 2)
memory_gb=$(awk '/MemAvailable/ { printf "%d", $2 / 1048576 }' /proc/meminfo 2>/dev/null || echo 4)
[ "$memory_gb" -ge 1 ] || memory_gb=1
[ "$jobs" -le "$memory_gb" ] || jobs=$memory_gb
echo "$jobs"
