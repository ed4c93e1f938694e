// library_handles: handles of library functions become handles of functions of the module (thesis 5.2, library calls).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// For each `fnhandle` of a library function, adds a function of the stated type to the module that calls it, because
/// native code can take its address. One function serves all handles of the same name and type.
ir::ModulePtr library_handles(const ir::ModulePtr& module, const ir::Conventions& conventions);

}  // namespace vr::transform
