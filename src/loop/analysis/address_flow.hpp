// Which elements in host memory code looks at, by the addresses that it has them from (private to src/lower).
#pragma once
#include "loop/analysis/movers.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

/// The variables that an address may come from. None: it has no storage. unknown: there may be others.
struct Sources {
  std::set<VarId> vars;
  bool unknown = false;
};
Sources sources(ExprP address);

/// What a statement does with elements in host memory by itself, without what the statements in it do.
struct Accesses {
  std::set<VarId> read, written;
  bool unknown_read = false, unknown_written = false;
};
Accesses accesses(const Movers& movers, const Function& f, const Stmt& s);

/// Whether the dispatcher of a region looks at the argument's elements, when they are few: whole numbers
/// (engine/region).
bool part_of_key(const Module& m, const Function& f, const CallFunction& call, const Operand& argument);

/// From where the addresses come that a block uses in which nothing goes to the device.
class AddressFlow {
 public:
  AddressFlow(const Movers& movers, const Function& f) : movers_(movers), f_(f) {}
  void add(const Block& b);
  void add(const Stmt& s);
  /// What has to be at home when the block starts, and how (true: to be written). Empty optional: everything.
  std::optional<std::map<VarId, bool>> needs() const;
  /// Addresses of the block's start that this one may come from; unknown: there may be others.
  std::set<VarId> starts_of(VarId v, bool& unknown) const;
  const std::map<VarId, std::set<VarId>>& from() const { return from_; }
  bool is_unknown(VarId v) const { return unknown_.count(v) > 0; }

 private:
  void use(VarId v, bool write);
  void set(VarId v, const std::set<VarId>& from);
  void call(const Call& n);
  void call_function(const CallFunction& n);
  VarId data(ArrayId a) const { return f_.arrays[static_cast<size_t>(a)].data; }

  const Movers& movers_;
  const Function& f_;
  std::set<VarId> defined_;                ///< on every way to the statement at hand
  std::map<VarId, std::set<VarId>> from_;  ///< all that an address is set to, anywhere in the block
  std::set<VarId> start_;                  ///< addresses that are used as they are when the block starts
  std::set<VarId> unknown_;                ///< addresses that may be set to anything
  std::map<VarId, bool> used_;             ///< addresses of loads and stores; true: stores
  bool lost_ = false;                      ///< something is looked at that no variable tells of
};

}  // namespace vr::lower
