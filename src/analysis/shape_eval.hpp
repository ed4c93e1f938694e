// The value of an expression, given those of the variables: the rules of shape inference for operators, library
// functions, allocations, slices and stores (for shape_inference and specialise). Each rule is that of docs/vrir.md,
// applied to intervals.
#pragma once
#include "analysis/accesses.hpp"
#include "analysis/alias.hpp"
#include "analysis/shape_inference.hpp"
#include "analysis/shape_value.hpp"
#include "ir/typing.hpp"

#include <functional>

namespace vr::analysis {

class ShapeEval {
 public:
  /// All must outlive this.
  ShapeEval(const ir::Function& f, const ir::Module& m, const ir::Conventions& c, const Accesses& a,
            const Alias& alias);

  /// The value, in its stated type. Side effects of the expression on elements (calls, xchange) are applied to `s`;
  /// each dimension of a subscripted array is passed to `accessed`, if that is set.
  ShapeValue value(const ir::ExprPtr& e, ShapeState& s) const;
  Number number(const ir::ExprPtr& e, ShapeState& s) const { return value(e, s).number; }
  /// The values of a range as a loop variable of this type has them (null: the type of the range's parts).
  IterationBounds iteration(const ir::Range& r, const ir::Type& type, ShapeState& s) const;
  /// A store to an element or slice. `may_grow`: whether this store may enlarge the array; called only if the extents
  /// do not exclude it.
  void store(const ir::Index& target, const ShapeValue& v, ShapeState& s, const std::function<bool()>& may_grow) const;
  void assign(ir::SymbolId id, ShapeValue v, ShapeState& s) const;
  const ShapeValue& variable(ir::SymbolId id, const ShapeState& s) const;
  const ir::Type& type_of(ir::SymbolId id) const { return function_.symbols.at(id).type; }

  std::function<void(SubscriptAccess)> accessed;

 private:
  using Values = std::vector<ShapeValue>;
  /// What the subscripts of an array select.
  struct Selected {
    struct Axis {
      enum class Kind : uint8_t { Number, Range, List } kind = Kind::Number;
      bool whole = false;  ///< a range over the whole dimension
      bool mask = false;
      bool inquires = false;  ///< MATLAB: a whole range of an empty array takes the extent of the stored value
      Interval count = Interval::of(1);  ///< number of positions
      std::vector<Interval> shape;       ///< of a list: the subscript's extents
      Number at;                         ///< of a number
      std::optional<int64_t> step;       ///< of a range
      Interval highest;                  ///< largest position, from 0; unbounded: not known
    };
    std::vector<Axis> axes;  ///< one for each subscript, then one for each dimension without a subscript
    bool element = false;    ///< all subscripts are numbers: a single element
  };

  // ---- operators (shape_eval.cpp)
  ShapeValue natural(const ir::Expr& e, ShapeState& s) const;
  ShapeValue binary(ir::Kind k, const ir::Expr& e, const ir::ExprPtr& l, const ir::ExprPtr& r, ShapeState& s) const;
  Number arithmetic(ir::Kind k, const Number& a, const Number& b, const ir::Type& ta, const ir::Type& tb,
                    const ir::Type& stated) const;
  std::vector<Interval> broadcast(const std::vector<Interval>& a, const std::vector<Interval>& b) const;
  ShapeValue call(const ir::FnCall& e, ShapeState& s) const;
  Values arguments(const std::vector<ir::ExprPtr>& args, ShapeState& s) const;
  /// Elements of the array, and of all arrays that may share them, may have been replaced by `v`.
  void touch(ir::SymbolId id, const Number& v, ShapeState& s, bool itself = true) const;

  // ---- the library (shape_library.cpp, shape_library_make.cpp)
  using Args = std::vector<ir::ExprPtr>;
  ShapeValue library(const ir::LibFunction& f, const Args& args, const Values& v, const ir::Type& stated) const;
  /// What is known about the elements of an elementwise function's result.
  Number mapped(const ir::LibFunction& f, const Args& args, const Values& v, const ir::Type& stated) const;
  ShapeValue matrix(const ir::LibFunction& f, const Args& args, const Values& v, const ir::Type& stated) const;
  ShapeValue reduce(const ir::LibFunction& f, const Args& args, const Values& v, const ir::Type& stated) const;
  ShapeValue sorted(const Values& v, const ir::Type& stated) const;
  ShapeValue found(const Values& v, const ir::Type& stated) const;
  ShapeValue count_of(const ir::LibFunction& f, const Values& v, const ir::Type& stated) const;
  ShapeValue sizes(const Values& v, const ir::Type& stated) const;
  ShapeValue filled(const ir::LibFunction& f, const Values& v, const ir::Type& stated) const;
  ShapeValue linspace(const Values& v, const ir::Type& stated) const;
  ShapeValue progression(const ir::LibFunction& f, const Args& args, const Values& v, const ir::Type& stated) const;
  ShapeValue joined(bool vertical, const Values& v, const ir::Type& stated) const;
  ShapeValue with_extents(const Values& v, size_t from, const ir::Type& stated, bool reshapes) const;
  /// The argument as an array; a number is an array of one element.
  ArrayShape as_array(const ShapeValue& v) const;
  /// The axis in argument k, from 0: nullopt if it is not known or absent.
  std::optional<int64_t> axis(const Values& v, size_t k, size_t rank) const;

  // ---- subscripts (shape_select.cpp)
  ShapeValue element_or_slice(const ir::Index& e, ShapeState& s) const;
  Selected select(const ir::Expr& node, ir::SymbolId array, const std::vector<ir::Subscript>& subs, bool flatten,
                  bool store, ShapeState& s) const;
  void select_range(const ir::Subscript& sub, const Interval& extent, ShapeState& s, SubscriptAccess& a,
                    Interval& count) const;
  std::vector<Interval> selected_shape(const Selected& sel, const std::vector<ir::Subscript>& subs, size_t rank,
                                       bool flatten) const;

  bool matlab() const { return conventions_.mindims == 2; }
  const ir::Function& function_;
  const ir::Conventions& conventions_;
  const Accesses& accesses_;
  const Alias& alias_;
  ir::NameIndex names_;
  ir::TypingScope scope_;
};

}  // namespace vr::analysis
