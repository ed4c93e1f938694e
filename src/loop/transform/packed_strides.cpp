// packed_strides: the distance between short rows is the size of the elements that the kernel uses.
//
//   r = a[i, j, 0]                     r = a[i, j by 12, 0]
//   g = a[i, j, 1]                     g = a[i, j by 12, 1]
//   b = a[i, j, 2]                     b = a[i, j by 12, 2]
//
// The types of arrays say nothing about the extent of the last axis, so that the distance between pixels is a
// parameter. Where it is a constant, the elements of several consecutive pixels are known to follow each other: `march`
// and `vectors` load and store them together.
#include "loop/transform/packed_strides.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <functional>
#include <map>
#include <set>

namespace vr::lower {

namespace {

constexpr int64_t most_row_bytes = 20;  // from here on `blocks` moves whole rows

/// What a kernel's accesses say about the last two axes of an array.
struct ShortRows {
  std::set<int64_t> elements;  ///< constant subscripts of the last axis
  bool constant = true;        ///< all of them are
  bool dependent = false;      ///< a subscript of the axis before depends on dims[0]
};

/// The strides, variables of the kernel, that are worth being constants, and these.
std::map<VarId, int64_t> packed(const Function& kernel) {
  const DimDependence values(kernel, true);
  std::map<VarId, ShortRows> found;  // by the stride of the axis before the last
  std::map<VarId, int64_t> size;
  for (const ArrayVars& a : kernel.arrays)
    if (a.stride.size() >= 2 && !a.complex) size[a.stride[a.stride.size() - 2]] = a.element_bytes();
  const std::function<void(ExprP)> note = [&](ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::At)
      for (ExprP axis = e; axis->c; axis = axis->c) {
        const ExprP last = axis->c;
        if (last->c || axis->b->kind != Expr::Kind::Var || !size.count(axis->b->var)) continue;
        ShortRows& r = found[axis->b->var];
        const bool dense = is_int(last->a, 0) || is_int(last->b, size[axis->b->var]);
        r.constant = r.constant && last->a->kind == Expr::Kind::IntConst && dense;
        if (r.constant) r.elements.insert(last->a->ival);
        r.dependent = r.dependent || (values.of(axis->a) & 1) != 0;
      }
    for (ExprP part : {e->a, e->b, e->c}) note(part);
  };
  any_statement(kernel.body, [&](const Stmt& s) {
    each_expr(s, note);
    return false;
  });
  std::map<VarId, int64_t> out;
  for (const auto& [stride, r] : found) {
    const auto count = static_cast<int64_t>(r.elements.size());
    const int64_t bytes = count * size[stride];
    if (!r.constant || !r.dependent) continue;
    const bool gaps = *r.elements.begin() != 0 || *r.elements.rbegin() != count - 1;
    const bool vector = (bytes & (bytes - 1)) == 0;
    if (!gaps && !vector && bytes < most_row_bytes) out[stride] = bytes;
  }
  return out;
}

class PackedLaunches {
 public:
  PackedLaunches(Module& m, Exprs& x, Function& f) : m_(m), x_(x), out_(x, f) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    if (kernel.dims.empty() || has<CountedLoop>(kernel.body) || has<Loop>(kernel.body)) return false;
    const auto strides = packed(kernel);
    if (strides.empty()) return false;
    ExprP same = x_.bool_const(true);
    for (const ArrayVars& a : kernel.arrays) {
      if (a.stride.size() < 2) continue;
      const size_t axis = a.stride.size() - 2;
      const auto it = strides.find(a.stride[axis]);
      if (it == strides.end()) continue;
      const ArrayId passed = passed_array(kernel, plain, a.data);
      if (passed == none) return false;
      same = x_.both(same, x_.eq(out_.get(out_.array(passed).stride[axis]), x_.int_const(it->second)));
    }
    Function made = kernel;
    replace_strides(made.body, strides);
    Launch form = plain;
    form.kernel = add_form(m_, plain.kernel, std::move(made), "_packed");
    Block otherwise;
    otherwise.push_back({plain, out_.place});
    out_.append(launch_if(same, std::move(form), std::move(otherwise), out_.place));
    return true;
  }

  void replace_strides(Block& b, const std::map<VarId, int64_t>& strides) {
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) {
        e = replaced(x_, e, [&](ExprP part) -> ExprP {
          if (part->kind != Expr::Kind::Var) return nullptr;
          const auto it = strides.find(part->var);
          return it == strides.end() ? nullptr : x_.int_const(it->second);
        });
      });
      for (Block* p : parts(s)) replace_strides(*p, strides);
    }
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
};

}  // namespace

void packed_strides(Module& m, const PassOptions& options) {
  if (!options.version_loops || !options.lanes) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { PackedLaunches(m, x, f).run(); });
}

}  // namespace vr::lower
