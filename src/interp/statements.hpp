// Statements: each run as its node's comment says.
#pragma once
#include "interp/activation.hpp"
#include "interp/native_stack.hpp"

#include <velociraptor/binding.hpp>

#include <functional>

namespace vr::interp {

class Machine;

enum class Flow : uint8_t { Next, Break, Continue, Return };

class Statements {
 public:
  /// step_limit: maximum number of statements; 0: none. host: the host that may interrupt; null: none.
  Statements(Machine& machine, Context& ctx, NativeStack& stack, Activation& here, int64_t step_limit,
             const HostBinding* host)
      : machine_(machine),
        ctx_(ctx),
        stack_(stack),
        here_(here),
        step_limit_(step_limit),
        host_(host),
        interrupt_(host ? host->interrupt : nullptr) {}
  Flow run(const ir::Body& body);

 private:
  Flow run(const ir::Stmt& s);
  Flow node(const ir::Assign& s);
  Flow node(const ir::StmtList& s);
  Flow node(const ir::For& s);
  Flow node(const ir::PFor& s);
  Flow node(const ir::While& s);
  Flow node(const ir::If& s);
  Flow node(const ir::Break&) { return Flow::Break; }
  Flow node(const ir::Continue&) { return Flow::Continue; }
  Flow node(const ir::Return& s);
  Flow node(const ir::Raise& s);
  Flow node(const ir::ExprStmt& s);
  void step();
  bool condition(const ir::Expr& e);
  void assign(const ir::Expr& target, Datum value);
  void assign_index(const ir::Index& target, const Datum& value);
  /// Calls body() for every point of the domain, after setting the loop variables.
  Flow iterate_domain(const std::vector<ir::SymbolId>& vars, const ir::Expr& domain, const std::function<Flow()>& body);

  Machine& machine_;
  Context& ctx_;
  NativeStack& stack_;
  Activation& here_;
  const int64_t step_limit_;
  const HostBinding* const host_;
  const int32_t* const interrupt_;
  int64_t steps_ = 0;
};

}  // namespace vr::interp
