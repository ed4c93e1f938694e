// hoist_checks: checks of kernels are made once.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In kernels, checks that do not change from iteration to iteration of a serial loop move in front of the loop, if
/// nothing happens in its first iteration before they would fail; checks that an earlier one has made for the same
/// numbers go. The first fault of an iteration stays the first.
void hoist_checks(Module& m, const PassOptions& options);

}  // namespace vr::lower
