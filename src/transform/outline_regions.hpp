// outline_regions: each interesting region becomes a function of its own (thesis 6.2.4, 6.4), for a dispatcher to
// specialise.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// Regions (analysis/region_detection.hpp) of every function that is not part of a recursion, whose shapes are others
/// at every depth, and is no region function itself. Of NAME's they are NAME_pir0, NAME_pir1, ...: names that mean
/// nothing else; they stand behind it.
///
/// The region's statements move into the new function as they are, with the ids of their variables, and a call takes
/// their place. Parameters: the variables of the region that are live where it begins, in order of id; those that
/// nobody has assigned hand over their start values. Results: the variables live behind it that it may give a new value
/// as a whole, in order of id; arrays that it only stores to are among them where the caller would not see the stores,
/// under value semantics and where arrays grow. A region that ends with a return gives the function's results.
/// Function::region names the parameters that are critical variables.
///
/// Meaning stays, also which fault comes first and what its record says: statements keep their places, and the function
/// that they came from (Stmt::inlined). Arrays are passed by reference; an array that comes back as a result, or is not
/// used again, is handed over, so that the region finds as many holders as there were.
ir::ModulePtr outline_regions(const ir::ModulePtr& module, const ir::Conventions& conventions);

}  // namespace vr::transform
