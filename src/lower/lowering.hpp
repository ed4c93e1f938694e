// The state of lowering one function: the code emitted so far, and what is known at this point of the source. Functions
// that lower a construct take a Lowering; those that only emit code take its Emitter (private to src/lower).
#pragma once
#include "analysis/loop_info.hpp"
#include "lower/array_value.hpp"
#include "lower/emitter.hpp"
#include "lower/last_uses.hpp"
#include "lower/module_lowering.hpp"

#include <velociraptor/ir/visit.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

using analysis::loop_info;
using analysis::LoopInfo;

/// The source's variables and their lowered variables.
struct Variables {
  std::map<ir::SymbolId, Slot> slots;
  ir::SymbolId last_alias = -1;  ///< names given to slots without a symbol
};

/// The facts that hold at this point of the function.
struct Facts {
  std::map<ir::SymbolId, ExprP> ints;        ///< Int64 values of integral variables
  std::set<const ir::Subscript*> unchecked;  ///< subscripts known to be within bounds
  std::set<const ir::Expr*> whole;           ///< floats that are known to be integers
  /// Arrays that may be stored to without a check: under value semantics known to be the only owners of their storage,
  /// under reference semantics known to be writable.
  std::set<ir::SymbolId> unique;
};

/// References to arrays.
struct Ownership {
  std::vector<ArrayId> temps;       ///< temporaries of the current statement
  std::set<ArrayId> handed;         ///< arrays whose reference a callee has taken over: not in the cleanup
  std::set<ir::SymbolId> returned;  ///< arrays that flow into a result: allocated through the host
  int64_t private_bytes = 0;        ///< size of a kernel's private arrays
};

/// The current statement, and the last uses of the function's variables.
struct Uses {
  const ir::Stmt* stmt = nullptr;
  std::shared_ptr<const LastUses> last;  ///< of the source function; made on first use
};

/// The statement up to which the computation of an array is deferred (defer.cpp).
struct Deferral {
  const ir::Stmt* consumer;      ///< the statement that computes the elements
  std::set<ir::SymbolId> reads;  ///< variables that must not change until then
};
struct Deferred {
  ArrayGen value;
  Deferral until;
};
struct Deferrals {
  std::map<ir::SymbolId, Deferred> arrays;  ///< arrays that have been assigned but not computed
  std::optional<Deferral> next;             ///< for the current statement
};

struct LoopState {
  int depth = 0;            ///< number of loops around the current statement
  VarId break_flag = none;  ///< set by `break` where several counted loops are one loop statement
  bool plain = false;       ///< inside fallback versions: loops are emitted as written, without versions of their own
};

/// Accelerated sections.
struct Sections {
  bool inside = false;
  bool in_module = false;                 ///< a function of the module has a section: the device may use any array
  bool in_function = false;               ///< this function or a callee has a section: newest elements may be there
  int loops = 0;                          ///< number of loops around the current section
  std::set<ir::SymbolId> arrays;          ///< that kernels of the innermost loop of the section work on
  std::set<ArrayId> partials;             ///< arrays of the work-groups' partial results, which the host combines
  std::set<std::pair<ExprP, ExprP>> told;  ///< elements in loops that the report has mentioned already
  /// Whether an array's newest elements may be on a device.
  bool newest_may_be_away() const { return inside || in_function; }
};

struct Lowering {
  Lowering(ModuleLowering& module, const ir::Function& function, Function& target)
      : m(module), source(function), x(module.x), conv(module.conventions), out(*module.out, x, conv, target) {
    target.source_name = function.name;
    target.fast_math = conv.fast_math;
  }
  Lowering(const Lowering&) = delete;  // closures hold references to it
  Lowering& operator=(const Lowering&) = delete;

  ModuleLowering& m;
  const ir::Function& source;
  Exprs& x;
  const ir::Conventions& conv;
  Emitter out;
  Variables vars;
  Facts facts;
  Ownership own;
  Uses uses;
  Deferrals deferred;
  LoopState loops;
  Sections section;
  std::vector<Slot> results;                                      ///< one for each result type
  std::vector<std::shared_ptr<const ir::LibCall>> library_calls;  ///< made here; array generators refer to them
};

}  // namespace vr::lower
