#include "loop/verify/check_kernels.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

static void check_vector(ExprCheck& exprs, const char* what, size_t count, Scalar type, ExprP base, ExprP offset) {
  require(count == 2 || count == 4, "{} of {} elements", what, count);
  require(type != Scalar::Ptr && type != Scalar::Bool, "{} of {}", what, type_name(type));
  exprs.check_typed(base, Scalar::Ptr, "the base of a vector");
  exprs.check_typed(offset, Scalar::Int64, "the offset of a vector");
}

const char* check_in_kernel(ExprCheck& exprs, const Function&, const LoadVector& s) {
  const Scalar type = s.vars.empty() ? Scalar::Ptr : exprs.var_type(s.vars[0]);
  check_vector(exprs, "a vector load", s.vars.size(), type, s.base, s.offset);
  for (VarId v : s.vars) exprs.check_var(v, type, "loaded");
  return "a vector load";
}

const char* check_in_kernel(ExprCheck& exprs, const Function&, const StoreVector& s) {
  const Scalar type = s.values.empty() ? Scalar::Ptr : s.values[0]->type;
  check_vector(exprs, "a vector store", s.values.size(), type, s.base, s.offset);
  for (ExprP v : s.values) exprs.check_typed(v, type, "an element of a vector");
  return "a vector store";
}

const char* check_in_kernel(ExprCheck&, const Function&, const Fence&) { return "a fence"; }

const char* check_in_kernel(ExprCheck&, const Function& f, const Barrier&) {
  require(f.group > 0, "a barrier in a kernel that is not executed by whole groups");
  return "a barrier";
}

static const Row& row(const Function& f, int32_t r) {
  require(!f.cooperative, "a row that a cooperative kernel moves");
  require(r >= 0 && static_cast<size_t>(r) < f.rows.size(), "row {} does not exist", r);
  return f.rows[static_cast<size_t>(r)];
}

static void check_part(ExprCheck& exprs, ExprP first, ExprP count) {
  exprs.check_typed(first, Scalar::Int64, "a row's first element");
  exprs.check_typed(count, Scalar::Int64, "a row's count");
}

const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowAt& s) {
  row(f, s.row);
  exprs.check_typed(s.base, Scalar::Ptr, "the base of a row");
  exprs.check_typed(s.offset, Scalar::Int64, "the offset of a row");
  require((row(f, s.row).across || has_blocks(f)) == (s.step != nullptr),
          "a step of a row that has none, or none of one that has");
  if (s.step) exprs.check_typed(s.step, Scalar::Int64, "the step of a row");
  return "a row";
}

const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowLoad& s) {
  row(f, s.row);
  check_part(exprs, s.first, s.count);
  return "a row load";
}

const char* check_in_kernel(ExprCheck&, const Function& f, const RowWait& s) {
  for (int32_t r : s.rows) row(f, r);
  return "a row wait";
}

const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowStore& s) {
  require(!row(f, s.row).common, "a store of a row that the group has in common");
  require(!row(f, s.row).across, "a store of a row across rows of the array");
  check_part(exprs, s.first, s.count);
  return "a row store";
}

void check_rows(ExprCheck& exprs, const Function& f) {
  if (f.team == 0 && f.rows.empty()) return;
  if (f.team == 0) {
    require(f.kind == Function::Kind::Kernel && f.points <= 1 && f.folds.empty() && (f.points == 0 || f.lanes.empty()),
            "copies in a function that has no groups");
    for (size_t k = 0; k < f.rows.size(); ++k) {
      auto* at = k < f.body.size() ? std::get_if<RowAt>(&f.body[k].node) : nullptr;
      require((f.rows[k].common || has_blocks(f)) && at && at->row == static_cast<int32_t>(k),
              "a copy whose array is not named at the beginning");
      require((f.rows[k].loaded || f.rows[k].stored) == has_blocks(f) && !(f.rows[k].common && f.rows[k].stored),
              "a copy that nobody needs");
    }
  } else {
    require(f.kind == Function::Kind::Kernel && f.points == 1 && f.folds.empty(),
            "a team in a function that has no groups");
    require(f.team > 0 && (f.cooperative ? cooperative_group : row_group) % f.team == 0, "a team of {}", f.team);
  }
  for (const Row& r : f.rows) {
    exprs.check_var(r.data, Scalar::Ptr, "a row's data");
    require(r.type != Scalar::Ptr && (scalar_bytes(r.type) >= 4 || has_blocks(f)), "a row of {}", type_name(r.type));
    require(!(r.common && r.across), "a row that is across and that the group has in common");
    require((r.times != none) == (f.team == 0 && !has_blocks(f)),
            "a number of copies of what is no sum, or none of a sum");
    if (r.times != none) exprs.check_var(r.times, Scalar::Int64, "a number of copies");
    require(r.length > 0 && (r.length % row_group == 0 || has_blocks(f)) && r.at >= 0 && r.at % 8 == 0,
            "a row of {} elements at {}", r.length, r.at);
  }
}

void check_group(ExprCheck& exprs, const Function& f) {
  if (f.group == 0 && f.shared.empty()) return;
  require(f.kind == Function::Kind::Kernel && f.group > 0 && f.points == 1 && f.folds.empty() && f.team == 0 &&
              f.rows.empty() && f.lanes.empty(),
          "shared memory of a function that is not executed by whole groups");
  for (const Shared& s : f.shared) {
    exprs.check_var(s.data, Scalar::Ptr, "shared memory");
    require(s.type != Scalar::Ptr && s.type != Scalar::Bool && s.count > 0, "shared memory of {} elements of {}",
            s.count, type_name(s.type));
  }
}

void check_tiles(const Function& f, const Function& plain) {
  const TileOf& t = f.tile_of;
  require(&plain != &f && plain.dims.size() == f.dims.size() && plain.params.size() <= f.params.size(),
          "kernel '{}' has no tiles of '{}'", f.name, plain.name);
  require(t.members > 0 && (t.members == 1 || (t.size[0] == 1 && t.apart[0] % t.members == 0)),
          "{} work-items do not share an iteration", t.members);
  for (size_t d = 0; d < f.dims.size(); ++d) {
    const int32_t count = t.count[d];
    require(t.size[d] > 0 && t.apart[d] > 0 && (count != none || t.size[d] == 1), "no tile of {} iterations",
            t.size[d]);
    require(count == none || (count >= 0 && static_cast<size_t>(count) < f.params.size() &&
                              f.params[static_cast<size_t>(count)].array == none),
            "parameter {} is no number of iterations", count);
  }
}

}  // namespace vr::lower
