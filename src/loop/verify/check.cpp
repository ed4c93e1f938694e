#include "loop/verify/check.hpp"

#include "loop/verify/check_exprs.hpp"
#include "loop/verify/check_kernels.hpp"
#include "loop/runtime_table.hpp"

#include <set>

namespace vr::lower {
namespace {

// The backends walk blocks recursively; blocks of this depth fit on any thread's stack.
constexpr int max_block_depth = 1000;

class FunctionCheck : ExprCheck {
 public:
  FunctionCheck(const Module& m, const Function& f, Level level) : ExprCheck(f, level), m_(m), f_(f) {}

  void run() {
    for (const ArrayVars& a : f_.arrays) {
      check_var(a.data, Scalar::Ptr, "array data");
      if (a.owner != none) check_var(a.owner, Scalar::Ptr, "array owner");
      if (a.flags != none) check_var(a.flags, Scalar::Int32, "array flags");
      require(a.extent.size() <= VR_MAX_RANK, "array '{}' has rank {}", a.name, a.extent.size());
      require(a.extent.size() == a.stride.size(), "array '{}' has {} extents and {} strides", a.name, a.extent.size(),
              a.stride.size());
      for (VarId v : a.extent) check_var(v, Scalar::Int64, "array extent");
      for (VarId v : a.stride) check_var(v, Scalar::Int64, "array stride");
    }
    for (const Param& p : f_.params) {
      check_operand(p.var, p.im, p.array, "parameter");
      require(f_.kind != Function::Kind::Task || p.array == none, "a task takes scalars only");
    }
    require(f_.results.empty() || f_.kind == Function::Kind::Entry, "only an entry function has results");
    for (const Param& r : f_.results) check_operand(r.var, r.im, r.array, "result");
    if (f_.kind == Function::Kind::Task) {
      check_var(f_.lo_var, Scalar::Int64, "task range");
      check_var(f_.hi_var, Scalar::Int64, "task range");
    }
    if (f_.kind == Function::Kind::Kernel) {
      require(!f_.dims.empty() && f_.dims.size() <= 3, "a kernel has 1 to 3 dimensions, not {}", f_.dims.size());
      for (VarId v : f_.dims) check_var(v, Scalar::Int64, "kernel dimension");
      if (f_.on_host != none)
        require(function(f_.on_host, Function::Kind::Entry, "host version").params.size() ==
                    f_.params.size() + f_.dims.size(),
                "kernel '{}' has another number of parameters than its host version", f_.name);
      if (f_.form_of != none) {
        const Function& general = function(f_.form_of, Function::Kind::Kernel, "form");
        require(general.params.size() == f_.params.size() && general.dims.size() == f_.dims.size() && general.form_of == none,
                "kernel '{}' is no form of '{}'", f_.name, general.name);
      }
      if (f_.tile_of.kernel != none)
        check_tiles(f_, function(f_.tile_of.kernel, Function::Kind::Kernel, "tiled kernel"));
    }
    check_rows(*this, f_);
    check_group(*this, f_);
    for (const Fold& r : f_.folds) {
      check_array(r.partial);
      check_typed(r.neutral, var_type(r.var), "the neutral value of a fold");
      check_var(r.other, r.neutral->type, "what joins a fold");
    }
    check_block(f_.body, 0);
    check_block(f_.join, 0);
    in_cleanup_ = true;
    check_block(f_.cleanup, 0);
  }

 private:
  void check_array(ArrayId a) {
    require(a >= 0 && static_cast<size_t>(a) < f_.arrays.size(), "array {} does not exist", a);
  }
  void check_site(SiteId s) {
    require(s >= 0 && static_cast<size_t>(s) < m_.sites.size(), "site {} does not exist", s);
  }
  void maybe_site(SiteId s) {
    if (s != none) check_site(s);
  }
  void check_operand(VarId var, VarId im, ArrayId array, const char* what) {
    require((var == none) != (array == none), "{} is neither a scalar nor an array, or both", what);
    if (array != none) return check_array(array);
    Scalar type = var_type(var);
    if (im == none) return;
    require(type != Scalar::Ptr, "a complex {} has no pointers", what);
    check_var(im, type, "imaginary part");
  }
  const Function& function(int32_t id, Function::Kind kind, const char* what) {
    require(id >= 0 && static_cast<size_t>(id) < m_.functions.size() && m_.functions[id], "function {} does not exist",
            id);
    require(m_.functions[id]->kind == kind, "'{}' is no {}", m_.functions[id]->name, what);
    return *m_.functions[id];
  }
  // Operands of a call against the callee's parameters or results.
  void check_operands(const std::vector<Operand>& given, const std::vector<Param>& wanted, const Function& callee,
                      const char* what) {
    require(given.size() == wanted.size(), "call of '{}' with {} {}s instead of {}", callee.name, given.size(), what,
            wanted.size());
    for (size_t i = 0; i < given.size(); ++i) {
      const Operand& g = given[i];
      const Param& w = wanted[i];
      require((g.array == none) == (w.array == none), "call of '{}': {} {} is scalar on one side only", callee.name,
              what, i);
      if (g.array != none) {
        const ArrayVars &ga = f_.arrays[g.array], &wa = callee.arrays.at(w.array);
        require(ga.elem == wa.elem && ga.complex == wa.complex && ga.extent.size() == wa.extent.size(),
                "call of '{}': array {} {} differs in element type or rank", callee.name, what, i);
      } else {
        require(f_.vars[g.var].type == callee.vars.at(w.var).type && (g.im == none) == (w.im == none),
                "call of '{}': {} {} differs in type", callee.name, what, i);
      }
    }
  }

  // ---- statements
  void check_block(const Block& block, int level) {
    require(level <= max_block_depth, "blocks are nested too deeply");
    for (const Stmt& s : block) std::visit([&](const auto& node) { check_stmt(node, level); }, s.node);
  }
  void can_fail(const char* what) { require(!in_cleanup_, "{} in a cleanup", what); }
  void on_cpu(const char* what) { require(f_.kind != Function::Kind::Kernel, "{} in a kernel", what); }

  void check_stmt(const SetVar& s, int) {
    check_expr(s.value);
    check_var(s.var, s.value->type, "assigned");
  }
  void check_stmt(const Store& s, int) {
    check_typed(s.base, Scalar::Ptr, "the base of a store");
    check_typed(s.offset, Scalar::Int64, "the offset of a store");
    check_expr(s.value);
  }
  /// Checks of statements that only kernels have (check_kernels.hpp).
  template <class Node>
    requires requires(ExprCheck& c, const Function& f, const Node& n) { check_in_kernel(c, f, n); }
  void check_stmt(const Node& s, int) {
    require(f_.kind == Function::Kind::Kernel, "{} outside of a kernel", check_in_kernel(*this, f_, s));
  }
  void check_stmt(const Atomic& s, int) {
    check_typed(s.base, Scalar::Ptr, "the base of an atomic operation");
    check_typed(s.offset, Scalar::Int64, "the offset of an atomic operation");
    check_expr(s.value);
    check_var(s.result, s.value->type, "result");
    const bool bits = s.op == ir::AtomicOp::And || s.op == ir::AtomicOp::Or;
    require(scalar_bytes(s.value->type) >= 4 && s.value->type != Scalar::Ptr && !(bits && is_float(s.value->type)),
            "atomic {} of {}", ir::atomic_op_name(s.op), type_name(s.value->type));
    require((s.expected != nullptr) == (s.op == ir::AtomicOp::Cas), "an expected value and atomic {}",
            ir::atomic_op_name(s.op));
    if (s.expected) check_typed(s.expected, s.value->type, "the expected value");
  }
  void check_stmt(const AliasGroup& s, int) { require(s.group >= 0, "an alias group without a number"); }
  void check_stmt(const If& s, int level) {
    check_typed(s.cond, Scalar::Bool, "a condition");
    check_block(s.then_body, level + 1);
    check_block(s.else_body, level + 1);
  }
  void check_stmt(const CountedLoop& s, int level) {
    check_var(s.var, Scalar::Int64, "loop");
    check_typed(s.lo, Scalar::Int64, "a loop bound");
    check_typed(s.hi, Scalar::Int64, "a loop bound");
    if (s.disjoint) {
      check_typed(s.disjoint->flag, Scalar::Bool, "whether arrays are disjoint");
      for (const auto& [data, set] : s.disjoint->sets) check_var(data, Scalar::Ptr, "a disjoint array's address");
    }
    if (const Reduction* r = s.reduction.get()) {
      require(!r->vars.empty() && r->others.size() == r->vars.size() && r->start.size() == r->vars.size(),
              "a reduction whose variables have no counterparts or start values");
      for (size_t k = 0; k < r->vars.size(); ++k) {
        check_var(r->others[k], var_type(r->vars[k]), "the other state of a reduction");
        check_typed(r->start[k], var_type(r->vars[k]), "a reduction's start value");
      }
      check_block(r->join, level + 1);
    }
    require(!s.spread || f_.team > 0, "a spread loop where no team is");
    require(!s.spread || !f_.cooperative || (s.own.empty() && level == 0),
            "a spread loop of a cooperative kernel that is nested or has variables of its own");
    require(!s.spread || !s.reduction || f_.cooperative, "a spread reduction of a kernel that is not cooperative");
    for (VarId v : s.own) require(var_type(v) != Scalar::Ptr, "a pointer that spread iterations have");
    maybe_site(s.site);
    ++loops_;
    check_block(s.body, level + 1);
    --loops_;
  }
  void check_stmt(const Solo& s, int level) {
    require(f_.team > 0 && !f_.cooperative, "solo where no team is");
    check_block(s.body, level + 1);
  }
  void check_stmt(const Poll& s, int) {
    on_cpu("a poll");
    can_fail("a poll");
    check_site(s.site);
  }
  void check_stmt(const Loop& s, int level) {
    maybe_site(s.site);
    ++loops_;
    check_block(s.body, level + 1);
    --loops_;
  }
  void check_stmt(const Break&, int) { require(loops_ > 0, "break outside of a loop"); }
  void check_stmt(const Continue&, int) { require(loops_ > 0, "continue outside of a loop"); }
  void check_stmt(const Fail& s, int) {
    can_fail("fail");
    check_site(s.site);
    require(s.code != VR_OK, "fail with code 0");
    require(!s.stay || f_.group > 0, "a fault that stays in a function that is not executed by whole groups");
    for (ExprP e : {s.index, s.extent})
      if (e && !(s.code == VR_RAISED && e->type == Scalar::Float64))
        check_typed(e, Scalar::Int64, e == s.index ? "a failing index" : "a failing extent");
      else if (e)
        check_typed(e, Scalar::Float64, "a number of a raise");
  }
  void check_stmt(const Exit&, int) { can_fail("exit"), on_cpu("exit"); }  // would end one iteration or all of them (host_version)
  void check_stmt(const Call& s, int) {
    on_cpu("a runtime call");
    require(s.fn >= 0 && s.fn < runtime_count, "runtime function {} does not exist", s.fn);
    const RuntimeFunction& fn = runtime_table[s.fn];
    const std::string_view codes = fn.params;
    const bool any_number = codes.ends_with('V');
    const size_t wanted = codes.size() - (codes.starts_with('C') ? 1 : 0) - (any_number ? 1 : 0);
    require(any_number ? s.args.size() >= wanted : s.args.size() == wanted, "{} takes {} arguments, not {}", fn.symbol,
            wanted, s.args.size());
    for (size_t i = 0; i < s.args.size(); ++i) check_arg(fn, i, code_of_argument(fn, i), s.args[i]);
    if (s.checked) {
      can_fail("a checked call");
      require(fn.result == 'i', "{} has no status", fn.symbol);
    }
    if (s.result != none) {
      require(fn.result != 'v', "{} has no result", fn.symbol);
      check_var(s.result, scalar_code(fn.result), "result");
    }
  }
  static Scalar scalar_code(char code) {
    switch (code) {
      case 'i':
        return Scalar::Int32;
      case 'l':
        return Scalar::Int64;
      case 'd':
        return Scalar::Float64;
      case 'f':
        return Scalar::Float32;
      default:
        return Scalar::Ptr;
    }
  }
  void check_arg(const RuntimeFunction& fn, size_t i, char code, const Arg& a) {
    bool fits = false;
    switch (a.kind) {
      case Arg::Kind::Scalar:
        check_expr(a.value);
        fits = code != 'S' && !is_array_code(code) && code != 'L' && a.value->type == scalar_code(code);
        break;
      case Arg::Kind::Array:
        check_array(a.array);
        fits = is_array_code(code);
        break;
      case Arg::Kind::Int64s:
        for (ExprP e : a.values) check_typed(e, Scalar::Int64, "an element of an int64 vector");
        fits = code == 'L';
        break;
      case Arg::Kind::Site:
        check_site(a.site);
        fits = code == 'S';
        break;
      case Arg::Kind::Text:
        fits = code == 'p';
        break;
    }
    require(fits, "argument {} of {} does not fit its code '{}'", i, fn.symbol, code);
  }
  void check_stmt(const CallFunction& s, int) {
    on_cpu("a call");
    can_fail("a call");
    for (const Operand& o : s.args) check_operand(o.var, o.im, o.array, "argument");
    for (const Operand& o : s.results) check_operand(o.var, o.im, o.array, "result");
    if (s.callee == none) return check_var(s.handle, Scalar::Ptr, "handle");
    const Function& callee = function(s.callee, Function::Kind::Entry, "entry function");
    check_operands(s.args, callee.params, callee, "argument");
    check_operands(s.results, callee.results, callee, "result");
  }
  void check_stmt(const TakeAddress& s, int) {
    on_cpu("a function address");
    check_var(s.var, Scalar::Ptr, "handle");
    function(s.callee, Function::Kind::Entry, "entry function");
  }
  void check_stmt(const Scratch& s, int) { check_var(s.var, Scalar::Ptr, "scratch memory"); }
  void check_stmt(const ParallelFor& s, int) {
    on_cpu("a parallel loop");
    can_fail("a parallel loop");
    maybe_site(s.site);
    const Function& task = function(s.task, Function::Kind::Task, "task");
    check_typed(s.lo, Scalar::Int64, "a loop bound");
    check_typed(s.hi, Scalar::Int64, "a loop bound");
    size_t captures = 0;
    for (const Param& p : task.params) {
      for (VarId inner : {p.var, p.im}) {
        if (inner == none) continue;
        require(captures < s.captures.size(), "task '{}' takes more captures than {}", task.name, s.captures.size());
        check_var(s.captures[captures++], task.vars.at(inner).type, "captured");
      }
    }
    require(captures == s.captures.size(), "task '{}' takes {} captures, not {}", task.name, captures,
            s.captures.size());
  }
  void check_stmt(const Launch& s, int) {
    on_cpu("a launch");
    can_fail("a launch");
    check_site(s.site);
    const Function& kernel = function(s.kernel, Function::Kind::Kernel, "kernel");
    require(s.counts.size() == kernel.dims.size(), "kernel '{}' has {} dimensions, not {}", kernel.name,
            kernel.dims.size(), s.counts.size());
    for (ExprP e : s.counts) check_typed(e, Scalar::Int64, "a count");
    for (const Operand& o : s.args) check_operand(o.var, o.im, o.array, "argument");
    check_operands(s.args, kernel.params, kernel, "argument");
    for (const Param& p : kernel.params)
      require(p.array != none || kernel.vars[p.var].type != Scalar::Ptr, "kernel '{}' takes a pointer", kernel.name);
  }

  const Module& m_;
  const Function& f_;
  int loops_ = 0;
  bool in_cleanup_ = false;
};

}  // namespace

std::string check(const Module& m, Level level) {
  std::set<std::string> names;
  for (const auto& f : m.functions) {
    if (!f) return "a function is missing";
    if (f->name.empty() || f->name.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string::npos)
      return fmt::format("'{}' is no function name", f->name);
    if (!names.insert(f->name).second) return fmt::format("two functions are called '{}'", f->name);
  }
  // Parameters and arrays of all functions are checked before any call is compared with them.
  for (const auto& f : m.functions) {
    try {
      Function signature;
      signature.kind = f->kind;
      signature.vars = f->vars;
      signature.arrays = f->arrays;
      signature.params = f->params;
      signature.results = f->results;
      signature.lo_var = f->lo_var;
      signature.hi_var = f->hi_var;
      signature.dims = f->dims;
      FunctionCheck(m, signature, level).run();
    } catch (const Malformed& e) {
      return fmt::format("function '{}': {}", f->name, e.what);
    }
  }
  for (const auto& f : m.functions) {
    try {
      FunctionCheck(m, *f, level).run();
    } catch (const Malformed& e) {
      return fmt::format("function '{}': {}", f->name, e.what);
    }
  }
  return {};
}

}  // namespace vr::lower
