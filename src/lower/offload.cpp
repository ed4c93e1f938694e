// Array operations of accelerated sections become kernels (thesis 4.5.4, 5.8).
//
// A statement of a section is lowered as on the CPU, to loops over elements and calls of the runtime. Then those loops
// are replaced: independent ones become kernels, and reductions (marked by reduce.cpp) become kernels whose work-items
// reduce the elements that they access, whose work-groups combine these results in local memory, and whose groups'
// results (a number each) the host combines. Matrix products become tasks of the device's library. Statements without
// such loops stay as they were; arrays that the host then accesses are synchronised (residence.cpp).
#include "lower/offload.hpp"

#include "loop/analysis/element_nest.hpp"
#include "loop/runtime_fn.hpp"
#include "loop/walk.hpp"
#include "lower/section_report.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

class Offload {
 public:
  explicit Offload(Lowering& f) : f_(f), x_(f.x), origins_(f.out.fn) {}

  /// The block with its loops on the device; nullopt if it has to stay on the CPU.
  std::optional<Block> run(const Block& b) {
    assigned_ = assignments(b);
    Block out = f_.out.collect([&] { block(b); });
    if (failed_ || kernels_ == 0) {
      // Removes the kernels that were made for the block, which are the last functions of the module.
      f_.m.out->functions.resize(functions_);
      return {};
    }
    return out;
  }
  /// Why loops stayed on the CPU, by the variable of the outermost loop.
  const std::map<VarId, std::string>& refused() const { return refused_; }
  /// Why the whole block stayed on the CPU; empty if loops moved to the device.
  std::string failed() const {
    return failed_ ? "its statement works on elements of which it is not known whose they are" : "";
  }

 private:
  // ---------------------------------------------------------------- arrays that the host accesses
  struct Touched {
    std::set<ArrayId> read, written;
  };
  void touch(std::set<ArrayId>& set, ArrayId a) {
    if (a == none)
      failed_ = true;
    else
      set.insert(a);
  }
  void loads(ExprP e, Touched& t) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) touch(t.read, origins_.of(e->a));
    loads(e->a, t);
    loads(e->b, t);
    loads(e->c, t);
  }
  void look(const Stmt& s, Touched& t) {
    each_expr(s, [&](ExprP e) { loads(e, t); });
    if (auto* n = std::get_if<Store>(&s.node)) touch(t.written, origins_.of(n->base));
    if (auto* n = std::get_if<Atomic>(&s.node)) touch(t.written, origins_.of(n->base));
    if (auto* n = std::get_if<SetVar>(&s.node); n && f_.out.fn.vars[static_cast<size_t>(n->var)].type == Scalar::Ptr) {
      if (assigned_[n->var] == 1) origins_.pointers[n->var] = n->value;
    }
    auto sees_to_it = [](int fn) { return fn == rt::Alloc || fn == rt::GpuMakeUnique; };
    if (auto* n = std::get_if<Call>(&s.node); n && !sees_to_it(n->fn)) {
      for (const Arg& a : n->args) {
        if (a.kind == Arg::Kind::Array && a.in) (n->fn == rt::Assign ? t.written : t.read).insert(a.array);
      }
    }
    // A function may store to its arguments.
    if (auto* n = std::get_if<CallFunction>(&s.node))
      for (const Operand& o : n->args)
        if (o.array != none) t.written.insert(o.array);
    if (std::holds_alternative<ParallelFor>(s.node)) failed_ = true;
    for (const Block* p : parts(s))
      for (const Stmt& inner : *p) look(inner, t);
  }

  // ---------------------------------------------------------------- statements
  void block(const Block& b) {
    for (const Stmt& s : b) {
      if (failed_) return;
      statement(s);
    }
  }
  void put(const Stmt& s) { f_.out.block->push_back(s); }

  void statement(const Stmt& s) {
    if (auto* n = std::get_if<Call>(&s.node); n && n->fn == rt::Alloc) {
      for (const Arg& a : n->args)
        if (a.kind == Arg::Kind::Array) fresh_.insert(a.array);
    }
    if (auto* loop = std::get_if<CountedLoop>(&s.node); loop && loop->element && kernel(s, *loop)) return;
    if (auto* n = std::get_if<If>(&s.node); n && has_elements(s)) {
      Touched t;
      loads(n->cond, t);
      host(t);
      If r{n->cond, f_.out.collect([&] { block(n->then_body); }), {}, n->unlikely};
      // If both branches loop over the same elements, the else branch is for broadcasting, and its kernel gets no
      // versions.
      const bool both = std::any_of(n->then_body.begin(), n->then_body.end(), has_elements);
      const Restore versions(versions_, versions_ && !both);
      r.else_body = f_.out.collect([&] { block(n->else_body); });
      f_.out.block->push_back({std::move(r), s.place});
      return;
    }
    if (auto* n = std::get_if<Call>(&s.node); n && n->fn == rt::Mmult && floating(*n)) {
      // A task of the device's library, which transfers the factors to the memory where the product is computed.
      Call task = *n;
      task.fn = rt::GpuMmult;
      f_.out.block->push_back({std::move(task), s.place});
      ++kernels_;
      return;
    }
    // Scans, sorting and Fourier transforms are tasks already.
    if (auto* n = std::get_if<Call>(&s.node);
        n && (n->fn == rt::GpuScan || n->fn == rt::GpuSort || n->fn == rt::GpuSortIndex || n->fn == rt::GpuFft)) {
      ++kernels_;
      return put(s);
    }
    Touched t;
    look(s, t);
    host(t);
    put(s);
  }
  /// Whether all arrays of the call have floating-point elements: RaijinCL multiplies only those.
  bool floating(const Call& c) const {
    return std::all_of(c.args.begin(), c.args.end(), [&](const Arg& a) {
      return a.kind != Arg::Kind::Array || ir::is_float(f_.out.fn.arrays[static_cast<size_t>(a.array)].elem);
    });
  }
  static bool has_elements(const Stmt& s) {
    if (auto* n = std::get_if<CountedLoop>(&s.node)) return n->element;
    if (!std::holds_alternative<If>(s.node)) return false;
    for (const Block* p : parts(s))
      if (std::any_of(p->begin(), p->end(), has_elements)) return true;
    return false;
  }
  /// The host accesses these arrays, so their previous contents can no longer be assumed dead.
  void host(const Touched& t) {
    for (const auto* arrays : {&t.read, &t.written})
      for (ArrayId a : *arrays) fresh_.erase(a);
  }

  // ---------------------------------------------------------------- a nest of loops over elements
  bool kernel(const Stmt& s, const CountedLoop& outermost) {
    const Reduction* folds = outermost.reduction.get();
    const ElementNest n =
        element_nest(f_.out.fn, origins_, outermost, folds ? folds->vars : std::vector<VarId>(), f_.m.options.fp64);
    auto refuse = [&](const char* why) {
      refused_.emplace(outermost.var, why);
      return false;
    };
    if (!n.why.empty()) return refuse(n.why.c_str());
    // Loops with a dependence between iterations are either reductions or run on the host.
    if (!outermost.independent && !folds) return refuse(in_order);
    if (folds && !n.stored.empty()) return refuse(in_order);
    for (VarId v : n.own)
      if (n.read_first.count(v)) return refuse(in_order);
    // The kernel computes addresses of views anew, so that the variables in them must be assigned only once.
    for (VarId p : n.pointers)
      for (VarId v : variables(origins_.pointers.at(p)))
        if (assigned_[v] > 1) return refuse(unknown_address);

    const int32_t id = f_.m.add_function(Function::Kind::Kernel, f_.source.name + "_elements", f_.source.name);
    Function& target = *f_.m.out->functions[static_cast<size_t>(id)];
    target.fast_math = f_.out.fn.fast_math;
    target.place = s.place;
    target_ = &target;
    copy_.emplace(x_, f_.out.fn, target);
    std::vector<Operand> args;
    for (ArrayId a : n.arrays) array_param(a, n, args);
    for (VarId v : n.read) {
      if (n.own.count(v) || copy_->has(v) || n.pointers.count(v)) continue;
      if (f_.out.fn.vars[static_cast<size_t>(v)].type == Scalar::Ptr) {
        // A pointer can be passed only as a part of an address, whose array is a parameter.
        f_.m.out->functions.pop_back();
        return refuse(unknown_address);
      }
      target.params.push_back({copy_->var(v), none, none, false});
      args.push_back({v, none, none});
    }
    for (VarId p : n.pointers)
      target.body.push_back({SetVar{copy_->var(p), copy_->expr(origins_.pointers.at(p))}, s.place});
    // The innermost three loops are the kernel's domain; each work-item runs the loops around them.
    const size_t dims = std::min<size_t>(3, n.loops.size());
    std::vector<ExprP> counts;
    ExprP total = x_.int_const(1);
    for (size_t d = 0; d < dims; ++d) {
      const CountedLoop& l = *n.loops[n.loops.size() - 1 - d];
      target.dims.push_back(copy_->var(l.var));
      counts.push_back(f_.out.keep(l.hi, "count"));
      total = x_.mul(total, counts.back());
    }
    Block body = copy_->block(*n.body);
    for (size_t k = n.loops.size() - dims; k-- > 0;) {
      CountedLoop l{copy_->var(n.loops[k]->var), x_.int_const(0), copy_->expr(n.loops[k]->hi), std::move(body)};
      l.site = n.loops[k]->site;
      body.clear();
      body.push_back({std::move(l), s.place});
    }
    for (Stmt& st : body) target.body.push_back(std::move(st));
    ++kernels_;
    if (folds)
      fold(id, *folds, counts, total, args);
    else
      launch(f_.out, id, counts, args, versions_);
    return true;
  }

  void array_param(ArrayId a, const ElementNest& n, std::vector<Operand>& args) {
    const ArrayVars from = f_.out.array(a);
    ArrayVars to;
    to.name = from.name;
    to.elem = from.elem;
    to.complex = from.complex;
    to.data = copy_->var(from.data);
    for (VarId v : from.extent) to.extent.push_back(copy_->var(v));
    for (VarId v : from.stride) to.stride.push_back(copy_->var(v));
    target_->arrays.push_back(std::move(to));
    Param p;
    p.array = static_cast<ArrayId>(target_->arrays.size()) - 1;
    p.written = n.stored.count(a) != 0;
    p.fresh = p.written && fresh_.count(a) && !n.loaded.count(a);
    for (const auto& [id, slot] : f_.vars.slots)
      if (slot.array == a) p.variable = name_of(f_, id);
    target_->params.push_back(p);
    args.push_back({none, none, a});
  }

  /// Launches a kernel that stores a number for each work-group and variable of the reduction; the host combines those.
  void fold(int32_t id, const Reduction& r, const std::vector<ExprP>& counts, ExprP total, std::vector<Operand> args) {
    constexpr int64_t most_groups = 1024, elements_a_group = 4096;
    Function& target = *f_.m.out->functions[static_cast<size_t>(id)];
    ExprP groups =
        x_.binary(Op::Div, x_.add(total, x_.int_const(elements_a_group - 1)), x_.int_const(elements_a_group));
    groups = f_.out.keep(x_.max(x_.min(f_.out.keep(groups), x_.int_const(most_groups)), x_.int_const(1)), "groups");
    // Eight bytes for each variable of each group, in one array, so that one transfer suffices.
    const auto folds = static_cast<int64_t>(r.vars.size());
    const Slot partial = alloc(f_, ir::Type::array(ir::Elem::Int64, 2, ir::Layout::RowMajor),
                               {groups, x_.int_const(folds)}, VR_FILL_NONE, VR_IN_ENGINE, "partial");
    origins_.arrays[f_.out.array(partial.array).data] = partial.array;
    f_.section.partials.insert(partial.array);
    fresh_.insert(partial.array);
    ElementNest stored;
    stored.stored.insert(partial.array);
    array_param(partial.array, stored, args);
    for (size_t k = 0; k < r.vars.size(); ++k)
      target.folds.push_back({copy_->var(r.vars[k]), copy_->var(r.others[k]), r.start[k], target.params.back().array});
    target.join = copy_->block(r.join);
    launch(f_.out, id, counts, args, versions_);
    // With an empty domain there is no launch and no partial result.
    Block rest = f_.out.collect([&] {
      const VarId g = f_.out.new_var("group", Scalar::Int64);
      Block step = f_.out.collect([&] {
        for (size_t k = 0; k < r.others.size(); ++k) {
          const Scalar type = f_.out.fn.vars[static_cast<size_t>(r.others[k])].type;
          ExprP at = x_.part(x_.at(f_.out.get(g), folds * 8), static_cast<int64_t>(k) * 8);
          f_.out.set(r.others[k], x_.load(type, f_.out.get(f_.out.array(partial.array).data), at));
        }
        f_.out.append(Block(r.join));
      });
      f_.out.emit(CountedLoop{g, x_.int_const(0), groups, std::move(step)});
    });
    f_.out.emit(If{x_.gt(total, x_.int_const(0)), std::move(rest), {}});
  }

  static constexpr const char* in_order = "an element may depend on the previous one";

  Lowering& f_;
  Exprs& x_;
  const size_t functions_ = f_.m.out->functions.size();
  Origins origins_;
  std::map<VarId, int> assigned_;  ///< how often the block assigns a variable
  std::set<ArrayId> fresh_;        ///< allocated in this block and not stored to yet
  int kernels_ = 0;
  bool failed_ = false, versions_ = true;
  std::map<VarId, std::string> refused_;
  Function* target_ = nullptr;    ///< the kernel that is being made
  std::optional<BodyCopy> copy_;  ///< into the target
};

std::optional<Block> offload(Lowering& f, const Block& b) {
  Offload work(f);
  std::optional<Block> there = work.run(b);
  tell_left(f, there ? *there : b, work.refused(), work.failed());
  return there;
}

}  // namespace vr::lower
