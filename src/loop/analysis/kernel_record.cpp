#include "loop/analysis/kernel_record.hpp"

#include "loop/analysis/footprint.hpp"
#include "loop/analysis/team_memory.hpp"
#include "loop/walk.hpp"
#include "runtime/abi.h"

namespace vr::lower {

namespace {

int32_t element_code(Scalar s, bool complex) {  // check() refuses pointers as kernel parameters
  return static_cast<int32_t>(elem_of(s)) | (complex ? VR_COMPLEX : 0);
}

/// Whether a loop of the block is to be unrolled: such kernels keep their values in registers.
bool unrolls(const Block& b) {
  return any_statement(b, [](const Stmt& s) {
    const auto* loop = std::get_if<CountedLoop>(&s.node);
    return loop && loop->unroll > 0;
  });
}

/// Loops of several iterations of the domain at a time.
bool needs_registers(const Function& k) {
  const bool tile = k.tile_of.kernel != none && int64_t{k.tile_of.size[0]} * k.tile_of.size[1] >= 4;
  return unrolls(k.body) || (tile && has<CountedLoop>(k.body));
}

}  // namespace

KernelRecord kernel_record(const Module& m, int32_t kernel) {
  const Function& k = *m.functions[static_cast<size_t>(kernel)];
  KernelRecord r;
  r.dims = static_cast<int32_t>(k.dims.size());
  for (const Param& p : k.params) {
    KernelParam param;
    param.kind = VR_PARAM_SCALAR;
    if (p.array != none) {
      const ArrayVars& a = k.arrays[static_cast<size_t>(p.array)];
      param.kind = VR_PARAM_ARRAY;
      param.elem = element_code(scalar_of(a.elem), a.complex);
      param.rank = static_cast<int32_t>(a.extent.size());
    } else {
      param.elem = element_code(k.vars[static_cast<size_t>(p.var)].type, p.im != none);
    }
    param.written = p.written ? p.fresh ? VR_WRITTEN_FRESH : 1 : 0;
    param.name = p.variable;
    r.params.push_back(std::move(param));
  }
  r.faults = has<Fail>(k.body);
  r.narrow = !k.narrow.empty();
  for (size_t p = 0; p < k.params.size(); ++p)
    if (!k.folds.empty() && k.params[p].array == k.folds[0].partial) r.groups_param = static_cast<int32_t>(p);
  const int32_t block = fixed_group(k);
  r.points = block                             ? block
             : k.team                          ? group_iterations(k)
             : k.rows.empty() || has_blocks(k) ? k.points
             : adds_to_slices(k)               ? VR_POINTS_SLICES
                                               : VR_POINTS_PRIVATE;
  r.group = k.square || has<Loop>(k.body) ? VR_GROUP_SQUARE : needs_registers(k) ? VR_GROUP_LARGE : VR_GROUP_ANY;
  r.team = block ? 1 : k.team;
  r.accesses = footprint(m, kernel).words();
  return r;
}

}  // namespace vr::lower
