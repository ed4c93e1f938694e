// Building VRIR trees from C++. Expressions get their natural type (docs/vrir.md). Errors are recorded and reported
// together by ModuleBuilder::finish(), so code that builds a function needs no checks and reads like the program it builds:
//
//   ModuleBuilder m("heat");
//   FunctionBuilder& f = m.function("step", {f64_array(2)});
//   E in = f.arg("in", f64_array(2)), out = f.local("out", f64_array(2));
//   E i = f.local("i", i64()), j = f.local("j", i64()), n = f.local("n", i64());
//   f.assign(n, f.dim(in, 0));
//   f.assign(out, f.lib("copy", {in}));
//   f.pfor({i, j}, {range(1, n - 1), range(1, n - 1)}, [&] {
//     f.assign(out(i, j), 0.25 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1)));
//   });
//   f.return_({out});
//   Result<ModulePtr> module = m.finish();
//
// No function here throws (std::bad_alloc aside). A builder is used by one thread at a time.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace vr::ir {

class FunctionBuilder;

// ---- types, short
inline Type boolean() { return Type::scalar(Elem::Bool); }
inline Type i8() { return Type::scalar(Elem::Int8); }
inline Type i16() { return Type::scalar(Elem::Int16); }
inline Type i32() { return Type::scalar(Elem::Int32); }
inline Type i64() { return Type::scalar(Elem::Int64); }
inline Type u8() { return Type::scalar(Elem::UInt8); }
inline Type u16() { return Type::scalar(Elem::UInt16); }
inline Type u32() { return Type::scalar(Elem::UInt32); }
inline Type u64() { return Type::scalar(Elem::UInt64); }
inline Type f16() { return Type::scalar(Elem::Float16); }
inline Type bf16() { return Type::scalar(Elem::BFloat16); }
inline Type f32() { return Type::scalar(Elem::Float32); }
inline Type f64() { return Type::scalar(Elem::Float64); }
inline Type c32() { return Type::scalar(Elem::Float32, true); }
inline Type c64() { return Type::scalar(Elem::Float64, true); }
inline Type array_of(const Type& elem, int rank, Layout layout = Layout::RowMajor) {
  return Type::array(elem.elem, rank, layout, elem.complex);
}
inline Type f64_array(int rank, Layout layout = Layout::RowMajor) { return Type::array(Elem::Float64, rank, layout); }
inline Type f32_array(int rank, Layout layout = Layout::RowMajor) { return Type::array(Elem::Float32, rank, layout); }
inline Type i64_array(int rank, Layout layout = Layout::RowMajor) { return Type::array(Elem::Int64, rank, layout); }

/// An expression under construction: a handle that is cheap to copy. Belongs to one function; constants belong to any.
class E {
 public:
  E(int v) : E(static_cast<long>(v)) {}
  E(long v);  ///< an int64 constant
  E(long long v) : E(static_cast<long>(v)) {}
  E(double v);              ///< a float64 constant
  E(float v);               ///< a float32 constant
  E(bool v);                ///< a bool constant
  E(const char*) = delete;  // would count as bool
  explicit E(ExprPtr node, FunctionBuilder* owner = nullptr) : node_(std::move(node)), owner_(owner) {}

  const ExprPtr& node() const { return node_; }
  const Type& type() const { return node_->type; }
  FunctionBuilder* owner() const { return owner_; }
  /// The variable's id; -1 when this is no variable.
  SymbolId id() const;
  /// False if the expression could not be typed; the builder has recorded the error.
  bool ok() const;

  /// Element, slice or gather of an array variable with the module's conventions: A(i, j), A(all(), range(0, n)).
  template <class... S>
  E operator()(const S&... subscripts) const {
    return index({E(subscripts)...});
  }
  E index(const std::vector<E>& subscripts) const;
  /// The same node with another stated type, to which its result is converted (same kind and rank).
  E as(const Type& type) const;

 private:
  ExprPtr node_;
  FunctionBuilder* owner_;
};

E operator+(const E& a, const E& b);
E operator-(const E& a, const E& b);
E operator*(const E& a, const E& b);  ///< elementwise; the matrix product is lib("mmult", ...)
E operator/(const E& a, const E& b);
E operator<(const E& a, const E& b);
E operator<=(const E& a, const E& b);
E operator>(const E& a, const E& b);
E operator>=(const E& a, const E& b);
E operator==(const E& a, const E& b);
E operator!=(const E& a, const E& b);
E operator&&(const E& a, const E& b);
E operator||(const E& a, const E& b);
E operator!(const E& a);
E operator-(const E& a);

/// start, start + step ... up to, not including, stop.
E range(const E& start, const E& stop);
E range(const E& start, const E& step, const E& stop);
/// The same with stop included.
E range_to(const E& start, const E& stop);
E range_to(const E& start, const E& step, const E& stop);
/// The whole dimension, as a subscript.
E all();

/// One function. Made by ModuleBuilder::function and owned by the module builder.
class FunctionBuilder {
 public:
  using Block = std::function<void()>;
  ~FunctionBuilder();
  FunctionBuilder(const FunctionBuilder&) = delete;
  FunctionBuilder& operator=(const FunctionBuilder&) = delete;

  // ---- variables
  E arg(const std::string& name, const Type& type);
  E local(const std::string& name, const Type& type);
  E name(SymbolId id);

  // ---- expressions: a checked constructor for each kind
  E binary(Kind op, const E& a, const E& b);  ///< Plus ... Or
  E negate(const E& a);
  E not_(const E& a);
  E cast(const E& a, const Type& to);
  E int_const(int64_t v, const Type& type = i64());
  E float_const(double v, const Type& type = f64());
  E complex_const(double re, double im, const Type& type = c64());
  E index(const E& array, const std::vector<E>& subscripts);
  E index(const E& array, std::vector<Subscript> subscripts, std::optional<bool> copyslice = {},
          std::optional<bool> flatten = {});
  E call(const std::string& function, const std::vector<E>& args);  ///< void, a value, or a tuple of the results
  E handle(const std::string& function);
  E lib(const std::string& function, const std::vector<E>& args);
  /// A library call with a stated result type: needed for several results (a tuple), and for the type and rank of new arrays.
  E lib(const std::string& function, const std::vector<E>& args, const Type& stated);
  E zeros(const Type& elem, const std::vector<E>& extents);
  E ones(const Type& elem, const std::vector<E>& extents);
  E empty(const Type& elem, const std::vector<E>& extents);
  E dim(const E& array, int32_t dimension);  ///< in the module's base
  E dimvec(const E& array);
  E tuple(const std::vector<E>& elems);
  E tuple_index(const E& tuple, int32_t index);  ///< in the module's base
  E complex(const E& re, const E& im);
  E real(const E& variable);
  E imag(const E& variable);
  E domain(const std::vector<E>& ranges);
  E xchange(AtomicOp op, const E& array, const std::vector<E>& subscripts, const std::vector<E>& args);

  // ---- statements, appended to the block being built
  void assign(const E& target, const E& value);
  void assign(const std::vector<E>& targets, const E& value);  ///< several results
  void expr(const E& e);
  /// for variable in [from, to): the bounds are evaluated once.
  void for_(const E& variable, const E& from, const E& to, const Block& body);
  void for_(const E& variable, const E& range, const Block& body);
  void for_(const std::vector<E>& variables, const std::vector<E>& ranges, const Block& body);
  void pfor(const E& variable, const E& from, const E& to, const Block& body);
  /// Which variables are shared is determined by the rule `auto` (docs/vrir.md, pforstmt).
  void pfor(const std::vector<E>& variables, const std::vector<E>& ranges, const Block& body);
  void pfor(const std::vector<E>& variables, const std::vector<E>& ranges, const std::vector<E>& shared,
            const Block& body);
  void while_(const E& test, const Block& body);
  void if_(const E& test, const Block& then_body, const Block& else_body = {});
  void block(const Block& body);
  void gpu(const Block& body);  ///< an accelerated section (thesis 4.5.4)
  void break_();
  void continue_();
  void return_(const std::vector<E>& values = {});
  /// Ends the call with fault RAISED: an error code defined by the host, and the text with a number in place of each "{}".
  void raise(int32_t code, const std::string& text, const std::vector<E>& numbers = {});
  /// `:loc` of the statements appended from now on: "file:line:col" of the source program; empty for none.
  void at(const std::string& loc);
  /// Runs `body` and returns the statements that it builds instead of appending them; append() adds them later, if wanted.
  Body apart(const Block& body);
  void append(const Body& statements);

  const std::string& function_name() const;

 private:
  friend class ModuleBuilder;
  friend class E;
  struct State;
  explicit FunctionBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A module under construction.
class ModuleBuilder {
 public:
  /// `host` supplies the conventions that `attrs` leaves out.
  explicit ModuleBuilder(std::string name, ConventionAttrs attrs = {}, const Conventions& host = Conventions::numpy());
  ~ModuleBuilder();
  ModuleBuilder(const ModuleBuilder&) = delete;
  ModuleBuilder& operator=(const ModuleBuilder&) = delete;

  /// Declares a host function (Engine::bind); to be called before its callers are built. parallel: iterations of parallel
  /// loops may call it.
  void external(const std::string& name, std::vector<Type> parameters, std::vector<Type> results,
                bool parallel = false);
  /// Begins a function with these results; parameters are the arg() calls that follow. The reference lives as long as
  /// the module builder. Callers must be built after their callees' parameters are known.
  FunctionBuilder& function(const std::string& name, std::vector<Type> results = {});
  /// The verified module, or an error with all findings. The builder must not be used afterwards.
  Result<ModulePtr> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vr::ir
#pragma GCC visibility pop
