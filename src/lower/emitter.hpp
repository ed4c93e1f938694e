// Emits the loop form of one function: variables, statements, and the source locations of both (private to src/lower).
#pragma once
#include "loop/walk.hpp"
#include "loop/writer.hpp"
#include "runtime/abi.h"

#include <velociraptor/ir/nodes.hpp>

#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace vr::lower {

/// Thrown for a construct that cannot be lowered; lower() turns it into an Error (or into a CPU fallback for kernels).
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

/// The position that a subscript was converted to when it was checked against an extent.
struct Position {
  ExprP value, extent;
  VarId position;
};

/// The source location of the current statement.
struct SourceLocation {
  std::string loc;
  const ir::InlinedFrom* inlined = nullptr;  ///< the function that the statement was inlined from; null: none
  ir::TextPos pos;
};

/// A Writer that knows the source: conventions, source locations, faults.
class Emitter : public Writer {
 public:
  Emitter(Module& module, Exprs& exprs, const ir::Conventions& conventions, Function& target)
      : Writer(exprs, target), conv(conventions), module_(module) {}

  const ir::Conventions& conv;
  SourceLocation at;
  std::map<VarId, int64_t> known;       ///< values of variables in the code being emitted, besides Function::constants
  std::vector<Position> positions;      ///< checked in the current statement, on every path to this point

  bool in_kernel() const { return fn.kind == Function::Kind::Kernel; }
  /// `:memory boehm`: there are no reference counts, so only static facts can tell whether an array is shared.
  bool collected() const { return conv.memory == ir::MemoryMode::Boehm; }

  // ---- statements, variables
  /// Loops get the source location of the current statement.
  void emit(auto node) {
    if constexpr (requires { node.body, node.site; } || std::is_same_v<decltype(node), ParallelFor>)
      if (node.site == none) node.site = site();
    Writer::emit(std::move(node));
  }
  /// Runs `body` and returns the statements that it emits as a block of their own.
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

  ExprP get(VarId v);
  void set(VarId v, ExprP e);
  using Writer::keep;
  ScalarValue keep(ScalarValue v);
  ArrayId new_array(const std::string& name, ir::Elem elem, bool complex, int rank, bool owned);

  // ---- faults
  SiteId site(const std::string& array = {}, int axis = -1, const std::string& message = {}, int32_t raised = 0);
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

/// Launches the kernel over the domain `counts`; versions: compiling a version for this launch's arguments may pay.
void launch(Emitter& out, int32_t kernel, const std::vector<ExprP>& counts, const std::vector<Operand>& args,
            bool versions = true);

}  // namespace vr::lower
