// The rules a module must keep before anything else may look at it, and the typing rules behind them.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace vr::ir {

/// Trees deeper than this are refused (rule "too-deep"), so that everything after may recurse.
inline constexpr int max_tree_depth = 1000;

/// All faults of the module at once: names and ids that exist, typing (vrir-notes "Types and arithmetic"), restrictions of
/// parallel loops and accelerated sections (thesis 4.5), tuples (4.2.4), function types (4.2.6). Empty: the module is sound.
/// `host` supplies the conventions that the module does not state.
std::vector<Diagnostic> verify(const Module& m, const Conventions& host = Conventions::numpy());

/// Turns a module of the mclab dialect into strict VRIR: aliases resolved, conventions `matlab` filled in, types
/// re-inferred (remarks say what was corrected), functions that cannot be typed left out with a remark, missing returns
/// added. Fails when the text uses what has no meaning here. `remarks` may be null.
Result<ModulePtr> from_mclab(const Module& m, std::vector<Diagnostic>* remarks);

}  // namespace vr::ir
#pragma GCC visibility pop
