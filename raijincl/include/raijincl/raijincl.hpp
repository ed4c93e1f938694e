// All of RaijinCL.
#pragma once
#include "raijincl/context.hpp"
#include "raijincl/gemm.hpp"
#include "raijincl/status.hpp"
