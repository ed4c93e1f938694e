// The C interface of a module's functions: which can be called from C, and by which names (private to src/aot).
#pragma once
#include "aot/aot.hpp"
#include "loop/plain_function.hpp"

namespace vr::aot {

/// The functions of `functions` with their C names and types; `parts` are left empty. Errors of build(). `taken` has
/// the C names of earlier modules, and gets these.
Result<std::vector<lower::PlainFunction>> interface_of(const Source& source,
                                                       const std::vector<const ir::Function*>& functions,
                                                       const BuildOptions& options, std::vector<std::string>& taken);

/// Whether C and C++ accept the text as a name of a program's own.
bool is_c_name(const std::string& name);

}  // namespace vr::aot
