// Writes the lowered code of one function: variables, statements, the source locations that they come from (private to
// src/lower).
#pragma once
#include "lower/exprs.hpp"
#include "lower/walk.hpp"
#include "runtime/abi.h"
#include "support/restore.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace vr::lower {

/// What has no lowering; caught in lower() and turned into an Error (or into a CPU fallback for kernels).
struct Unsupported {
  ir::TextPos pos;
  std::string what;
};

/// A scalar as one or two lowered expressions.
struct ScalarValue {
  ExprP re = nullptr, im = nullptr;  ///< im: null for real values
  ir::Elem elem = ir::Elem::Float64;
  bool complex() const { return im != nullptr; }
};

/// Where a subscript lies that was checked against an extent.
struct Position {
  ExprP value, extent;
  VarId position;
};

/// Where in the source the statement at hand stands.
struct SourceLocation {
  std::string loc;
  int32_t place = none;                      ///< the same in Module::places
  const ir::InlinedFrom* inlined = nullptr;  ///< the function that it was written in, when that is another
  ir::TextPos pos;
};

class Emitter {
 public:
  Emitter(Module& module, Exprs& exprs, const ir::Conventions& conventions, Function& target)
      : x(exprs), fn(target), conv(conventions), block(&target.body), module_(module) {}
  Emitter(const Emitter&) = delete;  // closures hold references to it
  Emitter& operator=(const Emitter&) = delete;

  Exprs& x;
  Function& fn;
  const ir::Conventions& conv;
  Block* block;  ///< where statements go
  SourceLocation at;
  std::map<VarId, int64_t> known;       ///< extents and strides that are the same in all calls and never change
  std::vector<Position> positions;      ///< checked in the statement at hand, on every way to here
  std::map<VarId, int32_t> alias_sets;  ///< in force here: data variable -> alias set of its loads and stores

  bool in_kernel() const { return fn.kind == Function::Kind::Kernel; }
  /// `:memory boehm`: nobody counts references, so whether an array is shared is known here or not at all.
  bool collected() const { return conv.memory == ir::MemoryMode::Boehm; }

  // ---- statements
  void emit(auto node) { block->push_back(Stmt{std::move(node), at.place}); }
  void append(Block&& b) { block->insert(block->end(), std::move_iterator(b.begin()), std::move_iterator(b.end())); }
  /// Runs `body` with its statements going to a block of their own.
  template <class F>
  Block collect(F&& body) {
    Block b;
    const size_t checked = positions.size();
    {
      const Restore to(block, &b);
      body();
    }
    if (positions.size() > checked)
      positions.erase(positions.begin() + static_cast<ptrdiff_t>(checked), positions.end());
    return b;
  }

  // ---- variables
  VarId new_var(const std::string& name, Scalar type);
  ExprP get(VarId v);
  void set(VarId v, ExprP e);
  /// The value in a fresh variable.
  ExprP temp(ExprP e, const char* name = "t");
  /// The value in a form that may be used many times: itself when it is simple, else a fresh variable.
  ExprP keep(ExprP e, const char* name = "t") { return is_simple(e) ? e : temp(e, name); }
  ScalarValue keep(ScalarValue v);
  ArrayId new_array(const std::string& name, ir::Elem elem, bool complex, int rank, bool owned);
  ArrayVars& array(ArrayId a) { return fn.arrays[static_cast<size_t>(a)]; }

  // ---- faults
  SiteId site(const std::string& array = {}, int axis = -1, const std::string& message = {});
  void fail_if(ExprP cond, Code code, const std::string& message, const std::string& array = {}, int axis = -1,
               ExprP index = nullptr, ExprP extent = nullptr);
  [[noreturn]] void unsupported(const std::string& what, ir::TextPos pos = {}) const;

  // ---- calls of the runtime
  void call(int32_t fn, std::vector<Arg> args, bool checked, VarId result = none);
  Arg scalar_arg(ExprP e) const { return Arg{Arg::Kind::Scalar, e}; }
  Arg int_arg(int32_t v) { return scalar_arg(x.int_const(v, Scalar::Int32)); }
  Arg layout_arg(ir::Layout l) { return int_arg(l == ir::Layout::ColMajor ? VR_COLMAJOR : VR_ROWMAJOR); }
  Arg in_array(ArrayId a) const;
  Arg out_array(ArrayId a) const;
  Arg inout_array(ArrayId a) const;
  Arg site_arg(const std::string& array = {});
  Arg int64s_arg(std::vector<ExprP> v) const;

 private:
  Module& module_;  ///< owns the sites
};

}  // namespace vr::lower
