// Which elements in host memory code accesses, described by the variables that their addresses come from (private to src/loop).
#pragma once
#include "loop/analysis/movers.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

/// The variables that an address may be derived from. Empty: the array has no storage (null). unknown: the address may
/// also be derived from other variables.
struct Sources {
  std::set<VarId> vars;
  bool unknown = false;
};
Sources sources(ExprP address);

/// The elements in host memory that a statement itself accesses, without those of the statements nested in it: the
/// variables of their addresses. unknown_...: it also accesses elements at addresses that no variable holds.
struct Accesses {
  std::set<VarId> read, written;
  bool unknown_read = false, unknown_written = false;
};
Accesses accesses(const Movers& movers, const Function& f, const Stmt& s);

/// Whether the dispatcher of a region reads the elements of the argument (an array of integers; if it has few elements they
/// are part of the key of a version, engine/region).
bool part_of_key(const Module& m, const Function& f, const CallFunction& call, const Operand& argument);

/// Where the addresses that a block accesses come from. The block contains nothing that leaves newest elements on the device.
class AddressFlow {
 public:
  AddressFlow(const Movers& movers, const Function& f) : movers_(movers), f_(f) {}
  void add(const Block& b);
  void add(const Stmt& s);
  /// The addresses, as of the start of the block, whose elements must be current in host memory there, and whether they are
  /// written (true). No value: all arrays must be.
  std::optional<std::map<VarId, bool>> needs() const;
  /// The addresses, as of the start of the block, that this one may be derived from; unknown: there may be others.
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
  std::set<VarId> defined_;                ///< addresses that are set on every path to the current statement
  std::map<VarId, std::set<VarId>> from_;  ///< all that an address is set to, anywhere in the block
  std::set<VarId> start_;                  ///< addresses that are used with the value they have when the block starts
  std::set<VarId> unknown_;                ///< addresses that may be set to anything
  std::map<VarId, bool> used_;             ///< addresses of loads and stores; true: stores
  bool lost_ = false;                      ///< an access has an address that comes from no variable
};

}  // namespace vr::lower
