// The verifier: every module must pass it before anything else processes it. Also the translation of the mclab dialect.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace vr::ir {

/// Deeper trees are rejected (rule "too-deep"), so that everything after the verifier may recurse.
inline constexpr int max_tree_depth = 1000;

/// All faults of the module at once: names and ids that exist, typing (docs/vrir.md, "Typing and conversion"),
/// restrictions of parallel loops and accelerated sections (thesis 4.5), tuples (4.2.4), function types (4.2.6). Empty:
/// the module is valid. `host` supplies the conventions that the module does not state.
std::vector<Diagnostic> verify(const Module& m, const Conventions& host = Conventions::numpy());

/// Turns a module of the mclab dialect into strict VRIR: aliases resolved, conventions `matlab` filled in, types
/// re-inferred (remarks say what was corrected), functions that cannot be typed left out with a remark, missing returns
/// added. Fails when the text uses a construct that strict VRIR cannot express. `remarks` may be null.
Result<ModulePtr> from_mclab(const Module& m, std::vector<Diagnostic>* remarks);

}  // namespace vr::ir
#pragma GCC visibility pop
