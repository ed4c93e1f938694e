// The C interface of a module's functions: which can be called from C, and by which names (private to src/aot).
#pragma once
#include "aot/aot.hpp"
#include "loop/plain_function.hpp"

namespace vr::aot {

/// The functions of `functions` with their C names and types; `parts` are left empty. Errors of build(). `taken`
/// contains the C names of earlier modules; those of this module are added.
Result<std::vector<lower::PlainFunction>> interface_of(const Source& source,
                                                       const std::vector<const ir::Function*>& functions,
                                                       const BuildOptions& options, std::vector<std::string>& taken);

/// Whether C and C++ accept the text as an identifier of a program.
bool is_c_name(const std::string& name);

}  // namespace vr::aot
