// Helpers that the typing rules of nodes and of library functions share. Private to typing*.cpp.
#pragma once
#include "ir/typing.hpp"

namespace vr::ir {
struct LibFunction;
}

namespace vr::ir::typing {

Typing fail(std::string message, std::string rule = "type-mismatch", std::string hint = {});
/// `l`; if that is strided, the layout of new arrays.
Layout contiguous(Layout l, const Conventions& c);
/// A scalar for rank 0.
Type shaped(Elem e, bool complex, int rank, Layout layout);
/// `shape`'s rank and (contiguous) layout with another element type.
Type with_elem(const Type& shape, Elem e, bool complex, const Conventions& c);
int rank_of(const Type& t);  ///< 0 for a scalar
Elem arithmetic(Elem e);     ///< bool counts as int32
Elem floating(Elem e);       ///< bool and integers count as float64
Type vector_type(Elem e, bool complex, const Conventions& c);
/// The type of a call of a function that the runtime computes, by LibFunction::params and results. typing_called.cpp
Typing called_type(const LibFunction& f, const std::vector<ExprPtr>& args, const Type& stated, const Conventions& c);
/// Type of the elementwise operation `what` of two operands, before bool is converted to int32.
Typing elementwise(const Type& a, const Type& b, const Conventions& c, const char* what, bool real_only);

}  // namespace vr::ir::typing
