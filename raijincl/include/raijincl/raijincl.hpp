// Includes all headers of RaijinCL.
#pragma once
#include "raijincl/context.hpp"
#include "raijincl/gemm.hpp"
#include "raijincl/hybrid.hpp"
#include "raijincl/matrix.hpp"
#include "raijincl/reduce.hpp"
#include "raijincl/status.hpp"
#include "raijincl/vector.hpp"
