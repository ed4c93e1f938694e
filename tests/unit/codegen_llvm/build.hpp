// Builds lowered functions by hand and runs them, for the tests of codegen/llvm.
#pragma once
#include "codegen/llvm/jit.hpp"
#include "loop/runtime_fn.hpp"
#include "runtime/abi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace vr::test {

using namespace vr::lower;
namespace jit = vr::codegen::llvm_backend;

/// One lowered module and its expressions. Nothing is folded: exactly what is built is compiled.
struct Builder {
  Module m;

  Builder() { m.name = "test"; }

  ExprP make(Expr e) {
    m.exprs.push_back(e);
    return &m.exprs.back();
  }
  ExprP i64(int64_t v) { return number(Scalar::Int64, v); }
  ExprP i32(int32_t v) { return number(Scalar::Int32, v); }
  ExprP boolean(bool v) { return number(Scalar::Bool, v); }
  ExprP number(Scalar type, int64_t v) {
    Expr e{Expr::Kind::IntConst, type};
    e.ival = v;
    return make(e);
  }
  ExprP f64(double v) { return real(Scalar::Float64, v); }
  ExprP real(Scalar type, double v) {
    Expr e{Expr::Kind::FloatConst, type};
    e.fval = v;
    return make(e);
  }
  ExprP null() { return make({Expr::Kind::Null, Scalar::Ptr}); }
  ExprP unary(Op op, ExprP a) {
    Expr e{Expr::Kind::Unary, a->type, op};
    e.a = a;
    return make(e);
  }
  ExprP binary(Op op, ExprP a, ExprP b) {
    Expr e{Expr::Kind::Binary, is_comparison(op) ? Scalar::Bool : a->type, op};
    e.a = a;
    e.b = b;
    return make(e);
  }
  ExprP add(ExprP a, ExprP b) { return binary(Op::Add, a, b); }
  ExprP sub(ExprP a, ExprP b) { return binary(Op::Sub, a, b); }
  ExprP mul(ExprP a, ExprP b) { return binary(Op::Mul, a, b); }
  ExprP select(ExprP c, ExprP a, ExprP b) {
    Expr e{Expr::Kind::Select, a->type};
    e.a = c;
    e.b = a;
    e.c = b;
    return make(e);
  }
  ExprP convert(ExprP a, Scalar type) {
    Expr e{Expr::Kind::Convert, type};
    e.a = a;
    return make(e);
  }
  ExprP math(MathFn fn, ExprP a, ExprP b = nullptr) {
    Expr e{Expr::Kind::Math, a->type};
    e.fn = fn;
    e.a = a;
    e.b = b;
    return make(e);
  }
  ExprP load(Scalar type, ExprP base, ExprP offset, int32_t alias_set = none) {
    Expr e{Expr::Kind::Load, type};
    e.a = base;
    e.b = offset;
    e.alias_set = alias_set;
    return make(e);
  }
  ExprP offset(ExprP base, ExprP bytes) {
    Expr e{Expr::Kind::Offset, Scalar::Ptr};
    e.a = base;
    e.b = bytes;
    return make(e);
  }
  SiteId site(Site s) {
    m.sites.push_back(std::move(s));
    return static_cast<SiteId>(m.sites.size() - 1);
  }
};

/// One function under construction.
struct Fn {
  Builder& b;
  Function& f;
  int32_t id;

  explicit Fn(Builder& builder, std::string name = "f", Function::Kind kind = Function::Kind::Entry)
      : b(builder),
        f(*builder.m.functions.emplace_back(std::make_unique<Function>())),
        id(static_cast<int32_t>(builder.m.functions.size() - 1)) {
    f.kind = kind;
    f.name = f.source_name = std::move(name);
  }

  VarId var(std::string name, Scalar type) {
    f.vars.push_back({std::move(name), type});
    return static_cast<VarId>(f.vars.size() - 1);
  }
  ExprP get(VarId v) {
    Expr e{Expr::Kind::Var, f.vars[static_cast<size_t>(v)].type};
    e.var = v;
    return b.make(e);
  }
  /// Scalar parameter and result; complex ones have `im`.
  VarId param(std::string name, Scalar type) {
    VarId v = var(std::move(name), type);
    f.params.push_back({v, none, none, false});
    return v;
  }
  VarId result(std::string name, Scalar type) {
    VarId v = var(std::move(name), type);
    f.results.push_back({v, none, none, false});
    return v;
  }
  ArrayId array(const std::string& name, ir::Elem elem, int rank, bool owned = true) {
    ArrayVars a;
    a.name = name;
    a.elem = elem;
    a.data = var(name + ".data", Scalar::Ptr);
    if (owned) a.owner = var(name + ".owner", Scalar::Ptr);
    for (int d = 0; d < rank; ++d) {
      a.extent.push_back(var(name + ".extent", Scalar::Int64));
      a.stride.push_back(var(name + ".stride", Scalar::Int64));
    }
    f.arrays.push_back(a);
    return static_cast<ArrayId>(f.arrays.size() - 1);
  }
  ArrayId array_param(const std::string& name, ir::Elem elem, int rank) {
    ArrayId a = array(name, elem, rank);
    f.params.push_back({none, none, a, false});
    return a;
  }
  ArrayVars& operator[](ArrayId a) { return f.arrays[static_cast<size_t>(a)]; }
  ExprP data(ArrayId a) { return get((*this)[a].data); }
  ExprP extent(ArrayId a, size_t d = 0) { return get((*this)[a].extent[d]); }
  /// Byte offset of element i of a rank-1 array.
  ExprP at(ArrayId a, ExprP i) { return b.mul(i, get((*this)[a].stride[0])); }

  template <class Node>
  Fn& operator<<(Node node) {
    f.body.push_back(Stmt{std::move(node)});
    return *this;
  }
};

template <class... Nodes>
Block block(Nodes... nodes) {
  Block b;
  (b.push_back(Stmt{std::move(nodes)}), ...);
  return b;
}

/// The compiled module; the test fails if it does not compile.
inline std::unique_ptr<jit::CompiledModule> compile(const Builder& b, int opt_level = 2, bool keep_text = false,
                                                    const jit::KernelPrograms& kernels = {}) {
  auto r = jit::compile(b.m, kernels, {opt_level, keep_text});
  if (!r) {
    ADD_FAILURE() << r.error().text() << "\n" << print(b.m);
    return nullptr;
  }
  return std::move(*r);
}

inline vr_value value(int64_t v) {
  vr_value x{};
  x.i64 = v;
  return x;
}
inline vr_value value(int32_t v) {
  vr_value x{};
  x.i32 = v;
  return x;
}
inline vr_value value(double v) {
  vr_value x{};
  x.f64 = v;
  return x;
}
inline vr_value value(float v) {
  vr_value x{};
  x.f32 = v;
  return x;
}
inline vr_value value(bool v) {
  vr_value x{};
  x.b = v;
  return x;
}
inline vr_value value(vr_array* v) {
  vr_value x{};
  x.array = v;
  return x;
}

/// The outcome of one call of a compiled function.
struct Outcome {
  int32_t status;
  std::vector<vr_value> results;
  vr_error error;
};
inline Outcome call(vr_entry entry, std::vector<vr_value> args, std::vector<vr_value> results = {}) {
  vr_context context;
  if (results.empty()) results.resize(4);
  args.resize(args.size() + 1);
  Outcome o{};
  o.status = entry(&context, args.data(), results.data());
  o.results = results;
  o.error = context.error;
  return o;
}

/// A rank-1 descriptor over elements somewhere else.
template <class T>
vr_array descriptor(std::vector<T>& elements, int32_t elem) {
  vr_array a{};
  a.data = elements.data();
  a.elem = elem;
  a.rank = 1;
  a.extent[0] = static_cast<int64_t>(elements.size());
  a.stride[0] = sizeof(T);
  return a;
}

inline const int all_levels[] = {0, 1, 2, 3};

}  // namespace vr::test
