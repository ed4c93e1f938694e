// Building and running small programs on the interpreter.
#pragma once
#include "interp/interp.hpp"

#include <velociraptor/array.hpp>
#include <velociraptor/ir/builder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace vr::interp::test {

using namespace vr::ir;
using testing::ElementsAre;
using Numbers = std::vector<double>;
using Shape = std::vector<int64_t>;

inline Conventions numpy() { return Conventions::numpy(); }
inline Conventions matlab() { return Conventions::matlab(); }
inline Type matrix(const Type& elem = f64()) { return array_of(elem, 2, Layout::ColMajor); }
inline Type vector(const Type& elem = f64()) { return array_of(elem, 1); }
inline Type strided(const Type& elem, int rank) { return array_of(elem, rank, Layout::Strided); }

/// A subscript with the default attributes.
inline Subscript sub(const E& e) {
  Subscript s;
  s.value = e.node();
  return s;
}

/// An array of the given element type from values in row-major order of the shape.
inline Value array(const Numbers& values, const Shape& shape, const Type& elem = f64(),
                   Layout layout = Layout::RowMajor) {
  Array a = *Array::zeros(elem.elem, shape, layout, elem.complex);
  Shape at(shape.size(), 0);
  for (double v : values) {
    void* p = a.at(at);
    ir::visit_elem(elem.elem, [&](auto tag) {
      using T = typename decltype(tag)::type;
      *static_cast<T*>(p) = tag.kind == ir::ElemKind::Logical ? T(v != 0) : static_cast<T>(v);
    });
    for (size_t k = shape.size(); k-- > 0;) {
      if (++at[k] < shape[k]) break;
      at[k] = 0;
    }
  }
  return Value(a);
}
inline Value vec(const Numbers& v, const Type& elem = f64()) {
  return array(v, {static_cast<int64_t>(v.size())}, elem);
}
inline Value mat(const Numbers& v, const Shape& shape, const Type& elem = f64()) {
  return array(v, shape, elem, Layout::ColMajor);
}

/// Elements in row-major order (real parts), a number as one.
inline Numbers numbers(const Value& v) {
  if (v.is_scalar()) return {v.as_double()};
  const Array& a = v.array();
  Numbers r;
  if (!a || a.size() == 0) return r;
  Shape at(static_cast<size_t>(a.rank()), 0);
  for (int64_t n = 0; n < a.size(); ++n) {
    const void* p = a.at(at);
    r.push_back(ir::visit_elem(
        a.elem(), [&](auto tag) { return static_cast<double>(*static_cast<const typename decltype(tag)::type*>(p)); }));
    for (size_t k = at.size(); k-- > 0;) {
      if (++at[k] < a.extent(static_cast<int>(k))) break;
      at[k] = 0;
    }
  }
  return r;
}
inline Shape shape(const Value& v) {
  if (!v.array()) return {};
  return {v.array().extents().begin(), v.array().extents().end()};
}

/// A module with the function `f` (and other functions that the callback adds), built under these conventions.
class Program {
 public:
  explicit Program(const Conventions& conv, std::vector<Type> results = {})
      : conv_(conv), builder_("m", {}, conv), f(builder_.function("f", std::move(results))) {}

  Result<std::vector<Value>> run(const std::vector<Value>& args, const InterpOptions& options = {}) {
    if (!module_) {
      auto m = builder_.finish();
      if (!m.ok()) {
        ADD_FAILURE() << m.error().text();
        return m.error();
      }
      module_ = *m;
    }
    return interp::run(*module_, conv_, "f", args, options);
  }
  /// The results of a run that must succeed.
  std::vector<Value> results(const std::vector<Value>& args) {
    auto r = run(args);
    if (r.ok()) return *r;
    ADD_FAILURE() << r.error().text();
    return std::vector<Value>(8, Value(0.0));
  }
  Value result(const std::vector<Value>& args) { return results(args).at(0); }
  /// The record of a run that must fail.
  ErrorRecord fault(const std::vector<Value>& args, const InterpOptions& options = {}) {
    auto r = run(args, options);
    if (!r.ok() && r.error().record) return *r.error().record;
    ADD_FAILURE() << (r.ok() ? "the program did not fail" : r.error().text());
    return {};
  }
  ModuleBuilder& builder() { return builder_; }

 private:
  Conventions conv_;
  ModuleBuilder builder_;
  ModulePtr module_;

 public:
  FunctionBuilder& f;
};

/// The value of one expression of the arguments: the parameters have the given types, the result is that of `make`.
inline Value evaluate(const Conventions& conv, const std::vector<Type>& types, const std::vector<Value>& args,
                      const std::function<E(FunctionBuilder&, const std::vector<E>&)>& make) {
  // The result type is known only after the expression was built: a first module determines it.
  auto build = [&](FunctionBuilder& f) {
    std::vector<E> params;
    for (size_t k = 0; k < types.size(); ++k) params.push_back(f.arg("a" + std::to_string(k), types[k]));
    return make(f, params);
  };
  Program probe(conv);
  const Type type = build(probe.f).type();
  Program p(conv, {type});
  p.f.return_({build(p.f)});
  return p.result(args);
}

}  // namespace vr::interp::test
