// Arrays while they are lowered: in variables (Slot), or not yet computed (ArrayGen) (private to src/lower).
#pragma once
#include "lower/emitter.hpp"

#include <functional>
#include <vector>

namespace vr::lower {

/// The lowered variables that represent one VRIR variable (or one part of a tuple variable).
struct Slot {
  ir::Type type;
  VarId var = none, im = none;
  ArrayId array = none;
  std::vector<Slot> parts;
};

/// The element at these 0-based subscripts; emits the code that it needs into the current block.
using Elements = std::function<ScalarValue(const std::vector<ExprP>&)>;

/// An array expression not yet computed: its extents, and how to compute one element. Elementwise trees become one loop
/// without temporaries this way.
struct ArrayGen {
  ir::Elem elem = ir::Elem::Float64;
  bool complex = false;
  std::vector<ExprP> extent;  ///< simple expressions
  Elements at;
  /// The element at a linear position, valid when `flat_if` holds; empty: elements have no linear positions.
  std::function<ScalarValue(ExprP)> flat;
  ExprP flat_if = nullptr;                   ///< Bool, simple; with `flat`
  ir::Layout layout = ir::Layout::RowMajor;  ///< order of the positions of `flat`, and the better loop order
  std::vector<ir::SymbolId> reads;           ///< array variables whose storage `at` reads
  /// `at` for the case that no extent of 1 is broadcast, valid when `exact_if` (Bool, simple) holds: its addresses are
  /// affine. Empty: those of `at` are affine already.
  Elements exact;
  ExprP exact_if = nullptr;  ///< null: always
  /// Arrays that are read at subscript `index` only, to compute the element at `index`; with `leaves_known`.
  struct Leaf {
    ExprP data;
    std::vector<ExprP> extent, stride;  ///< bytes, simple
    int64_t bytes;                      ///< of an element
    bool aligned = true;                ///< false: of lower rank than the result
  };
  std::vector<Leaf> leaves;
  bool leaves_known = false;
  /// A temporary of the statement that holds exactly this value and has no other users; none: array == none.
  Slot made;
  /// A copy for which another way to compute the elements will be set.
  ArrayGen derived() const {
    ArrayGen g = *this;
    g.exact = nullptr;
    g.exact_if = nullptr;
    g.leaves.clear();
    g.leaves_known = false;
    g.made = {};
    return g;
  }
  bool faults = false;  ///< computing an element may cause a fault
  bool costly = false;  ///< elements should not be computed more than once
  int rank() const { return static_cast<int>(extent.size()); }
};

/// What a subscripted array selects: the result's extents, and the address of each of its elements.
struct View {
  Slot base;
  ExprP data = nullptr;       ///< address of the first selected element (affine), else of element (0,...,0)
  std::vector<ExprP> extent;  ///< simple
  std::vector<ExprP> stride;  ///< bytes, simple; with `affine`
  bool affine = true;         ///< false: a subscript is an array; `offset` gives the addresses
  std::function<ExprP(const std::vector<ExprP>&)> offset;  ///< bytes from `data`
  ExprP address_offset(Exprs& x, const std::vector<ExprP>& index) const;
};

/// Which parts of a dimension of a domain variable were given. No bit: nothing has been assigned to it yet, and the
/// dimension is empty.
enum RangeBits : int32_t { RangeStart = 1, RangeStep = 2, RangeStop = 4, RangeExclude = 8, RangeAssigned = 16 };

/// One dimension of a loop's domain.
struct LoopDim {
  ir::SymbolId id;
  ExprP count;            ///< Int64, >= 0, simple
  ExprP start, step;      ///< in the variable's own type (Int64 or the float type)
  bool integral = false;  ///< start and step are integers: the variable has an Int64 copy
  ExprP int_start = nullptr, int_step = nullptr;
};

}  // namespace vr::lower
