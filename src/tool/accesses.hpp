// vrir emit --accesses: what kernels access, as descriptors and, for given sizes, as regions with their bytes.
#pragma once
#include "loop/form.hpp"

#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::tool {

/// `given`: "NAME=VALUE" for a kernel's parameters and the iterations of its dimensions: a number, or an array's
/// extents
/// "[10,20]", with strides in bytes "[10,20]by[160,8]" (else row-major without gaps). Kernels whose sizes are all given
/// are shown with regions: byte distances from each array's first element. Error USAGE for text of another form, and
/// for a name that no kernel has.
Result<std::string> show_accesses(const lower::Module& module, const std::vector<std::string>& given);

}  // namespace vr::tool
