// A module under construction (vr_builder, vr_fn, vr_expr). The C++ builder takes blocks as functions. A C program
// opens and closes them, so this builder stores the open blocks itself; it uses the same typing rules.
#pragma once
#include "capi/handles.hpp"

#include <deque>
#include <optional>

namespace vr::capi {

/// Statements of a block that is not closed yet.
struct OpenBlock {
  ir::Kind kind = ir::Kind::StmtList;
  bool on_gpu = false;
  std::vector<ir::SymbolId> itervars;
  std::optional<std::vector<ir::SymbolId>> shared;
  ir::ExprPtr head;  ///< test or domain
  std::string loc;
  bool in_else = false;
  ir::Body body, else_body;
  ir::Body& current() { return in_else ? else_body : body; }
};

}  // namespace vr::capi

struct vr_expr {
  vr::ir::ExprPtr node;
  vr_fn* fn = nullptr;
  int depth = 1;
  size_t size = 1;  ///< nodes, counted as often as they occur
};

struct vr_fn {
  vr_builder* builder = nullptr;
  std::shared_ptr<vr::ir::Function> function;
  std::deque<vr_expr> exprs;
  std::vector<vr::capi::OpenBlock> blocks;  ///< the function's body and the blocks around the next statement
  std::string loc;

  void error(std::string rule, std::string message, std::string hint = {});
};

struct vr_builder {
  vr::ir::Module module;
  vr::ir::Conventions conventions;
  std::vector<vr::Diagnostic> errors;
  std::deque<vr::ir::Type> types;
  std::deque<vr_fn> fns;
  size_t nodes = 0;  ///< of all statements
  bool no_memory = false;
  bool finished = false;
  vr_status broken = VR_OK;  ///< the code for an exception other than bad_alloc

  vr_status status() const {
    return no_memory ? vr_status{VR_OUT_OF_MEMORY} : broken ? broken : errors.empty() ? VR_OK : VR_VERIFY;
  }
  void error(std::string path, std::string rule, std::string message, std::string hint = {}) {
    errors.push_back({vr::Severity::Error, {}, std::move(path), std::move(rule), std::move(message), std::move(hint)});
  }
  /// Runs one step of the construction and records an exception. False if the builder cannot be used any more.
  template <class F>
  bool attempt(F&& step) {
    if (finished) return false;
    try {
      step();
    } catch (const std::bad_alloc&) {
      no_memory = true;
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      broken = VR_INTERNAL;
    }
    return true;
  }
};

namespace vr::capi {

/// The limits of the parser: every module that is built can be printed and parsed again.
inline constexpr size_t max_nodes = 1000000;

/// A step that makes an expression; null if it found an error.
template <class F>
vr_expr* expression(vr_fn* f, F&& step) {
  vr_expr* made = nullptr;
  if (f) f->builder->attempt([&] { made = step(); });
  return made;
}

/// The node of a required expression. Null, with an error recorded, if it is NULL or belongs to another function.
ir::ExprPtr operand(vr_fn* f, const vr_expr* e, const char* what);
bool operands(vr_fn* f, size_t count, vr_expr* const* list, const char* what, std::vector<ir::ExprPtr>* out);
/// The id of an expression that must be a variable; -1, with an error recorded, if it is not.
ir::SymbolId variable(vr_fn* f, const vr_expr* e, const char* what);
bool variables(vr_fn* f, size_t count, vr_expr* const* list, const char* what, std::vector<ir::SymbolId>* out);

}  // namespace vr::capi
