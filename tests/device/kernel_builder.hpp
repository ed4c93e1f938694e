// Builds kernels of the lowered form with a notation similar to the loops that they represent. For tests of the emitter
// and the
// device.
#pragma once
#include "loop/form.hpp"

#include <string>
#include <utility>
#include <vector>

namespace vr::test {
using namespace lower;

class KernelBuilder {
 public:
  KernelBuilder(Module& m, std::string name, std::vector<std::string> dims) : m_(m) {
    m.functions.push_back(std::make_unique<lower::Function>());
    f_ = m.functions.back().get();
    f_->kind = lower::Function::Kind::Kernel;
    f_->name = std::move(name);
    f_->source_name = "f";
    for (std::string& d : dims) f_->dims.push_back(local(std::move(d), Scalar::Int64));
  }

  lower::Function& function() { return *f_; }
  Block& body() { return f_->body; }
  VarId dim(int d) const { return f_->dims[size_t(d)]; }

  VarId local(std::string name, Scalar type) {
    f_->vars.push_back({std::move(name), type});
    return VarId(f_->vars.size()) - 1;
  }
  VarId scalar_param(std::string name, Scalar type) {
    const VarId v = local(std::move(name), type);
    Param p;
    p.var = v;
    f_->params.push_back(p);
    return v;
  }
  std::pair<VarId, VarId> complex_param(const std::string& name, Scalar type) {
    Param p;
    p.var = local(name + "_re", type);
    p.im = local(name + "_im", type);
    f_->params.push_back(p);
    return {p.var, p.im};
  }
  ArrayId array_param(const std::string& name, ir::Elem elem, int rank, bool written, bool complex = false) {
    ArrayVars a;
    a.name = name;
    a.elem = elem;
    a.complex = complex;
    a.data = local(name, Scalar::Ptr);
    for (int d = 0; d < rank; ++d) a.extent.push_back(local(name + ".n" + std::to_string(d), Scalar::Int64));
    for (int d = 0; d < rank; ++d) a.stride.push_back(local(name + ".s" + std::to_string(d), Scalar::Int64));
    f_->arrays.push_back(a);
    Param p;
    p.array = ArrayId(f_->arrays.size()) - 1;
    p.written = written;
    f_->params.push_back(p);
    return p.array;
  }

  // ---------------------------------------------------------------- expressions
  ExprP make(Expr e) {
    m_.exprs.push_back(e);
    return &m_.exprs.back();
  }
  ExprP expr(Expr::Kind kind, Scalar type, ExprP a = nullptr, ExprP b = nullptr, ExprP c = nullptr) {
    Expr e{};
    e.kind = kind;
    e.type = type;
    e.a = a;
    e.b = b;
    e.c = c;
    return make(e);
  }
  ExprP integer(int64_t v, Scalar type = Scalar::Int64) {
    Expr e{};
    e.kind = Expr::Kind::IntConst;
    e.type = type;
    e.ival = v;
    return make(e);
  }
  ExprP real(double v, Scalar type = Scalar::Float64) {
    Expr e{};
    e.kind = Expr::Kind::FloatConst;
    e.type = type;
    e.fval = v;
    return make(e);
  }
  ExprP var(VarId v) {
    Expr e{};
    e.kind = Expr::Kind::Var;
    e.type = f_->vars[size_t(v)].type;
    e.var = v;
    return make(e);
  }
  ExprP op(Op op, ExprP a, ExprP b) {
    Expr e{};
    e.kind = Expr::Kind::Binary;
    e.op = op;
    e.type = is_comparison(op) ? Scalar::Bool : a->type;
    e.a = a;
    e.b = b;
    return make(e);
  }
  ExprP unary(Op op, ExprP a) {
    Expr e{};
    e.kind = Expr::Kind::Unary;
    e.op = op;
    e.type = a->type;
    e.a = a;
    return make(e);
  }
  ExprP add(ExprP a, ExprP b) { return op(Op::Add, a, b); }
  ExprP sub(ExprP a, ExprP b) { return op(Op::Sub, a, b); }
  ExprP mul(ExprP a, ExprP b) { return op(Op::Mul, a, b); }
  ExprP convert(ExprP a, Scalar type) { return expr(Expr::Kind::Convert, type, a); }
  ExprP select(ExprP cond, ExprP a, ExprP b) { return expr(Expr::Kind::Select, a->type, cond, a, b); }
  ExprP math(MathFn fn, ExprP a, ExprP b = nullptr) {
    Expr e{};
    e.kind = Expr::Kind::Math;
    e.type = a->type;
    e.fn = fn;
    e.a = a;
    e.b = b;
    return make(e);
  }

  // ---------------------------------------------------------------- array elements
  const ArrayVars& array(ArrayId a) const { return f_->arrays[size_t(a)]; }
  ExprP extent(ArrayId a, int d) { return var(array(a).extent[size_t(d)]); }
  /// Byte offset of the element with these indices.
  ExprP offset_of(ArrayId a, const std::vector<ExprP>& index) {
    ExprP sum = nullptr;
    for (size_t d = 0; d < index.size(); ++d) {
      ExprP term = mul(index[d], var(array(a).stride[d]));
      sum = sum ? add(sum, term) : term;
    }
    return sum;
  }
  ExprP load(ArrayId a, const std::vector<ExprP>& index, bool imaginary = false) {
    const Scalar type = scalar_of(array(a).elem);
    ExprP offset = offset_of(a, index);
    if (imaginary) offset = add(offset, integer(ir::elem_bytes(array(a).elem)));
    return expr(Expr::Kind::Load, type, var(array(a).data), offset);
  }
  Stmt store(ArrayId a, const std::vector<ExprP>& index, ExprP value, bool imaginary = false) {
    ExprP offset = offset_of(a, index);
    if (imaginary) offset = add(offset, integer(ir::elem_bytes(array(a).elem)));
    return {Store{var(array(a).data), offset, value}};
  }

  // ---------------------------------------------------------------- statements
  Stmt set(VarId v, ExprP value) { return {SetVar{v, value}}; }
  Stmt when(ExprP cond, Block then_body, Block else_body = {}) {
    return {If{cond, std::move(then_body), std::move(else_body)}};
  }
  Stmt loop(VarId v, ExprP lo, ExprP hi, Block body) { return {CountedLoop{v, lo, hi, std::move(body)}}; }
  /// A new site for axis `axis` of the array.
  SiteId site(ArrayId a, int axis, const std::string& loc = "t.vrir:1:1") {
    m_.sites.push_back({"f", loc, array(a).name, axis, "index out of bounds"});
    return SiteId(m_.sites.size()) - 1;
  }
  /// if (!(0 <= index < extent)) fail OUT_OF_BOUNDS.
  Stmt bounds_check(ArrayId a, int axis, ExprP index, const std::string& loc = "t.vrir:1:1") {
    ExprP bad = op(Op::Or, op(Op::Lt, index, integer(0)), op(Op::Ge, index, extent(a, axis)));
    Fail fail;
    fail.site = site(a, axis, loc);
    fail.code = VR_OUT_OF_BOUNDS;
    fail.index = index;
    fail.extent = extent(a, axis);
    return when(bad, {Stmt{fail}});
  }

 private:
  Module& m_;
  lower::Function* f_;
};

/// b[i,j] = a[i-r,j] + a[i+r,j], added to what b has if in place, for i from r on.
inline void stencil_kernel(Module& m, const char* name, int64_t r = 1, bool in_place = false) {
  KernelBuilder k(m, name, {"j", "i"});
  const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false), b = k.array_param("b", ir::Elem::Float64, 2, true);
  ExprP i = k.add(k.var(k.dim(1)), k.integer(r)), j = k.var(k.dim(0));
  ExprP sum = k.add(k.load(a, {k.sub(i, k.integer(r)), j}), k.load(a, {k.add(i, k.integer(r)), j}));
  k.body().push_back(k.store(b, {i, j}, in_place ? k.add(k.load(b, {i, j}), sum) : sum));
}

}  // namespace vr::test
