// Kernels that are given parallel loops and arrays with a row for each iteration, so that grid can distribute them
// (private to src/loop).
#pragma once
#include "loop/analysis/polynomials.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/pass.hpp"
#include "loop/writer.hpp"
#include "support/function_view.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// A form of a kernel that is being made.
class ExpandedKernel {
 public:
  ExpandedKernel(Exprs& x, const Function& kernel) : fn(kernel), x_(x) {}

  Function fn;

  /// Marks the loops of the outer block whose iterations are independent as parallel; returns their statements'
  /// numbers. Of two nested ones of which the inner one walks along rows, that is marked, if grid can make a dimension
  /// of one alone.
  std::vector<size_t> mark_independent_loops();
  /// Moves assignments to variables that later statements assign again behind parallel loops that have nothing to do
  /// with them: a variable that two parts assign cannot be distributed.
  void sink();
  /// Adds an array with one row for each iteration of the kernel as the last parameter. Returns its element `own` of
  /// the row.
  Element add_rows(const std::string& name, Scalar type, ExprP own);
  /// Whether grid can make several kernels of it.
  bool is_distributed() const;

 private:
  bool interchange(size_t at, const Polynomials& values);

  Exprs& x_;
};

/// An array of an ExpandedKernel: elements of a row, an expression of the host.
struct Rows {
  Scalar type;
  ExprP length;
};
/// Writes the launch of the kernel with new arrays, and with further numbers of the host, if `guard` (a variable or a
/// constant) holds; otherwise `here`, whose counts are simple, is launched as it is. The launches are alternatives of
/// one condition, so that grid takes the original where it cannot distribute.
void launch_expanded(Module& m, Writer& host, const Launch& here, Function made, const char* suffix,
                     const std::vector<Rows>& arrays, const std::vector<VarId>& numbers, ExprP guard);

/// Offers `expand` (Writer& of the host function, const Launch&, const Function& kernel to bool) the launches of kernels that can
/// get such a form: without checks, and with at most two dimensions, so that grid can add one. It writes what takes the
/// launch's place and returns true, or writes nothing. One version of a kernel is enough: others are for what is rare. Then
/// grid distributes the forms. Only on devices with tiles and local memory.
void expand_launches(Module& m, const PassOptions& options,
                     FunctionView<bool(Writer&, const Launch&, const Function&)> expand);

}  // namespace vr::lower
