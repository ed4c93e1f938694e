// Writes statements of a function in the loop form: variables, blocks (private to src/loop and src/lower).
#pragma once
#include "loop/exprs.hpp"
#include "support/restore.hpp"

#include <iterator>
#include <string>

namespace vr::lower {

/// Not thread-safe; `fn` must outlive it.
class Writer {
 public:
  Writer(Exprs& exprs, Function& target) : x(exprs), fn(target), block(&target.body) {}
  Writer(const Writer&) = delete;  // closures hold references to it
  Writer& operator=(const Writer&) = delete;

  Exprs& x;
  Function& fn;
  Block* block;          ///< where statements go
  int32_t place = none;  ///< of the statements to come, in Module::places

  // ---- statements
  void emit(auto node) { block->push_back(Stmt{std::move(node), place}); }
  void append(Block&& b) { block->insert(block->end(), std::move_iterator(b.begin()), std::move_iterator(b.end())); }
  /// Runs `body`, whose statements go to a block of their own.
  template <class F>
  Block collect(F&& body) {
    Block b;
    const Restore to(block, &b);
    body();
    return b;
  }

  // ---- variables
  VarId new_var(const std::string& name, Scalar type);
  /// Its value: the number, if it is one of Function::constants.
  ExprP get(VarId v);
  void set(VarId v, ExprP e) { emit(SetVar{v, e}); }
  /// The value in a fresh variable.
  ExprP temp(ExprP e, const char* name = "t");
  /// An expression for the value that can be used many times: itself if it is simple, else a fresh variable.
  ExprP keep(ExprP e, const char* name = "t") { return is_simple(e) ? e : temp(e, name); }
  ArrayVars& array(ArrayId a) { return fn.arrays[static_cast<size_t>(a)]; }
};

}  // namespace vr::lower
