// For which addresses of a function the host's copy of the elements is current, at one statement (private to src/loop).
#pragma once
#include "loop/form.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

/// Away: the newest elements may be on the device. Read: the host's copy is current, the device's may be, too. Written: only
/// the host's copy is valid.
enum class Home : uint8_t { Away, Read, Written };

/// A function's arrays, found by the variables that describe them.
struct DescribedArrays {
  explicit DescribedArrays(const Function& f);
  std::map<VarId, ArrayId> by_data;
  std::map<VarId, std::set<ArrayId>> by_shape;  ///< extents and strides
};

class HomeState {
 public:
  HomeState(const Function& f, const DescribedArrays& arrays) : f_(&f), arrays_(&arrays) {}

  Home home(VarId v) const;
  void set_home(VarId v, Home h) { home_[v] = h; }
  void all_home();
  void all_away() { home_.clear(); }
  /// Arrays whose descriptors describe the storage at the address; no value: not known.
  std::optional<std::set<ArrayId>> whose(VarId v) const;
  void forget_whose(VarId v) { whose_[v] = std::nullopt; }

  /// The state where two control flow paths meet.
  void join(const HomeState& other);
  /// The state after a statement, without the effects of statements nested in it. moved: arrays whose address is set in the
  /// same sequence of assignments, so that a new shape in it does not belong to the old address.
  void after(const Stmt& s, const std::set<ArrayId>& moved);
  /// Forgets what is known of the variables that the block, or a block nested in it, may set.
  void forget_assigned(const Block& b);

 private:
  void set_address(VarId v, Home h, std::optional<std::set<ArrayId>> whose);
  void set_address_from(VarId v, ExprP value);
  void reshaped(VarId v, const std::set<ArrayId>& moved);
  VarId data(ArrayId a) const { return f_->arrays[static_cast<size_t>(a)].data; }
  bool is_address(VarId v) const { return v != none && f_->vars[static_cast<size_t>(v)].type == Scalar::Ptr; }

  const Function* f_;
  const DescribedArrays* arrays_;
  std::map<VarId, Home> home_;  ///< of addresses; absent: Away
  /// A variable without an entry describes no array. A data variable describes its own array.
  std::map<VarId, std::optional<std::set<ArrayId>>> whose_;
  bool reached_ = true;
};

}  // namespace vr::lower
