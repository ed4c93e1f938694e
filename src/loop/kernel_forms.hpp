// Further forms of a kernel, between which the host chooses at a launch (private to src/loop).
#pragma once
#include "loop/writer.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// Whether each work-item of the kernel runs one iteration by itself: without a group that shares it, rows, lanes of
/// several iterations and reductions.
bool runs_alone(const Function& kernel);

/// Adds the kernel to the module, under this name or one like it. Returns its number.
int32_t add_kernel(Module& m, Function made, const std::string& name);

/// Adds `made`, which does what Module::functions[from] does with the same parameters and domain, to the module. Its
/// name is made.name and `suffix`. Returns its number.
int32_t add_form(Module& m, int32_t from, Function made, const std::string& suffix);

/// A version of the kernel, still without a body, that runs tiles of its iterations. TileOf::kernel, size and apart are
/// the caller's to set.
Function tile_version(const Function& plain);

/// Replaces dims[d] of a tile version by a variable for the number of the tile (or work-item), named after it with the
/// suffix, and adds a parameter: the number of iterations along the dimension (TileOf::count), whose variable is
/// returned.
VarId tile_dim(Writer& out, size_t d, const char* suffix);

/// Notes that the variable fits 32 bits, in a kernel whose integers do (Function::narrow).
void narrow(Function& kernel, VarId v);

/// An element of an array.
struct Element {
  ExprP base, at;
};
/// Adds a row-major array to the kernel as its last parameter; `stored`: the kernel writes all elements that later
/// kernels load, and the contents before are dead. Returns the element with these subscripts. In a kernel with 32-bit
/// integers the caller sees to it that the extents and strides fit.
Element add_array_param(Exprs& x, Function& kernel, const std::string& name, Scalar type,
                        const std::vector<ExprP>& index, bool stored);

/// Launches `form` if `c` holds, and executes `otherwise` if not.
Block launch_if(ExprP c, Launch form, Block otherwise, int32_t place);

/// `c` and the condition that drivers allow a launch of a kernel with `team` work-items for each iteration over this
/// domain.
ExprP within_limits(Exprs& x, ExprP c, const std::vector<ExprP>& counts, int32_t team);

/// The host's array that the launch passes for the kernel's array with this data variable; `none`: it passes none.
ArrayId passed_array(const Function& kernel, const Launch& launch, VarId data);

}  // namespace vr::lower
