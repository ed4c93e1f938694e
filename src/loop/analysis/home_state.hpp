// Which addresses of a function have their elements at home, at one point of it (private to src/lower).
#pragma once
#include "loop/form.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

/// Away: the newest elements may be on the device. Read: they are here. Written: and the device has none that count.
enum class Home : uint8_t { Away, Read, Written };

/// A function's arrays by the variables that describe them.
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
  /// Arrays whose descriptors say where the address's storage is; no value: not known.
  std::optional<std::set<ArrayId>> whose(VarId v) const;
  void forget_whose(VarId v) { whose_[v] = std::nullopt; }

  /// Behind two ways that meet.
  void join(const HomeState& other);
  /// Behind a statement, without what the statements in it do. moved: arrays whose address is set in the run of
  /// assignments that it is one of.
  void after(const Stmt& s, const std::set<ArrayId>& moved);
  /// What the block, or a block in it, may set is no longer known.
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
  /// absent: no array's. Of data variables it is their own.
  std::map<VarId, std::optional<std::set<ArrayId>>> whose_;
  bool reached_ = true;
};

}  // namespace vr::lower
