// outline_regions: moves interesting regions to functions of their own (thesis 6.2.4, 6.4), for a dispatcher to
// specialise.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Outlines the regions (analysis/region_detection.hpp) of every function, except of functions that are part of a
/// recursion, whose shapes differ at every depth, and of region functions. Those of NAME become NAME_pir0, NAME_pir1,
/// ... (names that are not in use), and are placed after NAME.
///
/// The region's statements move into the new function unchanged, with the ids of their variables, and a call replaces
/// them. Parameters: the variables of the region that are live at its start, in order of id; those not assigned yet
/// pass their start values. Results: the variables live after the region that it may assign as a whole, in order of id,
/// and arrays that it only stores to if the caller would not see the stores (under value semantics, and if arrays
/// grow). A region that ends with a return returns the function's results. Function::region lists the parameters that
/// are critical variables.
///
/// Results do not change, nor which fault comes first and its error record: statements keep their source locations, and
/// the function that they came from (Stmt::inlined). Arrays are passed by reference; the reference of an array that is
/// also a result, or that is dead after the call, is moved, so that reference counts in the region are as before.
ir::ModulePtr outline_regions(const ir::ModulePtr& module, const ir::Conventions& conventions);

}  // namespace vr::transform
